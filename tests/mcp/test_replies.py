"""What tools return has a schema that tells what its fields are for."""

from __future__ import annotations

import pytest

from wrongcall.mcp import replies

pytestmark = pytest.mark.once

KINDS = [replies.RecordReply, replies.SearchStateReply, replies.FoundReply, replies.TextReply]


@pytest.mark.parametrize("kind", KINDS)
def test_the_fields_are_described(kind: type[replies.Reply]) -> None:
    for name, field in kind.model_json_schema()["properties"].items():
        assert field.get("description") or name in ("call", "function", "place"), name


def test_an_answer_can_be_made_from_its_data() -> None:
    reply = replies.SearchStateReply(
        text="t", next="n", status="finding", calls=[3], place="a.py:1"
    )
    assert replies.SearchStateReply(**reply.model_dump()) == reply
    assert not reply.proved, "a finding is not proved unless somebody says so"
