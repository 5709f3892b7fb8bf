"""Tests as an oracle: equal calls are likely right, rarely confirmed functions are suspicious."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.trace.conftest import Record
from wrongcall.oracles.answer_store import AnswerStore
from wrongcall.oracles.block_names import BlockNames
from wrongcall.oracles.passing_tests import LEAST_SUSPICION, PassingTests, ochiai
from wrongcall.recording import Call, Recording
from wrongcall.session.answers import Confidence, Verdict

PROGRAM = """
def half(n):
    return n // 2

def double(n):
    return 2 * n

half(4); half(5); half(6); double(1)
"""


@pytest.fixture
def store(tmp_path: Path) -> AnswerStore:
    return AnswerStore(tmp_path / "answers.db")


def test_calls_equal_to_those_of_passing_tests_are_likely_right(
    record: Record, store: AnswerStore
) -> None:
    run = record(PROGRAM)
    four, five, six = (call.id for call in run.calls("half"))
    keys = [run.recording.questions.portable_key(call) for call in (four, five)]
    store.learn(
        "test_shop:test_half[1]", [("prog:half", key) for key in keys if key], ["prog:half"]
    )
    oracle = PassingTests(run.recording, store)
    opinion = oracle.opinion((four,))
    assert opinion is not None
    assert (opinion.verdict, opinion.confidence) == (Verdict.RIGHT, Confidence.LIKELY)
    assert opinion.reason == "test_half, which passed, made an equal call"
    assert oracle.opinion((four, five)) is not None
    assert oracle.opinion((five, six)) is None
    assert oracle.opinion((run.call("double").id,)) is None


def test_without_tests_nothing_is_suspicious(record: Record, store: AnswerStore) -> None:
    assert not PassingTests(record(PROGRAM).recording, store).suspicion()


def test_functions_that_passing_tests_run_are_less_suspicious(
    record: Record, store: AnswerStore
) -> None:
    run = record(PROGRAM)
    for number in range(8):
        store.learn(f"passes {number}", [], ["prog:half"])
    store.learn("fails", [], ["prog:double"], passed=False)
    found = PassingTests(run.recording, store).suspicion().functions
    named = {
        run.recording.program.functions[number].name: factor for number, factor in found.items()
    }
    assert 0 < named["half"] < named["double"] <= 1


@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=30))
def test_suspicion_is_the_cosine_of_two_vectors(spectrum: list[tuple[bool, bool]]) -> None:
    """Ochiai's measure is the cosine of "ran the function" and "failed", over all runs."""
    runs = [*spectrum, (True, True)]  # this run
    ran = [float(covers) for covers, _ in runs]
    fails = [float(failed) for _, failed in runs]
    dot = sum(a * b for a, b in zip(ran, fails, strict=True))
    cosine = dot / (math.hypot(*ran) * math.hypot(*fails))
    passed = sum(covers and not failed for covers, failed in spectrum)
    failed = sum(covers and failed for covers, failed in spectrum)
    every = sum(failed for _, failed in spectrum)
    assert ochiai(passed, failed, every) == pytest.approx(max(cosine, LEAST_SUSPICION))


def test_another_outcome_for_the_input_of_a_passing_test_is_likely_wrong(
    record: Record, store: AnswerStore
) -> None:
    good = record(
        "def half(n):\n    return n // 2\n\ndef both(n):\n    return half(n)\n\nboth(5)\n"
    )
    keys = {
        name: good.recording.questions.portable_keys(good.calls(name)[0].id)
        for name in ("half", "both")
    }
    wholes = [(f"prog:{name}", whole) for name, (_, whole) in keys.items() if whole]
    inputs = [(f"prog:{name}", given) for name, (given, _) in keys.items() if given]
    store.learn("test_shop:test_half[1]", wholes, ["prog:half"], inputs=inputs)
    run = record("def half(n):\n    return n / 2\n\ndef both(n):\n    return half(n)\n\nboth(5)\n")
    oracle = PassingTests(run.recording, store)
    half = run.calls("half")[0].id
    found = oracle.opinion((half,))
    assert found is not None
    assert (found.verdict, found.confidence) == (Verdict.WRONG, Confidence.LIKELY)
    assert found.reason == "test_half, which passed, had another outcome for this input"
    assert list(oracle.leads()) == [half]


def test_only_calls_to_functions_that_tests_called_are_looked_up_before_the_first_question(
    record: Record, store: AnswerStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop = "for n in range(300):\n    double(n)\n    half(n)\n"
    run = record(PROGRAM + loop)
    halves = [call.id for call in run.calls("half")]
    keys = [run.recording.questions.portable_keys(call) for call in halves]
    store.learn(
        "test_shop:test_half[1]",
        [("prog:half", b"another outcome")],
        ["prog:half"],
        inputs=[("prog:half", given) for given, _ in keys if given],
    )
    looked_up: list[int] = []
    view = type(run.recording).call

    def counted(recording: Recording, number: int) -> Call:
        looked_up.append(number)
        return view(recording, number)

    monkeypatch.setattr(type(run.recording), "call", counted)
    # Each had another outcome than in the test: the first three, the very first last.
    assert list(PassingTests(run.recording, store).leads()) == halves[2::-1]
    assert {*looked_up} == {*halves}


def test_nothing_is_looked_up_if_no_test_was_learned(
    record: Record, store: AnswerStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = record(PROGRAM)
    monkeypatch.delattr(type(run.recording), "call")
    assert list(PassingTests(run.recording, store).leads()) == []


BRANCHES = """
def pick(n):
    if n > 0:
        n = n + 1
    else:
        n = n - 1
    return n

def other(n):
    return n

pick(1)
pick(-1)
other(1)
"""


def learned_blocks(recording: Recording, *calls: int) -> list[bytes]:
    """Return the names of the blocks that calls executed."""
    names = BlockNames(recording)
    return [
        names.of(recording.call(call).function.id)[entry.block]
        for call in calls
        for entry in recording.execution.blocks(call)
    ]


def test_a_call_is_as_suspicious_as_the_most_suspicious_block_it_executed(
    record: Record, store: AnswerStore
) -> None:
    run = record(BRANCHES)
    up, down = (call.id for call in run.calls("pick"))
    blocks = learned_blocks(run.recording, up)
    for number in range(3):
        store.learn(f"passes {number}", [], ["prog:pick"], blocks=blocks)
    found = PassingTests(run.recording, store).suspicion()
    by_call = dict(zip(found.calls.tolist(), found.factors.tolist(), strict=True))
    assert by_call[up] == ochiai(3, 0, 0)
    assert by_call[down] == ochiai(0, 0, 0) == 1
    pick = run.recording.call(up).function.id
    assert found.functions[pick] == ochiai(3, 0, 0)


def test_tests_that_were_learned_without_blocks_may_have_run_any(
    record: Record, store: AnswerStore
) -> None:
    run = record(BRANCHES)
    up, down = (call.id for call in run.calls("pick"))
    store.learn("old", [], ["prog:pick"])
    store.learn("new", [], ["prog:pick"], blocks=learned_blocks(run.recording, up))
    found = PassingTests(run.recording, store).suspicion()
    by_call = dict(zip(found.calls.tolist(), found.factors.tolist(), strict=True))
    assert (by_call[up], by_call[down]) == (ochiai(2, 0, 0), ochiai(1, 0, 0))
