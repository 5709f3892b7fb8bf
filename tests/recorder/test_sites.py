"""The tables that describe an instrumented file."""

from __future__ import annotations

import ast
import json
from typing import Any

import pytest

from wrongcall import events
from wrongcall.recorder import _native, sites
from wrongcall.recorder.blocks import NOWHERE
from wrongcall.recorder.sites import FileTable, Numbers, file_json


@pytest.fixture(autouse=True)
def _fresh_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_next_file", "_next_function", "_next_site"):
        monkeypatch.setattr(sites, name, 1)


def _node(source: str) -> ast.AST:
    return ast.parse(source).body[0]


def _table() -> FileTable:
    table = FileTable()
    function = table.function("f", "C.f", "generator", outer=0)
    function.line, function.end_line, function.entry = 3, 7, 1
    function.params, function.free, function.locals = ["a"], ["b"], ["a", "c"]
    function.blocks.new([3, 4])
    function.blocks.new([5], silent=True)
    table.site(sites.ENTRY, _node("\n\ndef f(a): pass"), 1, 0, None)
    table.site(sites.WRITE, _node("\n\n\n\nc = 1"), 1, 1, "c", scope=2)
    return table


def test_a_table_is_written_as_json_with_every_field() -> None:
    source = 'text\n"\ud800\U0001f600'
    text = file_json('/a "b"/ü.py', "ü", source, Numbers(1, 2), _table().to_json())
    written: dict[str, Any] = json.loads(text)
    function = written["functions"][0]
    assert written | {"functions": 0, "sites": 0} == {
        "file": 1,
        "path": '/a "b"/ü.py',
        "module": "ü",
        "source": 'text\n"\ud800\U0001f600',
        "first_function": 1,
        "first_site": 1,
        "functions": 0,
        "sites": 0,
    }
    assert function == {
        "name": "f",
        "qualname": "C.f",
        "kind": "generator",
        "line": 3,
        "end_line": 7,
        "outer": 0,
        "params": ["a"],
        "free": ["b"],
        "locals": ["a", "c"],
        "entry": 1,
        "blocks": [[3, 4], [5]],
        "flow": {"silent": [0, 1], "begin": [0, 0], "next": [[1, 0, 0], []], "resume": [[], []]},
    }
    assert written["sites"] == {
        "kind": [events.SiteKind.ENTRY, events.SiteKind.WRITE],
        "function": [1, 1],
        "line": [3, 5],
        "col": [0, 0],
        "end_line": [3, 5],
        "end_col": [14, 5],
        "scope": [0, 2],
        "block": [0, 1],
        "name": [None, "c"],
    }


def test_a_table_numbers_its_functions_and_sites_from_1() -> None:
    table = _table()
    assert table.function("g", "g", "function", 0).number == 2
    assert table.site(sites.CALL, _node("g()"), 2, 0, None) == 3


def test_each_file_gets_the_numbers_that_follow_those_of_the_files_before() -> None:
    first, second = Numbers(functions=2, sites=5), Numbers(functions=1, sites=1)
    assert (first.file, first.function, first.site) == (1, 1, 1)
    assert (second.file, second.function, second.site) == (2, 3, 6)
    assert [second.of_function(1), second.of_site(1)] == [3, 6]
    assert first.of_site(5) == 5


def test_no_site_stays_no_site_in_every_file() -> None:
    Numbers(functions=2, sites=5)
    assert Numbers(functions=1, sites=1).of_site(0) == 0


def test_each_line_has_the_first_site_on_it_that_is_no_parameter() -> None:
    table = FileTable()
    table.function("f", "f", "function", 0)
    table.function("g", "g", "function", 0)
    one = _node("f(x)")
    table.site(sites.ENTRY, one, 1, 0, None)
    table.site(sites.PARAM, one, 1, 0, "x")
    wanted = table.site(sites.CALL, one, 1, 0, None)
    table.site(sites.WRITE, one, 1, 0, "y")
    assert table.lines() == {1: {1: wanted}, 2: {}}


def test_a_late_site_is_announced_and_takes_the_next_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sent: list[dict[str, Any]] = []
    monkeypatch.setattr(_native, "meta", lambda text: sent.append(json.loads(text)))
    Numbers(functions=1, sites=2)
    assert [sites.late_site((4, "x", 12)), sites.late_site((4, "y", 13))] == [3, 4]
    assert [message["first_site"] for message in sent] == [3, 4]
    columns = sent[0]["sites"]
    assert {key: columns[key] for key in ("kind", "function", "line", "name", "block")} == {
        "kind": [events.SiteKind.WRITE],
        "function": [4],
        "line": [12],
        "name": ["x"],
        "block": [NOWHERE],
    }


def test_an_unrecorded_module_is_named_with_its_reason() -> None:
    written = json.loads(sites.unrecorded_json("p.py", "p", 'SyntaxError: "too" deep\n'))
    assert written == {
        "unrecorded": {"path": "p.py", "module": "p", "reason": 'SyntaxError: "too" deep\n'}
    }


def test_kinds_of_sites_are_numbered_as_readers_number_them() -> None:
    for kind in events.SiteKind:
        assert getattr(sites, kind.name) == kind.value
