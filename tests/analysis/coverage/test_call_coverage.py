"""What one call covered of its function."""

from __future__ import annotations

from tests.trace.conftest import Record
from wrongcall.analysis.coverage.call_coverage import ENTRY, EXIT
from wrongcall.recording import DefUse

PROGRAM = """
def f(x):
    if x:
        y = 1
    else:
        y = 2
    return x + y

f(True)
f(False)
f(True)
"""


def test_calls_that_go_the_same_way_cover_the_same(record: Record) -> None:
    run = record(PROGRAM)
    yes, no, again = (run.recording.execution.coverage(call.id) for call in run.calls("f"))
    assert yes == again
    assert yes.edges != no.edges
    # Entry, test, branch, what follows, exit: four edges; only entry and exit are shared.
    assert len(yes.edges) == len(no.edges) == 4
    shared = {(edge.before, edge.after) for edge in yes.edges & no.edges}
    assert len(shared) == 2
    assert {before for before, _ in shared} >= {ENTRY}
    assert {after for _, after in shared} >= {EXIT}


def test_chains_from_definition_to_use(record: Record) -> None:
    run = record(PROGRAM)
    function = run.calls("f")[0].function.id
    yes, no, _ = (run.recording.execution.coverage(call.id).def_uses for call in run.calls("f"))
    assert yes == {
        DefUse(function, "x", 2, 3),
        DefUse(function, "x", 2, 7),
        DefUse(function, "y", 4, 7),
    }
    assert no - yes == {DefUse(function, "y", 6, 7)}


def test_a_value_that_is_replaced_is_not_used_any_more(record: Record) -> None:
    run = record(
        """
        def f(n):
            total = 0
            total = 1
            while n:
                total += n
                n -= 1
            return total

        f(2)
        """
    )
    call = run.call("f")
    chains = {
        (c.name, c.defined, c.used) for c in run.recording.execution.coverage(call.id).def_uses
    }
    assert chains == {
        ("n", 2, 5),
        ("n", 2, 6),
        ("n", 2, 7),
        ("n", 7, 5),
        ("n", 7, 6),
        ("n", 7, 7),
        ("total", 4, 6),
        ("total", 6, 6),
        ("total", 6, 8),
    }
