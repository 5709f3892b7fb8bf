"""What is likely right is confirmed with one answer, or asked about call by call."""

from __future__ import annotations

import pytest

from tests.session.opinions import Says, a_session, asked, likely
from wrongcall.errors import SessionError
from wrongcall.session.answers import Verdict
from wrongcall.session.steps import Finding, Question


@pytest.mark.parametrize("strategy", ["least-reading", "lookahead", "top-down", "heaviest-first"])
def test_a_finding_needs_the_users_word_for_what_is_likely(strategy: str) -> None:
    everything = {f"c{call}": likely(Verdict.RIGHT) for call in range(1, 8)}
    session = a_session(Says(**everything), strategy=strategy)
    confirmed = []
    while isinstance(step := (session.advance(), session.step())[1], Question):
        confirmed.append(step.calls)
        assert step.opinions
        session.answer("right")
    assert isinstance(step, Finding)
    assert step.calls == (0,)
    # Exactly the calls that the finding rests on: what is below them need not be confirmed.
    # One answer confirms them.
    assert confirmed == [(1, 4)]
    assert all(session.entries[n - 1].by == "user" for n in step.evidence)


def test_likely_calls_that_are_not_confirmed_together_are_asked_about_one_by_one() -> None:
    session = a_session(Says(c1=likely(Verdict.RIGHT), c4=likely(Verdict.RIGHT)))
    together = asked(session)
    assert (together.calls, together.is_list) == ((1, 4), True)
    session.judge((1, 4), "wrong")
    alone = asked(session)
    assert len(alone.calls) == 1
    session.undo()
    assert asked(session).calls == (1, 4)


def test_undo_takes_back_what_was_confirmed_together() -> None:
    session = a_session(Says(c1=likely(Verdict.RIGHT), c4=likely(Verdict.RIGHT)))
    asked(session)
    before = session.entries
    session.answer("right")
    assert {each.calls for each in session.judged()} == {(0,), (1,), (4,)}
    session.undo()
    assert session.entries == before


def test_calls_to_be_confirmed_together_are_right_or_not() -> None:
    session = a_session(Says(c1=likely(Verdict.RIGHT), c4=likely(Verdict.RIGHT)))
    asked(session)
    with pytest.raises(SessionError, match="several calls"):
        session.answer("inadmissible")
