"""Models that answer, fail, hang and talk nonsense."""

from __future__ import annotations

import sys

import pytest

from tests.oracles.scripted import Reply, serving
from wrongcall.errors import OracleError
from wrongcall.oracles.model_client import ModelClient, ModelSettings


def command(script: str, timeout: float = 60.0) -> ModelClient:
    return ModelClient(ModelSettings(command=(sys.executable, "-c", script), timeout=timeout))


def test_an_address_gets_the_prompt_and_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODELS_KEY", "k1")
    with serving("hello") as script:
        settings = ModelSettings(url=script.url, model="large", key_env="MODELS_KEY")
        assert ModelClient(settings).ask("hi?") == "hello"
    assert script.asked == [{"model": "large", "messages": [{"role": "user", "content": "hi?"}]}]
    assert script.keys == ["Bearer k1"]


def test_without_its_key_nothing_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MODELS_KEY", raising=False)
    with serving("hello") as script:
        with pytest.raises(OracleError, match="MODELS_KEY is not set"):
            ModelClient(ModelSettings(url=script.url, key_env="MODELS_KEY")).ask("hi?")
        assert script.asked == []


@pytest.mark.parametrize(
    "reply, message",
    [
        (b"nonsense", "not a chat completion"),
        (b'{"choices": []}', "not a chat completion"),
        (b"[" * 100_000, "not a chat completion"),
        (b'{"choices": [{"message": {"content": 3}}]}', "not a chat completion"),
        (500, "HTTP Error 500"),
        (302, "redirects are not followed"),
        (b"x" * (2 << 20), "the answer is too long"),
    ],
)
def test_what_is_no_answer_is_an_error(reply: Reply, message: str) -> None:
    with serving(reply) as script, pytest.raises(OracleError, match=message):
        ModelClient(ModelSettings(url=script.url)).ask("hi?")
    assert len(script.asked) == 1


def test_a_model_that_hangs_is_left() -> None:
    with serving(None) as script, pytest.raises(OracleError, match=r"no answer within 0\.3 s"):
        ModelClient(ModelSettings(url=script.url, timeout=0.3)).ask("hi?")


def test_an_address_where_nobody_is_is_an_error() -> None:
    with serving("hello") as script:
        url = script.url
    with pytest.raises(OracleError, match="can't ask http://127"):
        ModelClient(ModelSettings(url=url)).ask("hi?")


def test_a_command_reads_the_prompt() -> None:
    assert command("import sys; print(sys.stdin.read().upper())").ask("hé?").strip() == "HÉ?"


@pytest.mark.parametrize(
    "script, message",
    [
        ("raise SystemExit('no credit')", r"the command failed \(1\): no credit"),
        ("import time; time.sleep(60)", r"no answer within 0\.5 s"),
    ],
)
def test_commands_that_fail_or_hang_are_errors(script: str, message: str) -> None:
    with pytest.raises(OracleError, match=message):
        command(script, timeout=60.0 if "credit" in script else 0.5).ask("hi?")


def test_a_command_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(OracleError, match="can't run /nowhere"):
        ModelClient(ModelSettings(command=("/nowhere/model",))).ask("hi?")
