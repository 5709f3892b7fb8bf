"""The model as an oracle: good, mistaken, split, hanging, malformed; never without consent."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.oracles.scripted import Reply, Scripted, serving
from tests.trace.conftest import Record, Recorded
from wrongcall.errors import OracleError
from wrongcall.oracles.model import LOG, MAX_ASKED_CALLS, Model, give_consent, has_consent
from wrongcall.oracles.model_client import ModelSettings
from wrongcall.present.model_texts import model_texts
from wrongcall.session.answers import Confidence, Verdict
from wrongcall.session.oracles import Opinion
from wrongcall.session.panel import Panel

PROGRAM = """
def half(n, password=None):
    "Return half of a number, rounded up."
    return n // 2

def main():
    half(4)
    half(5, password="hunter2")
    [half(n) for n in range(30)]

main()
"""
RIGHT, WRONG = '{"verdict": "right"}', '{"verdict": "wrong", "reason": "rounded down"}'


@pytest.fixture
def run(record: Record) -> Recorded:
    return record(PROGRAM)


def a_model(run: Recorded, folder: Path, script: Scripted, **settings: object) -> Model:
    made = replace(ModelSettings(url=script.url), **settings)  # type: ignore[arg-type]
    give_consent(folder, made, "ann")
    return Model(run.recording, folder, made, model_texts)


def asked(
    run: Recorded, folder: Path, *replies: Reply, **settings: object
) -> tuple[Opinion | None, Scripted]:
    call = run.calls("half")[1].id
    with serving(*replies) as script:
        return a_model(run, folder, script, **settings).opinion((call,)), script


def test_a_model_that_expects_what_came_out_is_asked_blindly_only(
    run: Recorded, tmp_path: Path
) -> None:
    opinion, script = asked(run, tmp_path, '{"expected": "2"}')
    assert opinion == Opinion(Verdict.RIGHT, Confidence.LIKELY, "3 of 3 samples agree")
    assert len(script.prompts) == 3
    assert all("What came out" not in prompt for prompt in script.prompts)


def test_only_if_they_differ_the_outcome_is_shown(run: Recorded, tmp_path: Path) -> None:
    opinion, script = asked(run, tmp_path, '{"expected": "3"}', WRONG, samples=1)
    assert opinion is not None
    assert opinion.verdict is Verdict.WRONG
    first, second = script.prompts
    assert "returned 2" not in first
    assert "What came out:\nreturned 2" in second


def test_postconditions_are_checked_here(run: Recorded, tmp_path: Path) -> None:
    plain = run.calls("half")[0].id
    with serving('{"postcondition": "result * 2 == n"}') as script:
        opinion = a_model(run, tmp_path, script).opinion((plain,))
    assert opinion is not None
    assert opinion.verdict is Verdict.RIGHT
    assert len(script.prompts) == 3
    broken, script = asked(run, tmp_path, '{"postcondition": "result * 2 >= n"}', WRONG, samples=1)
    assert broken is not None
    assert (broken.verdict, len(script.prompts)) == (Verdict.WRONG, 2)


@pytest.mark.parametrize(
    "replies",
    [
        ['{"expected": "2"}', '{"expected": "3"}', WRONG],
        ['{"unspecified": true}'],
        ['{"expected": "3"}', '{"verdict": "unsure"}'],
    ],
)
def test_the_user_is_asked_if_samples_split_or_nothing_is_specified(
    run: Recorded, tmp_path: Path, replies: list[Reply]
) -> None:
    assert asked(run, tmp_path, *replies)[0] is None


def test_samples_that_agree_decide_if_set_but_not_about_most_of_the_run(
    run: Recorded, tmp_path: Path
) -> None:
    opinion, _ = asked(run, tmp_path, '{"expected": "2"}', certain=True)
    assert opinion is not None
    assert opinion.confidence is Confidence.CERTAIN
    with serving('{"expected": "None"}') as script:
        whole = a_model(run, tmp_path, script, certain=True).opinion((run.call("main").id,))
    assert whole is not None
    assert whole.confidence is Confidence.LIKELY


def test_secrets_are_masked_and_everything_is_logged(run: Recorded, tmp_path: Path) -> None:
    _, script = asked(run, tmp_path, '{"expected": "2"}', samples=1)
    assert "hunter2" not in json.dumps(script.asked)
    assert "password = ***" in script.prompts[0]
    sent, received = map(json.loads, (tmp_path / LOG).read_text().splitlines())
    assert sent["sent"] == script.prompts[0]
    assert received["received"] == '{"expected": "2"}'


def test_without_consent_nothing_is_sent(run: Recorded, tmp_path: Path) -> None:
    with serving(RIGHT) as script:
        settings = ModelSettings(url=script.url)
        model = Model(run.recording, tmp_path, settings, model_texts)
        with pytest.raises(OracleError, match="you have not agreed"):
            model.opinion((run.call("main").id,))
        give_consent(tmp_path, ModelSettings(url="http://127.0.0.1:1/other"), "ann")
        assert not has_consent(tmp_path, settings)
        with pytest.raises(OracleError, match="you have not agreed"):
            model.opinion((run.call("main").id,))
        assert script.asked == []


def test_without_a_log_nothing_is_sent(run: Recorded, tmp_path: Path) -> None:
    (tmp_path / LOG).mkdir()
    with serving(RIGHT) as script:
        with pytest.raises(OracleError, match="can't write"):
            a_model(run, tmp_path, script).opinion((run.call("main").id,))
        assert script.asked == []


@pytest.mark.parametrize("reply", [None, "I think it is fine.", b"\xff\xfe", 500])
def test_a_model_that_hangs_or_talks_nonsense_is_asked_once(
    run: Recorded, tmp_path: Path, reply: Reply
) -> None:
    with serving(reply) as script:
        panel = Panel([a_model(run, tmp_path, script, timeout=0.3)])
        for call in run.calls("half")[:3]:
            assert list(panel.opinions((call.id,))) == []
        assert len(script.asked) == 1
    assert list(panel.excused) == ["model"]


def test_each_call_is_asked_about_once_and_not_too_many(run: Recorded, tmp_path: Path) -> None:
    with serving('{"unspecified": true}') as script:
        model = a_model(run, tmp_path, script, samples=1)
        for _ in range(2):
            for call in run.calls("half"):
                assert model.opinion((call.id,)) is None
        assert len(script.asked) == MAX_ASKED_CALLS
