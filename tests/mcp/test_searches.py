"""An agent's own session about a trace."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from wrongcall.errors import UsageError
from wrongcall.mcp.searches import (
    Beginning,
    Said,
    answer,
    next_of,
    searching,
    session_name,
    state_of,
    undo,
)
from wrongcall.mcp.tools import Tools
from wrongcall.oracles.agents import SESSION_PREFIX
from wrongcall.session import Question
from wrongcall.session.search import Search
from wrongcall.session.storage import DEFAULT_NAME
from wrongcall.trace.read.session_store import delete_session, session_names

pytestmark = pytest.mark.once


@pytest.fixture
def fresh(project: Path, trace: str, request: pytest.FixtureRequest) -> str:
    """Return a copy of the trace that has no answers."""
    name = f"{request.node.name[:40]}.wrongcall"
    shutil.copy(project / trace, project / name)
    for session in session_names(project / name):
        delete_session(project / name, session)
    return name


def test_answers_are_kept_under_the_agents_name(tools: Tools, project: Path, fresh: str) -> None:
    with tools.traces.use(fresh) as recording:
        with searching(recording, "ann", Beginning()) as (search, begins):
            assert "failed" in begins[0]
            asked = next_of(search)
            answer(search, "ann", Said("right"))
        with searching(recording, "ann", Beginning()) as (search, _):
            assert isinstance(asked, Question)
            said = [entry for entry in search.session.entries if entry.by == "ann"]
            assert [entry.calls[0] for entry in said] == [asked.calls[0]]
        with searching(recording, "bob", Beginning()) as (search, _):
            assert next_of(search) == asked, "another agent begins anew"
    names = session_names(project / fresh)
    assert names == [f"{SESSION_PREFIX}ann", f"{SESSION_PREFIX}bob"]
    assert DEFAULT_NAME not in names, "the user's session is not touched"


def test_a_finding_that_rests_on_an_agent_is_not_proved(tools: Tools, fresh: str) -> None:
    with tools.traces.use(fresh) as recording:
        cents = [
            c
            for c in range(1, recording.calls.count + 1)
            if recording.call(c).function.name == "cents"
        ]
        with searching(recording, "ann", Beginning()) as (search, _):
            answer(search, "ann", Said("wrong", cents[0], "result", "250"))
            facts, lines = state_of(search, [])
    assert facts.status == "finding"
    assert facts.calls == cents[:1]
    assert facts.place.startswith("orders.py:")
    assert not facts.proved
    assert (
        lines[-1] == "Not proved yet: it rests on an answer of an agent, for a person to confirm."
    )


def test_what_makes_no_sense_is_refused(tools: Tools, fresh: str) -> None:
    with (
        tools.traces.use(fresh) as recording,
        searching(recording, "x", Beginning()) as (search, _),
    ):
        with pytest.raises(UsageError, match="unknown verdict"):
            answer(search, "x", Said("maybe"))
        with pytest.raises(UsageError, match="with the verdict wrong"):
            answer(search, "x", Said("right", part="result"))
    with (
        tools.traces.use(fresh) as recording,
        pytest.raises(UsageError, match="no printed line"),
        searching(recording, "x", Beginning(printed="nowhere")),
    ):
        pass


@pytest.mark.parametrize("name", ["", "a/b", "x" * 41, "a\nb"])
def test_an_agent_has_a_short_plain_name(name: str) -> None:
    with pytest.raises(UsageError, match="no name for an agent"):
        session_name(name)


def test_an_agent_is_asked_inside_the_call(
    tools: Tools, fresh: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WRONGCALL_TO", "statement")
    with tools.traces.use(fresh) as recording:
        calls = range(1, recording.calls.count + 1)
        cents = next(c for c in calls if recording.call(c).function.name == "cents")
        with searching(recording, "ann", Beginning()) as (search, _):
            answer(search, "ann", Said("wrong", cents))
            facts, lines = state_of(search, [])
            assert (facts.status, facts.calls) == ("question", [cents])
            assert "up to this place" in facts.next
            assert any("After line" in line or "Line " in line for line in lines)
            answer(search, "ann", Said("wrong"))
            told = search.entries()
        with searching(recording, "ann", Beginning()) as (search, _):
            assert search.entries() == told, "answers inside calls are kept"
            while state_of(search, [])[0].status == "question":
                answer(search, "ann", Said("wrong"))
            facts, _ = state_of(search, [])
            assert (facts.status, facts.proved) == ("finding", False)
            assert facts.place == f"orders.py:{line_found(search)}"
            undo(search)
            assert state_of(search, [])[0].status == "question"


def line_found(search: Search) -> int:
    """Return the line of the statement that was found."""
    assert search.inside is not None
    found = search.inside.found()
    assert found is not None
    return search.inside.inside.part_of(found.node).line
