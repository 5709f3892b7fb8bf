"""What agents said about a run is passed on to the user as likely."""

from __future__ import annotations

from tests.recorder.conftest import Record
from wrongcall.oracles.agents import SESSION_PREFIX, Agents
from wrongcall.session import Finding, Question, Verdict
from wrongcall.session.answers import Confidence
from wrongcall.session.search import How, Search, Start

PROGRAM = """
def double(n):
    return n * 3

def total(a, b):
    return double(a) + double(b)

print(total(1, 2))
"""


def call_of(recording: object, name: str) -> int:
    count = recording.calls.count  # type: ignore[attr-defined]
    found = [n for n in range(1, count + 1) if recording.call(n).function.name == name]  # type: ignore[attr-defined]
    return found[0]


def test_answers_of_agents_are_likely_and_change_nothing(record: Record) -> None:
    recording = record(PROGRAM).recording
    double = call_of(recording, "double")
    with Search(recording, How(name=f"{SESSION_PREFIX}ann")) as search:
        search.begin(Start())
        search.tell(lambda session: session.judge(double, Verdict.WRONG, by="ann"))
        assert isinstance(search.step(), Finding), "in its own session, its word counts"
    agents = Agents(recording)
    opinion = agents.opinion((double,))
    assert opinion is not None
    assert (opinion.verdict, opinion.confidence) == (Verdict.WRONG, Confidence.LIKELY)
    assert opinion.reason.startswith("the agent ann said so on ")
    assert agents.opinion((1,)) is None
    with Search(recording, How(oracles=lambda run: [Agents(run)])) as search:
        search.begin(Start())
        search.advance()
        step = search.step()
        assert isinstance(step, Question), "a person is asked before anything is called proved"


def test_answers_taken_back_are_not_passed_on(record: Record) -> None:
    recording = record(PROGRAM).recording
    double = call_of(recording, "double")
    with Search(recording, How(name=f"{SESSION_PREFIX}ann")) as search:
        search.begin(Start())
        search.tell(lambda session: session.judge(double, Verdict.WRONG, by="ann"))
        search.tell(lambda s: s.judge(double, Verdict.RIGHT, by="ann", replace=True))
    opinion = Agents(recording).opinion((double,))
    assert opinion is not None
    assert opinion.verdict is Verdict.RIGHT


def test_without_agents_there_is_no_opinion(record: Record) -> None:
    recording = record(PROGRAM).recording
    assert Agents(recording).opinion((1,)) is None
