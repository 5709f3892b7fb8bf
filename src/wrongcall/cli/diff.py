"""``wrongcall diff``: align two runs by their calls, and show where they part."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

import wrongcall.recording
from wrongcall.cli.output import Output, shown
from wrongcall.cli.reading import Commands, number, place_of
from wrongcall.oracles.run_diff import Compared, RunDiff, Sameness, diff_of
from wrongcall.present.questions import outcome_line, title
from wrongcall.present.text import columns, safe
from wrongcall.recording import Recording

SAME, DIFFERENT = 0, 1
LISTED = 10
_INDENT = 2


def add_parser(commands: Commands[argparse.ArgumentParser]) -> None:
    """Describe the command to argparse."""
    parser = commands.add_parser(
        "diff",
        help="show where two runs part",
        description="Aligns two recorded runs by their calls, and shows the calls that had another outcome for the "
        "same input, the first one first, and those that only one run made.",
        epilog="Exit code: 0 no difference was found, 1 there is one, 2 usage error.",
    )
    parser.add_argument("good", metavar="TRACE", help="a run, usually one that is right")
    parser.add_argument("bad", metavar="TRACE", help="another run")
    parser.add_argument(
        "--limit", type=number, default=LISTED, metavar="N", help=f"calls to list of each kind ({LISTED})"
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print JSON (docs/reference/json.md)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Show the differences; 0 if there are none."""
    with (
        wrongcall.recording.open(args.good) as good,
        wrongcall.recording.open(args.bad) as bad,
    ):
        found = diff_of(good, bad)
        both = _Both(good, bad, found, args.limit)
        status = shown(lambda output: output.json(both.data()) if args.json else both.show(output))
        return status or (DIFFERENT if both.differs else SAME)


class _Both:
    """Two runs and their differences, in words."""

    def __init__(self, good: Recording, bad: Recording, found: RunDiff, limit: int) -> None:
        self._good = good
        self._bad = bad
        self._found = found
        self._limit = limit
        self._first_other_input = next(
            (each for each in found.compared if each.sameness is Sameness.INPUT), None
        )

    @property
    def differs(self) -> bool:
        """Whether a difference was found."""
        found = self._found
        only = found.alignment.only_first or found.alignment.only_second
        return bool(found.parts or only or self._first_other_input)

    # -- text --------------------------------------------------------------------------------------

    def show(self, output: Output) -> None:
        """Show what is different, the most telling first."""
        parts = self._found.parts
        if parts:
            output.line("The same input, another outcome:")
            for each in parts[: self._limit]:
                self._show_pair(each, output)
            self._show_more(len(parts), output)
        elif self._first_other_input is not None:
            output.line("The first call with another input:")
            self._show_pair(self._first_other_input, output)
        first, second = self._found.alignment.only_first, self._found.alignment.only_second
        self._show_only(self._good, first, "Only in the first run:", output)
        self._show_only(self._bad, second, "Only in the second run:", output)
        if not self.differs:
            output.line("No difference was found.")
        output.line(self._summary())

    def _show_pair(self, each: Compared, output: Output) -> None:
        width = output.width - _INDENT
        function = self._bad.call(each.second).function
        output.line(f"  {place_of(self._bad, function)}")
        for recording, call in ((self._good, each.first), (self._bad, each.second)):
            output.line(f"    #{call} {_line(recording, call, width - 6)}")

    def _show_only(
        self, recording: Recording, calls: Sequence[int], heading: str, output: Output
    ) -> None:
        if not calls:
            return
        output.line(heading)
        for call in calls[: self._limit]:
            output.line(f"  #{call} {_line(recording, call, output.width - 6)}")
        self._show_more(len(calls), output)

    def _show_more(self, count: int, output: Output) -> None:
        if count > self._limit:
            output.line(f"  … {count - self._limit:,} more")

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
            "place": place_of(self._bad, self._bad.call(each.second).function),
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
