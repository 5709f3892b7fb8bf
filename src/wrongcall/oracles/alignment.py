"""Aligns the calls of two runs: which call of one corresponds to which call of the other.

Two calls can correspond if they are calls of the same function (by its portable name) and their callers correspond.
The calls that two callers made are aligned in order: first what is equal at both ends, then around functions that each
of them called once (as patience diff does with lines), then one by one. So the time grows with the number of calls, not
with its square, and calls that only one run made don't throw the rest out of step.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field

from wrongcall.oracles.function_names import portable_name
from wrongcall.recording import Recording

Pair = tuple[int, int]
Span = tuple[int, int, int, int]
"""Places from and to which, on the left and on the right."""
MAX_EXACT_CELLS = 4096
"""Stretches whose lengths multiply to no more than this are aligned in the best possible way."""
GRAM = 4
"""Calls in a row that must agree after a difference."""
WINDOW = 32
"""How far to look for them."""


@dataclass
class CallTree:
    """The calls of a run: who made them, and of which functions they are."""

    labels: dict[int, Hashable] = field(default_factory=dict)
    children: dict[int, list[int]] = field(default_factory=dict)
    """By the call that made them; 0: nobody."""

    @classmethod
    def of(cls, recording: Recording) -> CallTree:
        """Read the calls of a run."""
        table, tree = recording.calls.columns(), cls()
        names = {number: _name(recording, number) for number in recording.program.functions}
        rows = zip(table.id.tolist(), table.parent.tolist(), table.function.tolist(), strict=True)
        for call, parent, function in rows:
            tree.labels[call] = names[function]
            tree.children.setdefault(parent, []).append(call)
        return tree


def _name(recording: Recording, function: int) -> Hashable:
    known = recording.program.functions[function]
    module = recording.program.files[known.file].module
    return portable_name(recording, function) or (module, known.qualname, known.kind)


@dataclass(frozen=True)
class Alignment:
    """Pairs of corresponding calls, in the order in which the second run made them."""

    pairs: tuple[Pair, ...]
    only_first: tuple[int, ...]
    """Calls of the first run whose caller has a counterpart, and which have none themselves."""
    only_second: tuple[int, ...]


def aligned(first: CallTree, second: CallTree) -> Alignment:
    """Align the calls of two runs."""
    pairs: list[Pair] = []
    only: tuple[list[int], list[int]] = ([], [])
    waiting: list[Pair] = [(0, 0)]
    while waiting:
        one, other = waiting.pop()
        left, right = first.children.get(one, []), second.children.get(other, [])
        matched = list(_matched([first.labels[c] for c in left], [second.labels[c] for c in right]))
        found = [(left[i], right[j]) for i, j in matched]
        pairs += found
        waiting += found
        only[0].extend(_rest(left, {i for i, _ in matched}))
        only[1].extend(_rest(right, {j for _, j in matched}))
    pairs.sort(key=lambda pair: pair[1])
    return Alignment(tuple(pairs), tuple(sorted(only[0])), tuple(sorted(only[1])))


def _rest(calls: list[int], taken: set[int]) -> Iterator[int]:
    return (call for place, call in enumerate(calls) if place not in taken)


def _matched(left: Sequence[Hashable], right: Sequence[Hashable]) -> Iterator[Pair]:
    """Iterate over pairs of places with equal labels, in order in both."""
    spans = [(0, len(left), 0, len(right))]
    while spans:
        a, b, c, d = spans.pop()
        while a < b and c < d and left[a] == right[c]:
            yield a, c
            a, c = a + 1, c + 1
        while a < b and c < d and left[b - 1] == right[d - 1]:
            yield b - 1, d - 1
            b, d = b - 1, d - 1
        if a == b or c == d:
            continue
        is_small = (b - a) * (
            d - c
        ) <= MAX_EXACT_CELLS  # then the longest alignment can be afforded
        anchors = [] if is_small else _anchors(left, right, (a, b, c, d))
        if anchors:
            ends = [*anchors, (b, d)]
            starts = [(a, c), *((i + 1, j + 1) for i, j in anchors)]
            yield from anchors
            spans += [(i, k, j, m) for (i, j), (k, m) in zip(starts, ends, strict=True)]
        else:
            yield from _one_by_one(left, right, (a, b, c, d))


def _anchors(left: Sequence[Hashable], right: Sequence[Hashable], span: Span) -> list[Pair]:
    """Return the longest row of places whose labels occur once on both sides."""
    a, b, c, d = span
    ours, theirs = Counter(left[a:b]), Counter(right[c:d])
    place = {label: j for j, label in enumerate(right[c:d], c) if theirs[label] == 1}
    unique = [
        (i, place[label])
        for i, label in enumerate(left[a:b], a)
        if ours[label] == 1 and label in place
    ]
    return _increasing(unique)


def _increasing(pairs: list[Pair]) -> list[Pair]:
    """Return the longest part of pairs, in order of the first place, whose second places increase."""
    ends: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for number, (_, j) in enumerate(pairs):
        at = bisect_left(ends, j)
        before.append(last[at - 1] if at else -1)
        if at == len(ends):
            ends.append(j)
            last.append(number)
        else:
            ends[at], last[at] = j, number
    found: list[Pair] = []
    number = last[-1] if last else -1
    while number >= 0:
        found.append(pairs[number])
        number = before[number]
    return found[::-1]


def _one_by_one(left: Sequence[Hashable], right: Sequence[Hashable], span: Span) -> Iterator[Pair]:
    """Go through both sides; where they differ, find the next place from which they agree for a while."""
    a, b, c, d = span
    if (b - a) * (d - c) <= MAX_EXACT_CELLS:
        yield from _longest_common(left, right, span)
        return
    grams: dict[tuple[Hashable, ...], list[int]] = {}
    for j in range(c, d - GRAM + 1):
        grams.setdefault(tuple(right[j : j + GRAM]), []).append(j)
    while a < b and c < d:
        if left[a] == right[c]:
            yield a, c
            a, c = a + 1, c + 1
            continue
        next_a, next_c = _agreeing_again(left, grams, (a, b, c, d))
        yield from _longest_common(left, right, (a, next_a, c, next_c))
        a, c = next_a, next_c


def _agreeing_again(
    left: Sequence[Hashable], grams: dict[tuple[Hashable, ...], list[int]], span: Span
) -> Pair:
    """Return the nearest places from which both sides agree, or those after the window."""
    a, b, c, d = span
    best: Pair | None = None
    for i in range(a, min(a + WINDOW, b - GRAM + 1)):
        places = grams.get(tuple(left[i : i + GRAM]), [])
        at = bisect_left(places, c)
        if at < len(places) and places[at] < c + WINDOW:
            found = (i, places[at])
            if best is None or sum(found) < sum(best):
                best = found
    return best or (min(a + WINDOW, b), min(c + WINDOW, d))


def _longest_common(
    left: Sequence[Hashable], right: Sequence[Hashable], span: Span
) -> Iterator[Pair]:
    """Iterate over the places of a longest common subsequence."""
    a, b, c, d = span
    best = [[0] * (d - c + 1) for _ in range(b - a + 1)]
    for i in range(b - a - 1, -1, -1):
        for j in range(d - c - 1, -1, -1):
            same = left[a + i] == right[c + j]
            best[i][j] = best[i + 1][j + 1] + 1 if same else max(best[i + 1][j], best[i][j + 1])
    i = j = 0
    while i < b - a and j < d - c:
        if left[a + i] == right[c + j]:
            yield a + i, c + j
            i, j = i + 1, j + 1
        elif best[i + 1][j] >= best[i][j + 1]:
            i += 1
        else:
            j += 1
