"""Choose the interpreter that runs the program.

The first of these that is there:

1. ``--python``: a path, the folder of a virtual environment, a version or a command
2. ``python`` in the project's settings, which means the same; paths begin in the project's root
3. the active environment: VIRTUAL_ENV, CONDA_PREFIX
4. the project's environment: ``.venv`` or ``venv`` in its root
5. the interpreter that wrongcall runs with

What is named but cannot be used is an error, never a reason to take the next one.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from wrongcall.errors import UsageError
from wrongcall.interpreters.probe import ProbeError, facts_of

ENVIRONMENT_VARIABLES = {
    "VIRTUAL_ENV": "the active virtual environment",
    "CONDA_PREFIX": "the active conda environment",
}
PROJECT_ENVIRONMENTS = (".venv", "venv")
VERSION = re.compile(r"\d+(\.\d+){0,2}")
INSTEAD = "choose another interpreter with --python"


@dataclass(frozen=True)
class Choice:
    """An interpreter, and why it was chosen."""

    path: str
    why: str

    @property
    def is_own(self) -> bool:
        """Whether it is the interpreter that wrongcall runs with, in the same environment."""
        own = Path(sys.executable)
        return _same(Path(self.path).parent, own.parent) and _same(Path(self.path), own)


def choose(
    given: str | None, setting: str | None, root: Path, environ: Mapping[str, str] = os.environ
) -> Choice:
    """Return the interpreter for a program of the project in a folder."""
    if given is not None:
        return Choice(_named(given, Path.cwd(), "--python"), "given with --python")
    if setting is not None:
        return Choice(_named(setting, root, "python in pyproject.toml"), "set in pyproject.toml")
    for variable, why in ENVIRONMENT_VARIABLES.items():
        if folder := environ.get(variable):
            return _in_environment(Path(folder), variable, why)
    for name in PROJECT_ENVIRONMENTS:
        if (root / name / "pyvenv.cfg").is_file():
            return _in_environment(root / name, name, f"{name} in the project root")
    return Choice(sys.executable, "wrongcall's own")


def _in_environment(folder: Path, name: str, why: str) -> Choice:
    if _same(folder, Path(sys.prefix)):
        return Choice(sys.executable, why)
    return Choice(_python_in(folder, name), why)


def _same(one: Path, other: Path) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)


def _named(text: str, start: Path, name: str) -> str:
    """Return the interpreter that the user names."""
    if not text:
        raise UsageError(f"{name} is empty; expected a path or a version")
    if VERSION.fullmatch(text):
        return _of_version(text, name)
    path = start / Path(text).expanduser()
    if path.is_dir():
        return _python_in(path, name)
    if os.sep in text or text.startswith("~"):
        return _executable(path, text, name)
    found = shutil.which(text)
    if found is None:
        raise UsageError(
            f"{name}: {text} is neither a file, a folder, a version nor a command on PATH"
        )
    return str(Path(found).absolute())


def _executable(path: Path, text: str, name: str) -> str:
    if not path.exists():
        raise UsageError(f"{name}: no such interpreter: {text}{_leading_nowhere(path)}")
    if not path.is_file() or not os.access(path, os.X_OK):
        raise UsageError(f"{name}: {text} is not an executable file")
    return str(path.absolute())


def _python_in(folder: Path, name: str) -> str:
    """Return the interpreter of an environment."""
    python = folder / "bin" / "python"
    if python.exists():
        return str(python.absolute())
    if not folder.exists():
        raise UsageError(f"{name} is {folder}, which does not exist; {_advice(name)}")
    if python.is_symlink():
        raise UsageError(
            f"{name}: the interpreter of {folder} no longer exists ({python}{_leading_nowhere(python)});"
            f" recreate the environment, or {INSTEAD}"
        )
    raise UsageError(f"{name} is {folder}, which has no bin/python; {_advice(name)}")


def _advice(name: str) -> str:
    return f"unset {name}, or {INSTEAD}" if name in ENVIRONMENT_VARIABLES else INSTEAD


def _leading_nowhere(path: Path) -> str:
    return f" points to {os.path.realpath(path)}" if path.is_symlink() else ""


def _of_version(version: str, name: str) -> str:
    """Return the first interpreter of a version that works."""
    wanted = tuple(map(int, version.split(".")))
    for path in dict.fromkeys(_candidates(version)):
        try:
            found = facts_of(path)
        except ProbeError:  # pyenv has commands for versions that are not active
            continue
        if found.version[: len(wanted)] == wanted:
            return path
    raise UsageError(f"{name}: no Python {version} found; give its path instead")


def _candidates(version: str) -> Iterator[str]:
    """Yield possible interpreters of a version: on PATH, then those of pyenv and uv."""
    command = f"python{'.'.join(version.split('.')[:2])}"
    for folder in os.get_exec_path():
        found = Path(folder, command).absolute()
        if found.is_file() and os.access(found, os.X_OK):
            yield str(found)
    data = Path(os.environ.get("XDG_DATA_HOME") or "~/.local/share").expanduser()
    pyenv = Path(os.environ.get("PYENV_ROOT") or "~/.pyenv").expanduser()
    yield from map(str, sorted(pyenv.glob(f"versions/{version}*/bin/python")))
    yield from map(str, sorted((data / "uv" / "python").glob(f"cpython-{version}*/bin/python")))
