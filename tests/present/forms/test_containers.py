"""What holds other values: in brackets, as source would have it."""

from __future__ import annotations

import array
import os
import time
from collections import Counter, OrderedDict, defaultdict, deque
from typing import Any, NamedTuple

import pytest

from tests.present.objects import HOSTILE, Objects
from wrongcall.events import Layout
from wrongcall.present.forms import containers
from wrongcall.recording import Ref

PLAIN: list[Any] = [
    *([], [1], [1, 2], (), (1,), (1, 2), {}, {"a": 1, 2: None}, set(), {7}, frozenset()),
    *(frozenset({7}), deque(), deque([1, 2]), deque([1], 5), deque(maxlen=0)),
    *(array.array("i", [1, 2]), array.array("d", [1.5])),
    *(OrderedDict(), Counter(), defaultdict(int), defaultdict(None), Counter("aab")),
]
LAYOUTS: list[tuple[type, Layout]] = [
    *((list, Layout.LIST), (tuple, Layout.TUPLE), (dict, Layout.DICT), (set, Layout.SET)),
    *((frozenset, Layout.FROZENSET), (deque, Layout.DEQUE), (array.array, Layout.ARRAY)),
]


def made(objects: Objects, value: Any) -> Ref:
    """Make a container of plain values."""
    layout = next(layout for kind, layout in LAYOUTS if isinstance(value, kind))
    parts: dict[str, Any] = {}
    if isinstance(value, deque) and value.maxlen is not None:
        parts["maxlen"] = value.maxlen
    if isinstance(value, array.array):
        parts["typecode"] = value.typecode
    if isinstance(value, defaultdict):
        factory = value.default_factory
        parts["default_factory"] = factory and objects.new(
            "type", {"__qualname__": "int"}, layout=Layout.CLASS
        )
    kind, holds = type(value).__name__, {}
    if layout == Layout.DICT:
        holds["entries"] = value.items()
    elif layout in (Layout.SET, Layout.FROZENSET):
        holds["members"] = value
    else:
        holds["items"] = value
    return objects.new(kind, parts, layout=layout, **holds)


@pytest.mark.parametrize("value", PLAIN, ids=repr)
def test_containers_are_written_as_their_repr(objects: Objects, value: Any) -> None:
    expected = repr(value).replace("<class 'int'>", "int")
    assert objects.text(containers.container, made(objects, value)) == expected


def test_unknown_items_of_a_long_list_are_counted(objects: Objects) -> None:
    ref = objects.new("list", items=[1, 2], length=1000)
    assert objects.text(containers.container, ref) == "[1, 2, 998 more]"


def test_subclasses_are_named_but_orm_collections_are_not(objects: Objects) -> None:
    own = objects.new(f"My{HOSTILE}", layout=Layout.LIST, items=[1])
    module = "sqlalchemy.orm.collections"
    loaded = objects.new("InstrumentedList", layout=Layout.LIST, items=[1], module=module)
    assert objects.text(containers.container, own) == r"My\x1b[2J\u202e\n([1])"
    assert objects.text(containers.container, loaded) == "[1]"


def test_a_default_factory_without_a_name_shows_its_type(objects: Objects) -> None:
    factory = objects.new("Factory")
    ref = objects.new("defaultdict", {"default_factory": factory}, layout=Layout.DICT)
    assert objects.text(containers.container, ref) == "defaultdict(<Factory>, {})"


def test_long_keys_are_cut(objects: Objects) -> None:
    shown = objects.text(containers.container, objects.new("dict", entries=[("k" * 500, 1)]))
    assert shown is not None
    assert shown.endswith(": 1}")
    assert len(shown) < 50


# -- named tuples ----------------------------------------------------------------------------------


class Point(NamedTuple):
    x: int
    y: str


@pytest.mark.parametrize(
    "value,module",
    [
        (Point(1, "two"), "shop"),
        (os.terminal_size((80, 24)), "os"),
        (time.gmtime(0), "time"),
    ],
    ids=["Point", "terminal_size", "struct_time"],
)
def test_named_tuples_are_written_as_their_repr(
    objects: Objects, value: tuple[Any, ...], module: str
) -> None:
    names = [pair.partition("=")[0] for pair in repr(value).partition("(")[2].split(", ")]
    fields = objects.tuple(*names)
    ref = objects.new(
        type(value).__name__,
        {"__fields__": fields},
        module=module,
        layout=Layout.TUPLE,
        items=value,
    )
    assert objects.text(containers.named_tuple, ref) == repr(value)


def test_a_tuple_whose_fields_do_not_match_is_not_a_named_tuple(objects: Objects) -> None:
    fields = objects.tuple("x", "y")
    short = objects.new("P", {"__fields__": fields}, layout=Layout.TUPLE, items=[1])
    clipped = objects.new("P", {"__fields__": fields}, layout=Layout.TUPLE, items=[1, 2], length=9)
    plain = objects.tuple(1, 2)
    for ref in (short, clipped, plain):
        assert objects.text(containers.named_tuple, ref) is None


def test_a_value_without_a_field_name_stands_alone(objects: Objects) -> None:
    fields = objects.tuple("x", None)
    ref = objects.new("P", {"__fields__": fields}, layout=Layout.TUPLE, items=[1, 2])
    assert objects.text(containers.named_tuple, ref) == "P(x=1, 2)"


# -- bytes and characters --------------------------------------------------------------------------


@pytest.mark.parametrize("value", [b"", b"ab", b"\x00\xff'"])
def test_a_bytearray_is_written_by_its_bytes(objects: Objects, value: bytes) -> None:
    ref = objects.new("bytearray", items=value)
    assert objects.text(containers.raw_bytes, ref) == f"bytearray({value!r})"


@pytest.mark.parametrize("items,length", [([1, 2], 5), ([1, 300], None), ([1, "a"], None)])
def test_a_partly_known_bytearray_is_shown_as_a_list(
    objects: Objects, items: list[Any], length: int | None
) -> None:
    ref = objects.new("bytearray", items=items, length=length)
    assert objects.text(containers.raw_bytes, ref) is None


def test_arrays_of_characters_are_written_as_their_repr(objects: Objects) -> None:
    text = objects.new("array", {"typecode": "u"}, items="h\u00e9\n")
    empty = objects.new("array", {"typecode": "i"})
    clipped = objects.new("array", {"typecode": "u"}, items="ab", length=9)
    numbers = objects.new("array", {"typecode": "i"}, items=[1])
    write = containers.characters
    assert objects.text(write, text) == "array('u', 'h\u00e9\\n')"
    assert objects.text(write, empty) == repr(array.array("i"))
    assert objects.text(write, clipped) is None
    assert objects.text(write, numbers) is None


def test_other_objects_are_left_to_other_writers(objects: Objects) -> None:
    ref = objects.new("Box", {"items": 1})
    for write in (
        containers.container,
        containers.named_tuple,
        containers.raw_bytes,
        containers.characters,
    ):
        assert objects.text(write, ref) is None
