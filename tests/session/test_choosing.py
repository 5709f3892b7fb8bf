"""The strategy chooses what is asked, and can be changed."""

from __future__ import annotations

import pytest

from tests.session.dialogues import (
    a_session,
    asked,
    dialogue,
)
from tests.session.truth import Truth, snapshot
from wrongcall.errors import SessionError
from wrongcall.session.steps import Finding


def test_top_down_asks_from_the_root_downwards() -> None:
    session = a_session()
    truth = Truth(session.tree, [6])
    assert dialogue(session, truth) == [(0,), (1,), (4,), (5,), (6,)]
    found = session.step()
    assert isinstance(found, Finding)
    assert (found.calls, found.evidence, found.undecided) == ((6,), (5,), ())


def test_strategies_can_be_switched_in_mid_session() -> None:
    session = a_session()
    session.judge(0, "wrong")
    assert asked(session) == (1,)
    session.use("single-stepping")
    assert asked(session) == (2,)
    before = snapshot(session)
    with pytest.raises(SessionError, match="there is no strategy 'best'; there are coverage-"):
        session.use("best")
    with pytest.raises(SessionError, match="no edges coverage"):
        session.use("coverage-edges")
    assert session.strategy.name == "single-stepping"
    assert snapshot(session) == before
