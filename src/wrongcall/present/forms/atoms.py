"""Forms of values that are one thing: dates, numbers of classes of their own, members of enums."""

from __future__ import annotations

from wrongcall.events import Layout
from wrongcall.present.forms.form import Form, Sight, type_name
from wrongcall.present.text import safe
from wrongcall.trace import UNSET
from wrongcall.trace.heap import Peek


def written(peek: Peek, _sight: Sight) -> Form | None:
    """Write a value of a known C type as the recorder read it."""
    text = peek.attr("__repr__")
    if peek.layout != Layout.INSTANCE or not isinstance(text, str):
        return None
    return Form(safe(text))


def enum_member(peek: Peek, _sight: Sight) -> Form | None:
    """Write a member of an enum as ``Color.RED``."""
    name = peek.attr("_name_")
    if peek.layout != Layout.INSTANCE or not isinstance(name, str):
        return None
    if peek.attr("_value_") is UNSET:
        return None
    return Form(f"{type_name(peek)}.{safe(name)}")


def scalar(peek: Peek, _sight: Sight) -> Form | None:
    """Write a number or text of a subclass as ``Celsius(21.5)``."""
    if peek.layout != Layout.SCALAR:
        return None
    return Form(f"{type_name(peek)}(", ")", [("", peek.attr("__value__"))], 1)


def interval(peek: Peek, _sight: Sight) -> Form | None:
    """Write a range or slice with its bounds."""
    if peek.layout not in (Layout.RANGE, Layout.SLICE):
        return None
    bounds = [("", value) for _, value in peek.attrs()]
    return Form(f"{type_name(peek)}(", ")", bounds, len(bounds))


def unknown(peek: Peek, _sight: Sight) -> Form | None:
    """Write what nothing is known of but its type."""
    if peek.layout == Layout.OPAQUE:
        return Form(f"<{type_name(peek)}>")
    return None if peek.explored else Form(f"<{type_name(peek)}, not looked into>")
