"""Changes are named after what was changed, and what is shown can be typed."""

from __future__ import annotations

import pytest

from tests.trace.conftest import Record, Recorded
from wrongcall.errors import UsageError
from wrongcall.present.diffs import effect_lines
from wrongcall.present.values import Viewer
from wrongcall.recording import StepKind


def places(run: Recorded, function: str) -> list[str]:
    """Return what a call wrote to, in order, apart from plain variables."""
    steps = run.recording.execution.steps(run.call(function).id)
    written = (StepKind.WRITE, StepKind.DELETE)
    return [s.place for s in steps if s.kind in written and not s.place.isidentifier()]


def test_a_change_is_named_after_its_object_not_after_an_argument(record: Record) -> None:
    run = record(
        """
        import heapq

        class C:
            def nxt(self):
                return 1

            def work(self):
                body, table, seen, heap = [], {}, set(), []
                body.append(self.nxt())
                body.append(more(1))
                body.insert(more(0), self.nxt())
                table.setdefault(more("k"), self.nxt())
                seen.add(more(2))
                heapq.heappush(heap, more(3))
                body.extend([more(4)])
                self.items = [[]]
                self.items[more(0)].append(more(5))
                alias = self.items[0].append
                alias(more(6))
                pick(body, heap).append(more(7))
                return body

        def more(x):
            return x

        def pick(a, b):
            return b

        C().work()
        """
    )
    assert places(run, "C.work") == [
        "body[0]",
        "body[1]",
        "body[0]",
        "table['k']",
        "seen{2}",
        "heap[0]",
        "body[3]",
        "self.items",
        "self.items[0][0]",
        "self.items[0][1]",
        "heap[1]",
    ]


KEYED = """
from dataclasses import dataclass
from enum import Enum

class Color(Enum):
    RED = 1

@dataclass(frozen=True)
class Point:
    x: int
    y: int

def fill(dp, groups, odd):
    i, j = 1, 0
    pos = (1, 0)
    dp[i, j] = 5
    dp[1, 0] = 6
    groups["GET", "/items"] = []
    groups["GET", "/items"].append(7)
    odd[(1,)] = 1
    odd[()] = 2
    odd[1, (2, None)] = 3
    odd[frozenset({1, 2})] = 4
    odd[Color.RED] = 5
    odd[Point(1, 2)] = 6
    odd[1, Color.RED] = 7
    odd[None] = 8
    odd[-1] = 9
    odd[1.5, True] = 10

fill({}, {}, {})
"""
SHOWN = [
    ("odd[(1,)]", 1),
    ("odd[()]", 2),
    ("odd[1, (2, None)]", 3),
    ("odd[frozenset({1, 2})]", 4),
    ("odd[Color.RED]", 5),
    ("odd[Point(x=1, y=2)]", 6),
    ("odd[1, Color.RED]", 7),
    ("odd[None]", 8),
    ("odd[-1]", 9),
    ("odd[1.5, True]", 10),
]


def test_keys_show_by_value_and_can_be_typed(record: Record) -> None:
    run = record(KEYED)
    call = run.call("fill").id
    shown = [("dp[1, 0]", 6), ("groups['GET', '/items']", None), *SHOWN]
    appended = 'groups["GET", "/items"][0]'
    by_value = [place for place, _ in shown]
    assert places(run, "fill") == [by_value[0], *by_value[:2], appended, *by_value[2:]]
    changed = effect_lines(run.recording, run.recording.questions.effect(call))
    assert [line.place for line in changed] == [place for place, _ in shown]
    for place, value in shown:
        _, found = run.recording.places.find(call, place)
        assert value is None or found == value
        assert run.recording.places.history(call, place)
        assert run.recording.places.origin(call, place).links
    tree = Viewer(run.recording).tree(run.recording.places.find(call, "odd")[1], "odd")
    assert [part.label for part in tree.parts] == [p.removeprefix("odd") for p, _ in SHOWN]


@pytest.mark.parametrize(
    "place", ["dp[i, j]", "dp[pos]", "dp[(1,0)]", "dp[1.0, False]", "dp[i, 0]"]
)
def test_other_ways_to_type_a_key(record: Record, place: str) -> None:
    run = record(KEYED)
    call = run.call("fill").id
    assert run.recording.places.find(call, place)[1] == 6
    assert [v.new for v in run.recording.places.history(call, place)] == [5, 6]


def test_keys_that_are_not_there(record: Record) -> None:
    run = record(KEYED)
    call = run.call("fill").id
    with pytest.raises(UsageError, match=r"dp is a dict without the key 1, 1: it has \(1, 0\)"):
        run.recording.places.find(call, "dp[1, 1]")
    with pytest.raises(UsageError, match=r"without the key Color\.BLUE"):
        run.recording.places.find(call, "odd[Color.BLUE]")
    with pytest.raises(UsageError, match="is not a place"):
        run.recording.places.find(call, "dp[1:2]")


def test_origins_follow_keys_that_are_tuples(record: Record) -> None:
    run = record(
        """
        def main():
            dp = {}
            for i in range(2):
                dp[i, 0] = i + 10
            j = 1
            best = dp[j, 0]
            return best

        main()
        """
    )
    origin = run.recording.places.origin(run.call("main").id, "best")
    assert [link.place for link in origin.links] == ["best", "dp[i, 0]"]
    assert (origin.text, origin.value) == ("i + 10", 11)
