"""Forms of elements of `xml.etree`: ``Element('p', {'id': '7'}, text='hello ', Element('b', text='world'))``."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from wrongcall.events import Layout
from wrongcall.present.forms.form import Form, Sight, few, type_name
from wrongcall.present.text import safe
from wrongcall.recording import UNSET, Ref, Value
from wrongcall.replay.heap import Peek

_UNNAMED = ("tag", "attrib")
"""What the constructor takes without a name."""


def element(peek: Peek, sight: Sight) -> Form | None:
    """Write an element like a call that makes it: tag, attributes, text and tail if any, then the children."""
    if peek.layout != Layout.ELEMENT:
        return None
    held = list(_attributes(peek, sight))
    children = (("", value) for value in few(peek.items))
    matter = [(label, value) for label, value in held if label.rstrip("=") in sight.first]
    rather = [*held[:1], *(part for part in matter if part not in held[:1])]
    rather += [part for part in held if part not in rather]
    return Form(
        f"{type_name(peek)}(",
        ")",
        chain(held, children),
        len(held) + peek.length,
        chain(rather, (("", value) for value in few(peek.items))) if matter else None,
    )


def _attributes(peek: Peek, sight: Sight) -> Iterator[tuple[str, Value]]:
    """Go through the attributes that say something, each with the text before it."""
    there = set(peek.names())
    for name in _UNNAMED:
        value = peek.attr(name) if name in there else UNSET
        if value is not UNSET and not (name == "attrib" and _is_empty(value, sight)):
            yield "", value
    for name in peek.names():
        value = peek.attr(name)
        if name not in _UNNAMED and not (name in ("text", "tail") and value is None):
            yield f"{safe(name)}=", value


def _is_empty(value: Value, sight: Sight) -> bool:
    """Return whether a value is a dict that is known to hold nothing."""
    if not isinstance(value, Ref):
        return False
    inside = sight.peek(value.oid)
    return inside.layout == Layout.DICT and inside.explored and not inside.counts[2]
