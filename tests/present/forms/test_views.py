"""Views show what they look at, as it is at that time."""

from __future__ import annotations

from collections import ChainMap
from types import MappingProxyType
from typing import Any

import pytest

from tests.present.objects import Objects
from wrongcall.events import Layout
from wrongcall.present.forms.views import chain_map, dict_view, memory_view

HELD = {"a": [1], 2: None}


def test_views_of_a_dict_show_what_it_holds(objects: Objects) -> None:
    held = objects.new("dict", entries=[("a", objects.list(1)), (2, None)])
    names = ("dict_keys", "dict_values", "dict_items", "mappingproxy")
    refs = [objects.new(name, {"mapping": held}) for name in names]
    keys, values, items, proxy = (objects.text(dict_view, ref) for ref in refs)
    assert (keys, values) == (repr(HELD.keys()), repr(HELD.values()))
    assert items == f"dict_items({HELD})"
    assert proxy == repr(MappingProxyType(HELD))


def test_a_view_of_the_attributes_of_an_instance_shows_them(objects: Objects) -> None:
    held = objects.new("Box", {"x": 1, "y": 2})
    ref = objects.new("odict_keys", {"mapping": held})
    assert objects.text(dict_view, ref) == "odict_keys(['x', 'y'])"


def test_a_view_whose_dict_is_not_known_is_written_by_its_kind(objects: Objects) -> None:
    assert objects.text(dict_view, objects.new("dict_keys")) == "<dict_keys>"
    foreign = objects.new("dict_keys", {"mapping": objects.new("dict")}, module="shop")
    assert objects.text(dict_view, foreign) is None


@pytest.mark.parametrize(
    "parts,shown",
    [
        ({"obj": b"ab", "nbytes": 2}, "<memoryview of bytes, 2 bytes>"),
        ({"obj": None, "nbytes": 1}, "<memoryview of memory, 1 byte>"),
        ({"obj": b"", "nbytes": 5000}, "<memoryview of bytes, 5,000 bytes>"),
        ({"obj": b"ab"}, "<memoryview>"),
        ({"obj": b"ab", "nbytes": 2, "released": True}, "<released memoryview>"),
    ],
)
def test_a_memoryview_shows_what_it_looks_at_and_how_much(
    objects: Objects, parts: dict[str, Any], shown: str
) -> None:
    assert objects.text(memory_view, objects.new("memoryview", parts)) == shown


def test_a_memoryview_of_an_object_names_its_type(objects: Objects) -> None:
    ref = objects.new("memoryview", {"obj": objects.new("bytearray"), "nbytes": 0})
    assert objects.text(memory_view, ref) == "<memoryview of bytearray, 0 bytes>"
    assert objects.text(memory_view, objects.new("memoryview", module="shop")) is None


def test_a_chain_map_is_written_as_its_repr(objects: Objects) -> None:
    maps = objects.list(objects.new("dict", entries=[("a", 1)]), objects.new("dict"))
    ref = objects.new("ChainMap", {"maps": maps}, module="collections")
    assert objects.text(chain_map, ref) == repr(ChainMap({"a": 1}, {}))
    unknown = objects.new("ChainMap", module="collections")
    own = objects.new("ChainMap", {"maps": maps}, module="shop", layout=Layout.INSTANCE)
    assert objects.text(chain_map, unknown) is None
    assert objects.text(chain_map, own) is None
