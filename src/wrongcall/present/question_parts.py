"""The parts of a question: what they are called, and in which order they are shown.

The one source for the terminal (`screens`) and the page: ``tools/write_keys.py`` writes the page's part to
web/src/keys.ts. First what went in, then what came out, then what it depended on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class QuestionPart:
    """A part of a question; one without a title is shown in another way on the page."""

    name: str
    """In one word, which the terminal shows."""
    title: str
    """On the page."""


OUTCOME = "outcome"
"""Its name and title are how the call ended: returned, raised, ..."""

QUESTION_PARTS = (
    QuestionPart("given", "Given"),
    QuestionPart(OUTCOME, "Outcome"),
    QuestionPart("variables", "Variables"),
    QuestionPart("yielded", "Yielded"),
    QuestionPart("defined", "Defined"),
    QuestionPart("changed", "Changed"),
    QuestionPart("printed", "Printed"),
    QuestionPart("meanwhile", "Meanwhile, by others"),
    QuestionPart("started", "Started"),
    QuestionPart("read", "Read"),
    QuestionPart("constants", "Constants"),
    QuestionPart("missing", "Missing"),
    QuestionPart("locals", "Local variables"),
    QuestionPart("called", ""),
)
"""Of a question about one call, and of each call of a list."""
GROUP_PARTS = (
    QuestionPart("calls", "Calls"),
    QuestionPart("changed", "Changed, all together"),
    QuestionPart("printed", "Printed"),
    QuestionPart("started", "Started"),
    QuestionPart("meanwhile", "Meanwhile, by others"),
    QuestionPart("called", ""),
)
"""Of a question about what several calls did together."""
GROUP_PARTS_OF_PAGE = (*GROUP_PARTS[1:-1], GROUP_PARTS[0])
"""The page lists many calls, where the terminal lists a few: they come last, below what is judged."""


def in_order(parts: Iterable[QuestionPart], shown: Mapping[str, Iterable[T]]) -> list[T]:
    """Return what is shown of each part, by its name, in the order of the parts.

    Every part that is shown must have a place in the order.
    """
    order = [part.name for part in parts]
    missing = shown.keys() - set(order)
    if missing:
        raise ValueError(f"parts of a question without a place: {sorted(missing)}")
    return [each for name in order for each in shown.get(name, ())]
