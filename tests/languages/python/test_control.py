from __future__ import annotations

import ast
import textwrap

from wrongcall.languages.expressions import DecisionKind
from wrongcall.languages.python.control import decisions_of, skippings
from wrongcall.languages.python.syntax import Source

PROGRAM = textwrap.dedent("""\
    def f(xs):
        n = 0
        for x in xs:
            if x < 0:
                continue
            while n < x:
                if n == 7:
                    break
                n += 1
            else:
                y = 1
            if x > 9:
                return n
            z = n if x else 2
        try:
            q = g(n)
        except ValueError:
            q = 0
        return q
    """)


def decisions_at(line: int) -> list[tuple[DecisionKind, int, bool]]:
    source = Source(PROGRAM)
    assert source.tree is not None
    nodes = ast.walk(source.tree)
    node = next(n for n in nodes if isinstance(n, ast.stmt) and n.lineno == line)
    return [(test.kind, test.line, test.taken) for test in decisions_of(node, source.parents)]


def test_a_statement_depends_on_the_test_around_it() -> None:
    assert decisions_at(5) == [(DecisionKind.IF, 4, True)]
    assert decisions_at(8) == [(DecisionKind.IF, 7, True)]
    assert decisions_at(11) == [(DecisionKind.LOOP, 6, False)]
    assert decisions_at(18) == [(DecisionKind.CAUGHT, 17, True)]


def test_and_on_those_before_it_that_could_have_left() -> None:
    assert decisions_at(9) == [(DecisionKind.IF, 7, False), (DecisionKind.LOOP, 6, True)]
    assert decisions_at(12) == [(DecisionKind.IF, 4, False), (DecisionKind.EACH, 3, True)]
    assert decisions_at(14) == [
        (DecisionKind.IF, 4, False),
        (DecisionKind.IF, 12, False),
        (DecisionKind.EACH, 3, True),
    ]
    assert decisions_at(2) == []
    assert decisions_at(19) == [(DecisionKind.IF, 12, False)]


def test_the_next_round_of_a_loop_depends_on_what_did_not_leave_it() -> None:
    assert decisions_at(6) == [
        (DecisionKind.IF, 7, False),
        (DecisionKind.IF, 4, False),
        (DecisionKind.EACH, 3, True),
    ]


def test_an_arm_depends_on_its_test() -> None:
    source = Source(PROGRAM)
    assert source.tree is not None
    (choice,) = (n for n in ast.walk(source.tree) if isinstance(n, ast.IfExp))
    first = decisions_of(choice.orelse, source.parents)[0]
    assert (first.kind, first.taken, first.node) == (DecisionKind.ARM, False, choice.test)


def test_what_a_test_skips() -> None:
    source = Source(PROGRAM)
    assert source.tree is not None
    found = {
        (skipping.test.line, skipping.test.taken): skipping
        for skipping in skippings(source.tree.body[0])
    }
    assert found[3, False].names == {"n", "x", "y", "z"} - {"x"}
    assert found[6, False].names == {"n"}
    assert found[4, True].names >= {"n", "y", "z"}, "what follows `continue` is skipped"
    assert (12, False) not in found, "a return writes nothing"
    assert found[12, True].names == {"z"}, "what follows `return` in the loop"
