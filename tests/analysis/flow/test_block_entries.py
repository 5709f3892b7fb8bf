"""Lines and blocks of calls of this function:

 1  def f(xs):
 2      total = 0
 3      for x in xs:
 4          if x:
 5              total += x
 6          else:
 7              print(x)
 8      try:
 9          a = g()
10          b = 1
11      except E:
12          total = -1
13      return total
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analysis.summing import BLOCKS, FOLLOWING
from tests.trace.emitter import Emitter, flow
from wrongcall.analysis.flow.entries import AT_ITS_END
from wrongcall.events import Kind, SiteKind, Tag
from wrongcall.recording import Recording

FLOW = flow(10, FOLLOWING, silent=(1, 5), begin={2: 3})
SITES = [
    (SiteKind.ENTRY, 1, 1, None, 0),
    (SiteKind.WRITE, 1, 2, "total", 0),
    (SiteKind.WRITE, 1, 3, "x", 2),
    (SiteKind.WRITE, 1, 5, "total", 3),
    (SiteKind.BLOCK, 1, 7, None, 4),
    (SiteKind.BLOCK, 1, 8, None, 6),
    (SiteKind.CALL, 1, 9, "g", 7),
    (SiteKind.WRITE, 1, 9, "a", 7),
    (SiteKind.WRITE, 1, 10, "b", 7),
    (SiteKind.CAUGHT, 1, 11, None, 8),
    (SiteKind.WRITE, 1, 12, "total", 8),
    (SiteKind.RETURN, 1, 13, None, 9),
    (SiteKind.TARGET, 1, 2, "y", 0),
    (SiteKind.ENTRY, 2, 20, None, 0),
]
TOTAL, X, PLUS, ELSE, TRY, CALL, A, B, CAUGHT, MINUS, RETURN, TARGET, OTHER = range(2, 15)


class Run:
    """One call of the function, step by step."""

    def __init__(self) -> None:
        self.emitter = Emitter()
        self.emitter.file(
            [{"blocks": BLOCKS, "flow": FLOW}, {"qualname": "g", "entry": OTHER}], SITES
        )
        self.call = self.emitter.enter(1)

    def write(self, *sites: int) -> Run:
        for site in sites:
            self.emitter.local(self.call, site, 0)
        return self

    def event(self, kind: Kind, site: int = 0, line: int = 0) -> Run:
        key = (Tag.INT, line) if line else (Tag.UNSET, 0)
        self.emitter.event(kind, site=site, call=self.call, key=key)
        return self

    def open(self, folder: Path) -> Recording:
        return self.emitter.open(folder / "t.wrongcall")


@pytest.fixture
def run() -> Run:
    return Run()


def blocks(recording: Recording) -> list[int]:
    return [entry.block for entry in recording.execution.blocks(1)]


def test_each_round_of_a_loop_enters_its_blocks_again(run: Run, tmp_path: Path) -> None:
    run.write(TOTAL, X, PLUS, X).event(Kind.BLOCK, ELSE).write(X, PLUS)
    run.event(Kind.BLOCK, TRY).write(A, B).event(Kind.RETURN, RETURN)
    with run.open(tmp_path) as recording:
        assert blocks(recording) == [0, 2, 3, 2, 4, 2, 3, 6, 7, 9]
        assert recording.execution.lines(1) == [2, 3, 4, 5, 7, 8, 9, 10, 13]


def test_a_loop_of_one_block_is_counted_by_its_first_mark(run: Run, tmp_path: Path) -> None:
    run.write(X, X, X)
    with run.open(tmp_path) as recording:
        assert blocks(recording) == [0, 2, 2, 2]


def test_many_events_of_one_call_are_no_rounds(run: Run, tmp_path: Path) -> None:
    run.write(TOTAL)
    for _ in range(5):
        run.emitter.event(Kind.INSERT, site=CALL, call=run.call, obj=7)
    run.write(TARGET, TARGET)
    with run.open(tmp_path) as recording:
        assert blocks(recording) == [0, 7, 0]


def test_lines_that_were_not_reached_are_not_executed(run: Run, tmp_path: Path) -> None:
    run.write(TOTAL).event(Kind.BLOCK, TRY)
    with run.open(tmp_path) as recording:
        assert recording.execution.lines(1) == [2, 3, 8]


def test_an_exception_cuts_the_block_it_leaves(run: Run, tmp_path: Path) -> None:
    run.write(TOTAL).event(Kind.BLOCK, TRY).write(A).event(Kind.RAISE, RETURN, line=9)
    with run.open(tmp_path) as recording:
        assert recording.execution.lines(1) == [2, 3, 8, 9]
        assert [(e.block, e.cut) for e in recording.execution.blocks(1)] == [(0, 0), (6, 0), (7, 9)]


def test_an_exception_may_be_the_only_trace_of_a_block(run: Run, tmp_path: Path) -> None:
    run.write(TOTAL).event(Kind.BLOCK, TRY).event(Kind.CAUGHT, CAUGHT, line=9).write(MINUS)
    run.event(Kind.RETURN, RETURN)
    with run.open(tmp_path) as recording:
        assert blocks(recording) == [0, 6, 7, 8, 9]
        assert recording.execution.lines(1) == [2, 3, 8, 9, 11, 12, 13]


def test_an_exception_passes_through_a_finally_block(run: Run, tmp_path: Path) -> None:
    run.write(TOTAL).event(Kind.BLOCK, TRY).write(A).event(Kind.BLOCK, RETURN, line=9)
    run.write(MINUS).event(Kind.RAISE, RETURN, line=9)
    with run.open(tmp_path) as recording:
        assert [(e.block, e.cut) for e in recording.execution.blocks(1)] == [
            (0, 0),
            (6, 0),
            (7, 9),
            (8, AT_ITS_END),
        ]
        assert recording.execution.lines(1) == [2, 3, 8, 9, 11, 12]


def test_an_exception_at_a_line_of_no_block_cuts_the_last_one(run: Run, tmp_path: Path) -> None:
    run.write(TOTAL).event(Kind.RAISE, RETURN, line=2000)
    with run.open(tmp_path) as recording:
        assert [(e.block, e.cut) for e in recording.execution.blocks(1)] == [(0, 2000)]
        assert recording.execution.lines(1) == [2]


def test_calls_tell_where_their_caller_was(run: Run, tmp_path: Path) -> None:
    run.write(TOTAL)
    callee = run.emitter.enter(OTHER, run.call, caller=CALL)
    run.emitter.local(callee, OTHER, 0)
    with run.open(tmp_path) as recording:
        assert blocks(recording) == [0, 7]
        assert blocks(recording) == [entry.block for entry in recording.execution.blocks(run.call)]


def test_a_call_that_just_began_has_entered_its_first_block(run: Run, tmp_path: Path) -> None:
    with run.open(tmp_path) as recording:
        assert blocks(recording) == [0]
