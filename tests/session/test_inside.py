"""The search inside a call: every statement can be found, in about log2 of the boundaries."""

from __future__ import annotations

import math

import pytest

from tests.recorder.conftest import Record, record
from wrongcall.errors import SessionError
from wrongcall.recording import Recording
from wrongcall.session import Finding, Part, Question, Verdict, Where
from wrongcall.session.inside import InsideSession, inside_of
from wrongcall.session.search import Depth, How, Search, Start
from wrongcall.session.strategies import strategies

__all__ = ["record"]

PROGRAM = """\
def add(a, b):
    return a + b

def total(rows):
    result = 0
    for row in rows:
        for x in row:
            if x > 0:
                result = add(result, x)
    return result

print(total([[1, 2], [3, -1], [4]]))
"""


def opened(record: Record) -> tuple[Recording, InsideSession]:
    recorded = record(PROGRAM)
    call = recorded.call("total").id
    session = inside_of(recorded.recording, call, "least-reading")
    assert session is not None
    return recorded.recording, session


def play(session: InsideSession, first_wrong: int) -> int:
    """Answer truthfully, given the first wrong boundary; return the number of questions."""
    for count in range(1000):
        step = session.step()
        if not isinstance(step, Question):
            return count
        (boundary,) = step.calls
        session.answer(Verdict.WRONG if boundary <= first_wrong else Verdict.RIGHT)
    raise AssertionError("it does not end")


@pytest.mark.parametrize("name", ["least-reading", "lookahead", "optimal-dq", "top-down"])
def test_every_boundary_can_be_found(name: str, record: Record) -> None:
    recording, session = opened(record)
    most = 0
    for wrong in range(len(session.boundaries)):
        again = inside_of(recording, session.call, name)
        assert again is not None
        most = max(most, play(again, wrong))
        found = again.found()
        assert found is not None
        assert found.boundary == wrong
        assert found.is_missing == bool(session.boundaries.is_closing[wrong])
        assert not found.undecided
    if name != "top-down":
        assert most <= 2 * math.log2(len(session.boundaries))


def test_every_strategy_searches_inside_a_call(record: Record) -> None:
    recording, session = opened(record)
    for name in strategies():
        again = inside_of(recording, session.call, name)
        assert again is not None
        play(again, 3)
        found = again.found()
        assert found is not None
        assert found.boundary == 3


def test_what_nobody_knows_stays_undecided(record: Record) -> None:
    _, session = opened(record)
    session.judge(10, Verdict.WRONG)
    session.judge(11, Verdict.DONT_KNOW)
    session.judge(12, Verdict.RIGHT)
    found = session.found()
    assert found is not None
    assert (found.boundary, found.undecided) == (10, (11,))


TWO_LOOPS = """\
def f(n):
    wanted = other = 0
    for x in range(n):
        other = other * 2 % 7
    for y in range(n):
        other = other * 3 % 7
        wanted += y
        other = other + y
    return [wanted, other]

f(40)
"""


def test_a_wrong_part_leads_only_to_statements_that_it_depended_on(record: Record) -> None:
    recorded = record(TWO_LOOPS)
    for wrong in (0, 7, 39):
        session = inside_of(recorded.recording, recorded.call("f").id, "least-reading")
        assert session is not None
        inside = session.inside
        added = [
            boundary
            for boundary in range(len(session.boundaries) - 1, -1, -1)
            if inside.part_of(session.node(boundary)).text == "wanted += y"
        ]
        session.judge(0, Verdict.WRONG_PART, part=Part(Where.EFFECT, "wanted"))
        texts, count = set(), 1
        while not isinstance(step := session.step(), Finding):
            assert isinstance(step, Question)
            (boundary,) = step.calls
            texts.add(inside.part_of(session.node(boundary)).text)
            if boundary <= added[wrong]:
                session.answer(Verdict.WRONG_PART, part=Part(Where.EFFECT, "wanted"))
            else:
                session.answer(Verdict.RIGHT)
            count += 1
        found = session.found()
        assert found is not None
        assert found.boundary == added[wrong]
        assert count <= math.log2(len(session.boundaries)) + 4
    assert "other = other * 2 % 7" not in texts


def test_a_part_that_is_right_where_it_was_known_to_be_is_not_asked_about_before(
    record: Record,
) -> None:
    recorded = record(TWO_LOOPS)
    session = inside_of(recorded.recording, recorded.call("f").id, "least-reading")
    assert session is not None
    session.judge(60, Verdict.RIGHT)
    session.judge(0, Verdict.WRONG_PART, part=Part(Where.EFFECT, "wanted"))
    step = session.step()
    assert isinstance(step, Question)
    assert 0 < step.calls[0] < 60


def test_only_calls_can_be_trusted_or_invalid(record: Record) -> None:
    _, session = opened(record)
    for verdict in (Verdict.TRUST_FUNCTION, Verdict.TRUST_MODULE, Verdict.INADMISSIBLE):
        with pytest.raises(SessionError, match="for calls"):
            session.answer(verdict)


def test_a_search_goes_on_inside_the_buggy_call_and_is_saved(record: Record) -> None:
    recorded = record(PROGRAM)
    call = recorded.call("total").id
    how = How(to=Depth.STATEMENT)
    with Search(recorded.recording, how) as search:
        search.begin(Start(call))
        for each in recorded.calls("add"):
            search.session.judge(each.id, Verdict.RIGHT)
        search.advance()
        asked = search.step()
        assert isinstance(asked, Question)
        assert asked.inside == call
        assert search.session.step() != asked
        search.answer(asked, Verdict.RIGHT)
        later = search.step()
    with Search(recorded.recording, how) as search:
        assert search.step() == later
        search.undo()
        assert search.step() == asked
        search.undo()
        assert search.inside is None


def test_a_search_can_stop_at_calls(record: Record) -> None:
    recorded = record(PROGRAM)
    with Search(recorded.recording, How(to=Depth.CALL)) as search:
        search.begin(Start(recorded.call("total").id))
        for each in recorded.calls("add"):
            search.session.judge(each.id, Verdict.RIGHT)
        search.advance()
        found = search.step()
        assert isinstance(found, Finding)
        assert found.inside is None


def test_a_named_call_is_searched_before_its_calls_are_judged(record: Record) -> None:
    recorded = record(PROGRAM)
    call = recorded.call("total").id
    with Search(recorded.recording, How(to=Depth.STATEMENT)) as search:
        search.begin(Start(call, inside=True))
        search.advance()
        inside = search.inside
        assert inside is not None
        adds = [
            boundary
            for boundary in range(len(inside.boundaries))
            if inside.inside.part_of(inside.node(boundary)).line == 9
        ]
        play(inside, adds[1])
        led = search.led()
        assert led is not None
        assert led.calls == tuple(inside.calls_at(adds[1]))
        search.session.judge(led.calls[0], Verdict.RIGHT)
        found = search.step()
        assert isinstance(found, Finding)
        assert found.inside is not None
        assert (found.calls, found.inside.boundary) == ((call,), adds[1])
        # If the call itself is wrong, the bug is in it.
        search.session.judge(led.calls[0], Verdict.WRONG, replace=True)
        search.advance()
        deeper = search.inside
        assert deeper is not None
        assert deeper.call == led.calls[0]
