"""Any events at all, more than a program could do, are told in the same order as one by one."""

from __future__ import annotations

import tempfile
from pathlib import Path
from unittest import mock

from hypothesis import given
from hypothesis import strategies as st

from tests.analysis.steps.checks import check
from tests.analysis.summing import BLOCKS, FOLLOWING
from tests.trace.emitter import Emitter, flow
from wrongcall.analysis.steps import step_order
from wrongcall.events import Kind, SiteKind, Tag

SOURCE = """\
def f(xs):
    total = 0
    for x in xs:
        if x:
            total += x
        else:
            print(x)
    try:
        a = g()
        b = 1
    except E:
        total = -1
    return total
"""
FLOW = flow(10, FOLLOWING, silent=(1, 5), begin={2: 4})
SITES = [
    (SiteKind.ENTRY, 1, 1, None, 0),
    (SiteKind.PARAM, 1, 1, "xs", 0),
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
    (SiteKind.ENTRY, 2, 20, None, 0),
]
CALLED, INNER = 8, 14
LOCALS = ["xs", "total", "x", "a", "b"]

writes = st.tuples(st.just("write"), st.sampled_from([2, 3, 4, 5, 9, 10, 12]))
lines = st.integers(1, 14)
call_events = st.one_of(
    writes,
    writes,
    st.tuples(st.just("block"), st.sampled_from([6, 7])),
    st.tuples(st.just("caught"), lines),
    st.tuples(st.just("left"), lines),
    st.tuples(st.just("call"), st.sampled_from([0, CALLED])),
    st.tuples(st.just("item"), st.integers(0, 3)),
    st.tuples(st.just("print"), st.just(0)),
)


def emitted(emitter: Emitter, call: int, what: str, number: int) -> None:
    if what == "write":
        emitter.local(call, number, number)
    elif what == "block":
        emitter.event(Kind.BLOCK, site=number, call=call)
    elif what == "caught":
        emitter.event(Kind.CAUGHT, site=11, call=call, key=(Tag.INT, number))
    elif what == "left":
        emitter.event(Kind.BLOCK, call=call, key=(Tag.INT, number))
    elif what == "call":
        emitter.leave(emitter.enter(INNER, call, number))
    elif what == "item":
        table = emitter.new("list")
        emitter.item(Kind.ITEM, table, number, number, site=CALLED, call=call)
    else:
        emitter.event(Kind.PRINT, call=call, key=(Tag.INT, 1), value=emitter.value("x"))


@given(
    st.lists(call_events, max_size=40),
    st.sampled_from([None, Kind.RETURN, Kind.RAISE]),
    st.sampled_from([1, 2, 5, 1000]),
)
def test_steps_come_in_the_same_order_whatever_the_batch_size(
    happened: list[tuple[str, int]], end: Kind | None, together: int
) -> None:
    emitter = Emitter()
    functions = [
        {"blocks": BLOCKS, "flow": FLOW, "end_line": 13, "params": ["xs"], "locals": LOCALS},
        {"qualname": "g", "entry": INNER, "line": 20, "end_line": 20, "blocks": [[20]]},
    ]
    emitter.file(functions, SITES, source=SOURCE)
    call = emitter.enter(1)
    for what, number in happened:
        emitted(emitter, call, what, number)
    if end is not None:
        emitter.leave(call, 0, 13, end)
    with (
        tempfile.TemporaryDirectory() as folder,
        emitter.open(Path(folder) / "t.wrongcall") as recording,
        mock.patch.object(step_order, "_TOGETHER", together),
    ):
        check(recording, recording.call(call))
