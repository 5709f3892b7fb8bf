"""Why calls can't be judged."""

from __future__ import annotations

from wrongcall.oracles.reference.causes import Cause, UnanswerableError


def test_programs_do_not_catch_it_by_accident() -> None:
    assert not issubclass(UnanswerableError, Exception)


def test_the_usual_cause_is_the_input() -> None:
    assert UnanswerableError("x").cause is Cause.INPUT
    assert UnanswerableError("x", Cause.LIMIT).cause is Cause.LIMIT
