"""``wrongcall report``: what a saved session has found, later."""

from __future__ import annotations

import json
import re
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

from tests.cli.ask.conftest import Record, record, recorded_once
from tests.cli.ask.talking import told

__all__ = ["record", "recorded_once"]
ANSWERS = ["n", "n", "y", "n", "y"]


def test_the_command_that_is_named_at_the_end_prints_the_report(record: Record) -> None:
    trace = record("mergesort.py")
    done = told("debug", trace, lines=ANSWERS)
    end = done.stdout.splitlines()[-1]
    assert (
        end
        == f"Found: the bug is in merge (examples/mergesort.py:4); report: wrongcall report {trace}"
    )
    shown = told("report", trace)
    assert shown.status == 0
    assert shown.stdout.startswith("# The bug is in merge (examples/mergesort.py:4)\n")
    assert "called    by sort(numbers=[2, 8]) at line 23" in shown.stdout


def test_a_report_of_a_named_session_as_json(record: Record, tmp_path: Path) -> None:
    trace = record("mergesort.py")
    done = told("debug", "--session", "mine", trace, lines=ANSWERS)
    assert f"wrongcall report --session mine {trace}" in done.stdout
    assert told("report", "--session", "mine", "-o", tmp_path / "bug.json", trace).status == 0
    finding = json.loads((tmp_path / "bug.json").read_text())["finding"]
    assert finding["confirmed"]
    assert finding["question"]["where"]["caller_title"] == "sort(numbers=[2, 8])"
    assert finding["question"]["doc"] == "Merge two sorted lists into one."


def test_a_report_as_sarif_and_as_an_annotation(record: Record, tmp_path: Path) -> None:
    trace = record("mergesort.py")
    told("debug", trace, lines=ANSWERS)
    done = told("report", "-o", tmp_path / "bug.sarif", "--github", trace)
    assert done.status == 0
    assert done.stdout.startswith("::error file=examples/mergesort.py,line=")
    assert "merge(left=" in done.stdout
    result = json.loads((tmp_path / "bug.sarif").read_text())["runs"][0]["results"][0]
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "examples/mergesort.py"


def test_without_a_finding_it_says_what_to_do(record: Record) -> None:
    trace = record("mergesort.py")
    for lines in ([], ["n", "q"]):
        if lines:
            told("debug", trace, lines=lines)
        done = told("report", trace)
        assert done.status == 2
        assert "nothing found yet; answer the questions first: wrongcall debug" in done.stderr


def test_a_page_with_the_inside_of_the_call(record: Record, tmp_path: Path) -> None:
    trace = record("mergesort.py")
    told("debug", trace, lines=ANSWERS)
    assert told("report", "--html", "-o", tmp_path / "bug.html", trace).status == 0
    page = (tmp_path / "bug.html").read_text()
    assert "<h2>Inside the call</h2>" in page
    assert all(f"<summary><code>{name}</code>" in page for name in ("left", "right", "merged"))
    assert told("report", "--html", trace).stdout.rstrip() == page.rstrip()
    told("report", "-o", tmp_path / "plain.html", trace)
    assert "Inside the call" not in (tmp_path / "plain.html").read_text()
    wrong = told("report", "--html", "-o", tmp_path / "bug.md", trace)
    assert wrong.status == 2
    assert "name it .html" in wrong.stderr


class References(HTMLParser):
    """Collects what a page would load or run."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("script", "link", "iframe", "object", "embed", "base", "meta"):
            self.found += [tag] if dict(attrs) != {"charset": "utf-8"} else []
        self.found += [name for name, _ in attrs if name in ("src", "href", "srcset", "data")]


def test_the_page_with_the_inside_needs_no_other_file(record: Record, tmp_path: Path) -> None:
    trace = record("mergesort.py")
    told("debug", trace, lines=ANSWERS)
    told("report", "--html", "-o", tmp_path / "bug.html", trace)
    trace.unlink()
    page = (tmp_path / "bug.html").read_text()
    references = References()
    references.feed(page)
    assert references.found == []
    assert "url(" not in page
    assert "@import" not in page
    text = unescape(re.sub("<[^>]*>", "", page))
    # The source of the buggy call, and inside it a variable that it wrote twice: value, history, origin.
    assert "def merge(left, right):" in text
    inside = text.partition("Inside the call")[2]
    assert re.search(r"\bi = 1\b", inside)
    assert "i  2 values" in inside
    assert re.search(r"i = 0 .*i = j = 0", inside)
    for part in ("Value", "History", "Origin"):
        assert f"<h3>{part}</h3>" in page
