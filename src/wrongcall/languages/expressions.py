"""Language-independent views of expressions, for the analyses.

A *node* is a place in the syntax tree of some language; only that language looks inside. For a node, the language
returns a *view*: one of the classes below, whose parts are nodes again. A node that fits no view is `Other`, about
which nothing is concluded.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from wrongcall.trace.format.program_tables import Span
from wrongcall.trace.read.places import Entry, Item
from wrongcall.trace.read.values import Value

Node: TypeAlias = object


@dataclass(frozen=True)
class Name:
    """A variable."""

    name: str


@dataclass(frozen=True)
class Literal:
    """A literal value."""

    value: Value


@dataclass(frozen=True)
class Attribute:
    """``base.name``."""

    base: Node
    name: str


@dataclass(frozen=True)
class Subscript:
    """``base[key]``."""

    base: Node
    key: Node


@dataclass(frozen=True)
class Called:
    """A call, with its positional arguments."""

    function: Node
    arguments: tuple[Node, ...]


@dataclass(frozen=True)
class Sequence:
    """A list or tuple display."""

    elements: tuple[Node, ...]
    is_tuple: bool


@dataclass(frozen=True)
class Table:
    """A dict display."""


@dataclass(frozen=True)
class Starred:
    """``*value`` in a sequence or among arguments."""


@dataclass(frozen=True)
class Arithmetic:
    """An operator between two numbers."""

    operator: str
    left: Node
    right: Node


@dataclass(frozen=True)
class Negative:
    """``-operand``."""

    operand: Node


@dataclass(frozen=True)
class OneOf:
    """``a or b``, ``a and b``: one of the operands is the value."""

    operands: tuple[Node, ...]
    is_and: bool = False


@dataclass(frozen=True)
class Conditional:
    """``yes if test else no``."""

    yes: Node
    no: Node
    test: Node = None


@dataclass(frozen=True)
class Handed:
    """An expression that passes on the value of another one: ``(name := value)``, ``await value``."""

    value: Node
    waits: bool
    """The other one is a coroutine or generator, and the value is what it returned."""


@dataclass(frozen=True)
class Other:
    """Anything else."""


View: TypeAlias = (
    Name
    | Literal
    | Attribute
    | Subscript
    | Called
    | Sequence
    | Table
    | Starred
    | Arithmetic
    | Negative
    | OneOf
    | Conditional
    | Handed
    | Other
)


@dataclass(frozen=True)
class Loop:
    """A loop, or the clause of a comprehension that binds variables."""

    target: Node
    target_span: Span
    iterable: Node
    whole: Span
    """Where the loop begins and ends."""
    node: Node


@dataclass(frozen=True)
class Part:
    """A variable that gets a part of a loop's element."""

    node: Node
    name: str


@dataclass(frozen=True)
class Element:
    """What a loop's variable holds: an element of a container, or a part of one."""

    container: Node
    """The expression for the container, without the function that it was passed to."""
    index: Node | None = None
    """The variable that holds the index or key of the element, if there is one."""
    parts: tuple[Part | None, ...] = ()
    """If the element was unpacked: the variables that got its parts, or None where the target is not a variable."""
    hands_values: bool = False
    """For a dict: its values, not its keys."""

    @property
    def names(self) -> list[str]:
        """The names of the variables that got the parts."""
        return ["" if part is None else part.name for part in self.parts]


@dataclass(frozen=True)
class Clause:
    """A comprehension's loop, with the conditions for its elements."""

    loop: Loop
    conditions: tuple[Node, ...]


@dataclass(frozen=True)
class Comprehension:
    """A comprehension or generator expression."""

    elements: tuple[Node, ...]
    """What is evaluated for each element; for a dict, its key and its value."""
    clauses: tuple[Clause, ...]
    """From the outside in."""
    is_list: bool


class DecisionKind(Enum):
    """What decides whether something is executed."""

    IF = "if"
    LOOP = "loop"  # the test of `while`
    EACH = "each"  # `for` took another element
    ARM = "arm"  # of a conditional expression
    FILTER = "filter"  # `if` in a comprehension
    CASE = "case"
    CAUGHT = "caught"


@dataclass(frozen=True)
class Decision:
    """Something that decides whether a statement is executed."""

    kind: DecisionKind
    line: int
    """The line of the statement that tests it."""
    node: Node
    """What is tested; for a loop over elements, what it takes them from."""
    header: Node
    """The statement, or the conditional expression."""
    taken: bool
    """The outcome that leads on."""


@dataclass(frozen=True)
class Skipping:
    """The outcome of a test because of which some statements are not executed, and what those would write."""

    test: Decision
    """With the outcome that skips them."""
    names: frozenset[str]
    """The variables."""
    objects: tuple[Node, ...]
    """The expressions for objects that they might change."""


@dataclass(frozen=True)
class Written:
    """An argument that is written in the call."""

    node: Node


@dataclass(frozen=True)
class Spread:
    """An element of an argument that the call unpacked."""

    node: Node
    """The expression after the stars."""
    place: Item | Entry


@dataclass(frozen=True)
class Receiver:
    """What was inserted before the arguments: the object of a method, a new object, a class."""


@dataclass(frozen=True)
class Default:
    """The default value, which was evaluated when the function was defined."""

    node: Node


Argument: TypeAlias = Written | Spread | Receiver | Default
"""Where the value of a parameter came from."""

Length = Callable[[Node], int | None]
"""Returns how many elements an expression has that a call unpacks; None if unknown."""
Holds = Callable[[Node, str], bool | None]
"""Returns whether a mapping that a call unpacks has a key; None if unknown."""


@dataclass(frozen=True)
class Unpacked:
    """What is known about the arguments that a call unpacks."""

    length: Length
    holds: Holds
