"""Reads and sets attributes of live objects without running any code of their classes."""

from __future__ import annotations

from typing import Any
from xml.etree.ElementTree import Element

_PARTS = ("tag", "text", "tail")
"""Attributes that every element has; the dict of its XML attributes comes into being when it is needed."""


def function_names(made: Any) -> frozenset[str]:
    """Return the names of a function or class: the one it has, and the one of its definition.

    ``functools.wraps`` changes the first one; which of them a recording has depends on when the object was first seen.
    """
    code = getattr(made, "__code__", None)
    found = (getattr(made, "__qualname__", None), getattr(code, "co_qualname", None))
    return frozenset(name for name in found if isinstance(name, str))


def attributes(made: Any) -> dict[str, Any]:
    """Return the attributes that an object has itself."""
    found = dict(getattr(made, "__dict__", {}))
    for kind in type(made).__mro__:
        for name, slot in vars(kind).items():
            if type(slot).__name__ == "member_descriptor" and kind.__module__ != "builtins":
                try:
                    found[name] = slot.__get__(made)
                except AttributeError:
                    continue  # not bound
    if isinstance(made, Element):
        found |= {name: vars(Element)[name].__get__(made) for name in _PARTS}
        if Element.keys(made):
            found["attrib"] = attrib_of(made)
    return found


def attrib_of(made: Element) -> dict[str, Any]:
    """Return the dict of an element's XML attributes."""
    found: dict[str, Any] = vars(Element)["attrib"].__get__(made)
    return found


def builtin_members(raised: BaseException) -> dict[str, Any]:
    """Return what builtin exceptions keep besides their arguments: the name and the object of an AttributeError."""
    return {
        name: slot.__get__(raised)
        for kind in type(raised).__mro__
        if kind.__module__ == "builtins" and kind is not BaseException
        for name, slot in vars(kind).items()
        if type(slot).__name__ == "member_descriptor"
    }


def set_attribute(made: Any, name: str, value: Any) -> None:
    """Set an attribute."""
    if isinstance(made, BaseException) and name == "args":
        made.args = value
    elif isinstance(made, Element) and name in (*_PARTS, "attrib"):
        vars(Element)[name].__set__(made, value)
    elif hasattr(made, "__dict__") and not _is_slot(made, name):
        made.__dict__[name] = value
    else:
        object.__setattr__(made, name, value)


def _is_slot(made: Any, name: str) -> bool:
    return any(
        type(vars(kind).get(name)).__name__ == "member_descriptor" for kind in type(made).__mro__
    )
