"""What each state means for the search."""

from __future__ import annotations

import pytest

from wrongcall.tree.states import (
    ASK,
    CUT,
    INCOMPLETE,
    SPLICE,
    State,
    Trusted,
    code_table,
    right_table,
)

CODES = {
    State.UNDEFINED: ASK,
    State.RIGHT: CUT,
    State.INADMISSIBLE: CUT,  # right: the fault is outside
    State.HIDDEN: CUT,
    State.WRONG: SPLICE,  # known; what it called is still suspect
    State.UNKNOWN: SPLICE,
    State.EXPLAINED: SPLICE,
    State.SPLIT: SPLICE,
}


@pytest.mark.parametrize("trusted", Trusted)
def test_only_undefined_nodes_are_asked(trusted: Trusted) -> None:
    table = code_table(trusted)
    assert [state for state in range(256) if table[state] == ASK] == [State.UNDEFINED]
    assert {state: table[state] for state in CODES} == CODES


def test_a_trusted_call_leaves_its_callees_suspect_unless_they_are_trusted_too() -> None:
    for state in (State.TRUSTED, State.TRUSTED | INCOMPLETE):
        assert code_table(Trusted.SPLICE)[state] == SPLICE
        assert code_table(Trusted.PRUNE)[state] == CUT


@pytest.mark.parametrize("trusted", Trusted)
def test_a_call_that_has_not_ended_is_never_asked_but_may_be_cut(trusted: Trusted) -> None:
    table = code_table(trusted)
    for state in State:
        code = CODES.get(state, table[state])
        assert table[state | INCOMPLETE] == (CUT if code == CUT else SPLICE)


def test_every_state_has_a_meaning() -> None:
    assert CODES.keys() | {State.TRUSTED} == set(State)


def test_right_calls_and_invalid_ones_were_found_right() -> None:
    table = right_table()
    right = {State.RIGHT, State.INADMISSIBLE}
    assert {s for s in range(256) if table[s]} == right | {s | INCOMPLETE for s in right}
