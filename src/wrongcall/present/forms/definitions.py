"""Forms of what programs are made of: modules, classes, functions, running generators."""

from __future__ import annotations

from wrongcall.events import Layout
from wrongcall.present.forms.form import Form, Sight, type_name, word
from wrongcall.replay.heap import Peek


def definition(peek: Peek, _sight: Sight) -> Form | None:
    """Write a module, class or function by its name."""
    if peek.layout == Layout.MODULE:
        return Form(f"<module {word(peek.attr('__name__'))}>")
    if peek.layout in (Layout.FUNCTION, Layout.CLASS):
        kind = "function" if peek.layout == Layout.FUNCTION else "class"
        return Form(f"<{kind} {word(peek.attr('__qualname__'))}>")
    return None


def activation(peek: Peek, _sight: Sight) -> Form | None:
    """Write a generator or coroutine with the call that it is."""
    if peek.layout != Layout.ACTIVATION:
        return None
    name = type_name(peek)
    return Form(f"<{name}, call {peek.activation}>" if peek.activation else f"<{name}>")
