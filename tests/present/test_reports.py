"""Reports: whatever the program's values are, they stay text."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wrongcall.recording
from tests.present.screens.models import ASKED, WHERE, value
from tests.present.screens.test_finding import FOUND
from wrongcall.errors import UsageError
from wrongcall.present.groups import Group, Member
from wrongcall.present.reports import (
    FORMATS,
    Report,
    as_html,
    as_markdown,
    report_of,
    report_text,
    write_report,
)
from wrongcall.session.answers import ASSUMED, Answer, Choice, Decision, Verdict
from wrongcall.trace.write.writer import TraceWriter

REPORT = Report("prog.py --fast", "3.13.0", "prog.wrongcall", 5, FOUND)
printable = st.text(
    st.characters(codec="utf-8", categories=["L", "N", "P", "S", "Zs"]), max_size=40
)


def with_text(text: str) -> Report:
    """Return a report in which this text is everywhere."""
    asked = replace(ASKED, title=text, given=(value("x", text),), produced=value("", text))
    found = replace(FOUND, headline=text, question=asked, summary=text, expected=text, place=text)
    return Report(text, text, text, 1, found)


# -- Markdown --------------------------------------------------------------------------------------


def test_a_markdown_report_has_all_parts_in_order() -> None:
    found = replace(FOUND, inadmissible=(Member(3, "g()", "-> 0"),))
    text = as_markdown(replace(REPORT, finding=found))
    assert text.startswith(
        "# The bug is in merge, or in a call that was not judged (prog.py:4)\n\n"
        "Found by wrongcall in a run of prog.py --fast (Python 3.13.0) with 5 answers.\n"
    )
    heads = re.findall("^## (.+)$", text, re.MULTILINE)
    assert heads == [
        "The call", "Expected", "Why", "Invalid calls", "Undecided calls", "Source",
    ]  # fmt: skip
    assert "#3 g() -> 0" in text


@given(printable)
def test_values_never_leave_their_fences(text: str) -> None:
    """The witness reads fences as Markdown does: one is closed by one that is at least as long."""
    fence, outside = "", []
    for line in as_markdown(with_text(text + "```")).splitlines():
        mark = re.match("`{3,}", line)
        if not fence and mark:
            fence = mark[0]
        elif fence and mark and len(mark[0]) >= len(fence) and not line.strip("`"):
            fence = ""
        elif not fence:
            outside.append(line)
    assert fence == ""
    for line in outside:
        bare = re.sub(r"\\.", "", line.lstrip("# "))
        assert not set(bare) & set("`*_[]<>|")


def test_one_answer_is_not_plural() -> None:
    assert " with 1 answer." in as_markdown(replace(REPORT, questions=1))


def test_a_finding_without_a_place_has_no_empty_brackets() -> None:
    title = as_markdown(replace(REPORT, finding=replace(FOUND, place=""))).partition("\n")[0]
    assert title == "# The bug is in merge, or in a call that was not judged"


def test_a_group_is_reported_by_its_calls() -> None:
    members = (Member(1, "put(x=1)", "-> None"), Member(2, "put(x=2)", "-> None"))
    group = Group(1, 2, 2, WHERE, members, 0, 9, (), "")
    found = replace(FOUND, question=None, group=group, function="put", source=None, expected="")
    text = as_markdown(replace(REPORT, finding=found))
    assert "2 calls in a row to put" in text
    assert "#2 put(x=2) -> None" in text
    assert "## Source" not in text
    assert "## Expected" not in text


# -- HTML ------------------------------------------------------------------------------------------


class Reader(HTMLParser):
    """Collects tags, attributes and text."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text += data


def read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    return reader


@given(printable)
def test_values_are_text_in_html(text: str) -> None:
    hostile = f"{text}<script>alert(1)</script><img src=x onerror=y>\"'&"
    reader = read(as_html(with_text(hostile)))
    assert reader.tags <= {
        *("html", "head", "meta", "title", "style", "body", "h1", "h2", "p", "pre", "span"),
    }
    assert reader.attributes <= {"charset", "class", "lang"}
    assert "<script>alert(1)</script>" in reader.text


def test_a_page_refers_to_nothing_outside_itself() -> None:
    page = as_html(REPORT)
    assert not re.findall(r"\b(?:src|href|url\(|@import|https?:)", page)
    assert page.startswith("<!DOCTYPE html>")


def test_the_page_says_the_same_as_the_markdown() -> None:
    words = set(re.findall(r"\w+", read(as_html(REPORT)).text.partition("}\n")[2]))
    assert words >= set(re.findall(r"\w+", as_markdown(REPORT))) - {"text"}


# -- JSON and files --------------------------------------------------------------------------------


def test_json_reports_are_ascii_and_can_be_parsed() -> None:
    text = report_text(with_text("\u65e5\u672c \U0001f600"), ".json")
    assert text.isascii()
    data = json.loads(text)
    assert (data["program"], data["questions"]) == ("\u65e5\u672c \U0001f600", 1)
    assert data["finding"]["undecided"] == [{"call": 9, "title": "f()", "outcome": "-> 1"}]


@pytest.mark.parametrize("ending", FORMATS)
def test_the_name_of_the_file_says_the_format(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"bug{ending}"
    write_report(path, REPORT)
    assert path.read_text(encoding="utf-8") == report_text(REPORT, ending)


@pytest.mark.parametrize("ending", ["", ".txt", ".HTML"])
def test_an_unknown_format_is_refused_with_a_list_of_the_known_ones(
    tmp_path: Path, ending: str
) -> None:
    path = tmp_path / f"bug{ending}"
    with pytest.raises(UsageError) as caught:
        write_report(path, REPORT)
    assert str(caught.value) == f"unknown report format {ending!r}; use .md, .html, .json, .sarif"
    assert not path.exists()


def test_a_report_that_cannot_be_written_says_why(tmp_path: Path) -> None:
    path = tmp_path / "missing" / "bug.md"
    with pytest.raises(UsageError, match=f"^{path}: can't write the report: No such file"):
        write_report(path, REPORT)


# -- facts -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "meta,program,python",
    [
        ({"program": ["a b.py", "\x1b"], "python": "3.13.0 (main)"}, r"a b.py \x1b", "3.13.0"),
        ({}, "", "?"),
    ],
)
def test_facts_of_the_run_are_safe_or_a_question_mark(
    tmp_path: Path, meta: dict[str, Any], program: str, python: str
) -> None:
    path = tmp_path / "t\n.wrongcall"
    TraceWriter(path, meta).close("exit")
    entries = (
        Answer((1, 1), Verdict.WRONG, by=ASSUMED),
        Answer((2, 2), Verdict.WRONG),
        Decision(Choice.CONFIRM, (2, 2)),
    )
    session: Any = SimpleNamespace(entries=entries)
    with wrongcall.recording.open(path) as recording:
        report = report_of(recording, session, FOUND)
    assert (report.program, report.python, report.questions) == (program, python, 1)
    assert report.trace == r"t\n.wrongcall"
