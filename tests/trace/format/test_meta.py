"""What a trace says about the run as a whole."""

from __future__ import annotations

import json
from typing import Any

import pytest

from wrongcall.errors import TraceError
from wrongcall.trace.format.meta import facts_of


def _facts(**facts: Any) -> dict[str, Any]:
    return facts_of((key, json.dumps(value)) for key, value in facts.items())


def test_facts_are_read_from_json() -> None:
    facts: dict[str, Any] = {
        "kind": "script",
        "program": ["prog.py", "-x"],
        "started": 1700000000.5,
        "status": -9,
        "calls": 12,
        "seconds": 0,
    }
    assert _facts(**facts) == facts


def test_a_fact_that_nobody_knows_may_be_anything() -> None:
    assert _facts(novelty={"a": [1, None]}) == {"novelty": {"a": [1, None]}}


@pytest.mark.parametrize(
    "key, value",
    [
        ("kind", 1),
        ("program", "prog.py"),
        ("program", ["prog.py", 1]),
        ("started", -1),
        ("started", 253_402_300_800),  # the year 10000
        ("started", True),
        ("seconds", 1e300),
        ("seconds", "1"),
        ("calls", -1),
        ("calls", 1 << 63),
        ("calls", 1.0),
        ("status", 1 << 32),
        ("status", None),
    ],
)
def test_a_fact_that_no_recorder_writes_is_refused(key: str, value: Any) -> None:
    with pytest.raises(TraceError, match=f"damaged trace: {key} is"):
        _facts(**{key: value})


@pytest.mark.parametrize("text", ["{", "Infinity", "NaN", ""])
def test_invalid_json_is_refused(text: str) -> None:
    with pytest.raises(TraceError, match="damaged trace"):
        facts_of([("seconds", text)])
