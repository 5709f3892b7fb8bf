"""What a file of Python says about sites and nodes."""

from __future__ import annotations

from typing import Any

import pytest

from tests.languages.python.nodes import find, site, text, texts
from wrongcall.events import Passing, SiteKind
from wrongcall.languages.expressions import Unpacked, Written
from wrongcall.languages.python.python_file import PythonFile
from wrongcall.recording import Attr, Item

TEXT = """\
def f(a, *rest):
    x, y = a, rest
    x += 1
    o.attribute = x
    items[0] = items[1] = y
    items.append(x + 1)
    for element in sorted(items):
        pass
    with a as manager:
        pass
    return [each for each in items]

g = lambda n: n + 1
f(1, g(2), key=3)
"""
FILE = PythonFile(TEXT)


def _at(kind: SiteKind, source: str, name: str | None = None) -> Any:
    return site(kind, find(FILE.tree, source), name)


@pytest.mark.parametrize(
    "kind, source, name, expected",
    [
        (SiteKind.WRITE, "x, y = (a, rest)", "y", "rest"),
        (SiteKind.WRITE, "x += 1", "x", "x += 1"),  # the statement: there is no one expression
        (SiteKind.ATTR, "o.attribute", None, "x"),
        (SiteKind.ITEM, "items[1]", None, "y"),
        (SiteKind.CALL, "items.append(x + 1)", None, "x + 1"),
        (SiteKind.CALL, "sorted(items)", None, "sorted(items)"),
        (SiteKind.RETURN, "return [each for each in items]", None, "[each for each in items]"),
        (SiteKind.BLOCK, "x += 1", None, None),
    ],
)
def test_the_expression_at_a_site_gave_what_is_written_there(
    kind: SiteKind, source: str, name: str | None, expected: str | None
) -> None:
    assert text(FILE.expression_at(_at(kind, source, name))) == expected


def test_a_lambda_returns_its_body() -> None:
    assert text(FILE.returned_at(_at(SiteKind.RETURN, "n + 1"))) == "n + 1"


def test_a_call_is_found_at_its_site_and_nowhere_else() -> None:
    assert text(FILE.call_at(_at(SiteKind.CALL, "g(2)"))) == "g(2)"
    assert FILE.call_at(_at(SiteKind.RETURN, "n + 1")) is None


def test_a_loop_is_found_by_the_site_of_its_variable() -> None:
    loop = FILE.loop_at(_at(SiteKind.WRITE, "element"))
    assert loop is not None
    assert (text(loop.iterable), loop.whole[0], loop.whole[2]) == ("sorted(items)", 7, 8)
    element = FILE.loop_element(loop, "element", lambda node: True)
    assert element is not None
    assert text(element.container) == "items"
    assert FILE.loop_at(_at(SiteKind.CALL, "sorted(items)")) is None


def test_a_statement_is_computed_from_its_operands() -> None:
    assert texts(FILE.operands(find(FILE.tree, "x += 1"))) == ["x"]
    loop = FILE.loop_at(_at(SiteKind.WRITE, "element"))
    assert loop is not None
    assert texts(FILE.operands(loop.node)) == ["sorted(items)", "items"]


def test_arguments_are_passed_as_written() -> None:
    assert FILE.tree is not None
    call, definition = find(FILE.tree, "f(1, g(2), key=3)"), FILE.tree.body[0]
    unknown = Unpacked(lambda node: None, lambda node, name: None)

    def passed(name: str, part: Item | None = None) -> Any:
        return FILE.argument(call, definition, Passing.PLAIN, name, part, unknown)

    assert passed("a") == Written(call.args[0])
    assert passed("rest", Item(0)) == Written(call.args[1])
    assert FILE.collects(definition, "rest")
    assert not FILE.collects(definition, "a")
    assert FILE.argument(definition, definition, Passing.PLAIN, "a", None, unknown) is None


def test_a_generated_initialiser_gives_its_arguments_to_attributes() -> None:
    file = PythonFile("from dataclasses import dataclass\n@dataclass\nclass C:\n a: int\nC(41)\n")
    assert file.tree is not None
    definition, call = file.tree.body[1], file.tree.body[2].value  # type: ignore[attr-defined]
    unknown = Unpacked(lambda node: None, lambda node, name: None)
    found = file.generated_argument(call, definition, Attr("a"), unknown, file)
    assert found == Written(call.args[0])
    assert file.generated_argument(call, definition, Attr("b"), unknown, file) is None
    assert file.generated_argument(call, definition, Item(0), unknown, file) is None
    assert file.follows_generated_init("__post_init__")
    assert not file.follows_generated_init("__init__")


def test_a_store_changes_what_stands_before_its_last_step() -> None:
    assert text(FILE.stored_into(_at(SiteKind.ATTR, "o.attribute"))) == "o"
    assert text(FILE.stored_into(_at(SiteKind.ITEM, "items[0]"))) == "items"
    assert FILE.stored_into(_at(SiteKind.WRITE, "x += 1", "x")) is None


def test_a_call_may_change_receivers_and_arguments_of_the_calls_around_it() -> None:
    found = texts(FILE.may_change(_at(SiteKind.CALL, "g(2)")))
    assert {"2", "1", "g(2)", "3"} <= set(found)
    assert "items" in texts(FILE.may_change(_at(SiteKind.CALL, "x + 1")))


def test_nodes_of_other_languages_have_no_span() -> None:
    assert FILE.span("node") == (0, 0, 0, 0)
    assert FILE.span(find(FILE.tree, "n + 1")) == (13, 14, 13, 19)
