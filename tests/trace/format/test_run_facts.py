from __future__ import annotations

import pytest

from wrongcall.errors import TraceError
from wrongcall.trace.format.run_facts import parsed


def test_json_is_parsed() -> None:
    assert parsed('{"a": [1, null]}') == {"a": [1, None]}


@pytest.mark.parametrize("text", ["", "{", "NaN", "[" * 100_000])
def test_what_is_not_json_is_damage(text: str) -> None:
    with pytest.raises(TraceError, match="damaged trace"):
        parsed(text)
