"""How exceptions are written: with their message, and with what was added to it."""

from __future__ import annotations

from wrongcall.events import Layout
from wrongcall.present.forms.form import Form, Sight, type_name
from wrongcall.recording import UNSET, Ref, Value
from wrongcall.replay.heap import Peek

_ARGUMENTS = 5
"""Arguments of an exception that are shown."""
_MORE = (("__notes__", "notes="), ("__cause__", "cause="))


def exception(peek: Peek, sight: Sight) -> Form | None:
    """Write an exception with its arguments, its notes and its cause."""
    if peek.layout != Layout.EXCEPTION:
        return None
    args = peek.attr("args")
    held = sight.peek(args.oid) if isinstance(args, Ref) else None
    parts: list[tuple[str, Value]] = [
        ("", value) for value in (held.items(0, _ARGUMENTS) if held else [])
    ]
    count = held.length if held else 0
    parts += _file_names(peek, count)
    parts += [
        (prefix, value)
        for name, prefix in _MORE
        if (value := peek.attr(name)) is not UNSET and value is not None
    ]
    if held is not None and count > _ARGUMENTS:
        return Form(f"{type_name(peek)}(", ")", parts[:_ARGUMENTS], count)
    return Form(f"{type_name(peek)}(", ")", parts, len(parts))


def _file_names(peek: Peek, args: int) -> list[tuple[str, Value]]:
    """Return the files that an OSError is about: they are not among its arguments."""
    if args != 2 or peek.attr("errno") is UNSET:
        return []
    names = [peek.attr("filename"), peek.attr("filename2")]
    return [("", name) for name in names if name is not UNSET and name is not None]
