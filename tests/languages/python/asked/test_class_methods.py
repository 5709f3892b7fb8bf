"""Special methods of classes, read off their source."""

from __future__ import annotations

import pytest

from wrongcall.languages.python.asked.class_methods import ClassMethods
from wrongcall.languages.python.sources import Sources
from wrongcall.trace.format.program_tables import File, Program

SOURCE = """
import abc, enum
from dataclasses import dataclass
from other import Base
import library

class Plain: pass
class Own:
    def __eq__(self, other): ...
    __hash__ = None
class Derived(Own): pass
class Far(Base): pass
class Foreign(library.Thing): pass
class Unknown(Missing): pass
@dataclass
class Data: pass
@library.decorated
class Decorated: pass
class Meta(metaclass=library.Meta): pass
class Abstract(abc.ABC): pass
class Color(enum.Enum): pass
class Perm(enum.Flag): pass
class Stack(list):
    def push(self, x): ...
class Twice: pass
class Twice: pass
def function():
    class Local:
        def __len__(self): ...
class Outer:
    class Inner:
        def __bool__(self): ...
"""


def program(**sources: str) -> ClassMethods:
    made = Program()
    for number, (module, text) in enumerate(sources.items(), 1):
        made.files.add(number, File(number, f"/{module}.py", module, text))
    return ClassMethods(made, Sources(made))


METHODS = program(main=SOURCE, other="class Base:\n    def __bool__(self): ...\n")


@pytest.mark.parametrize(
    "name,expected",
    [
        ("Plain", set()),
        ("Own", {"__eq__", "__hash__"}),
        ("Derived", {"__eq__", "__hash__"}),
        ("Far", {"__bool__"}),
        ("Abstract", set()),
        ("Color", set()),
        ("Perm", {"__bool__", "__contains__", "__iter__", "__len__"}),
        ("Stack", set()),
        ("function.<locals>.Local", {"__len__"}),
        ("Outer.Inner", {"__bool__"}),
        ("Foreign", None),
        ("Unknown", None),
        ("Decorated", None),
        ("Meta", None),
        ("Twice", None),
        ("Nowhere", None),
    ],
)
def test_methods_are_known_if_the_source_tells(name: str, expected: set[str] | None) -> None:
    assert METHODS.of("main", name) == expected


def test_a_dataclass_has_what_its_decorator_adds() -> None:
    assert {"__eq__", "__repr__"} <= (METHODS.of("main", "Data") or set())


def test_a_class_is_defined_unless_all_source_lacks_it() -> None:
    assert METHODS.defines("main", "Plain")
    assert not METHODS.defines("main", "Nowhere")
    assert program(main="class (").defines("main", "Anything")
