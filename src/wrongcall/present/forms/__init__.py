"""How objects are written on one line, one module for each family of types.

`form_of` asks the writers in order; the first that knows the object decides. Nothing of the program
runs for it: forms are made from what the trace knows of layouts and types.
"""

from __future__ import annotations

from wrongcall.present.forms import atoms, containers, definitions, instances, libraries, records
from wrongcall.present.forms.form import Form, Sight, Writer
from wrongcall.trace.heap import Peek

__all__ = ["Form", "Sight", "form_of"]

_WRITERS: tuple[Writer, ...] = (
    definitions.definition,
    definitions.activation,
    atoms.enum_member,
    atoms.unknown,
    atoms.written,
    atoms.scalar,
    atoms.interval,
    containers.ndarray,
    containers.container,
    instances.exception,
    libraries.library_object,
)


def form_of(peek: Peek, sight: Sight) -> Form:
    """Return how an object is written."""
    for write in _WRITERS:
        form = write(peek, sight)
        if form is not None:
            return form
    return records.record(peek, sight)
