"""Recursion, down to the interpreter's limit."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.recorder.conftest import Record, run_python, write_program
from tests.recorder.outline import check, lines, outline
from wrongcall.recording import Outcome


def test_recursion(record: Record) -> None:
    done = record(
        """\
        def fib(n):
            if n < 2:
                return n
            return fib(n - 1) + fib(n - 2)  # both

        fib(4)
        """
    )
    assert outline(done) == lines(
        """
        module __main__ -> None
          fib(n=4) @6 -> 3
            fib(n=3) @both -> 2
              fib(n=2) @both -> 1
                fib(n=1) @both -> 1
                fib(n=0) @both -> 0
              fib(n=1) @both -> 1
            fib(n=2) @both -> 1
              fib(n=1) @both -> 1
              fib(n=0) @both -> 0
        """
    )


RECURSIVE = {
    "function": """\
        def down(n):
            global deepest
            deepest = n
            down(n + 1)
        """,
    "method": """\
        class Node:
            def down(self, n):
                global deepest
                deepest = n
                self.down(n + 1)
        down = Node().down
        """,
    "lambda": """\
        def note(n):
            global deepest
            deepest = n
        down = lambda n: note(n) or down(n + 1)
        """,
    "comprehension": """\
        def down(n):
            global deepest
            deepest = n
            return [down(m) for m in (n + 1,)]
        """,
    "operator": """\
        class Node:
            def __init__(self, n):
                self.n = n
            def __add__(self, other):
                global deepest
                deepest = self.n
                return Node(self.n + 1) + other
        down = lambda n: Node(n) + 1
        """,
}


@pytest.mark.parametrize("kind", RECURSIVE)
def test_recursion_up_to_the_interpreters_limit(record: Record, kind: str, tmp_path: Path) -> None:
    body = write_program(tmp_path, RECURSIVE[kind], "body.py").read_text()
    source = body + "try:\n    down(1)\nexcept RecursionError:\n    print(deepest)\n"
    done = record(source)
    plain = run_python(["prog.py"], tmp_path)
    deepest = int(done.stdout)
    # The hooks take a level or two of their own, and are given as many.
    assert abs(deepest - int(plain.stdout)) <= 3
    check(done.recording)
    if kind in ("function", "method", "comprehension"):
        name = "Node.down" if kind == "method" else "down"
        calls = done.calls(name)
        assert [p.value for c in calls[:deepest] for p in c.args if p.name == "n"] == list(
            range(1, deepest + 1)
        )
        above = [c.parent.id for c in calls[1:] if c.parent]
        assert above == [c.id for c in calls[:-1]]
        assert {c.outcome for c in calls} == {Outcome.RAISED}


def test_a_recursion_limit_of_ones_own(record: Record, tmp_path: Path) -> None:
    done = record(
        """\
        import sys

        sys.setrecursionlimit(9000)

        def down(n):
            return 0 if n == 0 else 1 + down(n - 1)

        print(down(8900))
        """
    )
    assert done.stdout == "8900\n"
    calls = done.calls("down")
    assert [c.value for c in calls] == list(range(8900, -1, -1))
    check(done.recording)
