"""What agents look up is what the terminal shows."""

from __future__ import annotations

import pytest

from wrongcall.errors import UsageError
from wrongcall.mcp.lookups import (
    Printed,
    call_text,
    origin_text,
    printed_text,
    search_text,
    source_text,
)
from wrongcall.mcp.tools import Tools

pytestmark = pytest.mark.once


def test_a_call_is_shown_with_its_source_and_the_calls_it_made(tools: Tools, trace: str) -> None:
    with tools.traces.use(trace) as recording:
        calls, more, lines = search_text(recording, "read_line")
        assert len(calls) == 2
        assert not more
        assert lines[0] == "2 calls to read_line"
        function, place, lines = call_text(recording, calls[0])
    assert function == "read_line"
    assert place.startswith("orders.py:")
    made = lines[lines.index("Calls it made:") + 1 :]
    assert len(made) == 1
    assert "cents(text='2.5') -> 205" in made[0]
    assert any("return Line(" in line for line in lines)


def test_values_are_found(tools: Tools, trace: str) -> None:
    with tools.traces.use(trace) as recording:
        calls, more, lines = search_text(recording, "value == 205")
        names = {recording.call(call).function.name for call in calls}
    assert "cents" in names
    assert not more
    assert len(lines) > len(calls)


def test_an_origin_leads_to_the_expression(tools: Tools, trace: str) -> None:
    with tools.traces.use(trace) as recording:
        (call, *_), _, _ = search_text(recording, "cents")
        lines = origin_text(recording, call, "result")
    assert lines[0].startswith("result = 205")
    assert any("int(euros) * 100" in line for line in lines)
    depended = lines[lines.index("It depended on:") + 1 :]
    assert any("rest = '5'" in line for line in depended), "what the value was made of"
    assert any("because" in line for line in depended), "and why it was made at all"


def test_expressions_are_printed_afterwards(tools: Tools, trace: str) -> None:
    with tools.traces.use(trace) as recording:
        line = next(
            number
            for number, text in enumerate(source_text(recording, "orders.py").splitlines(), 1)
            if "int(euros)" in text
        )
        every = printed_text(recording, Printed(f"orders.py:{line}", ("euros", "rest")))
        some = printed_text(recording, Printed(f"orders.py:{line}", ("rest",), "euros == '7'"))
    assert [text.split()[-2:] for text in every[-2:]] == [["'2'", "'5'"], ["'7'", "'25'"]]
    assert some[-1].split()[-1] == "'25'"
    assert "'5'" not in " ".join(some)


def test_what_is_not_there_is_said(tools: Tools, trace: str) -> None:
    with tools.traces.use(trace) as recording:
        with pytest.raises(UsageError, match=r"there are orders\.py"):
            source_text(recording, "/etc/passwd")
        with pytest.raises(UsageError, match="no function named"):
            search_text(recording, "nothing")
        with pytest.raises(UsageError, match="no expression"):
            printed_text(recording, Printed("orders.py:1", ()))
