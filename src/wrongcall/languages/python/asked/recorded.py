"""Objects of the program, as expressions see them.

A `Recorded` stands for one object at one time. To an operator or a builtin function it behaves as the object would,
as far as that is known without running the program:

- a *value* (a list, dict, tuple, ..., also of a subclass that changes nothing about it) opens into an equal Python
  value, whose elements are atoms or `Recorded` again;
- an object with *identity* (an instance of a class without `__eq__`, `__bool__` and the like; a function, a class)
  equals itself alone and is true;
- anything else raises `NotKnownError`.

Invariant: at one time, one object is one `Recorded`, so Python's own shortcut for identical elements applies.
"""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from enum import Enum
from typing import Any

from wrongcall.errors import NotKnownError
from wrongcall.events import Layout


class Nature(Enum):
    """What is known about the operations of an object."""

    VALUE = "value"
    IDENTITY = "identity"
    UNKNOWN = "unknown"


class Recorded(ABC):
    """An object of the program at a time; subclasses know where it is recorded."""

    oid: int
    layout: Layout
    module: str
    """The module and the name of its type."""
    qualname: str

    # -- what a subclass knows ---------------------------------------------------------------------

    @property
    @abstractmethod
    def nature(self) -> Nature:
        """What is known about its operations."""

    @property
    @abstractmethod
    def is_text_known(self) -> bool:
        """Whether its text is that of the value it opens into."""

    @property
    def is_always_true(self) -> bool:
        """Whether its truth value is known to be true."""
        return False

    @abstractmethod
    def opened(self) -> Any:
        """Return the Python value that it equals; only for `Nature.VALUE`."""

    @abstractmethod
    def length(self) -> int | None:
        """Return its length without opening it; None if that is not possible."""

    @abstractmethod
    def item(self, key: object) -> object:
        """Return the element for a subscript that is not a slice."""

    @abstractmethod
    def attribute(self, name: str) -> object:
        """Return an attribute that it stores, or that its class stores."""

    def get(self, key: object, default: object = None) -> object:
        """Return the value for a key of a dict, or the default."""
        return self.plain("the method get").get(key, default)

    # -- what follows from it ----------------------------------------------------------------------

    def plain(self, operation: str) -> Any:
        """Return the value that it equals, for an operation on it."""
        if self.nature is Nature.VALUE:
            return self.opened()
        raise NotKnownError(
            f"{operation} of {self.qualname} objects may be the program's own code, which does not run"
        )

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True if self.nature is Nature.IDENTITY else bool(self._compared("==", other))
        if self.nature is Nature.IDENTITY:
            if isinstance(other, Recorded) and other.nature is not Nature.IDENTITY:
                other.plain("==")
            return False
        return bool(self._compared("==", other))

    def _compared(self, sign: str, other: object) -> Any:
        theirs = other
        if isinstance(other, Recorded):
            if other.nature is Nature.IDENTITY and sign in ("==", "!="):
                self.plain(sign)
                return sign == "!="
            theirs = other.plain(sign)
        return COMPARISONS[sign](self.plain(sign), theirs)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __lt__(self, other: object) -> Any:
        return self._compared("<", other)

    def __le__(self, other: object) -> Any:
        return self._compared("<=", other)

    def __gt__(self, other: object) -> Any:
        return self._compared(">", other)

    def __ge__(self, other: object) -> Any:
        return self._compared(">=", other)

    def __hash__(self) -> int:
        return hash(self.oid) if self.nature is Nature.IDENTITY else hash(self.plain("hash()"))

    def __bool__(self) -> bool:
        if self.nature is Nature.IDENTITY or self.is_always_true:
            return True
        length = self.length() if self.nature is Nature.VALUE else None
        return bool(self.plain("the truth value")) if length is None else length > 0

    def __len__(self) -> int:
        length = self.length() if self.nature is Nature.VALUE else None
        return len(self.plain("len()")) if length is None else length

    def __iter__(self) -> Iterator[Any]:
        return iter(self.plain("iteration"))

    def __contains__(self, value: object) -> bool:
        return value in self.plain("in")

    def __getitem__(self, key: object) -> object:
        return self.plain("a subscript")[key]

    def __call__(self, *args: object, **named: object) -> object:
        raise NotKnownError("functions of the program do not run")

    def __index__(self) -> int:
        return operator.index(self.plain("use as an index"))

    def __int__(self) -> int:
        return int(self.plain("int()"))

    def __float__(self) -> float:
        return float(self.plain("float()"))

    def __complex__(self) -> complex:
        return complex(self.plain("complex()"))

    def __repr__(self) -> str:
        return repr(self._text_value("repr()"))

    def __str__(self) -> str:
        return str(self._text_value("str()"))

    def __format__(self, spec: str) -> str:
        return format(self._text_value("the format"), spec)

    def _text_value(self, operation: str) -> Any:
        if self.nature is Nature.VALUE and not self.is_text_known:
            raise NotKnownError(f"{operation} of {self.qualname} objects is not known")
        value = self.plain(operation)
        if isinstance(value, set | frozenset) and len(value) > 1:
            raise NotKnownError("the order of a set is not recorded; use sorted(...)")
        return value


COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}

_BINARY = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**",
    "and": "&", "or": "|", "xor": "^", "lshift": "<<", "rshift": ">>", "matmul": "@",
}  # fmt: skip
_UNARY = {"neg": "-", "pos": "+", "invert": "~", "abs": "abs()"}


def _binary(name: str, sign: str) -> None:
    function = getattr(operator, f"{name}_" if name in ("and", "or") else name)

    def forward(self: Recorded, other: Any) -> Any:
        theirs = other.plain(sign) if isinstance(other, Recorded) else other
        return function(self.plain(sign), theirs)

    def reflected(self: Recorded, other: Any) -> Any:
        return function(other, self.plain(sign))

    setattr(Recorded, f"__{name}__", forward)
    setattr(Recorded, f"__r{name}__", reflected)


def _unary(name: str, sign: str) -> None:
    function = getattr(operator, name)
    setattr(Recorded, f"__{name}__", lambda self: function(self.plain(sign)))


for _name, _sign in _BINARY.items():
    _binary(_name, _sign)
for _name, _sign in _UNARY.items():
    _unary(_name, _sign)


class Unread(Recorded):
    """A value that the recording has only in part, or not at all; what is done with it is not known."""

    oid = 0
    layout = Layout.OPAQUE
    module = qualname = ""
    is_text_known = False
    nature = Nature.UNKNOWN

    def __init__(self, reason: str, value: object = None, length: int | None = None) -> None:
        """``value``: what is known of it, to be shown; ``length``: its whole length, if known."""
        self.reason = reason
        self.value = value
        self._length = length

    def plain(self, operation: str) -> Any:
        """Refuse."""
        raise NotKnownError(self.reason)

    def opened(self) -> Any:
        """Refuse."""
        return self.plain("its value")

    def length(self) -> int | None:
        """Return its length."""
        return self._length

    def item(self, key: object) -> object:
        """Refuse."""
        return self.plain("a subscript")

    def attribute(self, name: str) -> object:
        """Refuse."""
        return self.plain("an attribute")

    def __len__(self) -> int:
        return self.plain("len()") if self._length is None else self._length

    def __bool__(self) -> bool:
        return bool(self.plain("the truth value") if self._length is None else self._length)


def plain(value: object, operation: str) -> Any:
    """Return a value as Python's own, for an operation on it; objects with identity stay as they are."""
    if isinstance(value, Recorded) and value.nature is not Nature.IDENTITY:
        return value.plain(operation)
    return value
