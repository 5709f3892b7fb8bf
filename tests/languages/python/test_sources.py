"""The files of a program, and what its functions read and use."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.trace.conftest import Record
from tests.trace.described import described
from tests.trace.emitter import Emitter
from wrongcall.languages.python import sources
from wrongcall.recording import Recording


def test_reads_are_what_a_function_does_not_own(record: Record) -> None:
    run = record(
        """
        import os
        base = 1

        def outer(a, b=base):
            own = a
            def inner(c=own):
                return c + b + top + len(os.sep)
            return inner

        top = 2
        outer(1)()
        """
    )
    found = {
        f.qualname: {(read.name, read.attr, read.line) for read in run.recording.sources.reads(f)}
        for f in run.recording.program.functions.values()
    }
    assert found["<module>"] == set()
    # The default of b is read where outer is defined, that of c inside outer.
    assert found["outer"] == set()
    assert found["outer.<locals>.inner"] == {
        ("b", "", 8),
        ("top", "", 8),
        ("len", "", 8),
        ("os", "sep", 8),
    }


def test_source_of_a_trace_without_any(tmp_path: Path) -> None:
    emitter = Emitter()
    emitter.file([{"qualname": "f"}], [])
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        assert isinstance(recording, Recording)
        function = recording.program.functions[1]
        assert recording.sources.reads(function) == ()


CODE = """\
'''The module.'''
import os

def outer(a):
    \"""The outer one.

    And more.
    \"""
    x = a.first.second
    def inner():
        return x + os.sep
    return inner().third

outer(1)
"""


def test_functions_are_found_in_the_source_by_their_entries(tmp_path: Path) -> None:
    with described(CODE).open(tmp_path / "t.wrongcall") as recording:
        functions = {f.qualname: f for f in recording.program.functions.values()}
        sources = recording.sources
        definition = sources.definition(functions["outer.<locals>.inner"])
        assert isinstance(definition, ast.FunctionDef)
        assert definition.name == "inner"
        assert sources.definition(functions["<module>"]) is sources.of_file(1).tree
        assert sources.docstring(functions["outer"]) == "The outer one.\n\nAnd more."
        assert sources.docstring(functions["<module>"]) == "The module."
        assert sources.docstring(functions["outer.<locals>.inner"]) == ""


def test_functions_use_names_and_attributes_by_line(tmp_path: Path) -> None:
    with described(CODE).open(tmp_path / "t.wrongcall") as recording:
        functions = {f.qualname: f for f in recording.program.functions.values()}
        outer = functions["outer"]
        assert recording.sources.uses(outer) == {9: {"a"}, 12: {"inner"}}
        # inner's attributes stand in outer's source, too
        assert recording.sources.attributes(outer) == ("first", "second", "sep", "third")
        assert recording.sources.attributes(functions["<module>"]) == ()


def test_only_so_many_syntax_trees_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    emitter = Emitter()
    for number in range(1, 6):
        place = (number, number, number)
        emitter.file([{"qualname": "f"}], [], source=f"x = {number}\n", first=place)
    monkeypatch.setattr(sources, "MIN_KEPT_FILES", 2)
    monkeypatch.setattr(sources, "MAX_KEPT_TEXT", 15)
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        first = recording.sources.of_file(1)
        assert recording.sources.of_file(1) is first
        for number in (2, 3, 4, 5):
            assert recording.sources.of_file(number).text == f"x = {number}\n"
        assert recording.sources.of_file(1).text == "x = 1\n"
        assert list(recording.sources._files) == [5, 1]
        assert recording.sources.of_file(5).text == "x = 5\n"
