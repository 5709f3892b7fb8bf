"""The options of ``wrongcall debug``: where to start, reports, exit codes."""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path

import pytest

from tests.cli.ask.conftest import Record
from tests.cli.ask.talking import told
from wrongcall.cli import config
from wrongcall.cli.ask.options import add_search_options, how_of
from wrongcall.cli.config import Settings
from wrongcall.errors import UsageError


def test_exit_codes_say_whether_a_bug_was_found(tmp_path: Path, record: Record) -> None:
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


# -- what is asked about ---------------------------------------------------------------------------

DEFINED = """
class Rate:
    print("defined")
    value = 3

def main():
    return Rate.value

main()
"""


def test_ask_definitions_asks_about_definitions(tmp_path: Path, record: Record) -> None:
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
def test_the_command_line_overrides_settings_about_definitions(
    words: list[str], project: bool, asks: bool
) -> None:
    parser = argparse.ArgumentParser()
    add_search_options(parser)
    how = how_of(parser.parse_args(words), Settings(ask_definitions=project))
    assert how.ask_definitions == asks


# -- reports ---------------------------------------------------------------------------------------

NASTY = "def f(text):\n    return text\n\nf('<script>alert(1)</script> ``` \\x1b[31m & *bold*')\n"


def test_a_definition_that_printed_the_wrong_line_is_asked_about(
    tmp_path: Path, record: Record
) -> None:
    trace = str(record(DEFINED))
    done = told("debug", trace, "--printed", "defined", lines=["n", "y"])
    assert "<class body Rate>" in done.stdout.split("Question 1")[1]
    assert "The bug is in Rate" in done.stdout


def test_reports_are_written_in_the_format_of_their_file(tmp_path: Path, record: Record) -> None:
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


# -- models ----------------------------------------------------------------------------------------

MODEL = """
import json, sys
prompt = sys.stdin.read()
open("asked.txt", "a").write(prompt)
print(json.dumps({"expected": "2"} if "n = 4" in prompt else {"unspecified": True}))
"""
HALF = "def half(n):\n    return n // 2\n\ndef main():\n    half(4)\n    half(5)\n\nmain()\n"


def test_a_model_is_asked_after_the_user_agreed_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    command = json.dumps([sys.executable, str(tmp_path / "model.py")])
    Path("model.py").write_text(MODEL)
    Path("pyproject.toml").write_text(
        f"[tool.wrongcall.model]\ncommand = {command}\ncertain = true\nsamples = 2\n"
    )
    Path("prog.py").write_text(HALF)
    assert told("record", "prog.py").status == 0
    words = ("debug", "prog.wrongcall", "--no-balance", "--strategy", "single-stepping")
    refused = told(*words, "--ask-model", lines=["n"])
    assert (refused.status, "nothing was sent" in refused.stderr) == (2, True)
    assert "Send arguments" in refused.stdout
    assert not Path("asked.txt").exists()
    agreed = told(*words, "--ask-model", lines=["y", "q"])
    assert "model answered 1 question: 1 right" in agreed.stdout
    assert "half(n=5)" in agreed.stdout.partition("Question 1")[2]
    again = told(*words, "--ask-model", "--restart", lines=["q"])
    assert "Send arguments" not in again.stdout
    assert "model answered 1 question: 1 right" in again.stdout
    Path("asked.txt").unlink()
    without = told(*words, "--restart", lines=["q"])
    assert "half(n=4)" in without.stdout.partition("Question 1")[2]
    assert not Path("asked.txt").exists()


def test_a_model_has_to_be_set(tmp_path: Path, record: Record) -> None:
    trace = str(record(DEFINED))
    for words in (("--ask-model",), ("--oracle", "model")):
        done = told("debug", trace, *words)
        assert (done.status, "no model is set" in done.stderr) == (2, True)
    assert told("debug", trace, "--ask-model", "--no-oracle").status == 2


@pytest.mark.parametrize(
    "table, message",
    [
        ("3", "expected a table"),
        ("{}", "either a command or a url"),
        ('{ url = "ftp://x" }', "begins with https"),
        ('{ url = "http://x", command = ["a"] }', "either a command or a url"),
        ('{ url = "http://x", colour = 3 }', "there is no key"),
        ('{ url = "http://x", samples = 0 }', "between 1 and"),
        ('{ url = "http://x", timeout = -1 }', "expected seconds"),
        ('{ url = "http://x", mask = ["("] }', "not a regular expression"),
    ],
)
def test_settings_of_a_model_are_checked(tmp_path: Path, table: str, message: str) -> None:
    (tmp_path / "pyproject.toml").write_text(f"[tool.wrongcall]\nmodel = {table}\n")
    with pytest.raises(UsageError, match=message):
        config.read(tmp_path)
