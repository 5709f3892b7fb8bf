"""Ask an interpreter what it is.

It is run once with a small program that any version of any implementation understands, isolated from the user's
settings and packages. It may be anything: its output and its time are limited. The answer is kept in the cache folder
until the file changes; a script is asked every time, since it may start another interpreter tomorrow.
"""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import time
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from hashlib import sha256
from pathlib import Path
from typing import IO, Any

from wrongcall.errors import RecorderError
from wrongcall.interpreters.cache import Cache

LIMIT_S = 15.0
MAX_ANSWER_BYTES = 1 << 16
MARK = "wrongcall answer "

QUESTIONS = """
import sys
sys.path = [p for p in sys.path if p]
import json, platform, sysconfig
v = sysconfig.get_config_var
folders = [sysconfig.get_path("include"), sysconfig.get_path("platinclude"), v("INCLUDEPY")]
print("@" + json.dumps({
    "name": platform.python_implementation(),
    "version": list(sys.version_info[:3]),
    "text": sys.version,
    "free_threaded": bool(v("Py_GIL_DISABLED")),
    "suffix": v("EXT_SUFFIX") or "",
    "include": [f for f in folders if f],
    "compiler": v("CC") or "",
}))
""".replace("@", MARK)


class ProbeError(RecorderError):
    """An interpreter does not answer; the message continues a sentence that starts with its path."""


@dataclass(frozen=True)
class Facts:
    """What an interpreter says about itself."""

    name: str
    """The implementation: CPython, PyPy, ..."""
    version: tuple[int, ...]
    text: str
    """``sys.version``"""
    free_threaded: bool
    suffix: str
    """The suffix of extension modules: the interpreter's ABI."""
    include: tuple[str, ...]
    """Folders that may have its headers."""
    compiler: str
    """The command that it was compiled with."""

    @property
    def title(self) -> str:
        """The name and version, to show to people."""
        return f"{self.name} {'.'.join(map(str, self.version))}"


def facts_of(path: str, cache: Cache | None = None, limit: float = LIMIT_S) -> Facts:
    """Return what the interpreter at this path is."""
    cache = cache or Cache()
    key = _key(path)
    name = f"probe-{sha256(key.encode()).hexdigest()[:24]}.json" if key else ""
    if name and (kept := cache.read(name)) is not None:
        return _facts(json.loads(kept))
    facts = _ask(path, limit)
    if name:
        _remember(cache, name, facts)
    return facts


def _remember(cache: Cache, name: str, facts: Facts) -> None:
    try:
        cache.keep(name, json.dumps(asdict(facts)).encode())
    except (RecorderError, OSError):  # then it is asked again the next time
        return


def _key(path: str) -> str:
    """Return what an answer depends on; empty for a file that is not an executable of the machine."""
    try:
        real = os.path.realpath(path)
        with Path(real).open("rb") as file:
            found = os.fstat(file.fileno())
            if file.read(4) != b"\x7fELF":
                return ""
    except OSError:
        return ""
    given = Path(path).absolute()
    config = given.parent.parent / "pyvenv.cfg"
    environment = str(config.stat().st_mtime_ns) if config.exists() else ""
    parts = (QUESTIONS, given, real, found.st_mtime_ns, found.st_size, environment)
    return "\0".join(map(str, parts))


def _facts(answer: Any) -> Facts:
    """Return the facts of an answer; raise ValueError if it is none."""
    expected = {"version": list, "include": list, "free_threaded": bool}
    for field in fields(Facts):
        if not isinstance(answer.get(field.name), expected.get(field.name, str)):
            raise ValueError(field.name)
    if not all(isinstance(n, int) for n in answer["version"]) or len(answer["version"]) != 3:
        raise ValueError("version")
    if not all(isinstance(folder, str) for folder in answer["include"]):
        raise ValueError("include")
    return Facts(
        **{**answer, "version": tuple(answer["version"]), "include": tuple(answer["include"])}
    )


def _ask(path: str, limit: float) -> Facts:
    said, status = _run([path, "-E", "-s", "-S", "-c", QUESTIONS], limit)
    if status is None:
        raise ProbeError(f"did not answer within {limit:g} seconds")
    lines = [line for line in said.splitlines() if line.startswith(MARK)]
    if status != 0 and not lines:
        raise ProbeError(f"does not start: {_ending(status, said)}")
    try:
        return _facts(json.loads(lines[-1][len(MARK) :]))
    except (IndexError, AttributeError, TypeError, ValueError) as exc:
        raise ProbeError("does not answer like a Python interpreter") from exc


def _ending(status: int, said: str) -> str:
    """Return how it ended, and the last line that it printed."""
    words = [line.strip() for line in said.splitlines() if line.strip()]
    last = f": {words[-1][:200]}" if words else ""
    if status < 0:
        return f"killed by {_signal_name(-status)}{last}"
    return f"exit status {status}{last}"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _run(command: list[str], limit: float) -> tuple[str, int | None]:
    """Run a command; return what it printed, and its status: None if it took too long."""
    try:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            start_new_session=True,
        )  # fmt: skip
    except OSError as exc:
        raise ProbeError(f"can't be run: {exc.strerror}") from exc
    assert process.stdout is not None
    deadline = time.monotonic() + limit
    try:
        with process.stdout as pipe:
            said, ended = _read(pipe, deadline)
        if ended and len(said) < MAX_ANSWER_BYTES:
            process.wait(max(deadline - time.monotonic(), 0.1))
    except subprocess.TimeoutExpired:
        ended = False
    finally:
        _kill(process)
    if len(said) >= MAX_ANSWER_BYTES:
        return said.decode("utf-8", "replace"), 0
    return said.decode("utf-8", "replace"), process.returncode if ended else None


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill the process, if it still runs, and everything that it started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _read(pipe: IO[bytes], deadline: float) -> tuple[bytes, bool]:
    """Return the output, up to a limit, and whether it ended before the deadline."""
    said = bytearray()
    with selectors.DefaultSelector() as ready:
        ready.register(pipe, selectors.EVENT_READ)
        while len(said) < MAX_ANSWER_BYTES:
            if not ready.select(max(deadline - time.monotonic(), 0)):
                return bytes(said), False
            data = os.read(pipe.fileno(), MAX_ANSWER_BYTES)
            if not data:
                break
            said += data
    return bytes(said), True
