"""Measure how fast the debug adapter steps back: `make bench-dap`.

    dap.py [--steps N] [--scale N]

Records `workloads/stepping.py` (over a million events: loops, calls, generators and objects), opens it at its end and
steps back, with all that an editor asks for after a step: the stack, the scopes and the local variables. One client
over a pair of sockets, as the tests have it. The limit is the project's own: 20 ms for each step. It applies to
processor time, of the client and the adapter together, as others may use the machine; the first step into a very long
call reads all of it, which is the slowest.
"""

from __future__ import annotations

import argparse
import json
import socket
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from traces import trace_of

import wrongcall.recording
from wrongcall.dap.server import serve
from wrongcall.session.search import How, Start

LIMIT_MS = 20.0
_SCALE = 2
COMMANDS = ("wrongcall/stepInBack", "stepBack", "stepIn", "next")


class Client:
    """Sends requests, and waits for the answers."""

    def __init__(self) -> None:
        ours, its = socket.socketpair()
        self._socket, self._reader, self._sent = ours, ours.makefile("rb"), 0
        threading.Thread(target=self._serve, args=(its,), daemon=True).start()

    def _serve(self, its: socket.socket) -> None:
        with its.makefile("rb") as reader, its.makefile("wb") as writer:
            serve(reader, writer, lambda recording: (How(), Start()), [])

    def ask(self, command: str, **arguments: Any) -> Any:
        """Send a request, and return the body of its response."""
        self._sent += 1
        message = {"seq": self._sent, "type": "request", "command": command, "arguments": arguments}
        body = json.dumps(message).encode()
        self._socket.sendall(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        while True:
            length = int(self._reader.readline().partition(b":")[2])
            self._reader.readline()
            found = json.loads(self._reader.read(length))
            if found["type"] == "response" and found["request_seq"] == self._sent:
                if not found["success"]:
                    raise SystemExit(f"{command}: {found['message']}")
                return found.get("body")

    def step(self, command: str) -> None:
        """Step, and ask for what an editor shows then."""
        self.ask(command, threadId=1)
        frames = self.ask("stackTrace", threadId=1, startFrame=0, levels=20)["stackFrames"]
        scopes = self.ask("scopes", frameId=frames[0]["id"])["scopes"]
        self.ask("variables", variablesReference=scopes[0]["variablesReference"])


def measured(act: Callable[[], None], count: int) -> tuple[list[float], list[float]]:
    """Return how long each of several acts takes, in milliseconds of processor and of the clock, ascending."""
    used, passed = [], []
    for _ in range(count):
        cpu, clock = time.process_time(), time.perf_counter()
        act()
        used.append((time.process_time() - cpu) * 1000)
        passed.append((time.perf_counter() - clock) * 1000)
    return sorted(used), sorted(passed)


def main() -> int:
    """Measure; 1 if a step takes too long."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--steps", type=int, default=10_000)
    parser.add_argument("--scale", type=int, default=_SCALE)
    args = parser.parse_args()
    trace = trace_of("stepping", args.scale)
    with wrongcall.recording.open(trace) as recording:
        print(f"{recording.event_count:,} events, {recording.calls.count:,} calls")
    client = Client()
    client.ask("initialize", adapterID="bench")
    client.ask("attach", trace=str(trace))
    (opened,), _ = measured(lambda: client.ask("configurationDone"), 1)
    print(f"opened at the end in {opened:.0f} ms")
    print("| request | steps | median ms | 99.9% ms | slowest ms | median by the clock, ms |")
    print("| --- | --- | --- | --- | --- | --- |")
    slow = False
    for command in COMMANDS:
        if "ack" in command:
            client.ask("continue", threadId=1)
        times, clock = measured(lambda name=command: client.step(name), args.steps)  # type: ignore[misc]
        middle, high, worst = times[len(times) // 2], times[len(times) * 999 // 1000], times[-1]
        told = f"{middle:.1f} | {high:.1f} | {worst:.1f} | {clock[len(clock) // 2]:.1f}"
        print(f"| {command} | {len(times):,} | {told} |", flush=True)
        slow |= high > LIMIT_MS
    if slow:
        print(f"more than {LIMIT_MS:.0f} ms for a step")
    return int(slow)


if __name__ == "__main__":
    sys.exit(main())
