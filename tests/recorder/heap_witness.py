"""Inside a recorded program, but not recorded itself: writes down what objects really hold.

A program calls its own function ``mark(label, obj)``, which does nothing but call `show`; the trace
of the run is then held against what was written down (see `tests.recorder.heap_compare`). The
object is taken from the frame of `mark`, not passed on: foreign code that is handed an object makes
the recorder look at it again, and a write that was missed would be found by the search for it.

Nothing of the program runs here, and no instance's ``__dict__`` is asked for, because that would
change how its attributes are kept: they are looked for by the names that occur in the program's
source.
"""

from __future__ import annotations

import array
import collections
import functools
import gc
import json
import operator
import re
import struct
import sys
import types
from pathlib import Path
from typing import Any

CONSTANTS = (None, False, True, Ellipsis, NotImplemented)
SEQUENCES: tuple[Any, ...] = (list, tuple, collections.deque, bytearray, array.array)
SETS: tuple[Any, ...] = (set, frozenset)
SCALARS: tuple[Any, ...] = (int, float, complex, str, bytes)
VIEWS: tuple[Any, ...] = (
    types.MappingProxyType,
    type({}.keys()),
    type({}.values()),
    type({}.items()),
)
HEAPTYPE = 1 << 9
_mode = "w"
_names: list[str] = []


def atom(value: Any) -> list[Any] | None:
    """Return an exact atom as JSON that tells apart what Python's equality does not."""
    kind = type(value)
    if any(value is constant for constant in CONSTANTS):
        return ["const", repr(value)]
    if kind is int:
        return ["int", hex(value)]
    if kind is float:
        return ["float", struct.pack("<d", value).hex()]
    if kind is complex:
        return ["complex", struct.pack("<dd", value.real, value.imag).hex()]
    if kind is str:
        return ["str", value]
    if kind is bytes:
        return ["bytes", value.hex()]
    return None


class Graph:
    """An object and all that it leads to, as nodes with numbers."""

    def __init__(self, names: list[str]) -> None:
        self.names = names
        self.nodes: list[dict[str, Any]] = []
        self.numbers: dict[int, int] = {}
        self.kept: list[Any] = []  # an id is good only as long as its object lives

    def value(self, value: Any) -> list[Any]:
        """Return an atom, or the number of a node."""
        found = atom(value)
        if found is not None:
            return found
        if id(value) not in self.numbers:
            self.numbers[id(value)] = len(self.nodes)
            self.kept.append(value)
            node: dict[str, Any] = {"type": type.__getattribute__(type(value), "__qualname__")}
            self.nodes.append(node)
            self.describe(value, node)
        return ["ref", self.numbers[id(value)]]

    def describe(self, o: Any, node: dict[str, Any]) -> None:
        """Fill in what an object holds."""
        kind = type(o)
        ndarray = ndarray_of(kind)
        if ndarray is not None:
            self.array(ndarray.view(o, ndarray), node)
            node["attrs"] = {name: self.value(value) for name, value in self.attributes(o)}
            node["others"] = ["shape", "dtype"]
            return
        if kind.__module__ == "numpy":
            return
        if issubclass(kind, type | types.ModuleType):
            self.namespace(o, node)
            return
        self.contents(o, node)
        node["attrs"] = {name: self.value(value) for name, value in self.attributes(o)}
        node["others"] = [*members_of_c(kind), *([] if element_of(kind) is None else ["attrib"])]
        told = {name: self.value(value) for name, value in built_in(o)}
        if told:
            node["told"] = told

    def array(self, o: Any, node: dict[str, Any]) -> None:
        """A numpy array: at most 1,000 elements."""
        flat = o.reshape(-1)[:1000].tolist() if o.dtype.kind in "biufO" else None
        node["items"] = None if flat is None else [self.value(item) for item in flat]
        node["length"] = o.size
        node["shape"] = [self.value(n) for n in o.shape]
        node["dtype"] = self.value(o.dtype.str)

    def namespace(self, o: Any, node: dict[str, Any]) -> None:
        """The data in a class or module of the program; functions and the like by name only."""
        space = o.__dict__
        module = sys.modules.get(space.get("__module__" if isinstance(o, type) else "__name__"))
        if not is_recorded(module):
            return
        names = [name for name in space if not name.startswith("__")]
        others = [name for name in names if hasattr(type(space[name]), "__get__")]
        node["others"] = others
        node["attrs"] = {name: self.value(space[name]) for name in names if name not in others}

    def contents(self, o: Any, node: dict[str, Any]) -> None:
        """What a container holds."""
        if isinstance(o, SEQUENCES):
            base = next(base for base in SEQUENCES if isinstance(o, base))
            node["items"] = [self.value(item) for item in base.__iter__(o)]
        elif isinstance(o, dict):
            ordered = isinstance(o, collections.OrderedDict)
            kind: Any = collections.OrderedDict if ordered else dict
            pairs = kind.items(o)
            node["entries"] = [[self.value(k), self.value(v)] for k, v in pairs]
        elif isinstance(o, set | frozenset):
            base = next(base for base in SETS if isinstance(o, base))
            members = list(base.__iter__(o))
            members.sort(key=lambda member: json.dumps(atom(member) or ["~"]))
            node["members"] = [self.value(member) for member in members]
        element = element_of(type(o))
        if element is not None:
            places = range(element.__len__(o))
            node["items"] = [self.value(element.__getitem__(o, place)) for place in places]

    def attributes(self, o: Any) -> Any:
        """The attributes of an instance: its slots, and what its class does not have."""
        kind = type(o)
        if not kind.__flags__ & HEAPTYPE and kind.__dictoffset__ == 0:
            return  # a type of C: no attributes that the program could set
        skipped = {*members_of_c(kind), *path_slots(kind)}
        for name in self.names:
            if name in skipped:
                continue
            found = [base.__dict__[name] for base in kind.__mro__ if name in base.__dict__]
            if found and not may_be_covered(found[0]):
                if isinstance(found[0], functools.cached_property) and name in o.__dict__:
                    yield name, o.__dict__[name]
                continue
            try:
                value = object.__getattribute__(o, name)
            except AttributeError:
                continue
            if not found or not comes_from(found[0], value):
                yield name, value


def path_slots(kind: type) -> set[str]:
    """The slots of pathlib's classes, filled when somebody asks: no attributes of a path's value."""
    bases = [base for base in kind.__mro__ if base.__module__.partition(".")[0] == "pathlib"]
    return {name for base in bases for name in base.__dict__.get("__slots__", ())}


def may_be_covered(found: Any) -> bool:
    """Can an attribute of an instance be told from this one of its class without running code?"""
    plain = isinstance(found, types.MemberDescriptorType | types.FunctionType)
    return plain or not hasattr(type(found), "__get__")


def comes_from(found: Any, value: Any) -> bool:
    """Is this what the class has under the name?"""
    if isinstance(found, types.MemberDescriptorType):
        return False
    # Asking any object for `__func__` could run code of the program.
    return value is found or (isinstance(value, types.MethodType) and value.__func__ is found)


def ndarray_of(kind: type) -> Any:
    """numpy.ndarray, if this is a subclass of it; numpy is not imported for it."""
    for base in kind.__mro__:
        if base.__module__ == "numpy" and base.__name__ == "ndarray":
            return base
    return None


def element_of(kind: type) -> Any:
    """The C type of elements of xml.etree, if this is a subclass of it; nothing is imported for it."""
    for base in kind.__mro__:
        if base.__module__ == "xml.etree.ElementTree" and base.__name__ == "Element":
            return base
    return None


def members_of_c(kind: type) -> list[str]:
    """What the C code of a type shows as attributes: the trace may tell it."""
    spaces = [base.__dict__ for base in kind.__mro__ if "__slots__" not in base.__dict__]
    return [
        name
        for space in spaces
        for name, found in space.items()
        if isinstance(found, types.MemberDescriptorType)
    ]


def built_in(o: Any) -> Any:
    """What objects of some built-in types have beside attributes of their own."""
    if isinstance(o, BaseException):
        for name in ("args", "__cause__", "__context__"):
            value = getattr(BaseException, name).__get__(o)
            if value is not None:
                yield name, value
    elif isinstance(o, range | slice):
        for name in ("start", "stop", "step"):
            yield name, getattr(o, name)
    elif isinstance(o, SCALARS):
        yield "__value__", exact(o)
    elif isinstance(o, collections.deque):
        most = collections.deque.maxlen.__get__(o)
        if most is not None:
            yield "maxlen", most
    elif isinstance(o, array.array):
        yield "typecode", array.array.typecode.__get__(o)
    else:
        yield from parts_of_element(o)
        yield from parts_of_c(o)


def parts_of_element(o: Any) -> Any:
    """What an element of xml.etree holds beside its children."""
    element = element_of(type(o))
    if element is None:
        return
    for name in ("tag", "text", "tail"):
        yield name, getattr(element, name).__get__(o)
    if element.keys(o):  # asking for an empty one would make it
        yield "attrib", element.attrib.__get__(o)


def parts_of_c(o: Any) -> Any:
    """What objects of exact types in C show that is no object they hold as a member."""
    kind = type(o)
    if kind is memoryview:
        yield from (("obj", o.obj), ("nbytes", o.nbytes), ("format", o.format))
    elif kind is re.Pattern:
        yield "flags", o.flags
    elif kind is re.Match:
        yield from (("start", o.start()), ("end", o.end()))
        if o.groups():
            yield "groups", o.groups()
    elif kind in VIEWS:
        yield "mapping", gc.get_referents(o)[0]
    elif kind is operator.itemgetter:
        yield "args", o.__reduce__()[1]


def exact(o: Any) -> Any:
    """The value of an instance of a subclass of int, str ... as the exact type."""
    if isinstance(o, int):
        return int.__add__(o, 0)
    if isinstance(o, float):
        return float.__add__(o, -0.0)
    if isinstance(o, complex):
        return complex(o.real, o.imag)
    return "".join(str.__iter__(o)) if isinstance(o, str) else bytes(bytes.__iter__(o))


def is_recorded(module: Any) -> bool:
    """Does this module lie beside the program, and is not this one?"""
    file = None if module is sys.modules[__name__] else getattr(module, "__file__", None)
    main = Path(sys.modules["__main__"].__file__ or "").resolve()
    return file is not None and Path(file).resolve().parent == main.parent


def identifiers() -> list[str]:
    """Every word of the program's source: an attribute must have one of these names."""
    if not _names:
        source = Path(sys.modules["__main__"].__file__ or "").read_text("utf-8")
        words = set(re.findall(r"[A-Za-z_]\w*", source))
        _names.extend(sorted(word for word in words if not word.startswith("__")))
    return _names


def write(record: dict[str, Any]) -> None:
    """Add a line to the file of this run."""
    global _mode
    with Path("witness.jsonl").open(_mode, encoding="utf-8") as file:
        file.write(json.dumps(record) + "\n")
    _mode = "a"


def show(label: str) -> None:
    """Write down what the variable ``obj`` of the caller holds."""
    graph = Graph(identifiers())
    root = graph.value(sys._getframe(1).f_locals["obj"])
    write({"label": label, "root": root, "nodes": graph.nodes})


def show_locals(label: str) -> None:
    """Write down the variables of the function that called the caller."""
    frame = sys._getframe(2)
    graph = Graph(identifiers())
    variables = {
        name: graph.value(value)
        for name, value in frame.f_locals.items()
        if name.isidentifier() and not name.startswith("__")
    }
    write({"label": label, "locals": variables, "nodes": graph.nodes})
