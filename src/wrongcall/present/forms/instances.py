"""Forms of exceptions; other instances are `records` or `libraries`."""

from __future__ import annotations

from wrongcall.events import Layout
from wrongcall.present.forms.form import Form, Sight, type_name
from wrongcall.trace import Ref
from wrongcall.trace.heap import Peek

_ARGUMENTS = 3
"""Arguments of an exception that are shown."""


def exception(peek: Peek, sight: Sight) -> Form | None:
    """Write an exception with its arguments."""
    if peek.layout != Layout.EXCEPTION:
        return None
    args = peek.attr("args")
    held = sight.peek(args.oid).items(0, _ARGUMENTS) if isinstance(args, Ref) else []
    return Form(f"{type_name(peek)}(", ")", [("", value) for value in held], 1)
