"""The tools page their answers, mask secrets and say what to do next."""

from __future__ import annotations

from pathlib import Path

import pytest

from wrongcall.errors import UsageError
from wrongcall.mcp.pages import MIN_TOKENS, tokens_of
from wrongcall.mcp.permissions import Permissions
from wrongcall.mcp.recorded_runs import Wanted
from wrongcall.mcp.searches import Beginning, Said
from wrongcall.mcp.tools import Tools

pytestmark = pytest.mark.once

SECRET = """
def connect(user, password):
    print("connecting", user)
    return {"user": user, "api_key": "sk-live-0123456789abcdef0123"}

connect("ann", "hunter2-very-secret")
"""


def test_a_recorded_test_says_what_failed_and_what_to_do(tools: Tools) -> None:
    reply = tools.record(Wanted(test="test_orders.py"), 1000)
    assert reply.ended == "exit code 1"
    assert len(reply.failures) == 1
    assert reply.failures[0].startswith("test_orders.py::test_an_order_is_summed_up failed")
    assert reply.next == f"diagnose(trace={reply.trace!r})"


def test_a_long_answer_is_read_page_by_page(tools: Tools, trace: str) -> None:
    whole = tools.call(trace, 3, 2, 20_000)
    assert not whole.cursor
    texts, cursor = [], ""
    while True:
        page = tools.call(trace, 3, 2, MIN_TOKENS, cursor)
        assert tokens_of(page.text) <= MIN_TOKENS
        texts.append(page.text)
        if not (cursor := page.cursor):
            break
        assert f"cursor={cursor!r}" in page.next
    assert len(texts) > 1
    assert "".join(texts).replace("\n", "") == whole.text.replace("\n", "")


def test_secrets_are_masked_everywhere(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "prog.py").write_text(SECRET)
    with Tools(Permissions(tmp_path.resolve())) as tools:
        trace = tools.record(Wanted(script="prog.py"), 1000).trace
        texts = [
            tools.call(trace, 2, 2, 2000).text,
            tools.diagnose(trace, Beginning(), budget=2000).text,
            tools.origin(trace, 2, "password", 0, 2000).text,
            tools.search(trace, "connect", 2000).text,
        ]
    assert all("connect" in text for text in texts)
    for text in texts:
        assert "hunter2" not in text
        assert "0123456789abcdef" not in text


def test_there_is_no_report_before_a_finding(tools: Tools, trace: str) -> None:
    with pytest.raises(UsageError, match="nothing found yet"):
        tools.report(trace, "reporter")


def test_an_unknown_action_is_refused(tools: Tools, trace: str) -> None:
    with pytest.raises(UsageError, match="use next, answer, undo"):
        tools.question(trace, "guess", Said(), budget=1000)


HALVES = """
def half(n):
    return n // 2

print(half(4) + half(5))
"""


def test_two_runs_are_compared(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").touch()
    program = tmp_path / "prog.py"
    with Tools(Permissions(tmp_path.resolve())) as tools:
        program.write_text(HALVES.replace("n // 2", "(n + 1) // 2"))
        good = tools.record(Wanted(script="prog.py"), 1000).trace
        program.write_text(HALVES)
        bad = tools.record(Wanted(script="prog.py"), 1000).trace
        found = tools.compare(good, bad, 1000)
        same = tools.compare(good, good, 1000)
    assert found.differs
    assert (found.function, found.place) == ("half", "prog.py:2")
    assert "half(n=5) -> 3" in found.text
    assert "half(n=5) -> 2" in found.text
    assert (
        found.next
        == f"call(trace={bad!r}, call={found.bad_call}); then judge that call with question"
    )
    assert not same.differs
    assert (same.function, same.bad_call) == ("", 0)
