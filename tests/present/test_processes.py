"""Processes that were not recorded, in words."""

from __future__ import annotations

import pytest

from wrongcall.events import Start
from wrongcall.present.processes import process_words, processes_sentence
from wrongcall.present.text import columns
from wrongcall.recording import Process


def process(command: str, how: Start = Start.COMMAND) -> Process:
    return Process(1, 1, 1, how, command)


def words(*commands: str) -> str:
    return process_words([process(command) for command in commands])


@pytest.mark.parametrize(
    "started,shown",
    [
        (process("/usr/bin/python3 worker.py"), "python3 worker.py"),
        (process("ls"), "ls"),
        (process(""), "a command that is not known"),
        (process("/usr/bin/ls -l", Start.REPLACED), "in place of the program: ls -l"),
        (process("anything", Start.FORKED), "a fork of the program"),
        (process("python3 -c from multiprocessing.spawn import spawn_main; spawn_main()"),
         "a worker of multiprocessing"),
        (process("python3 -c from multiprocessing.forkserver import main; main()"),
         "the fork server of multiprocessing"),
        (process("/bin/sh -c \x1b[2J\n"), r"sh -c \x1b[2J\n"),
    ],
)  # fmt: skip
def test_a_process_is_named_by_its_program_and_arguments(started: Process, shown: str) -> None:
    assert process_words([started]) == f"1 process that was not recorded ({shown})"


def test_nothing_is_said_without_processes() -> None:
    assert process_words([]) == ""


def test_equal_commands_are_counted() -> None:
    assert words("ls", "cat", "ls") == "3 processes that were not recorded (2 times ls, cat)"


def test_only_the_first_of_many_commands_are_named() -> None:
    shown = words(*(f"run{i}" for i in range(2000)))
    assert shown == ("2,000 processes that were not recorded (run0, run1, run2, run3, 1,996 more)")


def test_a_long_command_is_cut() -> None:
    assert columns(words("/bin/" + "x" * 5000)) < 100


@pytest.mark.parametrize("commands,who", [(("ls",), "that one"), (("ls", "cat"), "they")])
def test_a_finding_says_where_the_bug_may_be_instead(commands: tuple[str, ...], who: str) -> None:
    shown = words(*commands)
    sentence = processes_sentence(shown)
    assert sentence == f"It started {shown}: the bug may be in what {who} did."
