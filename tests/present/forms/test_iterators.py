"""Iterators say how far they have come, or no more than is known."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from tests.present.objects import HOSTILE, Objects
from wrongcall.events import Layout
from wrongcall.present.forms.iterators import iterator


def text(
    objects: Objects, name: str, parts: dict[str, Any], module: str = "builtins"
) -> str | None:
    return objects.text(iterator, objects.new(name, parts, module=module))


# -- by index --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["list_iterator", "list_reverseiterator"])
@pytest.mark.parametrize("taken", range(4))
def test_an_iterator_by_index_says_what_comes_next(objects: Objects, name: str, taken: int) -> None:
    items = [7, 8, 9]
    made = iter(items) if name == "list_iterator" else reversed(items)
    for _ in range(taken):
        next(made)
    kind = "list iterator" if name == "list_iterator" else "reversed list"
    position = taken if name == "list_iterator" else len(items) - 1 - taken
    shown = text(objects, name, {"of": objects.list(*items), "position": position})
    left = list(made)
    if left:
        assert shown == f"<{kind}, {taken} of 3 taken, next: {left[0]}>"
    else:
        assert shown == f"<{kind}, nothing left>"


@pytest.mark.parametrize(
    "name,of,position,shown",
    [
        ("str_iterator", "w\u20acy", 1, "<str iterator, 1 of 3 taken, next: '\u20ac'>"),
        ("str_ascii_iterator", "\x1b\n", 0, r"<str iterator, 0 of 2 taken, next: '\x1b'>"),
        ("bytes_iterator", b"ab", 1, "<bytes iterator, 1 of 2 taken, next: 98>"),
        ("reversed", "abc", 0, "<reversed, 2 of 3 taken, next: 'a'>"),
        ("iterator", None, 4, "<iterator, position 4, of: None>"),
    ],
)
def test_iterators_of_plain_values(
    objects: Objects, name: str, of: Any, position: int, shown: str
) -> None:
    assert text(objects, name, {"of": of, "position": position}) == shown


def test_the_iterator_of_an_unexplored_list_shows_its_position(objects: Objects) -> None:
    of = objects.new("list", explored=False)
    shown = text(objects, "list_iterator", {"of": of, "position": 2000})
    assert shown == "<list iterator, position 2,000, of: <list, not looked into>>"


def test_an_unknown_next_item_is_omitted(objects: Objects) -> None:
    of = objects.new("list", items=[1], length=1000)
    shown = text(objects, "list_iterator", {"of": of, "position": 500})
    assert shown == "<list iterator, 500 of 1,000 taken>"


@pytest.mark.parametrize(
    "parts,shown",
    [
        ({}, "<list iterator>"),
        ({"exhausted": True}, "<list iterator, exhausted>"),
        ({"exhausted": True, "position": 1}, "<list iterator, exhausted>"),
        ({"position": None}, "<list iterator>"),
    ],
)
def test_an_iterator_that_was_not_followed_claims_nothing(
    objects: Objects, parts: dict[str, Any], shown: str
) -> None:
    assert text(objects, "list_iterator", parts) == shown


# -- by what is left -------------------------------------------------------------------------------


def test_an_iterator_of_a_dict_counts_by_what_is_left(objects: Objects) -> None:
    of = objects.new("dict", entries=[("a", 1), ("b", 2), ("c", 3)])
    shown = text(objects, "dict_keyiterator", {"of": of, "left": 2, "next": "b"})
    assert shown == "<dict key iterator, 1 of 3 taken, next: 'b'>"


@pytest.mark.parametrize(
    "parts,shown",
    [
        ({"left": 0}, "<set iterator, exhausted>"),
        ({"left": 5}, "<set iterator, 5 left>"),
        ({"left": 5, "next": 3}, "<set iterator, 5 left, next: 3>"),
        ({"left": 5, "exhausted": True}, "<set iterator, exhausted>"),
        ({"left": 5, "changed": True}, "<set iterator, its container changed size>"),
        ({}, "<set iterator>"),
    ],
)
def test_an_iterator_whose_container_is_not_known_counts_what_is_left(
    objects: Objects, parts: dict[str, Any], shown: str
) -> None:
    assert text(objects, "set_iterator", parts) == shown


def test_more_items_left_than_the_container_has_are_only_counted(objects: Objects) -> None:
    of = objects.new("set", members=[1])
    assert text(objects, "set_iterator", {"of": of, "left": 3}) == "<set iterator, 3 left>"


# -- of other iterators ----------------------------------------------------------------------------


def test_iterators_of_iterators_show_what_they_take_from(objects: Objects) -> None:
    of = objects.list(1)
    assert text(objects, "enumerate", {"of": of, "count": 3}) == "<enumerate, count 3, [1]>"
    assert text(objects, "enumerate", {"of": of}) == "<enumerate, [1]>"
    assert text(objects, "zip", {"first": of, "second": "ab"}) == "<zip, [1], 'ab'>"
    mapped = text(objects, "map", {"function": 1, "of": of, "exhausted": True, "__x__": 1})
    assert mapped == "<map, exhausted, function: 1, [1]>"


@pytest.mark.parametrize(
    "made,parts",
    [
        (itertools.count(10), {"next": 10, "step": 1}),
        (itertools.count(10, 2), {"next": 10, "step": 2}),
        (itertools.count(0.5, 1.0), {"next": 0.5, "step": 1.0}),
        (itertools.repeat("x"), {"element": "x"}),
        (itertools.repeat("x", 3), {"element": "x", "left": 3}),
    ],
)
def test_counters_are_written_as_their_repr(
    objects: Objects, made: object, parts: dict[str, Any]
) -> None:
    assert text(objects, type(made).__name__, parts, "itertools") == repr(made)


def test_unknown_itertools_objects_show_their_kind(objects: Objects) -> None:
    for name in ("count", "repeat", "chain"):
        assert text(objects, name, {}, "itertools") == f"<itertools.{name}>"


def test_the_name_of_a_class_claiming_to_be_from_itertools_is_escaped(objects: Objects) -> None:
    shown = text(objects, HOSTILE, {HOSTILE: 1}, "itertools")
    assert shown == r"<itertools.\x1b[2J\u202e\n, \x1b[2J\u202e\n: 1>"


@pytest.mark.parametrize(
    "name,module,layout",
    [
        ("list_iterator", "shop", Layout.INSTANCE),
        ("list_iterator", "builtins", Layout.LIST),
        ("Box", "builtins", Layout.INSTANCE),
    ],
)
def test_other_objects_are_left_to_other_writers(
    objects: Objects, name: str, module: str, layout: Layout
) -> None:
    ref = objects.new(name, {"position": 1}, module=module, layout=layout)
    assert objects.text(iterator, ref) is None
