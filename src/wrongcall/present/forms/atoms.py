"""Forms of values that are one thing: dates, numbers of classes of their own, members of enums, matches."""

from __future__ import annotations

from wrongcall.events import Layout
from wrongcall.present.forms.form import Form, Sight, is_type, type_name, word
from wrongcall.present.text import safe
from wrongcall.recording import Clipped, Value
from wrongcall.replay.heap import Peek
from wrongcall.replay.literals import is_value_type, literal


def written(peek: Peek, sight: Sight) -> Form | None:
    """Write a value of a library type, or a member of an enum, as source would have it."""
    found = literal(peek, sight.peek)
    if found is None:
        return None
    parts = [(safe(before), value) for before, value in found.parts]
    return Form(safe(found.opening), safe(found.closing), parts, len(parts))


def scalar(peek: Peek, _sight: Sight) -> Form | None:
    """Write a number or text of a subclass as ``Celsius(21.5)``."""
    if peek.layout != Layout.SCALAR:
        return None
    return Form(f"{type_name(peek)}(", ")", [("", peek.attr("__value__"))], 1)


def interval(peek: Peek, _sight: Sight) -> Form | None:
    """Write a range or slice with its bounds; a range of steps of 1 without them."""
    if peek.layout not in (Layout.RANGE, Layout.SLICE):
        return None
    bounds = [("", value) for _, value in peek.attrs()]
    if peek.layout == Layout.RANGE and len(bounds) == 3 and bounds[2][1] == 1:
        bounds = bounds[:2]
    return Form(f"{type_name(peek)}(", ")", bounds, len(bounds))


def sentinel(peek: Peek, _sight: Sight) -> Form | None:
    """Write a sentinel (from 3.15 on) by its name."""
    name = peek.attr("__name__") if is_type(peek, "builtins", "sentinel") else None
    return Form(word(name)) if isinstance(name, str) else None


def match(peek: Peek, _sight: Sight) -> Form | None:
    """Write a match of a regular expression with the place and the text of it."""
    if not is_type(peek, "re", "Match"):
        return None
    start, end = peek.attr("start"), peek.attr("end")
    if not isinstance(start, int) or not isinstance(end, int):
        return Form("<re.Match>")
    found = _slice(peek.attr("string"), start, end)
    parts = [] if found is None else [("match=", found)]
    return Form(f"<re.Match span=({start}, {end}){', ' if parts else ''}", ">", parts, len(parts))


def _slice(text: Value, start: int, end: int) -> Value | None:
    if isinstance(text, Clipped):
        text = text.beginning
    if not isinstance(text, str | bytes) or end > len(text):
        return None
    return text[start:end]


def unknown(peek: Peek, _sight: Sight) -> Form | None:
    """Write what nothing is known of but its type."""
    if peek.layout == Layout.OPAQUE:
        return Form(f"<{type_name(peek)}>")
    if not peek.explored:
        return Form(f"<{type_name(peek)}, not looked into>")
    return None


def unreadable(peek: Peek, _sight: Sight) -> Form | None:
    """Write a value whose layout was not what the recorder knows: by its type alone."""
    if peek.layout != Layout.INSTANCE or not is_value_type(peek.type):
        return None
    return None if peek.counts[0] else Form(f"<{type_name(peek)}>")
