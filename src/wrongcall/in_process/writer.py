"""The process that writes the trace of a process that runs already; `writer_link` starts it as a script.

It drains the ring until the recorded process says that the recording is over, or dies. It says twice how it is, as a
line of JSON in a pipe: when the trace exists, and when the trace is complete.
"""

from __future__ import annotations

import gc
import json
import os
import select
import sys
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    if not sys.flags.safe_path:
        del sys.path[0]  # this folder
    sys.path.append(str(Path(__file__).resolve().parents[2]))  # if it is not installed

from wrongcall.errors import WrongcallError
from wrongcall.interpreters.code_store import CodeStore
from wrongcall.trace.format.run_facts import FIRST_PROCESS
from wrongcall.trace.write.drain import Drain
from wrongcall.trace.write.ring import ProgramState, Ring
from wrongcall.trace.write.writer import TraceWriter


class Writer:
    """Writes one trace."""

    def __init__(self, told: dict[str, Any]) -> None:
        self.program: int = told["program"]
        self.alive = os.pidfd_open(self.program)
        self.ring = Ring(told["ring"])
        self.began = time.monotonic()
        meta = {**told["meta"], "recorder": os.getpid()}
        self.writer = TraceWriter(
            Path(told["path"]), meta, force=told["force"], precious=partial(has_answers, meta)
        )
        store = CodeStore.open()
        if store is not None:
            self.writer.keep_code = store.keep
        self.writer.process_began(FIRST_PROCESS, self.program)

    def run(self) -> dict[str, Any]:
        """Write until the recording is over; return how it went."""
        gc.freeze()
        drain, lost = Drain(self.ring, self.writer), None
        try:
            drain.run_until(self._is_over)
        except (WrongcallError, OSError) as error:  # the trace is lost, the program is not
            lost = str(error)
        if self.ring.program_state == ProgramState.OUT_OF_MEMORY:
            lost = "out of memory"
        return {**self._close(drain, lost), "calls": drain.calls}

    def _is_over(self) -> bool:
        state = self.ring.program_state
        return state not in (ProgramState.NOT_BEGUN, ProgramState.RECORDING) or self._has_died()

    def _has_died(self) -> bool:
        return bool(select.select([self.alive], [], [], 0)[0])

    def _close(self, drain: Drain, lost: str | None) -> dict[str, Any]:
        killed = self.ring.program_state == ProgramState.RECORDING
        seconds = time.monotonic() - self.began
        facts: dict[str, Any] = {"seconds": seconds, "calls": drain.calls}
        facts |= {"stopped": lost} if lost else {}
        self.writer.process_ended(FIRST_PROCESS, "gone" if killed else "goes on")
        try:
            self.writer.close("killed" if killed else "exit", facts)
        except (WrongcallError, OSError) as error:
            lost = lost or str(error)
        if drain.full:
            lost = lost or "the disk is full"
        kept = self.writer.earlier
        return {"lost": lost, "kept": str(kept.aside) if kept.is_precious else None}


def has_answers(meta: dict[str, Any], path: Path) -> bool:
    """Return whether an older trace has answers of a person; what cannot be read may have some."""
    # Only if there is an older trace: the program waits until this is done.
    from wrongcall.cli.record import is_precious  # noqa: PLC0415

    return is_precious(meta, path, named=True)


def main(told: dict[str, Any]) -> None:
    """Become the writer, as nobody's child."""
    if os.fork():
        os._exit(0)
    say = partial(_say, told["tell"])
    try:
        writer = Writer(told)
    except (WrongcallError, OSError) as error:
        say({"error": str(error)})
        return
    say({"pid": os.getpid()})
    say(writer.run())


def _say(descriptor: int, facts: dict[str, Any]) -> None:
    with suppress(BrokenPipeError):  # the program has died
        os.write(descriptor, json.dumps(facts).encode() + b"\n")


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
