"""The process in which the reference's code runs: it loads the modules once, and forks for each question.

So every call finds modules as they are after import, and whatever it does ends with it: an endless loop, a crash, a
full memory. Requests and replies are lines of JSON.

    -> {"trace": ..., "files": {...}, "path": [...], "writable": [...], "known": [...], "limit": 5.0}
    <- {"ready": true, "failed": {module: why}}
    -> {"calls": [12], "watch": false}
    <- {"verdict": "wrong", "reason": "result is 3, not 4", "cause": null}
"""

from __future__ import annotations

import json
import os
import resource
import select
import signal
import sys
import time
from collections.abc import Callable
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import IO, Any

import wrongcall.recording
from wrongcall.oracles.reference.anchors import Anchors
from wrongcall.oracles.reference.causes import Cause, Judgement, UnanswerableError
from wrongcall.oracles.reference.guard import Guard, Mode
from wrongcall.oracles.reference.program import Program
from wrongcall.oracles.reference.repetition import judge
from wrongcall.recording import Recording
from wrongcall.session.answers import Verdict

MAX_MEMORY_BYTES = 4 << 30
MAX_REPLY_BYTES = 1 << 16


def main() -> None:
    """Serve until there are no more requests."""
    source, target = os.fdopen(os.dup(0), "r"), os.fdopen(os.dup(1), "w")
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    settings = json.loads(source.readline())
    worker = Worker(settings)
    _reply(target, {"ready": True, "failed": worker.load()})
    for line in source:
        asked = json.loads(line)
        _reply(target, worker.answer(tuple(asked["calls"]), watch=bool(asked.get("watch"))))


def _reply(target: IO[str], reply: dict[str, Any]) -> None:
    target.write(json.dumps(reply) + "\n")
    target.flush()


class Worker:
    """The reference, loaded."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self._trace = Path(settings["trace"])
        self._limit = float(settings["limit"])
        self._program = Program({name: Path(path) for name, path in settings["files"].items()})
        self._unloaded = frozenset(settings.get("unloaded", ()))
        self._guard = Guard(tuple(settings["writable"]), tuple(settings["known"]))
        self._anchors: Anchors | None = None
        self._recording: Recording | None = None
        sys.path[:0] = settings["path"]
        sys.argv = ["reference"]
        sys.dont_write_bytecode = True

    def load(self) -> dict[str, str]:
        """Import the program's modules; return those that can't be, and why."""
        failed: dict[str, str] = {}
        self._guard.install()
        self._guard.mode = Mode.LOADING
        for name in self._program.files:
            if name in self._unloaded:
                continue
            try:
                self._program.module(name)
            except (UnanswerableError, Exception, SystemExit) as exc:  # noqa: BLE001 - of the program
                failed[name] = f"{exc}"
        self._guard.mode = Mode.OFF
        self._recording = wrongcall.recording.open(self._trace)
        self._anchors = Anchors(self._recording, self._program)
        self._anchors.add_modules()
        return failed

    def answer(self, calls: tuple[int, ...], *, watch: bool = False) -> dict[str, Any]:
        """Repeat calls in a process of their own."""
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            _in_child(lambda: self._judged(calls, watch=watch), writing, self._limit)
        os.close(writing)
        try:
            said = _until(reading, time.monotonic() + self._limit)
        finally:
            os.close(reading)
            with suppress(ProcessLookupError):
                os.killpg(child, signal.SIGKILL)
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
            _, status = os.waitpid(child, 0)
        return _told(said, status, self._limit)

    def _judged(self, calls: tuple[int, ...], *, watch: bool) -> Judgement:
        """Judge calls, in the child."""
        assert self._anchors is not None
        assert self._recording is not None
        self._recording.reconnect()
        self._guard.mode = Mode.LOADING
        return guarded(
            self._recording, self._program, calls, self._anchors, self._guard, watch=watch
        )


def guarded(
    recording: Recording,
    program: Program,
    calls: tuple[int, ...],
    anchors: Anchors,
    guard: Guard,
    *,
    watch: bool = False,
) -> Judgement:
    """Judge calls; those that touch the outside are undecided."""
    found = judge(recording, program, calls, anchors, Guarded(guard, watch=watch))
    notes = guard.decisive + (guard.read if found.verdict is Verdict.WRONG else [])
    if notes and found.verdict is not Verdict.DONT_KNOW:
        return Judgement(Verdict.DONT_KNOW, notes[0], Cause.OUTSIDE)
    return found


class Guarded:
    """Turns the guard on while the reference's code runs."""

    def __init__(self, guard: Guard, *, watch: bool = False) -> None:
        self._guard = guard
        self._watch = watch

    def __call__(self, run: Callable[[], Any]) -> Any:
        """Run some code of the reference."""
        before = self._guard.mode
        try:
            self._guard.mode = Mode.CALLING
            with self._guard.watching() if self._watch else nullcontext():
                return run()
        finally:
            self._guard.mode = before


def _in_child(judged: Callable[[], Judgement], writing: int, limit: float) -> None:
    """Judge, say the result, and end; nothing else of this process runs."""
    status = 1
    try:
        os.setsid()
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        _limit_memory()
        seconds = int(limit) + 2
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        found = judged()
        said = {"verdict": found.verdict.value, "reason": found.reason, "cause": found.cause}
        os.write(writing, json.dumps(said).encode()[:MAX_REPLY_BYTES])
        status = 0
    except MemoryError:
        said = {"verdict": Verdict.DONT_KNOW.value, "reason": "too little memory"}
        os.write(writing, json.dumps({**said, "cause": Cause.LIMIT}).encode())
    except Exception as exc:  # noqa: BLE001 - told to the parent, which has no other way to know
        reason = f"wrongcall can't repeat it: {type(exc).__name__}: {exc}"
        said = {"verdict": Verdict.DONT_KNOW.value, "reason": reason}
        os.write(writing, json.dumps({**said, "cause": Cause.INPUT}).encode()[:MAX_REPLY_BYTES])
    finally:
        os._exit(status)


def _limit_memory() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = MAX_MEMORY_BYTES if hard == resource.RLIM_INFINITY else min(MAX_MEMORY_BYTES, hard)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def _until(reading: int, deadline: float) -> bytes | None:
    """Return what a child said; None: it took too long."""
    parts: list[bytes] = []
    while True:
        ready, _, _ = select.select([reading], [], [], max(deadline - time.monotonic(), 0))
        if not ready:
            return None
        part = os.read(reading, MAX_REPLY_BYTES)
        if not part or sum(map(len, parts)) > MAX_REPLY_BYTES:
            return b"".join(parts)
        parts.append(part)


def _told(said: bytes | None, status: int, limit: float) -> dict[str, Any]:
    """Return what a child said as a reply, whatever became of it."""
    reply = {"verdict": Verdict.DONT_KNOW.value, "cause": Cause.CRASH}
    if said is None:
        return {**reply, "reason": f"it takes more than {limit:g} s", "cause": Cause.LIMIT}
    try:
        found = json.loads(said)
    except ValueError:
        how = f"signal {status & 0x7F}" if status & 0x7F else f"exit code {status >> 8}"
        return {**reply, "reason": f"the reference ended the process ({how})"}
    return found if isinstance(found, dict) else {**reply, "reason": "the reference said nothing"}
