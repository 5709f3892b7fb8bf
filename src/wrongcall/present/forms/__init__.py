"""How objects are written on one line, one module for each family of types.

`form_of` asks the writers in order; the first that knows the object decides. Nothing of the program
runs for it: forms are made from what the trace knows of layouts and types.
"""

from __future__ import annotations

from wrongcall.present.forms import (
    atoms,
    callables,
    containers,
    definitions,
    elements,
    exceptions,
    iterators,
    libraries,
    records,
    stateful,
    streams,
    tables,
    views,
)
from wrongcall.present.forms.form import Form, Sight, Writer
from wrongcall.replay.heap import Peek

__all__ = ["Form", "Sight", "form_of"]

_WRITERS: tuple[Writer, ...] = (
    definitions.definition,
    definitions.activation,
    iterators.iterator,
    streams.stream,
    stateful.stateful,
    atoms.unknown,
    atoms.written,
    atoms.unreadable,
    atoms.scalar,
    atoms.interval,
    atoms.sentinel,
    atoms.match,
    callables.bound_method,
    callables.builtin,
    callables.wrapper,
    callables.partial,
    callables.operator,
    callables.context_variable,
    views.dict_view,
    views.memory_view,
    views.chain_map,
    tables.ndarray,
    tables.frame,
    tables.index,
    tables.extension_array,
    tables.view_of_frame,
    tables.polars_frame,
    elements.element,
    containers.named_tuple,
    containers.raw_bytes,
    containers.characters,
    containers.container,
    exceptions.exception,
    libraries.library_object,
)


def form_of(peek: Peek, sight: Sight) -> Form:
    """Return how an object is written."""
    for write in _WRITERS:
        form = write(peek, sight)
        if form is not None:
            return form
    return records.record(peek, sight)
