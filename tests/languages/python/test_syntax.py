"""Sources as syntax trees."""

from __future__ import annotations

import ast
import dataclasses
import warnings
from pathlib import Path
from typing import Any

import pytest

from tests.languages.python.nodes import find, site, text, texts
from wrongcall.events import Scope, SiteKind
from wrongcall.languages.python.syntax import Source, loads, span_of, walk
from wrongcall.trace.format.program_tables import Site, Span


def test_lines_are_those_of_python() -> None:
    source = Source("a = 1\r\nb = '\x0c'\rc = 3\n")
    assert [source.line(n) for n in range(5)] == ["", "a = 1", "b = '\x0c'", "c = 3", ""]
    assert source.line(99) == ""


@pytest.mark.parametrize("text", ["def f(:", "x = 'a\0b'", "(" * 10_000])
def test_unparsable_source_has_no_nodes(text: str) -> None:
    source = Source(text)
    assert source.tree is None
    assert source.parents == {}
    assert source.problem


def test_the_problem_says_where_it_is() -> None:
    assert Source("x = 1\ndef f(:\n").problem == "line 2: invalid syntax"
    assert Source("x = 1").problem == ""


def test_warnings_about_the_program_are_nobodys_business() -> None:
    """They would be printed among the questions, or with ``-W error`` make the source unreadable."""
    source = Source("x = '\\d'\ny = 1 is 1\n")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert source.tree is not None


CODE = """\
import os.path, json as j
from a.b import c as d, e
@decorate(os)
def f(
    x=default,
):
    if (x and
            y): z = x
    return d.attr + [n for n in x if n + outside][0]
"""


def test_nodes_are_found_by_their_span_outer_ones_first() -> None:
    source = Source(CODE)
    assert source.tree is not None
    for node in ast.walk(source.tree):
        if hasattr(node, "lineno"):
            found = source.at(site(SiteKind.BLOCK, node))
            same = [n for n in ast.walk(source.tree) if hasattr(n, "lineno")]
            assert found == [n for n in same if span_of(n) == span_of(node)]


def test_imports_say_what_names_mean() -> None:
    source = Source(CODE)
    assert source.modules == {"os", "j"}
    assert source.imported == {"j": "json", "d": "a.b.c", "e": "a.b.e"}


def test_a_node_belongs_to_the_innermost_statement() -> None:
    source = Source(CODE)
    assert text(source.statement(find(source.tree, "d.attr"))).startswith("return d.attr")  # type: ignore[union-attr]


def test_the_text_of_a_compound_statement_is_its_header_on_one_line() -> None:
    source = Source(CODE)
    assert source.tree is not None
    function: Any = source.tree.body[2]
    assert source.text_of(function) == "def f( x=default, )"
    assert source.text_of(function.body[0]) == "if (x and y)"
    assert source.text_of(function.body[1].value.left) == "d.attr"
    one_line = Source("  \nif é: x = 1")
    assert one_line.tree is not None
    assert one_line.text_of(one_line.tree.body[0]) == "if é"
    assert source.text_of("no node") == ""


def test_a_function_loads_the_names_that_its_own_statements_read() -> None:
    source = Source(CODE)
    assert source.tree is not None
    found = set(loads(source.tree.body[2]))
    assert found == {
        ("x", "", 7),
        ("y", "", 7),
        ("x", "", 8),
        ("d", "attr", 9),
        ("x", "", 9),
        ("outside", "", 9),
    }


def test_inner_functions_load_their_defaults_where_they_are_defined() -> None:
    (outer,) = ast.parse("def f():\n def g(a=b, *, c=d): return e\n class C(h): i\n j += 1").body
    assert {name for name, _, _ in loads(outer)} == {"b", "d", "h", "j"}


def test_the_span_of_a_node_is_where_it_stands() -> None:
    node = find(Source("x = (\n  a + b)").tree, "a + b")
    assert span_of(node) == (2, 2, 2, 7)
    assert texts([node]) == ["a + b"]


@pytest.mark.parametrize("path", [ast.__file__, dataclasses.__file__])
def test_nodes_are_found_as_if_all_of_the_file_were_searched(path: str) -> None:
    source = Source(Path(path).read_text())
    assert source.tree is not None
    by_span: dict[Span, list[ast.AST]] = {}
    for node in ast.walk(source.tree):
        if hasattr(node, "lineno"):
            by_span.setdefault(span_of(node), []).append(node)
    for span, nodes in list(by_span.items())[::20]:
        assert source.at(Site(1, SiteKind.WRITE, 1, *span, None, Scope.LOCAL, 0)) == nodes


@pytest.mark.parametrize("path", [ast.__file__, dataclasses.__file__])
def test_walking_leaves_out_only_contexts_and_operators(path: str) -> None:
    tree = ast.parse(Path(path).read_text())
    without_parts = (ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop)
    expected = [node for node in ast.walk(tree) if not isinstance(node, without_parts)]
    assert [*map(id, walk(tree))] == [*map(id, expected)]
    assert len(expected) > 1000


def test_statements_on_one_line_and_decorated_ones_are_found() -> None:
    text = "a = 1; b = 2; c = 3\n@d\n@e(\n f)\nclass G:\n  @h\n  def i(self): j = 1; k = 2\nl = 4"
    source = Source(text)
    assert source.tree is not None
    for node in ast.walk(source.tree):
        if hasattr(node, "lineno"):
            place = Site(1, SiteKind.WRITE, 1, *span_of(node), None, Scope.LOCAL, 0)
            assert node in source.at(place)
