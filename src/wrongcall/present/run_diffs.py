"""Where two runs part, as people and programs read it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from wrongcall.oracles.run_diff import Compared, RunDiff, Sameness
from wrongcall.present.questions import outcome_line, short_path, title
from wrongcall.present.text import columns, safe
from wrongcall.recording import Recording

LISTED = 10
"""Calls of each kind that are listed unless more are wanted."""


class DiffView:
    """Two runs and their differences, in words and as data."""

    def __init__(self, good: Recording, bad: Recording, found: RunDiff, limit: int) -> None:
        self._good = good
        self._bad = bad
        self._found = found
        self._limit = limit
        self._first_other_input = next(
            (each for each in found.compared if each.sameness is Sameness.INPUT), None
        )

    @property
    def where(self) -> Compared | None:
        """The pair to look at first: where the runs part, or the first one with another input."""
        return next(iter(self._found.parts), self._first_other_input)

    @property
    def differs(self) -> bool:
        """Whether a difference was found."""
        found = self._found
        only = found.alignment.only_first or found.alignment.only_second
        return bool(found.parts or only or self._first_other_input)

    # -- text --------------------------------------------------------------------------------------

    def lines(self, width: int) -> Iterator[str]:
        """Iterate over what is different, the most telling first."""
        parts = self._found.parts
        if parts:
            yield "The same input, another outcome:"
            for each in parts[: self._limit]:
                yield from self._pair_lines(each, width)
            yield from self._more(len(parts))
        elif self._first_other_input is not None:
            yield "The first call with another input:"
            yield from self._pair_lines(self._first_other_input, width)
        first, second = self._found.alignment.only_first, self._found.alignment.only_second
        yield from self._only(self._good, first, "Only in the first run:", width)
        yield from self._only(self._bad, second, "Only in the second run:", width)
        if not self.differs:
            yield "No difference was found."
        yield self._summary()

    def _pair_lines(self, each: Compared, width: int) -> Iterator[str]:
        yield f"  {self._place(each)}"
        for recording, call in ((self._good, each.first), (self._bad, each.second)):
            yield f"    #{call} {_line(recording, call, width - 8)}"

    def _only(
        self, recording: Recording, calls: Sequence[int], heading: str, width: int
    ) -> Iterator[str]:
        if not calls:
            return
        yield heading
        for call in calls[: self._limit]:
            yield f"  #{call} {_line(recording, call, width - 6)}"
        yield from self._more(len(calls))

    def _more(self, count: int) -> Iterator[str]:
        if count > self._limit:
            yield f"  … {count - self._limit:,} more"

    def _place(self, each: Compared) -> str:
        function = self._bad.call(each.second).function
        path = self._bad.program.files[function.file].path
        return f"{short_path(self._bad, path)}:{function.line}"

    def _summary(self) -> str:
        counts = self._found.counts
        texts = [
            f"{counts[each]:,} {words}"
            for each, words in (
                (Sameness.SAME, "the same"),
                (Sameness.OUTCOME, "with another outcome"),
                (Sameness.INPUT, "with another input"),
                (Sameness.UNKNOWN, "not comparable"),
                (Sameness.UNFINISHED, "unfinished"),
            )
            if counts[each]
        ]
        return (
            f"{len(self._found.compared):,} calls are in both runs: {', '.join(texts) or 'none'}."
        )

    # -- data --------------------------------------------------------------------------------------

    def data(self) -> dict[str, Any]:
        """Return the differences for programs."""
        found, counts = self._found, self._found.counts
        first, second = found.alignment.only_first, found.alignment.only_second
        other = self._first_other_input
        return {
            "aligned": len(found.compared),
            "counts": {each.name.lower(): counts[each] for each in Sameness},
            "parts": [self._pair(each) for each in found.parts[: self._limit]],
            "other_input": None if other is None else self._pair(other),
            "only_first": [_call(self._good, call) for call in first[: self._limit]],
            "only_second": [_call(self._bad, call) for call in second[: self._limit]],
            "only_counts": [len(first), len(second)],
        }

    def _pair(self, each: Compared) -> dict[str, Any]:
        return {
            "function": safe(self._bad.call(each.second).function.qualname),
            "place": self._place(each),
            "first": _call(self._good, each.first),
            "second": _call(self._bad, each.second),
        }


def _line(recording: Recording, call: int, width: int) -> str:
    view = recording.call(call)
    least = columns(outcome_line(recording, view, width // 3))
    head = title(recording, view, width=width - least - 1)
    return f"{head} {outcome_line(recording, view, width - columns(head) - 1)}"


def _call(recording: Recording, call: int) -> dict[str, Any]:
    view = recording.call(call)
    wide = 200
    return {
        "call": call,
        "title": title(recording, view, width=wide),
        "outcome": outcome_line(recording, view, wide),
    }
