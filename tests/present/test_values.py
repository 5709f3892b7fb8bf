from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.present.conftest import Record
from tests.trace.emitter import Emitter
from wrongcall.events import SEEN, Kind, Layout
from wrongcall.present import Viewer, columns
from wrongcall.recording import UNKNOWN, UNSET, Clipped, Ref

text = st.text(st.characters(exclude_categories=()), max_size=20)
atoms = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**200), 2**200),
    st.floats(),
    st.complex_numbers(),
    text,
    st.binary(max_size=20),
)
nested: st.SearchStrategy[Any] = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.tuples(st.just("list"), st.lists(inner, max_size=6)),
        st.tuples(st.just("tuple"), st.lists(inner, max_size=4)),
        st.tuples(st.just("dict"), st.lists(st.tuples(atoms, inner), max_size=4)),
        st.tuples(st.just("set"), st.lists(atoms, max_size=4)),
        st.tuples(st.text(min_size=1, max_size=8), st.lists(st.tuples(text, inner), max_size=4)),
    ),
    max_leaves=12,
)


def emitted(emitter: Emitter, value: Any) -> Any:
    """Write a nested value as objects; return what refers to it."""
    if not isinstance(value, tuple):
        return value
    name, parts = value
    layouts = {"list": Layout.LIST, "tuple": Layout.TUPLE, "dict": Layout.DICT, "set": Layout.SET}
    layout = layouts.get(name, Layout.INSTANCE)
    held = [
        (part[0], emitted(emitter, part[1])) if layout in (Layout.DICT, Layout.INSTANCE)
        else (None, emitted(emitter, part))
        for part in parts
    ]  # fmt: skip
    ref = emitter.new(name, length=len(parts), layout=layout)
    for i, (key, inner) in enumerate(held):
        if layout == Layout.DICT:
            emitter.entry(ref, key, inner, kind=Kind.ENTRY | SEEN)
        elif layout == Layout.INSTANCE:
            name_key = emitter.name(str(key).encode("utf-8", "replace").decode())
            emitter.event(Kind.ATTR | SEEN, obj=ref.oid, key=name_key, value=emitter.value(inner))
        elif layout == Layout.SET:
            emitter.member(ref, inner, kind=Kind.MEMBER | SEEN)
        else:
            emitter.item(Kind.ITEM | SEEN, ref, i, inner)
    return ref


@settings(max_examples=150)
@given(nested, st.integers(0, 60))
def test_a_line_is_never_longer_than_asked_and_always_safe(
    tmp_path_factory: pytest.TempPathFactory, value: Any, width: int
) -> None:
    emitter = Emitter()
    emitter.new("list")
    ref = emitted(emitter, value)
    with emitter.open(tmp_path_factory.mktemp("line") / "t.wrongcall") as recording:
        viewer = Viewer(recording)
        line = viewer.line(ref, width)
        assert columns(line) <= width
        assert line.isprintable()
        tree = viewer.tree(ref, "x\x1b", depth=2, width=width)
        stack = [tree]
        while stack:
            node = stack.pop()
            assert node.label.isprintable()
            assert node.type.isprintable()
            assert columns(node.summary) <= width
            stack.extend(node.parts)


@given(atoms)
def test_short_plain_values_are_shown_as_in_python(value: Any) -> None:
    from wrongcall.present.values import atom_text

    shown = atom_text(value, 200)
    if isinstance(value, int) and abs(value) >> 128:
        assert "bits" in shown
    elif isinstance(value, str) and not value.isprintable():
        assert shown.isprintable()
    else:
        assert shown == repr(value) or not repr(value).isprintable() or "\xad" in repr(value)


LINES = {
    "[1, 2, 3]": "[1, 2, 3]",
    "(1,)": "(1,)",
    "()": "()",
    "((1,), [(2,)])": "((1,), [(2,)])",
    "set()": "set()",
    "[set(), frozenset(), {}]": "[set(), frozenset(), {}]",
    "{'a': [1], 2: None}": "{'a': [1], 2: None}",
    "{7}": "{7}",
    "frozenset([7])": "frozenset({7})",
    "Point(1, 'two')": "Point(x=1, y='two')",
    "Empty()": "Empty()",
    "Color.RED": "Color.RED",
    "float('nan')": "nan",
    "-0.0": "-0.0",
    "b'\\x00a'": "b'\\x00a'",
    "'\\x1b[31m'": "'\\x1b[31m'",
    "'\\ud800'": "'\\ud800'",
    "'quote\"s'": "'quote\"s'",
    "...": "Ellipsis",
    "10 ** 30": "1000000000000000000000000000000",
    "MyInt(5)": "MyInt(5)",
    "MyList([1, 2])": "MyList([1, 2])",
    "ValueError('bad', 3)": "ValueError('bad', 3)",
    "range(2, 9)": "range(2, 9)",
    "Point": "<class Point>",
    "f": "<function f>",
    "sys": "<module sys>",
    "object()": "<object>",
    "collections.deque([1, 2])": "deque([1, 2])",
    "Data(1, 'x')": "Data(n=1, s='x')",
    "bytearray(b'ab')": "bytearray(b'ab')",
    "loop": "[1, #7]",
}


def test_lines_of_many_kinds_of_values(record: Record) -> None:
    listed = ",\n    ".join(LINES)
    run = record(
        f"""
import sys, enum, collections, dataclasses
class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y
    def __repr__(self):
        raise SystemExit("nobody asked for this")
class Empty: pass
class Color(enum.Enum):
    RED = 1
class MyInt(int): pass
class MyList(list): pass
@dataclasses.dataclass
class Data:
    n: int
    s: str
loop = [1]
loop.append(loop)
def f(value):
    return value
for value in [
    {listed}
]:
    f(value)
"""
    )
    shown = []
    for call in run.calls("f"):
        line = Viewer(run.recording, call.exit).line(call.value, 60)
        if isinstance(call.value, Ref):
            line = line.replace(f"#{call.value.oid}", "#7")
        shown.append(line)
    assert dict(zip(LINES, shown, strict=True)) == LINES


def test_long_values_are_shortened_and_counted(record: Record) -> None:
    run = record(
        """
        def f(value):
            return value
        f(list(range(1000)))
        f("x" * 1000)
        f({i: i for i in range(100)})
        f([[[[1] * 50] * 50] * 50])
        f(10 ** 5000)
        """
    )
    numbers, text, table, deep, big = (
        Viewer(run.recording, call.exit).line(call.value, 30) for call in run.calls("f")
    )
    assert numbers == "[0, 1, 2, 3, 4, 5, 6, 7, 8, …]"
    assert text.startswith("'xxxxxxxx")
    assert text.endswith("x' (1,000)")
    assert "x…x" in text
    assert 28 <= len(text) <= 30
    assert table.startswith("{0: 0, 1: 1, ")
    assert table.endswith("…}")
    assert deep.startswith("[[[[1, …")
    assert big.endswith("…")
    assert big.startswith("0x")


def test_a_tree_shows_sharing_folds_and_counts(record: Record) -> None:
    run = record(
        """
        class Node:
            def __init__(self, left, right):
                self.left, self.right = left, right

        def f(value):
            return value

        leaf = Node(None, None)
        root = Node(leaf, leaf)
        leaf.left = root
        f(root)
        f(list(range(200)))
        """
    )
    tree_call, list_call = run.calls("f")
    tree = Viewer(run.recording, tree_call.exit).tree(tree_call.value, "root", depth=3)
    assert (tree.label, tree.type, tree.size) == ("root", "Node", 2)
    left, right = tree.parts
    assert (left.label, right.label) == (".left", ".right")
    assert left.object == right.object
    assert [left.repeated, right.repeated] == [False, True]
    assert left.parts[0].object == tree.object
    assert left.parts[0].repeated
    viewer = Viewer(run.recording, list_call.exit)
    numbers = viewer.tree(list_call.value, "n", depth=1)
    assert (numbers.size, len(numbers.parts)) == (200, 50)
    rest = viewer.parts(numbers.object, 50, 2)
    assert [(part.label, part.summary) for part in rest] == [("[50]", "50"), ("[51]", "51")]


def test_arrays_show_shape_and_type(record: Record) -> None:
    run = record(
        """
        import numpy
        def f(value):
            return value
        f(numpy.arange(6.0).reshape(2, 3))
        """
    )
    line = Viewer(run.recording).line(run.call("f").value, 60)
    assert line == "ndarray(2, 3) float64 [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]"


def test_unset_and_unknown_values_say_so(tmp_path: Path) -> None:
    emitter = Emitter()
    held = emitter.new("list", length=None)
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        viewer = Viewer(recording)
        assert viewer.line(UNSET) == "<unset>"
        assert viewer.line(UNKNOWN) == "<unknown>"
        assert viewer.line(held) == "<list, not looked into>"
        assert viewer.line(Clipped("abc", 5000, 1), 20) == "'abc…' (5,000)"


def test_a_value_that_does_not_fit_is_not_shown_as_nothing(record: Record) -> None:
    run = record(
        """
        class Options:
            def __init__(self):
                self.width = 25
                self.initial_indent = ""
                self.subsequent_indent = ""

        options = Options()
        """
    )
    viewer = Viewer(run.recording)
    value = run.recording.states.globals("__main__")["options"]
    for width in range(10, 80):
        assert "=," not in viewer.line(value, width)
        assert "=)" not in viewer.line(value, width)
