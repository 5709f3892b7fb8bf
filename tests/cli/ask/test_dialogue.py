"""Scripted sessions: a program, answers, and what is to be seen."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.cli.ask.conftest import Record
from tests.cli.ask.talking import questions, talk, told
from wrongcall.errors import TraceError
from wrongcall.session import search as searches
from wrongcall.session.search import How
from wrongcall.trace.read.session_store import load_session

MERGESORT = "mergesort.py"
TOP_DOWN = How(strategy="top-down", balance=False)


def test_true_answers_lead_to_the_wrong_call(record: Record) -> None:
    text, found = talk(record(MERGESORT), "n", "n", "y", "n", "y")
    assert found
    assert questions(text) == [
        "sort(numbers=[5, 2, 8])",
        "sort(numbers=[2, 8])",
        "2 calls to sort; judge each one",
        "merge(left=[2], right=[8])",
    ]
    assert "The bug is in merge  examples/mergesort.py:4" in text
    assert "It is wrong, and it made no calls." in text
    assert re.search(r"^   11 · +i \+= 1 +# i = 1$", text, re.MULTILINE)
    assert re.search(r"^   13   +merged.append\(right\[j\]\)$", text, re.MULTILINE)


def test_a_wrong_call_with_only_right_calls_is_the_bug(record: Record) -> None:
    lines = ["n", "n", "y", "y", "y"]
    text, found = talk(record(MERGESORT), *lines, how=TOP_DOWN)
    assert found
    assert questions(text)[:2] == ["main()", "sort(numbers=[5, 2, 8, 1, 9, 3])"]
    assert "The bug is in sort" in text
    assert "It is wrong, and all 3 calls it made are right." in text


def test_a_wrong_part_leads_to_the_call_that_made_it(record: Record) -> None:
    text, _ = talk(record("paper_mergesort.py"), "n", "p a[2]", "n", "y", how=TOP_DOWN)
    shown = text.split("> p a[2]")[1]
    assert "merge(a=[4, 9, 0, 0], la=0, ra=2, b=[1, 7, 0, 0], lb=0, rb=2," in shown
    assert "c[2]: 1 -> 9" in shown
    assert "The bug is in merge" in shown


def test_expected_values_are_saved(record: Record) -> None:
    trace = record(MERGESORT)
    text, _ = talk(trace, "n", "y", "y", "e [2, 5, 8]")
    assert "  expected  [2, 5, 8]" in text
    entries = load_session(trace, "session").entries
    assert [entry["expected"] for entry in entries][-1] == "[2, 5, 8]"


def test_undo_takes_back_one_answer_at_a_time(record: Record) -> None:
    text, _ = talk(record(MERGESORT), "n", "y", "u", "u", "u", "q")
    first, second, third = (
        "sort(numbers=[5, 2, 8])",
        "sort(numbers=[2, 8])",
        "sort(numbers=[5])",
    )
    assert questions(text) == [first, second, third, second, first]
    assert "there is nothing to undo" in text


def test_w_explains_the_question(record: Record) -> None:
    text, _ = talk(record(MERGESORT), "w", "q")
    words = " ".join(text.split())
    assert (
        "The bug can be in 18 calls. If this is right, 11 calls remain; if it is wrong, 7" in words
    )


def test_another_strategy_asks_another_question(record: Record) -> None:
    text, _ = talk(record(MERGESORT), "s top-down", "s nonsense", "s", "q")
    assert questions(text)[1] == "main()"
    assert "there is no strategy 'nonsense'" in text
    assert "> top-down" in text


def test_trusted_functions_are_not_asked(record: Record) -> None:
    text, _ = talk(record(MERGESORT), "t", "q")
    assert all("sort(" not in call.split("merge")[0] for call in questions(text)[1:])
    text, found = talk(record(MERGESORT), "T")
    assert len(questions(text)) == 1
    assert not found


def test_inadmissible_blames_the_caller(record: Record) -> None:
    text, found = talk(record(MERGESORT), "n", "y", "y", "i", "y")
    assert found
    assert "The bug is in sort" in text
    assert "Invalid calls:" in text


def test_dont_know_leaves_the_call_undecided(record: Record) -> None:
    text, found = talk(record(MERGESORT), "n", "y", "y", "d")
    assert found
    assert "This call is undecided; the bug may be there (press b to judge it):" in text


def test_a_contradiction_is_reported_and_resolved(record: Record) -> None:
    lines = ["n", "b", ": 4", "y", "n", "y", "y", "q", "q"]
    text, _ = talk(record(MERGESORT), *lines)
    assert text.count("Use the new answer? y n > ") == 2
    assert "call 4: wrong (your answer); and now call 4: right (your answer)" in " ".join(
        text.split()
    )


def test_a_finding_can_be_rejected(record: Record) -> None:
    text, _ = talk(record(MERGESORT), "n", "y", "n", "n", "q")
    assert "You answered this before; please check again." in text


def test_a_second_bug_can_be_looked_for(record: Record) -> None:
    text, found = talk(record(MERGESORT), "n", "y", "y", "n", "a", "q")
    assert found
    assert len(questions(text)) == 5


def test_a_confirmed_finding_stays(record: Record) -> None:
    trace = record(MERGESORT)
    talk(trace, "n", "y", "y", "n", "y")
    text, found = talk(trace)
    assert found
    assert "Continuing after 4 answers" in text
    assert "The bug is in merge (confirmed)" in text


def test_inspecting_values_changes_no_answer(record: Record) -> None:
    trace = record(MERGESORT)
    lines = ["v", "h numbers", "o result", "x numbers", "+", "?", "m", ".", "q", "b", "q"]
    text, found = talk(trace, *lines, "h nothing", "o")
    assert not found
    assert "numbers  1 value" in text
    assert "result = [2, 5]" in text
    assert "Missing argument: origin of which place?" in text
    assert "has no variable 'nothing'" in text
    assert len(load_session(trace, "session").entries) == 1


def test_unknown_keys_are_reported_and_comments_skipped(record: Record) -> None:
    text, _ = talk(record(MERGESORT), "# a remark", "", "nonsense", "Z", "quit")
    assert "'nonsense' does nothing here; press ? for the keys." in text
    assert "'Z' does nothing here" in text
    assert "remark" not in text


def test_command_names_and_windows_line_ends_are_accepted(record: Record) -> None:
    text, found = talk(record(MERGESORT), "no\r", "yes\r", "y\r", "n\r", "yes\r")
    assert found
    assert "\r" not in text


def test_the_command_to_go_on_names_the_session(record: Record) -> None:
    trace = record(MERGESORT)
    text, _ = talk(trace, "n", how=How(name="second try"))
    command = text.rpartition("To continue: ")[2]
    assert command == f"wrongcall debug --session 'second try' {trace}\n"
    assert "Continuing after 1 answer " in told(*shlex.split(command)[1:], lines=["n"]).stdout


def test_answers_are_saved_at_the_end_of_input(record: Record) -> None:
    trace = record(MERGESORT)
    text, found = talk(trace, "n")
    assert not found
    assert "Saved. To continue: wrongcall debug" in text
    text, found = talk(trace, "y", "y", "n")
    assert found
    assert "Continuing after 1 answer " in text


def test_groups_are_asked_as_one(record: Record) -> None:
    program = (
        "class Bag:\n"
        "    def __init__(self):\n        self.items = []\n"
        "    def put(self, x):\n        self.items.append(x if x != 3 else 30)\n"
        "def fill(bag):\n"
        + "".join(f"    bag.put({i})\n" for i in range(8))
        + "bag = Bag()\nfill(bag)\n"
    )
    text, _ = talk(record(program), "w", "+", "p x", "n", "b", ": 8", "n", "q")
    assert "8 calls in a row to Bag.put" in text
    assert "Are they right?" in text
    assert "bag.items" not in text
    assert re.search(r"changed +self\.items\[0\] = 0  added", text)
    assert "#6 Bag.put(self, x=1) -> None" in text
    assert "Which call has the wrong part?" in text
    assert "so one of them has the bug" in " ".join(text.split())
    assert "It is wrong, and it made no calls." in text


LOOP = (
    "def double(x):\n    return 2 * x if x != 37 else 7\n"
    "def all_of(xs):\n"
    "    found = []\n    for x in xs:\n        found.append(double(x))\n    return found\n"
    "all_of(range(60))\n"
)
WRONG = 40
"""The call of double with 37: the program and all_of come first."""


def test_the_calls_of_a_loop_are_asked_as_a_list(record: Record) -> None:
    trace = record(LOOP)
    text, _ = talk(trace, "q")
    assert questions(text) == ["30 calls to double; judge each one"]
    # All of them, on a screen that is lower than that; none is counted only.
    assert re.findall(r"^  #\d+ double\(x=(\d+)\) -> \d+$", text, re.MULTILINE) == [
        str(x) for x in range(30)
    ]
    assert "changed" not in text
    assert "Are all of them right? y n d, p to pick the wrong one, ? for help >" in text


def test_a_list_is_narrowed_down(record: Record) -> None:
    trace = record(LOOP)
    lines: list[str] = []
    while "The bug is in" not in (text := talk(trace, *lines, how=How(fresh=True))[0]):
        shown = text.split("\nQuestion ")[-1]
        lines.append("n" if "x=37)" in shown else "y")
    assert "double(x=37)\n  returned  7" in text.split("The bug is in double")[1]
    assert len(lines) <= 7


def test_the_wrong_one_of_a_list_can_be_named(record: Record) -> None:
    trace = record(LOOP)
    text, found = talk(trace, "y", "p", "p 7", "p x", f"p #{WRONG}", "y")
    assert found
    assert "Missing argument: number of the call" in text
    assert "Call #7 is not in this list." in text
    assert "Call #x is not in this list." in text
    assert text.count("\nQuestion ") == 2
    assert f"#{WRONG} double(x=37) -> 7: wrong" in text


def test_a_whole_list_cannot_be_invalid(record: Record) -> None:
    text, _ = talk(record(LOOP), "i", "q")
    assert "are a list; judge the invalid call itself" in " ".join(text.split())


def test_no_balance_asks_about_each_call(record: Record) -> None:
    text, _ = talk(record(LOOP), "n", "y", "q", how=How(balance=False, strategy="lookahead"))
    assert questions(text) == ["all_of(xs=range(0, 60))", "double(x=0)", "double(x=1)"]


@pytest.mark.parametrize("width", [80, 40])
def test_everything_fits_the_width(record: Record, width: int) -> None:
    lines = ["w", "?", "v", "b", ">", "q", "m", ".", "q", "h numbers", "o result", "+", "s"]
    text, _ = talk(record(MERGESORT), *lines, "n", "y", "y", "n", "y", size=(width, 24))
    prompts = re.compile(r"\? for help >|which |Missing argument")
    wide = [line for line in text.splitlines() if len(line) > width and not prompts.search(line)]
    # What is there to be copied is never broken.
    assert not [line for line in wide if not line.startswith(("Saved", "Found"))]


def test_the_named_starting_calls_are_asked_about_first(record: Record) -> None:
    text, found = talk(record(MERGESORT), "y", "n", "y", "y", "y", first=[10, 6, 4])
    assert questions(text)[:2] == ["merge(left=[5], right=[2])", "sort(numbers=[2, 8])"]
    assert found


def test_answers_that_cannot_be_saved_are_reported_once(
    record: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: object) -> None:
        raise TraceError("no space left")

    monkeypatch.setattr(searches, "save", fail)
    text, found = talk(record(MERGESORT), "y", "q")
    assert not found
    assert text.count("Can't save the answers: no space left") == 1
    assert "Saved." not in text


def test_a_program_without_calls_is_itself_the_finding(record: Record, tmp_path: Path) -> None:
    text, found = talk(record("x = 1\nprint(x)\n"))
    assert found
    assert "The bug is in <module>" in text
