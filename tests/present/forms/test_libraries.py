"""Objects of libraries: their type, and what says which one it is."""

from __future__ import annotations

from typing import Any

import pytest

from tests.present.objects import HOSTILE, Objects
from wrongcall.events import Layout, TypeOrigin
from wrongcall.present.forms.libraries import RECORDS, is_closed, library_object
from wrongcall.recording import Ref


def foreign(objects: Objects, kind: str = "Thing", /, **parts: Any) -> Ref:
    return objects.new(kind, parts, module="lib", origin=TypeOrigin.LIBRARY)


@pytest.mark.parametrize(
    "parts,shown",
    [
        ({}, "<Thing>"),
        ({"a": 1}, "<Thing>"),
        ({"name": "shop"}, "<Thing name='shop'>"),
        ({"port": 80, "name": "x", "host": "h"}, "<Thing name='x', host='h', port=80>"),
        ({"id": 1, "key": 2, "title": 3, "name": 4}, "<Thing name=4, id=1, key=2>"),
        ({"name": None, "id": "", "path": "/"}, "<Thing path='/'>"),
        ({"name": "x", "__name__": "f"}, "<Thing f>"),
        ({"__name__": "f", "__qualname__": "C.f"}, "<Thing C.f>"),
        ({"__name__": 3, "name": "x"}, "<Thing name='x'>"),
        ({"name": HOSTILE}, r"<Thing name='\x1b[2J\u202e\n'>"),
        ({"__name__": HOSTILE}, r"<Thing \x1b[2J\u202e\n>"),
    ],
)
def test_the_few_attributes_that_tell_objects_apart_are_shown(
    objects: Objects, parts: dict[str, Any], shown: str
) -> None:
    assert objects.text(library_object, foreign(objects, **parts)) == shown


def test_attributes_that_are_objects_are_not_shown(objects: Objects) -> None:
    ref = foreign(objects, name=objects.list(1), id=7)
    assert objects.text(library_object, ref) == "<Thing id=7>"


def test_a_request_shows_method_and_path_of_its_scope(objects: Objects) -> None:
    scope = objects.new("dict", entries=[("method", "GET"), ("path", "/a\n"), ("type", "http")])
    ref = foreign(objects, "Request", scope=scope)
    pathless = foreign(objects, "Request", scope=objects.new("dict", entries=[("path", 3)]))
    odd = foreign(objects, "Request", scope=objects.list("method"))
    assert objects.text(library_object, ref) == r"<Request GET /a\n>"
    assert objects.text(library_object, pathless) == "<Request>"
    assert objects.text(library_object, odd) == "<Request>"


def test_objects_of_the_program_are_left_to_other_writers(objects: Objects) -> None:
    own = objects.new("Thing", {"name": "x"}, module="shop", origin=TypeOrigin.PROGRAM)
    assert objects.text(library_object, own) is None
    assert not is_closed(objects.peek(own))


@pytest.mark.parametrize("kind", sorted(RECORDS))
def test_a_record_is_open_whichever_library_defines_it(objects: Objects, kind: str) -> None:
    ref = foreign(objects, "Model", name="x")
    objects.emitter.fields(objects.emitter.type("Model", Layout.INSTANCE, "lib"), kind, "name")
    assert not is_closed(objects.peek(ref))


@pytest.mark.parametrize(
    "layout,closed", [(Layout.INSTANCE, True), (Layout.OPAQUE, True), (Layout.LIST, False)]
)
def test_a_container_of_a_library_is_open(objects: Objects, layout: Layout, closed: bool) -> None:
    ref = objects.new("Thing", module="lib", origin=TypeOrigin.LIBRARY, layout=layout)
    assert is_closed(objects.peek(ref)) is closed


def test_objects_that_hold_only_values_of_the_program_are_open(objects: Objects) -> None:
    ref = objects.new("Namespace", {"a": 1}, module="argparse", origin=TypeOrigin.LIBRARY)
    assert not is_closed(objects.peek(ref))
