"""What each state means for the search."""

from __future__ import annotations

import pytest

from wrongcall.tree.states import (
    ASK,
    CUT,
    INCOMPLETE,
    SPLICE,
    NodeState,
    Trusted,
    code_table,
    right_table,
)

CODES = {
    NodeState.UNDEFINED: ASK,
    NodeState.RIGHT: CUT,
    NodeState.INADMISSIBLE: CUT,  # right: the fault is outside
    NodeState.HIDDEN: CUT,
    NodeState.WRONG: SPLICE,  # known; what it called is still suspect
    NodeState.UNKNOWN: SPLICE,
    NodeState.EXPLAINED: SPLICE,
    NodeState.SPLIT: SPLICE,
}


@pytest.mark.parametrize("trusted", Trusted)
def test_only_undefined_nodes_are_asked(trusted: Trusted) -> None:
    table = code_table(trusted)
    assert [state for state in range(256) if table[state] == ASK] == [NodeState.UNDEFINED]
    assert {state: table[state] for state in CODES} == CODES


def test_a_trusted_call_leaves_its_callees_suspect_unless_they_are_trusted_too() -> None:
    for state in (NodeState.TRUSTED, NodeState.TRUSTED | INCOMPLETE):
        assert code_table(Trusted.SPLICE)[state] == SPLICE
        assert code_table(Trusted.PRUNE)[state] == CUT


@pytest.mark.parametrize("trusted", Trusted)
def test_a_call_that_has_not_ended_is_never_asked_but_may_be_cut(trusted: Trusted) -> None:
    table = code_table(trusted)
    for state in NodeState:
        code = CODES.get(state, table[state])
        assert table[state | INCOMPLETE] == (CUT if code == CUT else SPLICE)


def test_every_state_has_a_meaning() -> None:
    assert CODES.keys() | {NodeState.TRUSTED} == set(NodeState)


def test_right_calls_and_invalid_ones_were_found_right() -> None:
    table = right_table()
    right = {NodeState.RIGHT, NodeState.INADMISSIBLE}
    assert {s for s in range(256) if table[s]} == right | {s | INCOMPLETE for s in right}
