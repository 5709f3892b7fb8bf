"""The settings of a project: the table ``[tool.wrongcall]`` in its pyproject.toml.

The command line has the last word: lists are added to, anything else is replaced. A table that cannot be
understood is an error that names the file and the key; nothing in it is ignored. docs/reference/settings.md
describes the keys.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wrongcall.errors import UsageError

if TYPE_CHECKING:
    from wrongcall.oracles.model_client import ModelSettings
    from wrongcall.recording import Recording

FILE = "pyproject.toml"
PROJECT_MARKS = (FILE, "setup.cfg", ".git")
_MOST_BYTES = 1 << 24
_MOST_SAMPLES = 20
_LONGEST_S = 3600
TABLE = "[tool.wrongcall]"


@dataclass(frozen=True)
class Settings:
    """What a project says about how it is debugged."""

    include: tuple[str, ...] = ()
    """Packages that are recorded too, wherever they are installed."""
    exclude: tuple[str, ...] = ()
    """Patterns of files and modules that are not recorded."""
    trust: tuple[str, ...] = ()
    """Patterns of modules and functions that are not asked about."""
    strategy: str | None = None
    """Which question comes next; None: the strategy of the session, or the default one."""
    balance: bool = True
    """Whether runs of calls are asked about as one."""
    ask_definitions: bool = False
    """Whether bodies of modules and classes that ended normally are asked about, too."""
    ask_tests: bool = False
    """Whether tests, fixtures and their helpers are asked about, too."""
    python: str | None = None
    """The program's interpreter: a path, a virtual environment or a version; None: see `interpreters.choose`."""
    oracles: tuple[str, ...] | None = None
    """Who is asked before the user, in order; None: the default ones."""
    contracts: str = "likely"
    """How sure the oracle `contracts` is: certain or likely."""
    model: ModelSettings | None = None
    """The language model that ``--ask-model`` asks."""


def read(root: Path) -> Settings:
    """Return the settings of the project in a folder; the defaults, if it has none."""
    path = root / FILE
    try:
        if not path.is_file():
            if path.exists():  # a pipe would be waited for
                raise UsageError(f"can't read {path}: not a regular file")
            return Settings()
        with path.open("rb") as file:
            content = tomllib.loads(file.read(_MOST_BYTES).decode())
    except FileNotFoundError:
        return Settings()
    except (OSError, ValueError) as exc:
        raise UsageError(f"can't read {path}: {exc}") from exc
    table: Any = content
    for name in ("tool", "wrongcall"):
        table = table.get(name, {})
        if not isinstance(table, dict):
            raise UsageError(f"{path}: {name} is {table!r}; expected a table")
    return Settings(**{key: _checked(path, key, value) for key, value in table.items()})


def of_recording(recording: Recording) -> Settings:
    """Return the settings of the project that a trace is of; the defaults if it is not here.

    Here is where the user is, or keeps the trace. A trace may come from anybody, so what it says about
    itself makes nobody read a file anywhere else.
    """
    found = project_of(recording)
    return Settings() if found is None else read(found)


def project_of(recording: Recording) -> Path | None:
    """Return the folder of the project that a trace is of; None if it is not here."""
    root = recording.meta.get("root")
    if not isinstance(root, str) or "\0" in root:
        return None
    folder = Path(recording.path).resolve().parent
    here = {project_above(Path.cwd()), project_above(folder)}
    found = Path(os.path.realpath(root))
    return found if found in here or found.is_relative_to(folder) else None


def project_above(start: Path) -> Path:
    """Return the nearest folder, from one upwards, that looks like a project; else that folder."""
    for folder in (start, *start.parents):
        if any((folder / mark).exists() for mark in PROJECT_MARKS):
            return folder
    return start


def chosen_project(folder: Path | None) -> Path:
    """Return the project that the user named, else the one that the current folder is in."""
    if folder is None:
        return project_above(Path.cwd())
    if not folder.is_dir():
        raise UsageError(f"{folder}: no such folder")
    return folder


def _checked(path: Path, key: str, value: Any) -> Any:
    if key not in _CHECKS:
        from difflib import get_close_matches  # noqa: PLC0415 - rarely needed, slow to load

        near = get_close_matches(key, _CHECKS, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(_CHECKS)}"
        raise UsageError(f"{path}: {TABLE} has no key {key!r}; {hint}")
    try:
        return _CHECKS[key](value)
    except ValueError as exc:
        raise UsageError(f"{path}: {TABLE} {key} is {value!r}; {exc}") from exc


def _names(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(v, str) and v for v in value):
        raise ValueError("expected a list of names")
    return tuple(value)


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError("expected a text")
    return value


def _strategy(value: Any) -> str:
    # Who records does not wait for what asks questions, unless the project speaks of it.
    from wrongcall.session.strategies import strategies  # noqa: PLC0415

    if value not in list(strategies()):
        raise ValueError(f"the strategies are {', '.join(sorted(strategies()))}")
    return str(value)


def _oracles(value: Any) -> tuple[str, ...]:
    from wrongcall.oracles.chosen import check_names  # noqa: PLC0415 - as for strategies

    return check_names(_names(value) if value != [] else ())


def _confidence(value: Any) -> str:
    if value not in ("certain", "likely"):
        raise ValueError("expected certain or likely")
    return str(value)


def _model(value: Any) -> ModelSettings:
    from wrongcall.oracles.model_client import ModelSettings  # noqa: PLC0415 - as for strategies

    if not isinstance(value, dict):
        raise ValueError("expected a table")
    wrong = [key for key in value if key not in _MODEL_CHECKS]
    if wrong:
        raise ValueError(f"there is no key {wrong[0]!r}; there are {', '.join(_MODEL_CHECKS)}")
    found = {key: _MODEL_CHECKS[key](each) for key, each in value.items()}
    if bool(found.get("command")) == bool(found.get("url")):
        raise ValueError("give either a command or a url")
    return ModelSettings(**found)


def _url(value: Any) -> str:
    if not _text(value).startswith(("https://", "http://")):
        raise ValueError("expected an address that begins with https:// or http://")
    return _text(value)


def _samples(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= _MOST_SAMPLES:
        raise ValueError(f"expected samples between 1 and {_MOST_SAMPLES}")
    return value


def _seconds(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < _LONGEST_S:
        raise ValueError(f"expected seconds, less than {_LONGEST_S}")
    return float(value)


def _patterns(value: Any) -> tuple[str, ...]:
    for pattern in _names(value):
        try:
            re.compile(pattern)
        except re.error as exc:
            raise ValueError(f"{pattern!r} is not a regular expression: {exc}") from exc
    return _names(value)


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError("expected true or false")
    return value


_MODEL_CHECKS: dict[str, Callable[[Any], Any]] = {
    "command": _names,
    "url": _url,
    "model": _text,
    "key_env": _text,
    "samples": _samples,
    "timeout": _seconds,
    "certain": _flag,
    "mask": _patterns,
}
_CHECKS: dict[str, Callable[[Any], Any]] = {
    "include": _names,
    "exclude": _names,
    "trust": _names,
    "strategy": _strategy,
    "balance": _flag,
    "ask_definitions": _flag,
    "ask_tests": _flag,
    "python": _text,
    "oracles": _oracles,
    "contracts": _confidence,
    "model": _model,
}
assert list(_CHECKS) == [field.name for field in fields(Settings)]
