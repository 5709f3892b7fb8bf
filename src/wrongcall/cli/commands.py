"""What the command line consists of, as plain data, read off the argparse parsers.

So whatever describes it, such as completion in shells, cannot say anything else than ``--help`` does.
What is completed follows from conventions: a metavar tells the kind of a value, and a command that has
the option ``-m`` runs a program, to which everything after it belongs.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum


class Kind(Enum):
    """What a value is."""

    OTHER = "other"  # nothing that could be offered
    FILE = "file"
    TRACE = "trace"
    PROGRAM = "program"
    MODULE = "module"  # what runs instead of a program
    CHOICE = "choice"


_KINDS = {"FILE": Kind.FILE, "TRACE": Kind.TRACE}


@dataclass(frozen=True)
class Value:
    """A value that an option or command takes."""

    name: str
    kind: Kind
    choices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Option:
    """An option; a flag has no value."""

    names: tuple[str, ...]
    help: str
    value: Value | None
    repeatable: bool


@dataclass(frozen=True)
class Command:
    """A command with its options and arguments, or (without a name) the command line itself."""

    name: str
    help: str
    options: tuple[Option, ...]
    arguments: tuple[Value, ...]
    runs_program: bool


def described(parser: argparse.ArgumentParser) -> tuple[Command, list[Command]]:
    """Return the command line itself, and its commands."""
    subparsers = [a for a in parser._actions if isinstance(a, argparse._SubParsersAction)]
    helps = {c.dest: c.help or "" for each in subparsers for c in each._choices_actions}
    commands = [
        _command(name, helps[name], each)
        for action in subparsers
        for name, each in action.choices.items()
        if name in helps  # else it is an alias, or not to be shown
    ]
    return _command("", parser.description or "", parser), commands


def _command(name: str, help: str, parser: argparse.ArgumentParser) -> Command:
    options = tuple(_options(parser))
    arguments = tuple(
        _value(action)
        for action in parser._actions
        if not action.option_strings and not isinstance(action, argparse._SubParsersAction)
    )
    runs_program = any("-m" in option.names for option in options)
    if runs_program:
        options = tuple(_module(option) if "-m" in option.names else option for option in options)
        arguments = (*arguments, Value("program", Kind.PROGRAM))
    return Command(name, help, options, arguments, runs_program)


def _options(parser: argparse.ArgumentParser) -> Iterator[Option]:
    for action in parser._actions:
        if action.option_strings and action.help != argparse.SUPPRESS:
            help = parser._get_formatter()._expand_help(action) if action.help else ""
            value = None if action.nargs == 0 else _value(action)
            repeatable = isinstance(action, argparse._AppendAction)
            yield Option(tuple(action.option_strings), help, value, repeatable)


def _module(option: Option) -> Option:
    return Option(option.names, option.help, Value("MODULE", Kind.MODULE), repeatable=False)


def _value(action: argparse.Action) -> Value:
    name = action.metavar if isinstance(action.metavar, str) else action.dest
    if action.choices is not None:
        return Value(name, Kind.CHOICE, tuple(map(str, action.choices)))
    return Value(name, _KINDS.get(name, Kind.OTHER))
