"""The native core of the recorder for an interpreter: the installed one if it fits, else one that is built and cached.

The sources are in the package. The C compiler is called directly, with the flags that setup.py uses; the interpreter
says where its headers are. A build takes some seconds and happens once for each version of the interpreter and of
wrongcall.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from hashlib import sha256
from pathlib import Path

from wrongcall import __version__
from wrongcall.errors import RecorderError
from wrongcall.interpreters import native_sources
from wrongcall.interpreters.cache import Cache
from wrongcall.interpreters.probe import Facts

PACKAGE = Path(__file__).resolve().parent.parent
PART = "recorder"
COMPILERS = ("cc", "gcc", "clang")
# As interpreters compile their own extensions.
GENERAL_FLAGS = ("-pthread", "-fPIC", "-fwrapv", "-DNDEBUG")

Announce = Callable[[str], AbstractContextManager[None]]
"""Tells the user about something that takes long."""


def native_for(path: str, facts: Facts, announce: Announce, cache: Cache | None = None) -> str:
    """Return the path of the native core for an interpreter; build it if needed."""
    installed = PACKAGE / PART / f"_native{facts.suffix}"
    if facts.suffix and installed.is_file():
        return str(installed)
    cache = cache or Cache()
    name = cached_name(facts)
    found = cache.find(name)
    if found is None:
        command = _compiler(path, facts)
        include = _headers(path, facts)
        with announce(f"building the recorder for {facts.title}, once"), cache.alone(name):
            # Another process may have built it in the meantime.
            found = cache.find(name) or cache.keep(name, build(facts, command, include))
    return str(found)


def cached_name(facts: Facts) -> str:
    """Return the name of the built file, which identifies everything that the file depends on."""
    version = ".".join(map(str, facts.version))
    return f"native-{__version__}-{version}-{_fingerprint(facts)[:24]}{facts.suffix}"


def _fingerprint(facts: Facts) -> str:
    """Return a hash of the sources, the flags and the interpreter's build."""
    state = sha256(f"{facts.text}\0{_flags()}\0{os.environ.get('CC', '')}\0".encode())
    for file in [*native_sources.sources(PACKAGE, PART), *native_sources.headers(PACKAGE, PART)]:
        state.update(f"{file.relative_to(PACKAGE)}\0".encode() + file.read_bytes() + b"\0")
    return state.hexdigest()


def _flags() -> list[str]:
    return [*GENERAL_FLAGS, *native_sources.compile_flags(), *native_sources.link_flags()]


def _compiler(path: str, facts: Facts) -> list[str]:
    """Return the command of a compiler: the user's, the one that made the interpreter, or the system's."""
    if given := os.environ.get("CC"):
        commands = [shlex.split(given)]
    else:
        commands = [shlex.split(facts.compiler), *([name] for name in COMPILERS)]
    for command in commands:
        if command and shutil.which(command[0]):
            return command
    wanted = f"CC is {given}, which is not on PATH" if given else "none was found"
    raise RecorderError(
        f"recording with {path} ({facts.title}) needs a C compiler: {wanted};"
        f" install one (Debian and Ubuntu: apt install gcc libc6-dev), or {_instead(path)}"
    )


def _headers(path: str, facts: Facts) -> list[str]:
    """Return the folders with the interpreter's headers."""
    if any(Path(folder, "Python.h").is_file() for folder in facts.include):
        return list(dict.fromkeys(facts.include))
    minor = ".".join(map(str, facts.version[:2]))
    raise RecorderError(
        f"recording with {path} ({facts.title}) needs its headers: Python.h was not found;"
        f" install them (Debian and Ubuntu: apt install python{minor}-dev), or {_instead(path)}"
    )


def _instead(path: str) -> str:
    return f"install wrongcall for it: {path} -m pip install wrongcall"


def build(facts: Facts, compiler: list[str], include: list[str]) -> bytes:
    """Compile and link the native core; return the content of the file."""
    if not (sources := native_sources.sources(PACKAGE, PART)):
        raise RecorderError(
            f"can't build the recorder for {facts.title}: its sources are not installed"
        )
    folders = [*map(str, native_sources.include_folders(PACKAGE, PART)), *include]
    flags = [
        *GENERAL_FLAGS,
        *(f"-I{folder}" for folder in folders),
        *native_sources.compile_flags(),
    ]
    with tempfile.TemporaryDirectory(prefix="wrongcall-") as name:
        objects = [str(Path(name, f"{number}.o")) for number in range(len(sources))]
        steps = [
            [*compiler, *flags, "-c", str(source), "-o", made]
            for source, made in zip(sources, objects, strict=True)
        ]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(lambda step: _run(step, facts), steps))
        result = Path(name, "native.so")
        links = native_sources.link_flags()
        _run([*compiler, "-pthread", "-shared", *objects, *links, "-o", str(result)], facts)
        return result.read_bytes()


def _run(command: list[str], facts: Facts) -> None:
    done = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode:
        raise RecorderError(
            f"can't build the recorder for {facts.title}: {command[0]}: {_complaint(done.stderr)}"
        )


def _complaint(said: str) -> str:
    """Return the line that says what is wrong."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    wrong = [line for line in lines if "error" in line]
    return (wrong or lines or ["failed without a message"])[0][:300]
