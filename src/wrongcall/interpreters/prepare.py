"""Prepare the interpreter that runs the program: choose it, check it, provide its native core."""

from __future__ import annotations

import platform
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from wrongcall.errors import RecorderError
from wrongcall.interpreters import supported
from wrongcall.interpreters.choose import INSTEAD, Choice, choose
from wrongcall.interpreters.probe import Facts, ProbeError, facts_of

if TYPE_CHECKING:
    from wrongcall.interpreters.native_build import Announce


@dataclass(frozen=True)
class ProgramPython:
    """The interpreter that runs the program, ready for recording."""

    path: str
    why: str
    """Why it was chosen."""
    version: str
    """``sys.version``"""
    native: str | None
    """The native core; None: the one that is installed with the recorder."""
    is_own: bool
    """Whether it is the interpreter that wrongcall runs with."""


def prepare(
    given: str | None, setting: str | None, root: Path, announce: Announce, *, untested: bool
) -> ProgramPython:
    """Return the interpreter for a program of the project in a folder."""
    choice = choose(given, setting, root)
    if choice.is_own:  # it need not be asked
        own = f"CPython {platform.python_version()} ({sys.executable}, {choice.why})"
        _check(platform.python_implementation(), tuple(sys.version_info[:3]), own, untested)
        return ProgramPython(sys.executable, choice.why, sys.version, None, is_own=True)
    facts = _facts(choice)
    text = f"{facts.title} ({choice.path}, {choice.why})"
    _check(facts.name, facts.version, text, untested, facts.free_threaded)
    from wrongcall.interpreters.native_build import native_for  # noqa: PLC0415 - rarely needed

    native = native_for(choice.path, facts, announce)
    return ProgramPython(choice.path, choice.why, facts.text, native, is_own=False)


def _check(
    name: str, version: tuple[int, ...], text: str, untested: bool, free_threaded: bool = False
) -> None:
    supported.check(name, version, text, free_threaded=free_threaded, untested=untested)


def _facts(choice: Choice) -> Facts:
    try:
        return facts_of(choice.path)
    except ProbeError as exc:
        home = _lost_home(Path(choice.path))
        if home is None:
            raise RecorderError(f"{choice.path} ({choice.why}) {exc}") from exc
        raise RecorderError(
            f"{choice.path} ({choice.why}) needs the interpreter in {home}, which no longer exists;"
            f" recreate the environment, or {INSTEAD}"
        ) from exc


def _lost_home(path: Path) -> str | None:
    """Return the folder of the interpreter that a virtual environment was made from, if it is gone."""
    try:
        lines = (path.parent.parent / "pyvenv.cfg").read_text().splitlines()
    except (OSError, ValueError):
        return None
    homes = [
        value.strip()
        for key, _, value in (line.partition("=") for line in lines)
        if key.strip() == "home"
    ]
    return next((home for home in homes if not Path(home).exists()), None)
