"""Two texts side by side: which lines differ, and which words in them.

Invariants: the spans of one side, joined, are its line; spans that are not marked are the same on both sides, in order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from wrongcall.present.text import safe

MOST_COMPARED = 3_000
"""Lines, or words of a line, that are aligned; of more, only the common beginning and end are found."""
_WORDS = re.compile(r"\w+|\s+|[^\w\s]")

Span = tuple[str, bool]
"""Text, and whether it differs from the other side."""
Opcode = tuple[str, int, int, int, int]


@dataclass(frozen=True)
class LinePair:
    """A line of the old text beside one of the new."""

    old_number: int
    """From 1; 0: there is no such line."""
    new_number: int
    old: tuple[Span, ...]
    new: tuple[Span, ...]

    @property
    def is_same(self) -> bool:
        """Both sides have the line."""
        return bool(self.old_number and self.new_number) and not any(
            marked for _, marked in (*self.old, *self.new)
        )


def opcodes(old: Sequence[object], new: Sequence[object]) -> Iterator[Opcode]:
    """Align two sequences; the opcodes of difflib."""
    begin = _common(old, new)
    end = _common(old[begin:][::-1], new[begin:][::-1])
    if begin:
        yield "equal", 0, begin, 0, begin
    one, other = old[begin : len(old) - end], new[begin : len(new) - end]
    if max(len(one), len(other)) > MOST_COMPARED:
        yield "replace", begin, begin + len(one), begin, begin + len(other)
    else:
        for tag, a, b, c, d in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
            yield tag, begin + a, begin + b, begin + c, begin + d
    if end:
        yield "equal", len(old) - end, len(old), len(new) - end, len(new)


def _common(one: Sequence[object], other: Sequence[object]) -> int:
    pairs = zip(one, other, strict=False)
    return next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def line_pairs(old: str, new: str) -> Iterator[LinePair]:
    """Go through the lines of two texts side by side."""
    lines = old.split("\n"), new.split("\n")
    for tag, a, b, c, d in opcodes(*lines):
        for i in range(max(b - a, d - c)):
            one = lines[0][a + i] if a + i < b else None
            other = lines[1][c + i] if c + i < d else None
            spans = _unmarked(one) if tag == "equal" else _compared(one, other)
            yield LinePair(a + i + 1 if a + i < b else 0, c + i + 1 if c + i < d else 0, *spans)


def _unmarked(line: str | None) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    spans = ((safe(line or ""), False),)
    return spans, spans


def _compared(one: str | None, other: str | None) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Mark the words that differ; a line that is on one side only is marked whole."""
    if one is None or other is None:
        old, new = (() if text is None else ((safe(text), True),) for text in (one, other))
        return old, new
    return word_spans(one, other)


def word_spans(old: str, new: str) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Return two lines with the words marked that differ."""
    words = _WORDS.findall(old), _WORDS.findall(new)
    found: tuple[list[Span], list[Span]] = ([], [])
    for tag, a, b, c, d in opcodes(*words):
        for side, start, stop in ((0, a, b), (1, c, d)):
            text = "".join(words[side][start:stop])
            if text:
                found[side].append((safe(text), tag != "equal"))
    return tuple(found[0]), tuple(found[1])
