"""Values as source: what is executed makes an object that is the same in value, type, sharing and cycles."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.trace.conftest import Record, Recorded
from wrongcall.replay.source_text import (
    NoSourceError,
    number_text,
    plain_text,
    rebuilding_text,
)

CLASSES = """
import datetime
import enum
from dataclasses import dataclass

class Node:
    def __init__(self, value, next=None):
        self.value = value
        self.next = next

class Slotted:
    __slots__ = ("a", "b")
    def __init__(self, a):
        self.a = a

@dataclass(frozen=True)
class Point:
    x: int
    y: int

class Color(enum.Enum):
    RED = 1
"""
USE = "\ndef use(value):\n    pass\n\n"


def text_of(run: Recorded, number: int = 0) -> str:
    call = run.calls("use")[number]
    return rebuilding_text(run.recording.states.heap, call.args[0].value, call.args[0].time)


def made(text: str) -> Any:
    """Execute source with the program's classes, as the program defines them."""
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(CLASSES, names)
    if "value = " not in text:
        return eval(text, names)
    exec(text, names)
    return names["value"]


def shape(value: Any) -> Any:
    """Describe an object by itself: types and contents, each object numbered when it is first met."""
    seen: dict[int, int] = {}

    def of(each: Any) -> Any:
        if each is None or isinstance(each, bool | int | float | str | bytes):
            return type(each).__name__, repr(each)
        if id(each) in seen:
            return "again", seen[id(each)]
        seen[id(each)] = len(seen)
        name = type(each).__qualname__
        if isinstance(each, list | tuple):
            return name, [of(part) for part in each]
        if isinstance(each, dict):
            return name, [(of(k), of(v)) for k, v in each.items()]
        if isinstance(each, set | frozenset):
            return name, sorted((of(part) for part in each), key=repr)
        if name == "Color":
            return name, each.name
        slots = getattr(type(each), "__slots__", ())
        held = dict(vars(each)) if hasattr(each, "__dict__") else {}
        held |= {s: getattr(each, s) for s in slots if hasattr(each, s)}
        return name, [(key, of(part)) for key, part in sorted(held.items())]

    return of(value)


VALUES = {
    "instance": "Node(1, [2, 'x'])",
    "slots": "Slotted(3)",
    "frozen": "[Point(1, 2), Point(1, 2)]",
    "key": "{Point(1, 2): 'a', (Point(3, 4), 5): 'b'}",
    "shared": "(lambda a: [a, a, (a,)])([1])",
    "shared tuple": "(lambda a: [a, a])((1, [2]))",
    "set": "{1, frozenset({2, 3})}",
    "enum": "[Color.RED, Color.RED]",
    "nested": "Node(Node(None, {'k': (1.5, float('inf'), b'b')}), {1: {2: [Node(0)]}})",
    "long chain": "__import__('functools').reduce(lambda n, i: Node(i, n), range(100), None)",
}


@pytest.mark.parametrize("name", VALUES)
def test_what_is_written_makes_the_same_objects(record: Record, name: str) -> None:
    run = record(CLASSES + USE + f"use({VALUES[name]})")
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(CLASSES, names)
    assert shape(made(text_of(run))) == shape(eval(VALUES[name], names))


def test_cycles_come_out_as_they_were(record: Record) -> None:
    run = record(
        CLASSES
        + USE
        + "a = [1]\na.append(a)\nuse(a)\nn = Node(1)\nn.next = {'me': n, 'all': (n, a)}\nuse(n)\n"
    )
    ring = made(text_of(run, 0))
    assert (ring[0], len(ring)) == (1, 2)
    assert ring[1] is ring
    node = made(text_of(run, 1))
    assert node.next["me"] is node
    assert node.next["all"][0] is node
    assert node.next["all"][1][1] is node.next["all"][1]


def generated(chance: random.Random, names: list[str], depth: int = 0) -> Iterator[str]:
    """Write statements that make objects which refer to earlier ones, the name of each at its end."""
    for number in range(12):
        parts = [chance.choice([*names, str(number), "'t'", "None"]) for _ in range(3)]
        kind = chance.choice(
            ["[{}, {}, {}]", "({}, {}, {})", "{{'a': {}, 2: ({}, {})}}", "Node({}, [{}, {}])"]
        )
        yield f"v{number} = {kind.format(*parts)}"
        names.append(f"v{number}")


@pytest.mark.parametrize("seed", range(4))
def test_any_graph_of_objects_is_rebuilt(record: Record, seed: int) -> None:
    chance = random.Random(seed)
    statements = [
        line for n in range(10) for line in (*generated(chance, []), f"cases.append(v{n % 3 + 9})")
    ]
    program = CLASSES + USE + "cases = []\n" + "\n".join(statements) + "\nfor c in cases: use(c)\n"
    run = record(program)
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(CLASSES + "cases = []\n" + "\n".join(statements), names)
    for number, expected in enumerate(names["cases"]):
        assert shape(made(text_of(run, number))) == shape(expected), f"case {number}"


def test_what_cannot_be_rebuilt_says_which_value_it_is(record: Record) -> None:
    run = record(
        "import io, threading\n"
        + USE
        + "class A: pass\na = A()\na.lock = threading.Lock()\nuse(a)\n"
        + "def make():\n    class Local: pass\n    return Local()\nuse(make())\n"
        + "use([io.StringIO()])\n"
    )
    for number, named in enumerate(("lock", "Local", "StringIO")):
        with pytest.raises(NoSourceError, match=named):
            text_of(run, number)


def test_classes_of_modules_are_imported(record: Record) -> None:
    run = record(
        "import decimal, datetime\n"
        + USE
        + "use([decimal.Decimal('1.5'), datetime.date(2024, 2, 29)])"
    )
    text = text_of(run)
    names: dict[str, Any] = {}
    exec(text, names)
    assert [repr(v) for v in names["value"]] == ["Decimal('1.5')", "datetime.date(2024, 2, 29)"]


def test_plain_data_is_an_expression_unless_it_is_shared(record: Record) -> None:
    run = record(USE + "use([1, {'a': (2,)}])\na = []\nuse([a, a])")
    first, second = run.calls("use")
    heap = run.recording.states.heap
    assert ast.literal_eval(plain_text(heap, first.args[0].value, first.args[0].time)) == [
        1,
        {"a": (2,)},
    ]
    with pytest.raises(NoSourceError, match="shared"):
        plain_text(heap, second.args[0].value, second.args[0].time)


@given(st.integers() | st.integers(0, 4000).map(lambda bits: -(1 << bits)))
@settings(max_examples=50)
def test_numbers_of_any_size_can_be_written(number: int) -> None:
    assert ast.literal_eval(number_text(number)) == number
