"""One mutant, from its choice to the findings: find a test that fails, record it, and let the automatic user search.

Mutants are drawn at random: first a kind, then a function that tests run, then a place. Nothing about how a search ends
has a say in it. Each is classified: its tests pass (it may be equivalent), they don't end, they can't be collected, the
test fails differently on its own, or it is searched.
"""

from __future__ import annotations

import ast
import itertools
import random
import re
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import wrongcall.recording
from fidelity.runs import remove_trace
from mutants.mutations import Mutation, is_valid, mutations
from mutants.playing import Played, Player
from mutants.projects import HOME
from mutants.suites import Suite
from mutants.switching import NoSwitchError, Place, text_of, with_both_bodies, with_entry
from mutants.truth import Truth, is_deterministic
from wrongcall.oracles.chosen import store_of
from wrongcall.oracles.learning import learn_from
from wrongcall.oracles.reference.same_run import Again
from wrongcall.recording import Recording
from wrongcall.session import Verdict
from wrongcall.session.failures import failures_of

MOST_TESTS = 15
"""Tests that are run to find one that fails, chosen at random among those that run the mutated function."""
SECONDS = 60.0
"""Every run of a mutant is killed after this time."""
SESSIONS: dict[str, tuple[str, ...]] = {
    "none": (),
    "memory": ("memory",),
    "tests": ("tests",),
    "contracts": ("contracts",),
    "three": ("memory", "contracts", "tests"),
    "reference": ("reference",),
    "all": ("memory", "reference", "contracts", "tests"),
}
"""The sessions that are played about each mutant: the oracles that are asked before the user."""
SHARED = {"tests": "three"}
"""Sessions that use the folder of another one, to learn only once; each asks its own oracles only."""
MUTANT, GOOD = "mutant.wrongcall", "good.wrongcall"
"""The traces that are kept of a mutant."""
_FAILED = re.compile(r"^(FAILED|ERROR) (.+?)(?: - .*)?$", re.MULTILINE)


@dataclass(frozen=True)
class Mutant:
    """A mutation of a file of a project."""

    number: int
    project: str
    file: str
    mutation: Mutation
    tests: tuple[str, ...]
    """The tests that run the function, in random order."""


def drawn(suite: Suite, seed: int) -> Iterator[Mutant]:
    """Iterate over mutants of a project in random order, always the same for a seed."""
    chance = random.Random(f"{seed} {suite.project.name}")
    by_function: dict[str, list[str]] = {}
    for covered in suite.covered:
        for name in covered.functions:
            by_function.setdefault(name, []).append(covered.test)
    places: dict[str, list[tuple[str, Mutation]]] = {}
    for file in suite.sources:
        for mutation in mutations(suite.text(file)):
            if f"{file}:{mutation.function}" in by_function:
                places.setdefault(mutation.kind, []).append((file, mutation))
    number = 0
    while any(places.values()):
        kind = chance.choice(sorted(places))
        if not places[kind]:
            del places[kind]
            continue
        file, mutation = places[kind].pop(chance.randrange(len(places[kind])))
        tests = list(by_function[f"{file}:{mutation.function}"])
        chance.shuffle(tests)
        if is_valid(mutation, suite.text(file)):
            number += 1
            yield Mutant(number, suite.project.name, file, mutation, tuple(tests))


class Trial:
    """The search for one mutant."""

    def __init__(self, suite: Suite, mutant: Mutant) -> None:
        self.suite = suite
        self.mutant = mutant
        self.original = suite.text(mutant.file)
        self.mutated = mutant.mutation.apply(self.original)
        self.folder = HOME / "traces" / mutant.project / str(mutant.number)
        self.place = Place(mutant.mutation.function, mutant.mutation.line)

    def run(self) -> dict[str, Any]:
        """Return what is kept of it."""
        began = time.perf_counter()
        mutation = self.mutant.mutation
        about = asdict(mutation) | {
            "number": self.mutant.number,
            "project": self.mutant.project,
            "file": self.mutant.file,
            "edit": mutation.describe(self.original)[:200],
        }
        found = self._found()
        return {**about, **found, "total_seconds": round(time.perf_counter() - began, 2)}

    def _found(self) -> dict[str, Any]:
        with self.suite.replaced({self.mutant.file: self.mutated}):
            status, test = self._failing_test()
            if status != "fails":
                return {"class": status}
            trace = self.folder / MUTANT
            done = self.suite.record([test], trace, SECONDS)
            if done.timed_out or not trace.exists():
                return {"class": "recorded run does not end", "test": test}
        with ExitStack() as opened:
            recording = opened.enter_context(wrongcall.recording.open(trace))
            about = {"test": test, "calls": len(recording.calls.columns())}
            functions = self._functions(recording)
            if not failures_of(recording):
                return {"class": "passes when recorded alone", **about}
            if not functions or not any(recording.calls.of_functions(functions)):
                return {"class": "the function does not run", **about}
            good = self._good(test)
            if good is None:
                return {"class": "the original fails alone", **about}
            if not is_deterministic(recording, good, functions):
                good.close()
                return {"class": "not deterministic", **about}
            truth = self._truth(recording, functions, good, test, opened)
            line, again = self.mutant.mutation.line, self._again(test, opened)
            player = Player(recording, truth, line, again=again)
            played = self._play(player, SESSIONS)
            verdicts = {str(call): verdict.value for call, verdict in truth.known.items()}
            more = {
                "switched_runs": truth.runs,
                "verdicts": verdicts,
                "why": {str(k): v for k, v in truth.why.items()},
            }
            sessions = {name: each.as_json() for name, each in played.items()}
            return {"class": "searched", **about, **more, "sessions": sessions}

    def _truth(
        self,
        recording: Recording,
        functions: frozenset[int],
        good: Recording,
        test: str,
        opened: ExitStack,
    ) -> Truth:
        def switched(call: int) -> Recording | None:
            return self._switched(recording, call, test)

        return Truth(recording, functions, lambda: good, switched, opened)

    def supplement(self, row: dict[str, Any]) -> dict[str, Any]:
        """Play the sessions that a kept result lacks, on the traces that were kept with it."""
        missing = {name: who for name, who in SESSIONS.items() if name not in row["sessions"]}
        with ExitStack() as opened:
            recording = opened.enter_context(wrongcall.recording.open(self.folder / MUTANT))
            good = wrongcall.recording.open(self.folder / GOOD)
            truth = self._truth(recording, self._functions(recording), good, row["test"], opened)
            truth.known = {int(call): Verdict(said) for call, said in row["verdicts"].items()}
            line, again = self.mutant.mutation.line, self._again(row["test"], opened)
            played = self._play(Player(recording, truth, line, again=again), missing)
        more = {name: each.as_json() for name, each in played.items()}
        return {**row, "sessions": {**row["sessions"], **more}}

    # -- runs ----------------------------------------------------------------------------------------

    def _failing_test(self) -> tuple[str, str]:
        """Return the class of the mutant, and the first test that fails."""
        done = self.suite.run(self.mutant.tests[:MOST_TESTS], SECONDS)
        if done.timed_out:
            return "tests do not end", ""
        if done.status == 0:
            return "tests pass", ""
        found = _FAILED.search(done.stdout)
        if found is None:
            return "pytest fails", ""
        if "::" not in found[2]:
            return "tests can't be collected", ""
        named = [test for test in self.mutant.tests if found[2] == test]
        return ("fails", named[0]) if named else ("pytest fails", "")

    def _good(self, test: str) -> Recording | None:
        trace = self.folder / GOOD
        done = self.suite.record([test], trace, SECONDS)
        return wrongcall.recording.open(trace) if done.status == 0 and trace.exists() else None

    def _again(self, test: str, opened: ExitStack) -> Again:
        """Return what records the test with the original code: for the oracle, not for the truth."""
        numbers = itertools.count(1)

        def again() -> Recording | None:
            trace = self.folder / f"again-{next(numbers)}.wrongcall"
            self.suite.record([test], trace, SECONDS)
            if not trace.exists():
                return None
            return opened.enter_context(wrongcall.recording.open(trace))

        return again

    def _switched(self, recording: Recording, call: int, test: str) -> Recording | None:
        """Record the test with the mutant up to the entry of a call, and with the original from there on."""
        view = recording.call(call)
        function = view.function
        name = _relative(recording.program.files[function.file].path, self.suite.folder)
        same = [recording.call(each) for each in recording.calls.of_functions([function.id])]
        until = sum(each.entered <= view.entered for each in same)
        try:
            module = with_both_bodies(self.original, self.mutated, self.place)
            entered = Place(function.qualname, function.end_line)
            if name == self.mutant.file:
                files = {name: text_of(with_entry(module, entered))}
            else:
                other = with_entry(ast.parse(self.suite.text(name)), entered)
                files = {self.mutant.file: text_of(module), name: text_of(other)}
        except (NoSwitchError, OSError):
            return None
        trace = self.folder / f"switched-{call}.wrongcall"
        with self.suite.replaced(files):
            self.suite.record([test], trace, SECONDS, {"MUTANT_UNTIL": str(until)})
        return wrongcall.recording.open(trace) if trace.exists() else None

    # -- sessions ------------------------------------------------------------------------------------

    def _functions(self, recording: Recording) -> frozenset[int]:
        """Return the numbers of the mutated function in a trace."""
        path = str(self.suite.folder / self.mutant.file)
        return frozenset(
            number
            for number, function in recording.program.functions.items()
            if recording.program.files[function.file].path == path
            and function.qualname == self.place.qualname
            and function.line <= self.place.line <= function.end_line
        )

    def _play(self, player: Player, sessions: Mapping[str, tuple[str, ...]]) -> dict[str, Played]:
        """Play all sessions; what is remembered is kept for the next mutant when all are done."""
        played = {}
        kept = HOME / "remembered" / self.mutant.project
        roots = self.folder / "roots"
        shutil.rmtree(roots, ignore_errors=True)
        for name, oracles in sessions.items():
            root = roots / SHARED.get(name, name)
            if not root.exists():
                if (kept / root.name).exists():
                    shutil.copytree(kept / root.name, root)
                root.mkdir(parents=True, exist_ok=True)
                if "tests" in oracles:
                    self._learn(root)
            played[name] = player.play(name, oracles, root, self.suite.source)
        for name, oracles in sessions.items():
            if "memory" in oracles:
                shutil.rmtree(kept / name, ignore_errors=True)
                shutil.copytree(roots / name, kept / name)
        return played

    def _learn(self, root: Path) -> None:
        """Learn from the last run in which the test passed, as ``wrongcall learn`` does."""
        store = store_of(root)
        store.forget_tests()
        with wrongcall.recording.open(self.folder / GOOD) as recording:
            learn_from(recording, store)

    def clean(self) -> None:
        """Remove traces that are not needed any more."""
        for pattern in ("switched-*.wrongcall", "again-*.wrongcall"):
            for trace in self.folder.glob(pattern):
                remove_trace(trace)


def _relative(path: str, folder: Path) -> str:
    return str(Path(path).relative_to(folder)) if Path(path).is_relative_to(folder) else ""
