"""The search for the wrong call, through the debug adapter."""

from __future__ import annotations

import itertools

import pytest

import wrongcall.recording
from tests.dap.client import Client, RequestFailedError, plan
from tests.dap.conftest import Recorded
from wrongcall.session.search import Depth, How, Search, Start

WRONG = """\
def double(n):
    return n + n

def square(n):
    return n + n

def both(n):
    return double(n) + square(n)

print(both(3))
"""


_NUMBERS = itertools.count()


@pytest.fixture
def client_at_end(client: Client, recorded: Recorded) -> Client:
    # Answers are kept in the trace, so each test has one of its own.
    client.attach(recorded(WRONG + f"# {next(_NUMBERS)}\n").trace)
    client.begin()
    return client


def test_questions_lead_to_the_finding(client_at_end: Client) -> None:
    asked = client_at_end.request("wrongcall/question")
    verdicts = {"both": "no", "double": "yes", "square": "no"}
    seen = 0
    while asked["kind"] == "question":
        seen += 1
        name = next(each for each in verdicts if f"{each}(n=3)" in asked["text"].splitlines()[1])
        assert asked["place"]["path"].endswith("prog.py")
        assert asked["answers"][0] == {
            "verdict": "yes", "label": "right", "help": "right: the result is correct for these arguments",
        }  # fmt: skip
        asked = client_at_end.request("wrongcall/answer", verdict=verdicts[name])
    assert (asked["kind"], asked["place"]["line"]) == ("finding", 4)
    assert "square" in asked["headline"]
    assert 1 <= seen <= 3
    assert client_at_end.request("wrongcall/finding")["calls"] == asked["calls"]
    done = client_at_end.request("wrongcall/answer", verdict="confirm")
    assert done["confirmed"] is True


def test_without_answers_there_is_no_finding(client_at_end: Client) -> None:
    with pytest.raises(RequestFailedError, match="nothing is found yet"):
        client_at_end.request("wrongcall/finding")


def test_an_answer_can_be_taken_back(client_at_end: Client) -> None:
    first = client_at_end.request("wrongcall/question")
    client_at_end.request("wrongcall/answer", verdict="yes")
    assert client_at_end.request("wrongcall/answer", verdict="undo")["calls"] == first["calls"]
    with pytest.raises(RequestFailedError, match="nothing to undo"):
        client_at_end.request("wrongcall/answer", verdict="undo")


def test_an_unknown_verdict_is_an_error(client_at_end: Client) -> None:
    with pytest.raises(RequestFailedError, match="no verdict 'maybe'"):
        client_at_end.request("wrongcall/answer", verdict="maybe")


def test_a_client_that_disappears_leaves_its_answers(recorded: Recorded) -> None:
    trace = recorded(WRONG).trace
    client = Client()
    client.attach(trace)
    client.begin()
    (call,) = client.request("wrongcall/question")["calls"][:1]
    client.request("wrongcall/answer", verdict="yes")
    client.close()
    with (
        wrongcall.recording.open(trace) as recording,
        Search(recording, plan(recording)[0]) as search,
    ):
        assert search.resumed
        assert call in [answer.calls[0] for _, answer in search.session.answers()]


TOTAL = """\
def total(prices):
    result = 0
    for price in prices:
        if price > 10:
            result += price
    return result

print(total([10, 20]))
"""


def to_statement(recording: wrongcall.recording.Recording) -> tuple[How, Start]:
    return How(balance=False, to=Depth.STATEMENT), Start()


def test_questions_inside_the_call_lead_to_the_statement(
    monkeypatch: pytest.MonkeyPatch, recorded: Recorded
) -> None:
    monkeypatch.setattr("tests.dap.client.plan", to_statement)
    client = Client()
    client.attach(recorded(TOTAL).trace)
    client.begin()
    try:
        asked = client.request("wrongcall/answer", verdict="no")
        assert "After" in asked["text"] or "Line" in asked["text"]
        assert [each["verdict"] for each in asked["answers"]] == ["yes", "no", "dont-know", "found"]
        assert (asked["place"]["path"].endswith("prog.py"), asked["place"]["time"] > 0) == (
            True,
            True,
        )
        whole = client.request("wrongcall/answer", verdict="found")
        assert (whole["kind"], whole["place"]["line"]) == ("finding", 1)
        again = client.request("wrongcall/answer", verdict="inside")
        assert again["text"] == asked["text"]
        part = client.request("wrongcall/answer", verdict="no", part="result")
        assert client.request("wrongcall/answer", verdict="undo")["text"] == asked["text"]
        asked = client.request("wrongcall/answer", verdict="no", part="result")
        assert asked["text"] == part["text"]
        while asked["kind"] == "question":
            is_right = "After line 2" in asked["text"] or "took price = 10" in asked["text"]
            asked = client.request("wrongcall/answer", verdict="yes" if is_right else "no")
        assert asked["headline"] == "The bug is in line 4 of total: `price > 10`"
        assert asked["place"]["line"] == 4
    finally:
        client.close()
