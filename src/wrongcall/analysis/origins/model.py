"""The tree of a value's origins, opened node by node.

A *node* is something that happened: a write, a passed argument, a returned value, the outcome of a test. Opened, it
shows its *operands* (what its value was computed from, as they were when they were read), its *conditions* (the tests
because of which it was executed), and what *kept* the value as it is: tests that came out so that nothing overwrote
it. Whatever is not known is said in the note; nothing is guessed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

from wrongcall.analysis.provenance.model import At
from wrongcall.languages.expressions import Decision, Node
from wrongcall.replay.resolve import ObjectSlot, Round, Variable
from wrongcall.trace.read.places import Attr
from wrongcall.trace.read.values import Value


class NodeKind(Enum):
    """What happened."""

    WRITTEN = "written"
    PASSED = "passed"
    RETURNED = "returned"
    YIELDED = "yielded"
    RAISED = "raised"
    SEEN = "first seen"
    CHANGED = "changed"  # something was put into a container, or its contents were changed
    REMOVED = "removed"  # something was taken out of a container
    COMPUTED = "computed"  # part of an expression, in one round of a comprehension
    CONDITION = "condition"
    CALLED = "called"
    UNKNOWN = "unknown"


class Role(Enum):
    """How a value depends on a node."""

    ASKED = "asked"
    OPERAND = "operand"
    ELEMENT = "element"  # what was put into the container, or taken out of it
    KEY = "key"
    CONTAINER = "container"  # the object that the operand was read from
    CONDITION = "condition"
    KEPT = "kept"


@dataclass(frozen=True)
class Evaluated:
    """An expression that a call evaluated by a time."""

    call: int
    node: Node
    time: int
    begin: int = 0
    """It began after this time."""


@dataclass(frozen=True)
class Outcome:
    """The outcome of a test in a call; at the time, it had been evaluated."""

    call: int
    test: Decision
    time: int


@dataclass(frozen=True)
class Change:
    """An event that changed an object."""

    oid: int
    time: int


@dataclass(frozen=True)
class Turn:
    """A value that a generator yielded."""

    call: int
    time: int


@dataclass(frozen=True)
class Made:
    """A call that was made."""

    call: int


Handle: TypeAlias = At | Evaluated | Outcome | Change | Turn | Made | None
"""What a node is about; None: nothing more is known."""


@dataclass(frozen=True)
class OriginNode:
    """Something that a value came from."""

    kind: NodeKind
    role: Role
    text: str
    """The place, expression or test, in the words of the function that read it."""
    value: Value
    time: int
    """When it happened."""
    read: int
    """When the value was read: what it refers to is shown as of this time."""
    call: int
    line: int
    source: str = ""
    """The expression that gave the value; empty if the source does not say."""
    taken: bool | None = None
    """The outcome of a test."""
    reader: int = 0
    """The call that read it."""
    note: str = ""
    """What is not known."""
    handle: Handle = field(default=None, repr=False)

    @property
    def key(self) -> tuple[object, ...]:
        """What the node is about: equal for the same thing reached in different ways."""
        return (self.kind, self.call, self.line, self.time, self.handle_key)

    @property
    def name(self) -> str:
        """The variable or attribute that it is about; empty for anything else."""
        target = self.handle.target if isinstance(self.handle, At) else None
        place = target.place if isinstance(target, ObjectSlot) else target
        return place.name if isinstance(place, Variable | Round | Attr) else ""

    @property
    def handle_key(self) -> object:
        """The place, test or call."""
        handle = self.handle
        if isinstance(handle, At):
            return handle.target
        if isinstance(handle, Outcome):
            return (handle.test.line, handle.test.kind)
        if isinstance(handle, Evaluated):
            return id(handle.node)
        return handle or self.text


@dataclass(frozen=True)
class Opened:
    """What a node came from."""

    operands: tuple[OriginNode, ...] = ()
    conditions: tuple[OriginNode, ...] = ()
    kept: tuple[OriginNode, ...] = ()
    left_out: int = 0
    """Operands that are not listed because there are too many."""
    note: str = ""

    @property
    def all(self) -> tuple[OriginNode, ...]:
        """All of them."""
        return (*self.operands, *self.conditions, *self.kept)
