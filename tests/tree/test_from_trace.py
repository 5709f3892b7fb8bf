"""Trees and chains of recorded programs."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.session.truth import advanced
from wrongcall import recording
from wrongcall.events import SITE_LINE, Kind, SiteKind, Tag
from wrongcall.recording import Recording
from wrongcall.session.session import Session
from wrongcall.session.steps import NeedsMoreTree, Question
from wrongcall.trace.format.event_records import EVENT
from wrongcall.tree import _kernels, from_trace
from wrongcall.tree.from_trace import ChainScan, chains_of, tree_of
from wrongcall.tree.tree import NOBODY, Tree

Record = Callable[[str], Recording]


@pytest.fixture
def record(tmp_path: Path) -> Record:
    """Record a program and open its trace."""

    def run(program: str) -> Recording:
        script = tmp_path / "program.py"
        script.write_text(textwrap.dedent(program))
        made = tmp_path / "made.wrongcall"
        command = [sys.executable, "-m", "wrongcall", "record", "-o", str(made), str(script)]
        subprocess.run(command, check=True, capture_output=True, timeout=60)
        return recording.open(made)

    return run


def named(found: Recording, tree: Tree) -> list[str]:
    return [found.program.functions[int(number)].name for number in tree.function]


def chained(found: Recording, tree: Tree) -> list[list[str]]:
    """Return the names of the functions in each chain."""
    names, chains = named(found, tree), chains_of(found, tree)
    keys = [key for key in dict.fromkeys(chains.tolist()) if key >= 0]
    return [[names[node] for node in range(len(tree)) if chains[node] == key] for key in keys]


CASTLING = """
    class Position:
        def __init__(self, x):
            self.x = x
        def right(self):
            self.x += 1
        def left(self):
            self.x -= 1

    def castling(tower, king):
        for _ in range(3):
            tower.right()
        for _ in range(2):
            king.left()

    castling(Position(8), Position(5))
"""


def test_the_tree_of_a_program(record: Record) -> None:
    with record(CASTLING) as found:
        tree = tree_of(found)
        names = named(found, tree)
        castling = names.index("castling")
        assert [names[node] for node in tree.children(castling)] == ["right"] * 3 + ["left"] * 2
        assert tree.completed.all()
        for node in range(len(tree)):
            call = found.call(tree.call(node))
            assert tree.node(call.id) == node
            parent = tree.parent[node]
            assert (call.parent.id if call.parent else None) == (
                None if parent == NOBODY else tree.call(int(parent))
            )


def test_calls_of_a_loop_on_one_object_are_a_chain(record: Record) -> None:
    with record(CASTLING) as found:
        assert chained(found, tree_of(found)) == [["right"] * 3, ["left"] * 2]


def test_castling_takes_three_questions(record: Record) -> None:
    with record(CASTLING) as found:
        tree = tree_of(found)
        names = named(found, tree)
        session = Session(tree, strategy="dq-hirunkitti", chains=chains_of(found, tree))
        castling = tree.call(names.index("castling"))
        session.judge(castling, "wrong")
        asked = []
        while isinstance(step := advanced(session), Question):
            asked.append([names[tree.node(call)] for call in step.calls])
            session.answer("right")
        assert asked == [["right"] * 3, ["left"] * 2]
        assert getattr(step, "calls", None) == (castling,)


def test_calls_that_take_the_previous_result_form_a_chain(record: Record) -> None:
    program = """
        def delete(values):
            return values[1:]

        def run(values):
            while values:
                values = delete(values)

        run([1, 2, 3])
    """
    with record(program) as found:
        assert chained(found, tree_of(found)) == [["delete"] * 3]


def test_different_objects_and_writes_between_are_no_chain(record: Record) -> None:
    program = """
        class Box:
            def __init__(self):
                self.n = 0
            def add(self):
                self.n += 1

        def different(boxes):
            for box in boxes:
                box.add()

        def disturbed(box):
            box.add()
            box.n = 7
            box.add()

        def plain(n):
            return n

        def numbers():
            return [plain(n) for n in range(3)]

        one = Box()
        different([Box(), Box()])
        disturbed(one)
        numbers()
    """
    with record(program) as found:
        assert chained(found, tree_of(found)) == []


def test_generators_and_threads_are_put_in_order(record: Record) -> None:
    program = """
        import threading

        def helper(n):
            return n

        def numbers():
            for n in range(3):
                yield helper(n)

        def consume():
            made = numbers()
            helper(10)
            return list(made)

        other = threading.Thread(target=consume)
        other.start()
        consume()
        other.join()
    """
    with record(program) as found:
        tree = tree_of(found)
        names = named(found, tree)
        for node in range(len(tree)):
            if names[node] == "numbers":
                assert [names[child] for child in tree.children(node)] == ["helper"] * 3
            for child in tree.children(node):
                assert int(tree.parent[child]) == node
        assert names.count("numbers") == 2
        assert len(chains_of(found, tree)) == len(tree)


GROWING = """
    import pathlib, sys, time

    def work(n):
        return n

    def main(folder):
        work(1)
        (folder / "begun").touch()
        while not (folder / "go").exists():
            time.sleep(0.01)
        work(2)

    main(pathlib.Path(sys.argv[1]))
"""


def test_a_trace_that_is_still_being_written(tmp_path: Path) -> None:
    script, made = tmp_path / "program.py", tmp_path / "made.wrongcall"
    script.write_text(textwrap.dedent(GROWING))
    command = [sys.executable, "-m", "wrongcall", "record", "-o", str(made), str(script)]
    with subprocess.Popen([*command, str(tmp_path)], stderr=subprocess.DEVNULL) as running:
        wait_for((tmp_path / "begun").exists)
        # What was handed over is in the file within a tenth of a second.
        wait_for(lambda: completed(made) == ["work"])
        with recording.open(made) as found:
            tree = tree_of(found)
            session = Session(tree, strategy="top-down", growing=True)
            question = advanced(session)
            assert isinstance(question, Question)
            session.answer("right")
            assert isinstance(advanced(session), NeedsMoreTree)
            (tmp_path / "go").touch()
            assert running.wait(60) == 0
            found.refresh()
            tree = tree_of(found)
            session.grow(tree, chains=chains_of(found, tree))
            assert [named(found, tree)[tree.node(call)] for call in asked_first(session)] == [
                "<module>"
            ]


def completed(path: Path) -> list[str]:
    if not path.exists():
        return []
    with recording.open(path) as found:
        tree = tree_of(found)
        names = named(found, tree)
        return [names[node] for node in range(len(tree)) if tree.completed[node]]


def asked_first(session: Session) -> tuple[int, ...]:
    step = advanced(session)
    assert isinstance(step, Question)
    return step.calls


def wait_for(condition: Callable[[], bool]) -> None:
    last = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < last
        time.sleep(0.02)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(-1, 2**18)), min_size=1, max_size=40))
def test_reading_is_estimated_alike_whatever_the_parts(calls: list[tuple[int, int]]) -> None:
    """The witness takes one call at a time."""
    count = len(calls)
    columns = SimpleNamespace(
        function=np.array([function for function, _ in calls], np.int32),
        entry=np.zeros(count, np.int64),
        exit=np.array([exit for _, exit in calls], np.int64),
    )
    functions = {n: SimpleNamespace(params="x" * n * 3) for n in range(4)}
    run = SimpleNamespace(
        calls=SimpleNamespace(columns=lambda: columns), program=SimpleNamespace(functions=functions)
    )
    tree = Tree.from_parents([-1] * count)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(from_trace, "PART_CALLS", 7)
        found = from_trace.reading_of(cast(Any, run), tree)
    for node, (function, exit) in enumerate(calls):
        done = min(max(exit, 1), from_trace.MOST_SPAN).bit_length() - 1
        given_ = min(function * 3, from_trace.MOST_PARAMETERS)
        assert found.alone[node] == 4 + given_ + done // 2
        assert found.member[node] == 1 + given_ // 2 + done // 4
        assert found.brief[node] == (given_ <= 2 and done <= 4)


# -- chains against a slow and obvious version -----------------------------------------------------


@dataclass
class Made:
    """A recording that consists of columns."""

    calls: Any
    events: Any
    program: Any

    def prepared(self) -> None:
        pass


@dataclass
class Columns:
    """The calls of a made recording."""

    id: Any
    parent: Any
    function: Any
    entry: Any
    exit: Any
    outcome: Any

    def columns(self) -> Columns:
        return self


class Parts:
    """The events of a made recording."""

    def __init__(self, records: list[tuple[int, ...]]) -> None:
        self.rows = records
        self.count = len(records)

    def records(self, wanted: Any = None, first: int = 0) -> Iterator[tuple[int, Any]]:
        fields = ("kind", "site", "call", "hi", "vtag", "value")
        size = from_trace.PART_EVENTS
        for number in range(first // size, self.count // size + 1):
            if wanted is None or wanted[number]:
                rows = self.rows[number * size : (number + 1) * size]
                events = np.zeros(len(rows), EVENT)
                for name, column in zip(fields, zip(*rows, strict=True), strict=bool(rows)):
                    events[name] = column
                yield number * size, events


PARAM_SITES = {1, 4}
SITES = SimpleNamespace(
    kind=np.array([SiteKind.PARAM if n in PARAM_SITES else SiteKind.WRITE for n in range(6)])
)


@st.composite
def runs(draw: st.DrawFn) -> Made:
    """Make a run with nested calls, several threads, gaps between ids, and arguments that come late."""
    records: list[tuple[int, ...]] = []
    calls: list[list[int]] = []  # id, parent, entry, exit
    stacks: list[list[int]] = [[] for _ in range(draw(st.integers(1, 3)))]
    late: list[int] = []

    def put(kind: int, site: int, call: int, vtag: int = 0, value: int = 0) -> None:
        records.append((kind, site, call & 0xFFFFFFFF, call >> 32 & 15, vtag, value))

    number = draw(st.sampled_from([1, 5, (1 << 32) - 3]))
    # cp: a call that gets its argument at once; cpr: and returns at once
    shapes = st.sampled_from(["cprcpr", "cprlcpr", "cpr", "cp", "c", "r", "w", "l", "p", "d", "a"])
    for what in "".join(draw(st.lists(shapes, min_size=2, max_size=20))):
        stack = stacks[draw(st.integers(0, 5)) % 4 % len(stacks)]
        value = draw(st.sampled_from([1, 1, 1, 2, 3]))
        vtag = draw(st.sampled_from([Tag.OBJ, Tag.OBJ, Tag.INT]))
        if what == "c":
            calls.append([number, calls[stack[-1]][0] if stack else 0, len(records), -1])
            put(draw(st.sampled_from([Kind.ENTER, Kind.CREATE])), 2, number)
            stack.append(len(calls) - 1)
            late = [*late[-1:], *[len(calls) - 1] * 9]
            number += draw(st.sampled_from([1, 1, 1, 2, 9]))
        elif what == "r" and stack:
            row = stack.pop()
            calls[row][3] = len(records)
            put(draw(st.sampled_from([Kind.RETURN, Kind.RAISE])), 3, calls[row][0], vtag, value)
        elif what == "p" and late:
            put(Kind.LOCAL, draw(st.sampled_from([1, 4, 5])), calls[draw(st.sampled_from(late))][0],
                vtag, value)  # fmt: skip
        elif what == "d" and stack:  # an end that is not the last one
            put(Kind.DROP, 3, calls[stack[-1]][0], vtag, value)
        elif what == "a":  # at a line instead of a site, and of a call that nobody knows
            put(Kind.LOCAL, SITE_LINE | 1, number + 3, vtag, value)
        elif what in "wl":
            kind = Kind.LOCAL if what == "l" else draw(st.sampled_from([Kind.ATTR, Kind.FILL]))
            put(kind, 5, calls[stack[-1]][0] if stack else 0, vtag, value)
    columns = np.array(calls, np.int64).reshape(-1, 4).T.copy()
    zeros = np.zeros(len(calls))
    return Made(
        Columns(columns[0], columns[1], zeros.astype(np.int32), columns[2], columns[3],
                zeros.astype(np.uint8)),
        Parts(records),
        SimpleNamespace(columns=SITES, functions={}, files={}),
    )  # fmt: skip


def slow_chains(made: Made, tree: Tree) -> list[int]:
    """Return the keys of chains, from the definition in the docstring of `from_trace`."""
    rows = {int(number): row for row, number in enumerate(made.calls.id)}
    records = made.events.rows
    row_of = [rows[tree.call(node)] for node in range(len(tree))]

    def number(record: tuple[int, ...]) -> int:
        return record[2] | record[3] << 32

    def subject(node: int) -> int:
        its = int(made.calls.id[row_of[node]])
        bound = [
            r for r in records if r[0] == Kind.LOCAL and r[1] in PARAM_SITES and number(r) == its
        ]
        return bound[0][5] if bound and bound[0][4] == Tag.OBJ else 0

    def is_linked(one: int, other: int) -> bool:
        exit = int(made.calls.exit[row_of[one]])
        entry = int(made.calls.entry[row_of[other]])
        if (
            not tree.completed[one]
            or not tree.completed[other]
            or exit >= entry
            or not subject(other)
        ):
            return False
        if any(Kind.ATTR <= r[0] <= Kind.FILL for r in records[exit:entry]):
            return False
        returned = records[exit][5] if records[exit][4] == Tag.OBJ else 0
        return subject(other) in (subject(one), returned)

    keys = [-1] * len(tree)
    for node in range(len(tree)):
        following = int(tree.end[node])
        is_sibling = following < len(tree) and tree.parent[following] == tree.parent[node]
        if is_sibling and is_linked(node, following):
            keys[node] = node if keys[node] < 0 else keys[node]
            keys[following] = keys[node]
    return keys


def lateness(made: Made) -> int:
    """Return after how many events the last call gets its argument."""
    entries = dict(zip(made.calls.id.tolist(), made.calls.entry.tolist(), strict=True))
    return max(
        (
            time - entries[record[2] | record[3] << 32]
            for time, record in enumerate(made.events.rows)
            if record[0] == Kind.LOCAL and record[1] in PARAM_SITES
        ),
        default=1,
    )


@settings(max_examples=300, deadline=None)
@given(made=runs(), part_events=st.sampled_from([1, 2, 7, 65_536]), shown=st.integers(0, 5))
def test_chains_are_those_of_the_definition(made: Made, part_events: int, shown: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        # Arguments come in the part in which their call begins, or in the next one.
        patch.setattr(from_trace, "PART_EVENTS", max(part_events, lateness(made)))
        rows = from_trace._rows(made.calls)
        columns = (rows, made.calls.function, made.calls.exit >= 0, made.calls.id)
        tree = Tree.from_parents(*columns, over=True)
        assert chains_of(made, tree).tolist() == slow_chains(made, tree)
        # It makes no difference how many of the events somebody else has shown to the scan, wanted or not.
        scan = ChainScan(made)
        for first, events in islice(made.events.records(), shown):
            scan.look(first, events)
        assert chains_of(made, tree, scan).tolist() == slow_chains(made, tree)


@pytest.mark.parametrize(
    "rows, end",
    [([0, 7], [2, 2]), ([0, -1], [2, 2]), ([0, 1], [2, 1]), ([0, 1], [3, 2])],
)
def test_a_damaged_tree_is_refused(rows: list[int], end: list[int]) -> None:
    parent, ends, row_of = (np.array(each, np.int32) for each in ([-1, 0], end, rows))
    times = np.array([1, 2], np.int64)
    forest = (parent, ends, np.ones(2, np.bool_), row_of, times, times)
    with pytest.raises(ValueError, match=r"node [01] has row"):
        _kernels.parts_of_chains(forest, 8, np.zeros(3, np.int64))
    with pytest.raises(ValueError, match=r"node [01] has row"):
        _kernels.link_chains(forest, (times, times, times), np.zeros(2, np.int64))
