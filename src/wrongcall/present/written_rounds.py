"""The rounds in which values were written: of each version of a history, the variables of the loops around its line.

A loop without variables (``while``) is told by the number of its round.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from wrongcall.languages.python.enclosing_loop import enclosing_loop, loop_variables
from wrongcall.present.json_shapes import VersionData, version_data
from wrongcall.present.values import Viewer
from wrongcall.recording import UNSET, Recording, Version

ROUND = "round"
"""The column of the rounds of the innermost loop."""
WIDTH = 24
MOST_LOOKED_AT = 500
"""Versions whose loops decide which columns there are."""
MOST_FILTERED = 5_000
"""Versions that are searched."""


class RoundedVersion(VersionData):
    """A value that a place had, and the round in which it was written."""

    rounds: list[str]
    """What each column was then; empty: the line is in no such loop."""


class WrittenRounds:
    """Reads the rounds of versions."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self._names = lru_cache(maxsize=None)(self._find_names)
        self._rounds = lru_cache(maxsize=None)(recording.execution.rounds)

    def columns(self, versions: Iterable[Version]) -> list[str]:
        """Return the variables of all loops in which versions were written, and the round, if there is any."""
        found: dict[str, None] = {}
        in_loop = False
        for version in versions:
            if version.function is not None and version.call:
                names = self._names(version.function.file, version.line)
                in_loop |= names is not None
                found.update(dict.fromkeys(names or ()))
        return [*found, *([ROUND] if in_loop else [])]

    def _find_names(self, file: int, line: int) -> tuple[str, ...] | None:
        """Return the variables of the loops around a line; None: there is no loop."""
        source = self._recording.sources.of_file(file)
        if enclosing_loop(source, line) is None:
            return None
        return tuple(loop_variables(source, line))

    def texts(self, version: Version, columns: Sequence[str]) -> list[str]:
        """Return what the columns were when a version was written."""
        if version.function is None or not version.call:
            return [""] * len(columns)
        names = self._names(version.function.file, version.line)
        viewer = Viewer(self._recording, version.time)
        return [self._text(version, name, names, viewer) for name in columns]

    def _text(
        self, version: Version, name: str, names: tuple[str, ...] | None, viewer: Viewer
    ) -> str:
        if names is None:
            return ""
        if name == ROUND:
            return self._round(version)
        if name not in names:
            return ""
        value = self._recording.states.local(version.call, name, version.time)
        return "" if value is UNSET else viewer.line(value, WIDTH)

    def _round(self, version: Version) -> str:
        found = self._rounds(version.call, version.line)
        at = -1 if found is None else found[1].at(version.time)
        if found is None or at < 0 or int(found[1].end[at]) < version.time:
            return ""
        return str(int(found[1].number[at]))

    def data(self, version: Version, columns: Sequence[str]) -> RoundedVersion:
        """Return a version with its round."""
        return {**version_data(self._recording, version), "rounds": self.texts(version, columns)}


def matches(version: RoundedVersion, columns: Sequence[str], wanted: str) -> bool:
    """Return whether a version has a text: in its value, its function, its line, or as in ``i = 3``."""
    low = wanted.strip().lower()
    spaced = re.sub(r"\s*=\s*", " = ", low)
    named = [f"{name} = {text}" for name, text in zip(columns, version["rounds"], strict=True)]
    if any(spaced == each.lower() for each in named):
        return True
    if wanted.partition("=")[0].strip() in columns and "=" in wanted:
        return False  # it is about that column only
    texts = (version["value"] or "(removed)", version["function"], version["source"])
    return any(low in text.lower() for text in texts)
