"""What is known about the operations of the program's objects, by their types.

An object of a builtin type is a value. One of a class of the program is what its source says: a value or an identity if
the class defines no special method that would matter. About other objects nothing is concluded.
"""

from __future__ import annotations

from typing import NamedTuple

from wrongcall.events import Layout
from wrongcall.languages.python.asked.class_methods import ClassMethods
from wrongcall.languages.python.asked.recorded import Nature
from wrongcall.trace.format.program_tables import Type

_CONTAINERS = frozenset(
    {
        *(Layout.LIST, Layout.TUPLE, Layout.DICT, Layout.SET, Layout.FROZENSET, Layout.DEQUE),
        *(Layout.BYTEARRAY, Layout.RANGE, Layout.SLICE),
    }
)
_KNOWN_CONTAINERS = {
    "builtins": frozenset(
        {"list", "tuple", "dict", "set", "frozenset", "bytearray", "range", "slice"}
    ),
    "collections": frozenset({"deque", "defaultdict", "OrderedDict", "Counter"}),
    "_collections": frozenset({"deque", "defaultdict"}),
}
_ELEMENT = ("xml.etree.ElementTree", "Element")
_BY_IDENTITY = frozenset({Layout.FUNCTION, Layout.CLASS, Layout.MODULE, Layout.ACTIVATION})
_IDENTITY = frozenset({"__eq__", "__bool__", "__len__"})
_TRUTH = frozenset({"__bool__", "__len__"})
_TEXT = frozenset({"__repr__", "__str__", "__format__"})
_HARMLESS = frozenset(
    {
        *("__init__", "__new__", "__post_init__", "__init_subclass__", "__class_getitem__"),
        *("__slots__", "__doc__", "__annotations__", "__match_args__", "__setitem__", "__del__"),
        *("__delitem__", "__call__", "__enter__", "__exit__", "__set_name__", "__setattr__"),
        *("__getstate__", "__setstate__", "__reduce__", "__copy__", "__deepcopy__"),
    }
)
_TEXTLESS = frozenset({"defaultdict"})


class Known(NamedTuple):
    """What is known about objects of a type."""

    nature: Nature
    is_text_known: bool = False
    is_always_true: bool = False
    is_missing_computed: bool = False
    """A missing key would run a function."""


NOTHING = Known(Nature.UNKNOWN)
"""Nothing is known."""


class Natures:
    """Knows what types of objects do."""

    def __init__(self, methods: ClassMethods) -> None:
        self._methods = methods
        self._known: dict[tuple[int, Layout, bool], Known] = {}

    def of(self, type: Type, layout: Layout, is_enum: bool) -> Known:
        """Return what is known about objects of a type and layout; ``is_enum``: it is a member of an enum."""
        key = (type.id, layout, is_enum)
        if key not in self._known:
            self._known[key] = self._find(type, layout, is_enum)
        return self._known[key]

    def _find(self, type: Type, layout: Layout, is_enum: bool) -> Known:
        if layout in _BY_IDENTITY:
            return Known(Nature.IDENTITY, is_always_true=True)
        if type.qualname in _KNOWN_CONTAINERS.get(type.module, ()) and layout in _CONTAINERS:
            textless = type.qualname in _TEXTLESS
            return Known(Nature.VALUE, not textless, is_missing_computed=textless)
        if (type.module, type.qualname) == _ELEMENT:
            return Known(Nature.IDENTITY)
        if layout == Layout.EXCEPTION and type.module == "builtins":
            return Known(Nature.IDENTITY, is_always_true=True)
        methods = self._methods.of(type.module, type.qualname)
        if methods is None:
            return self._without_source(type, layout, is_enum)
        if layout in _CONTAINERS or layout == Layout.SCALAR:
            if methods - _HARMLESS - _TEXT:
                return NOTHING
            named = is_enum or type.kind == "namedtuple"
            return Known(Nature.VALUE, not named and not methods & _TEXT)
        if layout not in (Layout.INSTANCE, Layout.EXCEPTION):
            return NOTHING
        nature = Nature.UNKNOWN if methods & _IDENTITY else Nature.IDENTITY
        return Known(nature, is_always_true=not methods & _TRUTH)

    def _without_source(self, type: Type, layout: Layout, is_enum: bool) -> Known:
        """Return what is known about objects of a class that is not in the program's source."""
        if type.kind == "namedtuple" and not self._methods.defines(type.module, type.qualname):
            return Known(Nature.VALUE)
        if is_enum and not self._methods.defines(type.module, type.qualname):
            return Known(Nature.VALUE if layout == Layout.SCALAR else Nature.IDENTITY)
        return NOTHING
