"""Nodes for places say what put the value there."""

from __future__ import annotations

from tests.analysis.origins.origin_tests import opened, root
from tests.trace.conftest import Record
from wrongcall.recording import NodeKind


def test_kinds_of_writes(record: Record) -> None:
    run = record("""
        class Box:
            def __init__(self, x):
                self.x = x

        def g(y):
            return Box(y)

        def f():
            box = g(3)
            return box.x

        f()
    """)
    (x, *_) = opened(run, root(run, "f", "result")).operands
    assert (x.kind, x.text, x.line, x.source) == (NodeKind.WRITTEN, "box.x", 4, "x")
    (passed,) = opened(run, x).operands
    assert (passed.kind, passed.line, passed.source) == (NodeKind.PASSED, 3, "y")
