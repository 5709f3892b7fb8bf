"""Two calls of a run side by side: what they were given, how they ended, what they changed and printed.

A row has the same thing of both calls, and says whether it is the same. That is never guessed from the texts: values
are compared as they were, each at its time. Where that can't be told (the inside of a library's object is not recorded,
a text was cut), the row says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from wrongcall.analysis.effects.effects import Effect
from wrongcall.analysis.inputs import Input
from wrongcall.present.diffs import DiffLine, effect_lines, placed_changes
from wrongcall.present.pairs import Pairs, value_line
from wrongcall.present.questions import outcome_line, printed_text
from wrongcall.present.text import ELLIPSIS, safe
from wrongcall.present.values import Viewer
from wrongcall.recording import UNSET, Call, Change, ChangeKind, Outcome, Recording, Value

MAX_CHANGES = 200
"""Changes of each call that are compared."""
_ENDED = (Outcome.RETURNED, Outcome.RAISED)


@dataclass(frozen=True)
class ComparedRow:
    """The same thing of two calls."""

    part: str
    """The part of a question that it belongs to: given, outcome, changed, printed, read."""
    label: str
    """The name of an argument or variable, or the changed place; empty: there is only one of these."""
    first: str | None
    """None: the first call has no such thing."""
    second: str | None
    same: bool | None
    """None: it can't be told."""


@dataclass(frozen=True)
class _Side:
    """One of the calls."""

    call: Call
    given: Input
    effect: Effect

    @property
    def read(self) -> dict[str, Value]:
        """What it read without being passed it."""
        found = {safe(read.name): read.value for read in self.given.closure}
        for each in self.given.globals:
            found[safe(each.label)] = each.value
        return found


def compared_calls(
    recording: Recording, first: int, second: int, width: int = 400
) -> tuple[ComparedRow, ...]:
    """Compare two calls; a row's texts have ``width`` columns together."""
    sides = _side(recording, first), _side(recording, second)
    return tuple(_Comparison(recording, *sides, width).rows())


def _side(recording: Recording, number: int) -> _Side:
    given = recording.questions.input(number)
    effect = recording.questions.effect(number, given)
    return _Side(recording.call(number), given, effect)


class _Comparison:
    def __init__(self, recording: Recording, one: _Side, other: _Side, width: int) -> None:
        self._recording = recording
        self._one = one
        self._other = other
        self._width = width

    def rows(self) -> Iterator[ComparedRow]:
        """Go through all rows, in the order of a question's parts."""
        one, other = self._one, self._other
        times = one.given.time, other.given.time
        given = [{safe(a.name): a.value for a in side.given.args} for side in (one, other)]
        yield from self._values("given", given[0], given[1], times)
        yield self._outcome()
        yield from self._changes()
        yield from self._printed()
        yield from self._values("read", one.read, other.read, times)

    def _values(
        self, part: str, first: dict[str, Value], second: dict[str, Value], times: tuple[int, int]
    ) -> Iterator[ComparedRow]:
        for name in dict.fromkeys([*first, *second]):
            if name in first and name in second:
                yield self._pair(part, name, (first[name], second[name]), times)
            else:
                at = 0 if name in first else 1
                value = (first, second)[at][name]
                text = value_line(Viewer(self._recording, times[at]), value, self._width)
                first_text, second_text = (text, None) if at == 0 else (None, text)
                yield ComparedRow(part, name, first_text, second_text, same=False)

    def _pair(
        self,
        part: str,
        name: str,
        values: tuple[Value, Value],
        times: tuple[int, int],
        lead: str = "",
    ) -> ComparedRow:
        viewers = Viewer(self._recording, times[0]), Viewer(self._recording, times[1])
        texts = Pairs(self._recording, *viewers).texts(*values, self._width)
        same = self._recording.states.sameness.compare(values[0], times[0], values[1], times[1])
        return ComparedRow(part, name, lead + texts[0], lead + texts[1], same)

    def _outcome(self) -> ComparedRow:
        one, other = self._one.call, self._other.call
        if one.outcome == other.outcome and one.outcome in _ENDED:
            word = "returned " if one.outcome == Outcome.RETURNED else "raised "
            values, times = (one.value, other.value), (one.exit, other.exit)
            return self._pair("outcome", "", values, times, word)
        first, second = (
            outcome_line(self._recording, call, self._width // 2) for call in (one, other)
        )
        same = None if one.outcome == other.outcome else False
        return ComparedRow("outcome", "", first, second, same)

    # -- changes -----------------------------------------------------------------------------------

    def _changes(self) -> Iterator[ComparedRow]:
        effects = self._one.effect, self._other.effect
        lines = [
            {line.place: line for line in effect_lines(self._recording, effect, self._width)}
            for effect in effects
        ]
        known = [dict(placed_changes(self._recording, effect)) for effect in effects]
        for place in [*dict.fromkeys([*lines[0], *lines[1]])][: 2 * MAX_CHANGES]:
            texts = [_change_text(each[place]) if place in each else None for each in lines]
            changes = [each.get(place) for each in known]
            same = self._same_change(changes, texts)
            yield ComparedRow("changed", place, texts[0], texts[1], same)

    def _same_change(self, changes: list[Change | None], texts: list[str | None]) -> bool | None:
        """Compare what two calls did to the same place: what is there now, and how it came."""
        one, other = changes
        if None in texts:
            return False
        if one is None or other is None:  # several changes in one line, or one of a data frame
            cut = any(ELLIPSIS in text for text in texts if text)
            return None if cut or texts[0] == texts[1] else False
        if one.kind is not other.kind or one.origin != other.origin:
            return False
        first, second = self._one.effect, self._other.effect
        found = [
            self._same(one.old, first.before, other.old, second.before),
            self._same(one.new, first.after, other.new, second.after),
        ]
        return False if False in found else None if None in found else True

    def _same(self, one: Value, time: int, other: Value, other_time: int) -> bool | None:
        if UNSET in (one, other):
            return one is other
        return self._recording.states.sameness.compare(one, time, other, other_time)

    def _printed(self) -> Iterator[ComparedRow]:
        questions = self._recording.questions
        texts = [printed_text(questions.printed(side.call.id)) for side in (self._one, self._other)]
        if any(texts):
            cut = any(ELLIPSIS in text for text in texts)
            same = None if cut and texts[0] == texts[1] else texts[0] == texts[1]
            yield ComparedRow("printed", "", texts[0] or None, texts[1] or None, same)


def _change_text(line: DiffLine) -> str:
    if line.more:
        return f"{line.more:,} more changes"
    if line.kind is ChangeKind.ADDED:
        return f"added {line.new}"
    if line.kind is ChangeKind.REMOVED:
        return f"removed {line.old}"
    if line.kind is ChangeKind.MOVED:
        return f"{line.new} moved from {line.origin}"
    return f"{line.old} → {line.new}"
