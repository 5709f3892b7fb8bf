"""What is known about the operations of objects, by their types."""

from __future__ import annotations

import pytest

from wrongcall.analysis.asking.natures import Natures
from wrongcall.events import Layout
from wrongcall.languages.python.asked.class_methods import ClassMethods
from wrongcall.languages.python.asked.recorded import Nature
from wrongcall.languages.python.sources import Sources
from wrongcall.trace.format.program_tables import File, Program, Type

SOURCE = """
class Plain: pass
class Equal:
    def __eq__(self, other): ...
class Sized:
    def __len__(self): ...
class Stack(list):
    def push(self): ...
class Odd(list):
    def __getitem__(self, i): ...
class Named(str):
    def __repr__(self): ...
"""


def natures() -> Natures:
    program = Program()
    program.files.add(1, File(1, "/prog.py", "prog", SOURCE))
    return Natures(ClassMethods(program, Sources(program)))


NATURES = natures()


@pytest.mark.parametrize(
    "module,name,layout,nature,is_true",
    [
        ("builtins", "list", Layout.LIST, Nature.VALUE, False),
        ("collections", "defaultdict", Layout.DICT, Nature.VALUE, False),
        ("prog", "Stack", Layout.LIST, Nature.VALUE, False),
        ("prog", "Odd", Layout.LIST, Nature.UNKNOWN, False),
        ("library", "Fast", Layout.LIST, Nature.UNKNOWN, False),
        ("prog", "Plain", Layout.INSTANCE, Nature.IDENTITY, True),
        ("prog", "Equal", Layout.INSTANCE, Nature.UNKNOWN, True),
        ("prog", "Sized", Layout.INSTANCE, Nature.UNKNOWN, False),
        ("library", "Thing", Layout.INSTANCE, Nature.UNKNOWN, False),
        ("builtins", "KeyError", Layout.EXCEPTION, Nature.IDENTITY, True),
        ("builtins", "function", Layout.FUNCTION, Nature.IDENTITY, True),
        ("prog", "Named", Layout.SCALAR, Nature.VALUE, False),
        ("library", "X", Layout.OPAQUE, Nature.UNKNOWN, False),
    ],
)
def test_a_nature_follows_from_the_type(
    module: str, name: str, layout: Layout, nature: Nature, is_true: bool
) -> None:
    number = hash((module, name)) & 0xFFFFFF
    known = NATURES.of(Type(number, module, name, layout), layout, is_enum=False)
    assert (known.nature, known.is_always_true) == (nature, is_true)


def test_texts_are_known_unless_the_class_writes_them() -> None:
    stack, named = (
        NATURES.of(Type(n, "prog", name, layout), layout, is_enum=False)
        for n, name, layout in ((1, "Stack", Layout.LIST), (2, "Named", Layout.SCALAR))
    )
    assert stack.is_text_known
    assert not named.is_text_known


def test_members_of_enums_in_libraries_are_themselves() -> None:
    type = Type(9, "http", "HTTPStatus", Layout.SCALAR)
    assert NATURES.of(type, Layout.SCALAR, is_enum=True).nature is Nature.VALUE
    assert NATURES.of(type, Layout.INSTANCE, is_enum=True).nature is Nature.IDENTITY
