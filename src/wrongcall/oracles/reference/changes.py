"""What is different in the reference: functions, what modules define, and files that were not recorded.

The recorded text of each file is in the trace; it is compared with the reference's file, function by function
(`wrongcall.languages.python.compiled`).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from wrongcall.languages.python.compiled import (
    Compiled,
    Defined,
    changed_functions,
    changed_themselves,
    define_the_same,
    makes_generators,
)
from wrongcall.oracles.reference.counterparts import places_of
from wrongcall.oracles.reference.other_files import different_file, text_of
from wrongcall.oracles.reference.program import MAIN
from wrongcall.oracles.reference.version import Version
from wrongcall.recording import Function, Recording
from wrongcall.session.code_of_tests import is_test_file


@dataclass(frozen=True)
class Changes:
    """What is different in a reference."""

    functions: frozenset[int]
    """The recorded functions whose code differs, or which the reference lacks."""
    generators: frozenset[int]
    """Those among them with generator expressions."""
    themselves: frozenset[int]
    """Those that execute other statements themselves, and don't merely define functions that do."""
    since: int
    """From this time on, there may be other differences than those."""
    why: str
    """What the first of them is."""


def changes_of(recording: Recording, reference: Version) -> Changes:
    """Compare the recorded program with a reference."""
    return _Comparing(recording, reference).changes()


@dataclass
class _Pair:
    """A recorded file and what the reference has for it."""

    path: str
    module: str
    recorded: Compiled
    other: Compiled | None
    functions: list[Function]
    is_test: bool


class _Comparing:
    def __init__(self, recording: Recording, reference: Version) -> None:
        self._recording = recording
        self._reference = reference
        path = reference.path
        self._folder = path if path.is_dir() else path.parent
        self._root = os.path.realpath(str(recording.meta.get("root", "")))
        self._tops = frozenset(_top_names(path)) if reference.is_release else frozenset()

    def changes(self) -> Changes:
        """Compare."""
        pairs = list(self._pairs())
        changed: set[int] = set()
        generators: set[int] = set()
        themselves: set[int] = set()
        for pair in pairs:
            if pair.other is None:
                found = own = {function.id for function in pair.functions}
            else:
                found = changed_functions(pair.recorded, pair.other, pair.functions)
                own = changed_themselves(pair.recorded, pair.other, pair.functions)
            changed |= found
            themselves |= own
            named = (f for f in pair.functions if f.id in found)
            generators |= {f.id for f in named if makes_generators(pair.recorded, f)}
        since, why = self._first_other(pairs, changed)
        return Changes(frozenset(changed), frozenset(generators), frozenset(themselves), since, why)

    def _pairs(self) -> Iterator[_Pair]:
        program = self._recording.program
        by_file: dict[int, list[Function]] = {}
        for function in program.functions.values():
            by_file.setdefault(function.file, []).append(function)
        for file in program.files.values():
            if self._reference.is_release and file.module.partition(".")[0] not in self._tops:
                continue  # no part of the package: the same program
            path = self._counterpart(file.path, file.module)
            text = None if path is None else text_of(path)
            recorded = Compiled(file.source)
            other = None if text is None else Compiled(text)
            if other is not None and other.module is None:
                other = None
            is_test = is_test_file(os.path.realpath(file.path), self._root)
            functions = by_file.get(file.id, [])
            yield _Pair(file.path, file.module, recorded, other, functions, is_test)

    def _counterpart(self, path: str, module: str) -> Path | None:
        if module == MAIN and not self._reference.path.is_dir():
            return self._reference.path
        places = places_of(self._recording, path, module, self._folder)
        return next((place for place in places if place.is_file()), None)

    # -- what is not seen in the code of functions ---------------------------------------------------

    def _first_other(self, pairs: list[_Pair], changed: set[int]) -> tuple[int, str]:
        """Return from when on something else may be different, and what it is."""
        if self._reference.is_release and not pairs:
            return 0, f"{', '.join(sorted(self._tops)) or 'the package'} was not recorded"
        unseen = self._different_file(pairs)
        if unseen:
            return 0, unseen
        since, why = self._recording.event_count, ""
        for pair in self._defining_others(pairs, changed):
            begun = self._begun(pair)
            if begun < since:
                what = "defines something else" if pair.other else "is missing"
                since, why = begun, f"{pair.module} {what}"
        return since, why

    def _defining_others(self, pairs: list[_Pair], changed: set[int]) -> Iterator[_Pair]:
        """Iterate over modules that define something else. What tests define is given."""
        defined: list[tuple[_Pair, Defined, Defined]] = []
        uses: set[str] = set()
        reads: set[str] = set()
        for pair in pairs:
            for function in pair.functions:
                if function.id not in changed and function.kind != "module":
                    uses |= pair.recorded.uses(function.qualname)
            if pair.is_test:
                continue
            if pair.other is None or pair.recorded.module is None:
                yield pair
                continue
            both = pair.recorded.defined, pair.other.defined
            reads |= both[0].reads | both[1].reads
            if both[0] != both[1]:
                defined.append((pair, *both))
        for pair, one, other in defined:
            if not define_the_same(one, other, frozenset(reads), frozenset(uses)):
                yield pair

    def _begun(self, pair: _Pair) -> int:
        """Return when the body of a module began; 0: not known."""
        bodies = [function.id for function in pair.functions if function.kind == "module"]
        calls = self._recording.calls.columns()
        entries = calls.entry[np.isin(calls.function, bodies)]
        return int(entries.min()) if len(entries) else 0

    def _different_file(self, pairs: list[_Pair]) -> str:
        """Return a file that was not recorded, is different, and may have made a difference."""
        if not self._reference.path.is_dir():
            return ""  # a file stands for the main program alone
        mine, only = Path(self._root), None
        if self._reference.is_release:
            mine, only = _import_folder(pairs[0]), self._tops
        program, started = self._recording.program, float(self._recording.meta.get("started", 0.0))
        recorded = {os.path.realpath(f.path): f.source for f in program.files.values()}
        suspect = frozenset(os.path.realpath(each.path) for each in self._recording.unrecorded)
        theirs = self._reference.path
        return different_file(mine, theirs, recorded, started, only=only, suspect=suspect)


def _top_names(folder: Path) -> Iterator[str]:
    """Iterate over the modules and packages in a folder that a release was installed in."""
    for path in folder.iterdir():
        if path.is_dir() and not path.name.endswith((".dist-info", ".data")):
            yield path.name
        elif path.suffix == ".py":
            yield path.stem
            yield path.name


def _import_folder(pair: _Pair) -> Path:
    """Return the folder that a module was imported from."""
    path = Path(os.path.realpath(pair.path))
    parts = len(pair.module.split(".")) + (path.name == "__init__.py")
    return path.parents[min(parts, len(path.parents)) - 1]
