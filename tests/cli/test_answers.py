"""The command ``wrongcall answers``, and sessions that remember."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.ask.talking import told
from tests.cli.paper import Run

PROGRAM = """
def half(n):
    return n // 2

def total(numbers):
    return sum(numbers)

def main():
    total([half(4), half(5)])
    total([half(4)])

main()
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a program, in which answers are remembered."""
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "prog.py").write_text(PROGRAM)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WRONGCALL_ORACLES", "memory")
    return tmp_path


def record(name: str) -> str:
    done = told("record", "-o", name, "prog.py")
    assert done.status == 0
    return name


def answered(trace: str, *lines: str, options: tuple[str, ...] = ()) -> str:
    return told(
        "debug", trace, "--strategy", "top-down", "--no-balance", *options, lines=[*lines, "q"]
    ).stdout


def test_the_same_question_is_not_asked_in_the_next_run(project: Path, run: Run) -> None:
    first = answered(record("a.wrongcall"), "n", "y")
    assert "half(n=5)" in first.partition("Question 3")[2]
    second = answered(record("b.wrongcall"))
    assert "memory answered 2 questions: 1 wrong, 1 right" in second
    assert "half(n=5)" in second.partition("Question 1")[2]
    status, out, err = run("answers")
    assert (status, err) == (0, "")
    assert out.count("prog:half") == 1
    assert ": prog:main\n" in out


def test_answers_that_are_undone_are_not_remembered(project: Path, run: Run) -> None:
    answered(record("a.wrongcall"), "n", "u")
    assert run("answers")[1] == "no answers are remembered for this project\n"
    assert run("answers", "--all")[1].count("(revoked)") == 1


def test_no_oracle_takes_back_what_was_remembered(project: Path) -> None:
    answered(record("a.wrongcall"), "n")
    trace = record("b.wrongcall")
    assert "memory answered 1 question" in answered(trace)
    alone = answered(trace, options=("--no-oracle",))
    assert "main()" in alone.partition("Question 1")[2]


def test_settings_choose_the_oracles(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answered(record("a.wrongcall"), "n")
    monkeypatch.delenv("WRONGCALL_ORACLES")
    (project / "pyproject.toml").write_text("[tool.wrongcall]\noracles = []\n")
    assert "memory answered" not in answered(record("b.wrongcall"))
    assert "memory answered" in answered(record("c.wrongcall"), options=("--oracle", "memory"))
    (project / "pyproject.toml").write_text('[tool.wrongcall]\noracles = ["memory"]\n')
    assert "memory answered" in answered(record("d.wrongcall"))
    (project / "pyproject.toml").write_text('[tool.wrongcall]\noracles = ["delphi"]\n')
    done = told("debug", "a.wrongcall")
    assert done.status == 2
    assert "the oracles are memory" in done.stderr


def test_a_wrong_name_in_the_environment_is_an_error(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WRONGCALL_ORACLES", "delphi")
    done = told("debug", record("a.wrongcall"))
    assert (done.status, "WRONGCALL_ORACLES is 'delphi'" in done.stderr) == (2, True)


def test_answers_can_be_revoked_by_their_ids(project: Path, run: Run) -> None:
    answered(record("a.wrongcall"), "n", "y", "y")
    listed = json.loads(run("answers", "--json")[1])
    assert [each["verdict"] for each in listed] == ["wrong", "right", "right"]
    assert run("answers", "--revoke", listed[2]["id"][:8])[1] == "1 answer revoked\n"
    assert run("answers", "--function", "half", "--revoke", "all")[1] == "1 answer revoked\n"
    assert [e["function"] for e in json.loads(run("answers", "--json")[1])] == ["prog:main"]
    assert run("answers", "--revoke", "12345678")[0] == 2
    assert run("answers", "--revoke", "")[0] == 2


def test_answers_travel_to_colleagues_and_back(project: Path, run: Run, tmp_path: Path) -> None:
    answered(record("a.wrongcall"), "n", "n")
    assert run("answers", "--export", "out.jsonl")[1] == "2 answers written to out.jsonl\n"
    other = tmp_path / "other"
    other.mkdir()
    add = ("answers", "--project", str(other), "--import")
    assert run(*add, "out.jsonl")[1] == "2 answers added, 0 already known\n"
    assert run(*add, ".wrongcall/answers.db")[1] == "0 answers added, 2 already known\n"
    run("answers", "--revoke", "all")
    run("answers", "--export", "out.jsonl")
    run(*add, "out.jsonl")
    assert run("answers", "--project", str(other))[1].startswith("no answers")


@pytest.mark.parametrize("text", ["{}\n", "nonsense\n", '{"function": 3}\n'])
def test_a_file_without_answers_is_refused(project: Path, run: Run, text: str) -> None:
    Path("in.jsonl").write_text(f"\n{text}")
    status, _, err = run("answers", "--import", "in.jsonl")
    assert (status, "in.jsonl, line 2: " in err) == (2, True)
    assert not Path(".wrongcall").exists()


def test_a_renamed_function_keeps_its_answers(project: Path, run: Run) -> None:
    answered(record("a.wrongcall"), "n", "y", "y")
    Path("prog.py").write_text(PROGRAM.replace("half", "halve"))
    assert "Question 1" in answered(record("b.wrongcall"))
    assert run("answers", "--rename", "prog:half", "prog:halve")[1] == "prog:halve: 2 answers\n"
    assert "memory answered 3 questions: 1 wrong, 2 right" in answered(record("c.wrongcall"))
    assert run("answers", "--rename", "half", "halve")[0] == 2


def test_a_damaged_store_is_named_and_the_questions_go_on(project: Path, run: Run) -> None:
    Path(".wrongcall").mkdir()
    Path(".wrongcall/answers.db").write_text("this is not a database at all " * 200)
    text = answered(record("a.wrongcall"), "n", "y")
    assert "memory: not asked any more in this session" in " ".join(text.split())
    assert "Question 3" in text
    status, _, err = run("answers")
    assert (status, "move it away" in err) == (1, True)


def test_a_store_that_is_locked_for_long_loses_no_answer(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wrongcall.oracles.answer_store.LOCK_TIMEOUT_S", 0.05)
    answered(record("a.wrongcall"), "n")
    with closing(sqlite3.connect(".wrongcall/answers.db", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        text = answered(record("b.wrongcall"), "n", "y")
    assert "memory" in text
    assert "database is locked" in " ".join(text.split())
    assert "Question 3" in text


def test_a_folder_that_does_not_exist_is_named(run: Run) -> None:
    assert run("answers", "--project", "/nowhere/at/all")[0] == 2


def test_answers_become_tests(project: Path, run: Run) -> None:
    answered(record("a.wrongcall"), "n", "y", "e 3")
    status, out, err = run("answers", "--as-tests", "test_answers.py")
    assert (status, err) == (0, "")
    assert out.startswith("2 tests written to test_answers.py")
    text = Path("test_answers.py").read_text()
    assert "assert prog.half(n=4) == 2" in text
    assert "assert prog.half(n=5) == 3" in text
    assert run("answers", "--as-tests", "test_answers.py")[0] == 0
    assert run("answers", "--as-tests", "prog.py")[0] == 2
    assert Path("prog.py").read_text() == PROGRAM
    assert run("answers", "--function", "main", "--as-tests", "other.py")[0] == 2
