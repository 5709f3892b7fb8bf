"""Forms of what has attributes: instances of classes."""

from __future__ import annotations

from collections.abc import Iterator

from wrongcall.present.forms.form import Form, Sight, few, type_name
from wrongcall.present.text import safe
from wrongcall.trace import UNSET, Value
from wrongcall.trace.heap import Peek


def instance(peek: Peek, sight: Sight) -> Form:
    """Write anything else by its attributes, the ones that matter first."""
    parts = ((f"{safe(name)}=", value) for name, value in _attributes(peek, sight))
    return Form(f"{type_name(peek)}(", ")", parts, peek.counts[0])


def _attributes(peek: Peek, sight: Sight) -> Iterator[tuple[str, Value]]:
    before = {name: peek.attr(name) for name in sight.first}
    yield from ((name, value) for name, value in before.items() if value is not UNSET)
    yield from ((name, value) for name, value in few(peek.attrs) if name not in before)
