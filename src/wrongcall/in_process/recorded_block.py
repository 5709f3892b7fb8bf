"""A block of code of a running process, recorded into a trace: ``with wrongcall.record("f.wrongcall"): ...``.

One recording at a time, of all threads. What exists before is seen when the recorder first meets it. Calls that run
when the recording begins have no questions of their own: in the tree, they begin where they go on. Calls that run when
it ends are not completed. Processes that the block starts are not recorded.
"""

from __future__ import annotations

import os
import sys
import threading
import time
import warnings
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from wrongcall.errors import UsageError
from wrongcall.in_process.instrumenting import install, installed_root
from wrongcall.in_process.writer_link import WriterLink
from wrongcall.trace.write.ring import Ring

_current: list[RecordedBlock] = []
_changing = threading.Lock()


class RecordedBlock:
    """A context manager, used once."""

    def __init__(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        self.path = Path(path).absolute()
        self.force = force
        self.facts: dict[str, Any] = {}
        """What the writer said at the end: how many calls there are, which modules were not recorded."""
        self._writer: WriterLink | None = None
        self._process = 0

    def __enter__(self) -> Self:
        with _changing:
            self._check()
            self._begin()
            _current.append(self)
        return self

    def _check(self) -> None:
        if self._process:
            raise UsageError(
                "a recording can't be begun twice; call wrongcall.record() for another one"
            )
        if _current and _current[0]._process == os.getpid():
            raise UsageError(
                f"can't record into {self.path}: this process is being recorded into {_current[0].path}"
            )
        _current.clear()  # of the process that forked this one

    def _begin(self) -> None:
        install()
        from wrongcall.recorder import _native  # noqa: PLC0415 - not loaded before it is needed

        if _native.recording():
            raise UsageError("this process is being recorded already, by wrongcall record")
        with Ring.create() as ring:
            self._writer = WriterLink.start(ring.fd, self.path, self._meta(), force=self.force)
            self._process = os.getpid()
            _native.stop()  # what a process that forked this one has left
            _native.start(os.dup(ring.fd), self._writer.pid)

    def _meta(self) -> dict[str, Any]:
        return {
            "kind": "block",
            "program": [sys.argv[0] if sys.argv else ""],
            "root": str(installed_root()),
            "folder": str(Path.cwd()),
            "python": ".".join(map(str, sys.version_info[:3])),
            "python_path": sys.executable,
            "python_why": "it is the process that was recorded",
            "started": time.time(),
        }

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        from wrongcall.recorder import _native  # noqa: PLC0415 - loaded by __enter__

        _native.stop()
        if os.getpid() != self._process or self._writer is None:
            return  # a forked child: the recording is its parent's
        with _changing:
            _current.clear()
        self.facts = self._writer.finish()
        _tell(self.facts, self.path)


def _tell(facts: dict[str, Any], path: Path) -> None:
    """Warn of what is missing: the block has run, and what it did must not depend on the recording."""
    if facts.get("lost"):
        text = f"{facts['lost']}; the rest of the block was not recorded"
    elif not facts.get("calls"):
        text = f"{path} has no calls: modules are recorded if they are imported after wrongcall.install()"
    else:
        return
    warnings.warn(f"wrongcall: {text}", RuntimeWarning, stacklevel=3)
