"""The command line as plain data, read off the parsers."""

from __future__ import annotations

import argparse

import pytest

from tests.cli.shells.shell import COMMANDS, LINE, NAMES, options
from wrongcall.cli.commands import Kind, described


def test_the_description_has_every_command_and_option() -> None:
    assert {"record", "info", "tree", "show", "events", "history", "origin", "completion"} <= {
        *NAMES
    }
    assert options(LINE) == {"-h", "--help", "--version"}
    record = next(command for command in COMMANDS if command.name == "record")
    assert {"-o", "--output", "--include", "-m"} < options(record)
    assert record.runs_program
    assert [argument.kind for argument in record.arguments] == [Kind.PROGRAM]
    show = next(command for command in COMMANDS if command.name == "show")
    assert not show.runs_program
    assert [argument.kind for argument in show.arguments] == [Kind.TRACE, Kind.OTHER]
    assert all(command.help for command in COMMANDS)


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(prog="tool", description="about")
    commands = made.add_subparsers()
    one = commands.add_parser("one", help="the first", aliases=["1"])
    one.add_argument("--level", type=int, default=3, metavar="N", help="levels (%(default)s)")
    one.add_argument("--tag", action="append", metavar="FILE")
    one.add_argument("--secret", help=argparse.SUPPRESS)
    one.add_argument("--flag", action="store_true", help="100%% sure")
    one.add_argument("how", choices=["fast", "slow"])
    one.add_argument("trace", metavar="TRACE")
    commands.add_parser("hidden")
    return made


def test_commands_and_options_are_described_as_their_help_says() -> None:
    line, commands = described(parser())
    assert (line.name, line.help, line.arguments) == ("", "about", ())
    (one,) = commands  # neither the alias nor the command without help
    assert (one.name, one.help, one.runs_program) == ("one", "the first", False)
    assert {name: (o.help, o.repeatable) for o in one.options for name in o.names[-1:]} == {
        "--help": ("show this help message and exit", False),
        "--level": ("levels (3)", False),
        "--tag": ("", True),
        "--flag": ("100% sure", False),
    }


def test_the_metavar_says_what_a_value_is() -> None:
    _, (one,) = described(parser())
    values = {o.names[-1]: o.value and (o.value.name, o.value.kind) for o in one.options}
    assert values["--level"] == ("N", Kind.OTHER)
    assert values["--tag"] == ("FILE", Kind.FILE)
    assert values["--flag"] is None
    how, trace = one.arguments
    assert (how.kind, how.choices) == (Kind.CHOICE, ("fast", "slow"))
    assert trace.kind is Kind.TRACE


def test_a_command_with_a_module_option_runs_a_program() -> None:
    made = argparse.ArgumentParser()
    start = made.add_subparsers().add_parser("start", help="run it")
    start.add_argument("-m", nargs=argparse.REMAINDER, metavar="ARGS", help="a module")
    _, (command,) = described(made)
    assert command.runs_program
    assert [argument.kind for argument in command.arguments] == [Kind.PROGRAM]
    module = next(option for option in command.options if "-m" in option.names)
    assert module.value is not None
    assert module.value.kind is Kind.MODULE


@pytest.mark.parametrize("name", NAMES)
def test_every_command_has_a_help_of_one_line(name: str) -> None:
    command = next(each for each in COMMANDS if each.name == name)
    assert command.help
    assert "\n" not in command.help
    assert "--help" in options(command)
