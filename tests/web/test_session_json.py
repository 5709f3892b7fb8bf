"""The session for the page."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.web.conftest import recorded
from wrongcall.errors import ContradictionError, OracleError, UsageError, WrongcallError
from wrongcall.session.answers import ASSUMED, Choice, Confidence, Verdict
from wrongcall.session.oracles import Opinion, Oracle
from wrongcall.session.search import How, Search
from wrongcall.session.steps import NeedsMoreTree, NoBug
from wrongcall.session.strategies import strategies
from wrongcall.web.session_json import (
    MAX_LISTED_CHANGES,
    failure_data,
    member_data,
    report,
    session_data,
    step_data,
)
from wrongcall.web.workspace import Workspace


@pytest.fixture
def workspace(traces: dict[str, Path], tmp_path: Path) -> Iterator[Workspace]:
    """The merge sort of the JHyde paper."""
    found = Workspace(Path(shutil.copy(traces["paper_mergesort"], tmp_path / "p.wrongcall")))
    yield found
    found.close()


def test_a_new_session_says_what_it_is_about(workspace: Workspace) -> None:
    data = session_data(workspace)
    assert (data["name"], data["ended"], data["status"]) == ("paper_mergesort.py", "exit", 0)
    assert (data["calls"], data["growing"], data["root"]) == (8, False, "1")
    assert [each["name"] for each in data["strategies"]] == sorted(strategies())
    (assumed,) = data["entries"]
    assert (assumed["number"], assumed["said"], assumed["by"], assumed["key"]) == (
        1, Verdict.WRONG, ASSUMED, "1",
    )  # fmt: skip
    assert not data["can_undo"]


def test_a_question_has_its_call_and_why_it_is_asked(workspace: Workspace) -> None:
    step = session_data(workspace)["step"]
    assert step["kind"] == "question"
    assert step["why"] is not None
    assert step["why"].left_if_right + step["why"].left_if_wrong == step["why"].suspects
    assert step["key"] == str(step["call"].call) or "-" in step["key"]


def test_a_finding_has_its_evidence(workspace: Workspace) -> None:
    workspace.change(lambda session: session.session.judge(8, "wrong", expected="[1, 4, 7, 9]"))
    step = session_data(workspace)["step"]
    assert step["kind"] == "finding"
    assert (step["key"], step["headline"]) == ("8", "The bug is in merge")
    (given,) = step["evidence"]
    assert (given.call, given.verdict, given.expected) == (8, Verdict.WRONG, "[1, 4, 7, 9]")
    workspace.change(lambda session: session.session.confirm())
    data = session_data(workspace)
    assert data["entries"][-1]["said"] is Choice.CONFIRM
    assert data["step"]["kind"] == "finding"
    assert data["step"]["confirmed"]


def test_the_ends_of_a_search_are_told_apart(workspace: Workspace) -> None:
    no_bug, more = step_data(workspace, NoBug((8,))), step_data(workspace, NeedsMoreTree())
    assert no_bug["kind"] == "no_bug"
    assert [line.call for line in no_bug["undecided"]] == [8]
    assert more["kind"] == "needs_more_tree"
    assert more["undecided"] == []


@pytest.mark.parametrize("ending", [".md", ".html", ".json"])
def test_a_report_needs_a_finding(workspace: Workspace, ending: str) -> None:
    with pytest.raises(UsageError, match="nothing was found yet: answer the questions first"):
        report(workspace, ending)
    workspace.change(lambda session: session.session.judge(8, "wrong"))
    assert "The bug is in merge" in report(workspace, ending)
    with pytest.raises(UsageError, match=r"unknown report format '\.pdf'"):
        report(workspace, ".pdf")


def test_the_calls_of_a_list_come_with_a_few_of_their_changes(tmp_path: Path) -> None:
    program = tmp_path / "prog.py"
    program.write_text("def fill(d):\n    for i in range(50):\n        d[i] = i\nfill({})\n")
    workspace = Workspace(recorded(program, tmp_path / "prog.wrongcall"))
    data = member_data(workspace, 2)
    assert (len(data["changed"]), data["changed_count"]) == (MAX_LISTED_CHANGES, 50)
    assert data["after"] == workspace.recording.call(2).last
    workspace.close()


def test_an_error_names_the_answers_that_it_contradicts() -> None:
    odd = failure_data(WrongcallError("odd"))
    assert (odd["error"], odd["contradicts"]) == ("odd", [])
    clash = failure_data(ContradictionError("they clash", (1, 3)))
    assert (clash["error"], clash["contradicts"]) == ("they clash", [1, 3])


class Thinks(Oracle):
    """Is certain that call 8 is wrong, and finds call 5 likely wrong; has no opinion until it is told to."""

    quiet = True

    name = "thinks"

    def opinion(self, calls: tuple[int, ...]) -> Opinion | None:
        if self.quiet:
            return None
        if calls == (8,):
            return Opinion(Verdict.WRONG, reason="not <sorted>")
        return Opinion(Verdict.WRONG, Confidence.LIKELY, "odd") if calls == (5,) else None


class Fails(Oracle):
    name = "fails"

    def opinion(self, calls: tuple[int, ...]) -> Opinion | None:
        raise OracleError("out of ideas")


def consulting(call: int) -> Callable[[Search], None]:
    def consult(search: Search) -> None:
        search.session.consult(call)

    return consult


def test_oracles_are_named_with_what_they_say(traces: dict[str, Path], tmp_path: Path) -> None:
    trace = Path(shutil.copy(traces["paper_mergesort"], tmp_path / "p.wrongcall"))
    thinks = Thinks()
    workspace = Workspace(trace, How(oracles=lambda recording: [thinks, Fails()], balance=False))
    try:
        workspace.step()
        thinks.quiet = False
        workspace.change(consulting(5))
        asked = session_data(workspace)["step"]
        assert asked["kind"] == "question"
        assert (asked["key"], asked["opinions"]) == ("5", ["thinks: likely wrong: odd"])
        workspace.change(consulting(8))
        data = session_data(workspace)
        assert data["step"]["kind"] == "finding"
        given = data["step"]["evidence"][-1]
        assert (given.author, given.by) == (", by thinks", "thinks: not <sorted>")
        assert data["oracle_troubles"] == [
            "fails: not asked any more in this session: out of ideas"
        ]
    finally:
        workspace.close()
