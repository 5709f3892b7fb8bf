"""The parser of the command line: the commands that it knows, and what it loads for them."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import pytest

import wrongcall.cli
from wrongcall.cli.parser import COMMANDS, parser_of
from wrongcall.errors import UsageError


def known(parser: argparse.ArgumentParser) -> list[str]:
    """Return the commands of a parser."""
    (group,) = (a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    return list(group.choices)


def test_every_module_that_describes_a_command_is_one() -> None:
    folder = Path(wrongcall.cli.__file__).parent
    modules = {p.stem for p in folder.glob("*.py") if "def add_parser(" in p.read_text()}
    assert modules == set(COMMANDS)


def test_without_a_command_all_are_known_in_order() -> None:
    assert known(parser_of()) == list(COMMANDS)
    assert known(parser_of("--help")) == list(COMMANDS)


def test_only_the_command_that_runs_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "wrongcall.cli.origin", raising=False)
    assert known(parser_of("show")) == ["show"]
    assert "wrongcall.cli.origin" not in sys.modules


def test_argument_errors_are_reported_as_wrongcall_errors() -> None:
    with pytest.raises(UsageError, match=r"see wrongcall show --help"):
        parser_of("show").parse_args(["show", "--no-such-option"])
