"""The options of ``wrongcall debug``: where to start, reports, exit codes."""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path

import pytest

import wrongcall.recording
from tests.cli.ask.conftest import Record
from tests.cli.ask.talking import told
from wrongcall.cli.ask.options import add_search_options, how_of
from wrongcall.cli.config import Settings


def test_exit_codes(tmp_path: Path, record: Record) -> None:
    trace = str(record("mergesort.py"))
    assert told("debug", trace, lines=["n", "q"]).status == 1
    assert told("debug", trace, lines=["y", "y", "n", "y"]).status == 0
    for wrong in (["debug"], ["debug", trace, "--strategy", "x"], ["run"], ["run", "missing.py"],
                  ["debug", trace, "--call", "x"], ["debug", trace, "--report", "x.pdf"],
                  ["debug", trace, "--exception"], ["debug", trace, "--printed", "nothing of it"],
                  ["debug", trace, "--call", "merge", "--exception"]):  # fmt: skip
        done = told(*wrong)
        assert (done.status, done.stdout) == (2, ""), wrong
        assert done.stderr.startswith("wrongcall: ")
        assert done.stderr.count("\n") == 1


# -- where to start --------------------------------------------------------------------------------

CRASH = """
def parse(text):
    return int(text)

def load(lines):
    return [parse(line) for line in lines]

def main():
    print("loading")
    print("loaded", load(["1", "x"]))

main()
"""


def test_start_at_a_call(tmp_path: Path, record: Record) -> None:
    trace = str(record("mergesort.py"))
    done = told("debug", trace, "--call", "merge", lines=["9", "y"])
    assert "#9 merge(left=[2], right=[8]) -> [2]" in done.stdout
    assert "Which call is wrong? # > 9" in done.stdout
    assert "The bug is in merge" in done.stdout
    assert done.status == 0
    done = told("debug", trace, "--session", "other", "--call", "#10")
    assert "  merge(left=[5], right=[2])\n" in done.stdout
    done = told("debug", trace, "--restart", "--call", "merge", lines=["77"])
    assert "'77' is not in the list." in done.stdout
    assert done.status == 2


def test_start_at_an_exception(tmp_path: Path, record: Record) -> None:
    trace = str(record(CRASH))
    done = told("debug", trace, "--exception", lines=["i", "n", "y"])
    first, second = done.stdout.split("Question ")[1:3]
    assert "  parse(text='x')\n  raised    ValueError(" in first
    assert "  load(lines=['1', 'x'])\n" in second
    assert "  parse(text='1')\n" in done.stdout.split("Question 3")[1]


def test_start_at_a_printed_line(tmp_path: Path, record: Record) -> None:
    program = (
        "def show(x):\n    print('value', x)\n\ndef main():\n    show(1)\n    show(2)\n\nmain()\n"
    )
    trace = str(record(program))
    done = told("debug", trace, "--printed", "value 2", lines=["i", "n", "y"])
    first, second = done.stdout.split("Question ")[1:3]
    assert "  show(x=2)\n" in first
    assert "  main()\n" in second
    assert "The bug is in main" in done.stdout
    done = told("debug", trace, "--restart", "--printed", "value", lines=["3", "n"])
    assert "Which call printed it? # > 3" in done.stdout
    assert "The bug is in show" in done.stdout


REPORTED = """
class Wrong(Exception):
    def __str__(self):
        raise ValueError("cannot tell")

def fail():
    raise Wrong()

def main():
    fail()

main()
"""


def test_a_method_that_the_traceback_calls_is_no_start(tmp_path: Path, record: Record) -> None:
    trace = str(record(REPORTED))
    with wrongcall.recording.open(trace) as opened:
        assert [call.function.name for call in opened.calls.roots()][1:] == ["__str__"]
    done = told("debug", trace, "--exception", lines=["n", "y"])
    assert "  fail()\n" in done.stdout.split("Question 1")[1].split("Question 2")[0]
    assert "The bug is in fail" in done.stdout


# -- what is asked about ---------------------------------------------------------------------------

DEFINED = """
class Rate:
    print("defined")
    value = 3

def main():
    return Rate.value

main()
"""


def test_definitions_are_asked_about_if_somebody_wants_that(tmp_path: Path, record: Record) -> None:
    trace = str(record(DEFINED))
    assert "class body" not in told("debug", trace, lines=["y"]).stdout
    done = told("debug", trace, "--restart", "--ask-definitions", lines=["y", "y"])
    assert "<class body Rate>" in done.stdout


@pytest.mark.parametrize(
    "words, project, asks",
    [
        ([], False, False),
        ([], True, True),
        (["--ask-definitions"], False, True),
        (["--no-ask-definitions"], True, False),
    ],
)
def test_the_command_line_has_the_last_word_about_definitions(
    words: list[str], project: bool, asks: bool
) -> None:
    parser = argparse.ArgumentParser()
    add_search_options(parser)
    how = how_of(parser.parse_args(words), Settings(ask_definitions=project))
    assert how.ask_definitions == asks


def test_a_definition_that_printed_the_wrong_line_is_asked_about(
    tmp_path: Path, record: Record
) -> None:
    trace = str(record(DEFINED))
    done = told("debug", trace, "--printed", "defined", lines=["n", "y"])
    assert "<class body Rate>" in done.stdout.split("Question 1")[1]
    assert "The bug is in Rate" in done.stdout


# -- reports ---------------------------------------------------------------------------------------

NASTY = "def f(text):\n    return text\n\nf('<script>alert(1)</script> ``` \\x1b[31m & *bold*')\n"


def test_reports(tmp_path: Path, record: Record) -> None:
    trace = str(record(NASTY))
    texts = {}
    for kind in ("md", "html", "json"):
        name = str(tmp_path / f"out.{kind}")
        done = told("debug", trace, "--report", name, lines=["e 'nothing'"])
        assert done.status == 0
        (end,) = done.stdout.splitlines()[-1:]
        assert re.fullmatch(
            rf"Found: the bug is in f \(prog\d+\.py:1\); report: {re.escape(name)}", end
        )
        texts[kind] = Path(name).read_text()
    assert "<script" not in texts["html"]
    assert "&lt;script&gt;alert(1)" in texts["html"]
    assert not any("\x1b" in text for text in texts.values())
    assert "````text" in texts["md"]
    assert "# The bug is in f (prog" in texts["md"]
    data = json.loads(texts["json"])
    assert not data["finding"]["confirmed"]
    told("debug", trace, "--report", tmp_path / "confirmed.json", lines=["y"])
    assert json.loads((tmp_path / "confirmed.json").read_text())["finding"]["confirmed"]
    assert data["finding"]["function"] == "f"
    assert data["finding"]["expected"] == "'nothing'"
    assert data["questions"] == 1
