"""Starts the reference's process, asks it, and never waits for it longer than agreed."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
import weakref
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from wrongcall.closing import Closing
from wrongcall.errors import OracleError, WrongcallError
from wrongcall.interpreters.choose import choose
from wrongcall.oracles.reference.counterparts import counterparts, import_folders, working_folder
from wrongcall.recording import Recording
from wrongcall.session.code_of_tests import CodeOfTests

START_LIMIT_S = 60.0
CALL_LIMIT_S = 5.0
_GRACE_S = 5.0
_MAX_LINE_BYTES = 1 << 20
_NEEDED = ("wrongcall", "numpy", "zstandard")
_START = """
import json, sys
sys.path += json.loads(sys.argv.pop())
from wrongcall.oracles.reference.worker import main
main()
"""


@dataclass(frozen=True)
class Allowed:
    """What repeated calls may do."""

    seconds: float = CALL_LIMIT_S
    """For one call."""
    folders: tuple[Path, ...] = ()
    """Where they may write, in addition to a temporary folder."""
    python: str | None = None
    """The interpreter that runs them; None: the one that the program ran on, if it is the project's or wrongcall's."""


class WorkerProcess(Closing):
    """One process with the reference loaded; ``seed`` sets the order of its sets."""

    def __init__(
        self,
        recording: Recording,
        reference: Path,
        allowed: Allowed = Allowed(),  # noqa: B008 - frozen
        *,
        seed: int = 0,
    ) -> None:
        self._allowed = allowed
        self._python = python_of(recording, allowed.python)
        self._folder = tempfile.TemporaryDirectory(prefix="wrongcall-reference-")
        self._buffer = bytearray()
        try:
            self._process = self._started(recording, reference, seed)
        except OSError as exc:
            self._folder.cleanup()
            raise OracleError(f"can't start {self._python}: {exc.strerror}") from exc
        self._finalizer = weakref.finalize(self, _end, self._process, self._folder)
        self._send(self._settings(recording, reference))
        ready = self._line(START_LIMIT_S, "loading the reference")
        self.failed: dict[str, str] = _texts(ready.get("failed"))
        """The modules that can't be loaded, and why."""

    def _started(self, recording: Recording, reference: Path, seed: int) -> subprocess.Popen[bytes]:
        env = {
            **os.environ,
            "PYTHONHASHSEED": str(seed),
            "TMPDIR": self._folder.name,
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        command = [self._python, "-P", "-c", _START, json.dumps(_own_folders())]
        return subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=working_folder(recording, reference),
            env=env,
            start_new_session=True,
        )

    def _settings(self, recording: Recording, reference: Path) -> dict[str, Any]:
        files = counterparts(recording, reference)
        tests = CodeOfTests(recording)
        functions = recording.program.functions.values()
        of_tests = {
            recording.program.files[f.file].module for f in functions if tests.has_function(f.id)
        }
        folder = reference if reference.is_dir() else reference.parent
        installed = {sys.prefix, sys.base_prefix, str(Path(self._python).parent.parent)}
        return {
            "trace": str(Path(recording.path).resolve()),
            "files": {name: str(path) for name, path in files.items()},
            "unloaded": sorted(of_tests),
            "path": import_folders(files),
            "writable": [self._folder.name, *map(str, self._allowed.folders)],
            "known": [str(folder), *installed, *_own_folders()],
            "limit": self._allowed.seconds,
        }

    def ask(self, calls: tuple[int, ...], *, watch: bool = False) -> dict[str, Any]:
        """Let calls be repeated; ``watch``: look for what makes a difference between two times."""
        self._send({"calls": list(calls), "watch": watch})
        return self._line(self._allowed.seconds + _GRACE_S, "repeating a call")

    def _send(self, request: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
        except (OSError, ValueError) as exc:
            raise OracleError(f"the reference's process has ended ({self._ending()})") from exc

    def _line(self, limit: float, doing: str) -> dict[str, Any]:
        """Return the next line that the process says."""
        assert self._process.stdout is not None
        source, deadline = self._process.stdout.fileno(), time.monotonic() + limit
        while b"\n" not in self._buffer:
            ready, _, _ = select.select([source], [], [], max(deadline - time.monotonic(), 0))
            if not ready:
                self.close()
                raise OracleError(f"no answer within {limit:g} s while {doing}")
            part = os.read(source, 1 << 16)
            if not part or len(self._buffer) > _MAX_LINE_BYTES:
                self.close()
                raise OracleError(f"the reference's process ended while {doing} ({self._ending()})")
            self._buffer += part
        line, _, rest = bytes(self._buffer).partition(b"\n")
        self._buffer = bytearray(rest)
        try:
            found = json.loads(line)
        except ValueError as exc:
            raise OracleError(f"the reference's process said {line[:80]!r}") from exc
        if not isinstance(found, dict):
            raise OracleError(f"the reference's process said {line[:80]!r}")
        return found

    def _ending(self) -> str:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(1.0)
        status = self._process.poll()
        return f"exit code {status}" if status is None or status >= 0 else f"signal {-status}"

    def close(self) -> None:
        """End the process and remove its folder."""
        self._finalizer()


def _end(process: subprocess.Popen[bytes], folder: tempfile.TemporaryDirectory[str]) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
    folder.cleanup()


def python_of(recording: Recording, given: str | None = None) -> str:
    """Return the interpreter for the reference: the one that the program ran on.

    The worker reads the trace itself, so it needs an interpreter of wrongcall's own version. What a trace says, which
    may come from anybody, is not started unless the project uses it too.
    """
    path, version = recording.meta.get("python_path"), str(recording.meta.get("python", ""))
    ours = f"{sys.version_info.major}.{sys.version_info.minor}"
    if version and ".".join(version.split(".")[:2]) != ours:
        text = f"the program ran on Python {version}, and wrongcall runs on {ours}"
        raise OracleError(f"{text}; install wrongcall for the program's Python to use a reference")
    if given is not None:
        return given
    root = recording.meta.get("root")
    if isinstance(path, str) and isinstance(root, str) and path != sys.executable:
        with suppress(WrongcallError):
            return path if choose(None, None, Path(root)).path == path else sys.executable
    return sys.executable


def _own_folders() -> list[str]:
    """Return where wrongcall and what it needs are installed."""
    specs = (find_spec(name) for name in _NEEDED)
    return list(
        dict.fromkeys(str(Path(s.origin).parents[1]) for s in specs if s is not None and s.origin)
    )


def _texts(value: Any) -> dict[str, str]:
    return {str(k): str(v) for k, v in value.items()} if isinstance(value, dict) else {}
