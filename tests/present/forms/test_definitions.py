"""Modules, classes, functions and generators are written by name."""

from __future__ import annotations

import pytest

from tests.present.objects import HOSTILE, Objects
from wrongcall.events import Layout
from wrongcall.present.forms.definitions import activation, definition
from wrongcall.present.forms.form import Writer


@pytest.mark.parametrize(
    "layout,part,shown",
    [
        (Layout.MODULE, "__name__", "<module shop.cart>"),
        (Layout.CLASS, "__qualname__", "<class shop.cart>"),
        (Layout.FUNCTION, "__qualname__", "<function shop.cart>"),
    ],
)
def test_a_definition_is_written_by_its_name(
    objects: Objects, layout: Layout, part: str, shown: str
) -> None:
    named = objects.new("thing", {part: "shop.cart"}, layout=layout)
    odd = objects.new("thing", {part: HOSTILE}, layout=layout)
    nameless = objects.new("thing", {part: None}, layout=layout)
    assert objects.text(definition, named) == shown
    assert objects.text(definition, odd) == shown.replace("shop.cart", r"\x1b[2J\u202e\n")
    assert objects.text(definition, nameless) == shown.replace("shop.cart", "?")


def test_a_generator_without_a_known_call_shows_its_type(objects: Objects) -> None:
    assert objects.text(activation, objects.new("generator")) == "<generator>"


@pytest.mark.parametrize("write", [definition, activation])
def test_instances_are_left_to_other_writers(objects: Objects, write: Writer) -> None:
    assert objects.text(write, objects.new("Box", {"__name__": "b"})) is None
