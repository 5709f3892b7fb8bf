"""Compares what the same call did in two runs that were the same until it began.

Everything that is older than the difference has the same number in both runs; what was made since is compared by what
it holds. Of objects that C code keeps to itself, of functions, classes and generators made since, and of long texts,
nothing is known that would tell whether they are the same: then there is no verdict, unless something else differs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from wrongcall.events import Layout
from wrongcall.languages.paths import step_text
from wrongcall.oracles.reference.causes import Cause, Judgement
from wrongcall.recording import (
    Attr,
    Call,
    Clipped,
    Effect,
    Missing,
    Outcome,
    Recording,
    Ref,
    TupleKey,
    Value,
)
from wrongcall.replay.literals import is_partly_known
from wrongcall.session.answers import Verdict

KINDS = frozenset({"function", "lambda"})
"""Functions whose calls are compared: they end before anybody else runs."""
MAX_OBJECTS = 20_000
_PLAIN = frozenset(
    {
        Layout.LIST, Layout.TUPLE, Layout.DICT, Layout.SET, Layout.FROZENSET, Layout.DEQUE, Layout.INSTANCE,
        Layout.EXCEPTION, Layout.SCALAR, Layout.RANGE, Layout.SLICE, Layout.BYTEARRAY, Layout.ELEMENT,
    }
)  # fmt: skip
"""Layouts of which everything is known, if their length is."""
_HOLDERS = (Layout.MODULE, Layout.CLASS, Layout.INSTANCE, Layout.EXCEPTION)
_MAX_SHOWN = 60


class _DifferentError(Exception):
    """The outcomes differ."""


Plain = Callable[[str], str]
"""Takes out of a text what is different because the runs were in different folders."""


class Outcomes:
    """Compares one call of two runs; ``oldest``: objects with larger numbers were made after the runs parted."""

    def __init__(
        self, one: Recording, other: Recording, oldest: int, plain: tuple[Plain, Plain]
    ) -> None:
        self._runs = (one, other)
        self._oldest = oldest
        self._plain = plain
        self._pairs: dict[int, int] = {}
        self._back: dict[int, int] = {}
        self._unknown = ""
        self._waiting: list[tuple[str, tuple[Value, int], tuple[Value, int]]] = []

    def judgement(self, number: int) -> Judgement:
        """Return whether a call did the same in the other run."""
        one, other = (run.call(number) for run in self._runs)
        if one.function.kind not in KINDS:
            return Judgement(Verdict.DONT_KNOW, "calls of this kind are not compared", Cause.KIND)
        if one.exit < 0 or other.exit < 0:
            return Judgement(Verdict.DONT_KNOW, "it did not end in both runs", Cause.KIND)
        try:
            self._same_end(one, other)
            self._same_output(number)
            self._same_effects(one, other)
            self._compare_values()
        except _DifferentError as difference:
            return Judgement(Verdict.WRONG, str(difference))
        if self._unknown:
            return Judgement(Verdict.DONT_KNOW, self._unknown, Cause.OUTCOME)
        return Judgement(Verdict.RIGHT)

    def _same_end(self, one: Call, other: Call) -> None:
        if one.outcome != other.outcome:
            how = "raises" if other.outcome == Outcome.RAISED else "returns"
            raise _DifferentError(f"it {how} {self._shown(other.value)}")
        name = "raised" if one.outcome == Outcome.RAISED else "result"
        self._same(name, (one.value, one.exit), (other.value, other.exit))

    def _same_output(self, number: int) -> None:
        printed: list[dict[str, str]] = []
        for run, plain in zip(self._runs, self._plain, strict=True):
            found = {"stdout": "", "stderr": ""}
            for part in run.questions.printed(number):
                if not isinstance(part.text, str):
                    self._unknown = "only part of what was printed is known"
                    return
                found[part.stream] += part.text
            printed.append({stream: plain(text) for stream, text in found.items()})
        if printed[0] != printed[1]:
            raise _DifferentError("it prints something else")

    # -- effects -------------------------------------------------------------------------------------

    def _same_effects(self, one: Call, other: Call) -> None:
        effects: list[Effect] = []
        for run, call in zip(self._runs, (one, other), strict=True):
            given = run.questions.input(call.id)
            effect = run.questions.effect(call.id, given)
            if given.unparsed or effect.meanwhile or effect.others:
                self._unknown = "what it changed is not known"
            effects.append(effect)
        bound = [{(v.owner, v.change.place): v.change.new for v in e.variables} for e in effects]
        if bound[0].keys() != bound[1].keys():
            raise _DifferentError("it binds other variables")
        times = one.exit, other.exit
        for place, value in bound[0].items():
            self._same(step_text(place[1]), (value, times[0]), (bound[1][place], times[1]))
        changed = [{c.oid: c for c in e.objects if c.oid <= self._oldest} for e in effects]
        for oid in changed[0].keys() | changed[1].keys():
            if any(found[oid].unlisted for found in changed if oid in found):
                self._unknown = "too much was changed"
            places = [found[oid].changes if oid in found else () for found in changed]
            self._same_object(oid, times, [change.place for each in places for change in each])

    def _same_object(self, oid: int, times: tuple[int, int], places: Sequence[Any]) -> None:
        """Compare what an old object holds in the end."""
        states = [run.states.state(oid, at) for run, at in zip(self._runs, times, strict=True)]
        where = f"a {states[0].type.qualname}"
        if states[0].layout in _HOLDERS and all(isinstance(place, Attr) for place in places):
            for name in {place.name for place in places}:
                values = [state.attrs.get(name, Missing.UNSET) for state in states]
                self._same(f"{where}: {name}", (values[0], times[0]), (values[1], times[1]))
        else:
            self._same_contents(where, states, times)

    # -- values --------------------------------------------------------------------------------------

    def _same(self, where: str, one: tuple[Value, int], other: tuple[Value, int]) -> None:
        name = where if len(where) <= _MAX_SHOWN else f"{where[: _MAX_SHOWN - 1]}…"
        self._waiting.append((name, one, other))

    def _compare_values(self) -> None:
        while self._waiting:
            name, (mine, at), (its, then) = self._waiting.pop()
            if isinstance(mine, Ref) and isinstance(its, Ref):
                self._same_reference(name, (mine.oid, at), (its.oid, then))
            elif isinstance(mine, Clipped) or isinstance(its, Clipped):
                self._unknown = f"not all of {name} is known"
            elif isinstance(mine, TupleKey) and isinstance(its, TupleKey):
                self._unknown = f"{name} has a key that can't be compared"
            elif self._atom(mine, 0) != self._atom(its, 1):
                raise _DifferentError(f"{name} is {self._shown(its)}, not {self._shown(mine)}")

    def _atom(self, value: Value, run: int) -> tuple[str, str]:
        if isinstance(value, str):
            return "str", self._plain[run](value)
        return type(value).__name__, repr(value)

    def _same_reference(self, name: str, one: tuple[int, int], other: tuple[int, int]) -> None:
        mine, its = one[0], other[0]
        if mine <= self._oldest or its <= self._oldest or mine in self._pairs or its in self._back:
            known = self._pairs.get(mine, mine if mine <= self._oldest else 0)
            if known != its:
                raise _DifferentError(f"{name} is another object")
            return
        if len(self._pairs) > MAX_OBJECTS:
            self._unknown = f"{name} has too many parts"
            return
        self._pairs[mine], self._back[its] = its, mine
        times = one[1], other[1]
        both = zip(self._runs, (mine, its), times, strict=True)
        self._same_contents(name, [run.states.state(oid, at) for run, oid, at in both], times)

    def _same_contents(self, name: str, states: Sequence[Any], times: tuple[int, int]) -> None:
        one, other = states
        if _kind(one) != _kind(other):
            raise _DifferentError(f"{name} is a {other.type.qualname}")
        if one.layout not in _PLAIN or any(map(is_partly_known, states)):
            self._unknown = f"not all of a {one.type.qualname} is known"
            return
        if not (one.explored and other.explored) or one.alias or other.alias:
            self._unknown = f"not all of {name} is known"
            return
        if one.length != other.length or len(one.entries) != len(other.entries):
            raise _DifferentError(f"{name} has another length")
        if any(
            len(s.items) < s.length
            for s in states
            if s.layout not in (Layout.DICT, Layout.SET, Layout.FROZENSET)
        ):
            self._unknown = f"not all of {name} is known"
            return
        if one.attrs.keys() != other.attrs.keys():
            raise _DifferentError(f"{name} has other attributes")
        self._same_members(name, one.members, other.members)
        parts = [(f"{name}.{key}", one.attrs[key], other.attrs[key]) for key in one.attrs]
        parts += [
            (f"{name}[{i}]", *pair)
            for i, pair in enumerate(zip(one.items, other.items, strict=True))
        ]
        for number, (mine, its) in enumerate(zip(one.entries, other.entries, strict=True)):
            parts += [(f"key {number} of {name}", mine[0], its[0])]
            parts += [(f"{name}[{self._shown(mine[0])}]", mine[1], its[1])]
        for place, mine, its in parts:
            self._same(place, (mine, times[0]), (its, times[1]))

    def _same_members(self, name: str, one: Iterable[Value], other: Iterable[Value]) -> None:
        found = [list(one), list(other)]
        if len(found[0]) != len(found[1]):
            raise _DifferentError(f"{name} has another length")
        if any(isinstance(member, Ref | TupleKey | Clipped) for each in found for member in each):
            self._unknown = f"the members of {name} can't be compared"
            return
        mine, its = ({self._atom(m, run) for m in each} for run, each in enumerate(found))
        if mine != its:
            raise _DifferentError(f"{name} has other members")

    def _shown(self, value: Value) -> str:
        if isinstance(value, Ref):
            return "another object"
        text = repr(value)
        return text if len(text) <= _MAX_SHOWN else f"{text[: _MAX_SHOWN - 1]}…"


def _kind(state: Any) -> tuple[str, str, Layout]:
    return state.type.module, state.type.qualname, state.layout
