"""Elements of xml.etree are written like calls that make them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.present.objects import Objects
from wrongcall.events import Layout
from wrongcall.present.forms.elements import element
from wrongcall.recording import Ref

BARE = {"tag": "p", "text": None, "tail": None}


def new(objects: Objects, attrs: dict[str, Any], *children: Ref) -> Ref:
    """Return an element that holds this."""
    items = list(children)
    return objects.new(
        "Element", attrs, layout=Layout.ELEMENT, items=items, module="xml.etree.ElementTree"
    )


@pytest.mark.parametrize(
    "attrs,shown",
    [
        ({}, "Element('p')"),
        ({"text": "hello", "tail": " world"}, "Element('p', text='hello', tail=' world')"),
        ({"text": "", "tail": 7}, "Element('p', text='', tail=7)"),
        ({"number": None}, "Element('p', number=None)"),
    ],
)
def test_what_says_nothing_is_left_out(objects: Objects, attrs: dict[str, Any], shown: str) -> None:
    assert objects.text(element, new(objects, BARE | attrs)) == shown


def test_xml_attributes_follow_the_tag(objects: Objects) -> None:
    attrib = objects.new("dict", layout=Layout.DICT, entries=[("id", "7")])
    ref = new(objects, BARE | {"attrib": attrib, "text": "x"})
    assert objects.text(element, ref) == "Element('p', {'id': '7'}, text='x')"


def test_an_empty_dict_is_left_out(objects: Objects) -> None:
    attrib = objects.new("dict", layout=Layout.DICT)
    assert objects.text(element, new(objects, BARE | {"attrib": attrib})) == "Element('p')"


def test_children_come_last(objects: Objects) -> None:
    children = [new(objects, {**BARE, "tag": tag}) for tag in "bi"]
    ref = new(objects, BARE | {"text": "x"}, *children)
    assert objects.text(element, ref) == "Element('p', text='x', Element('b'), Element('i'))"


def test_other_objects_are_not_written_so(objects: Objects) -> None:
    assert objects.text(element, objects.list(1)) is None
