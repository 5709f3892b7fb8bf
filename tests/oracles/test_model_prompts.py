"""What a model is asked, and what its answers mean."""

from __future__ import annotations

from typing import Any

import pytest

from tests.trace.conftest import Record
from wrongcall.errors import OracleError
from wrongcall.oracles.model_prompts import about, agrees, blind_prompt, parsed_reply, verdict_of
from wrongcall.session.answers import Verdict


def test_the_prompt_has_everything_but_the_body(record: Record) -> None:
    run = record(
        '''
        # Rounds up.
        def half(n: int, up=True) -> int:
            """Return half of a number."""
            hidden = n // 2
            return hidden

        def main():
            return half(5)  # for the cart

        main()
        '''
    )
    prompt = blind_prompt(about(run.recording, run.call("half").id), "n = 5")
    for part in (
        "def half(n: int, up=True) -> int",
        "Return half of a number.",
        "# Rounds up.",
        "return half(5)  # for the cart",
        "n = 5",
    ):
        assert part in prompt
    assert "hidden" not in prompt


@pytest.mark.parametrize(
    "reply, returned, raised, expected",
    [
        ({"expected": "3"}, "3", "", True),
        ({"expected": " [1, 2] "}, "[1,2]", "", True),
        ({"expected": "3"}, "2", "", False),
        ({"expected": "3"}, "3.0", "", False),
        ({"expected": "3"}, "", "ValueError", False),
        ({"expected": "about 3"}, "3", "", None),
        ({"expected": "3"}, "", "", None),
        ({"raises": "ValueError"}, "", "ValueError", True),
        ({"raises": "builtins.ValueError"}, "", "ValueError", True),
        ({"raises": "ValueError"}, "3", "", False),
        ({"unspecified": True}, "3", "", None),
        ({"expected": 3}, "3", "", None),
    ],
)
def test_the_comparison_is_made_here(
    reply: dict[str, Any], returned: str, raised: str, expected: bool | None
) -> None:
    assert agrees(reply, returned, raised) is expected


def test_replies_are_json_objects_fenced_or_not() -> None:
    assert parsed_reply('{"a": 1}') == parsed_reply('```json\n{"a": 1}\n```') == {"a": 1}
    for wrong in ("", "yes", "[1]", '{"a": 1} and more'):
        with pytest.raises(OracleError, match="not"):
            parsed_reply(wrong)


def test_verdicts_have_names() -> None:
    assert verdict_of({"verdict": "right"}) is Verdict.RIGHT
    assert verdict_of({"verdict": "invalid"}) is Verdict.INADMISSIBLE
    assert verdict_of({"verdict": "unsure"}) is verdict_of({}) is None
