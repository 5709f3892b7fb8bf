"""The queries that analyses make to a source file, whatever its language.

Every query is about a site or a node of the file, and every answer is a node of it (`expressions`), or None where the
source does not tell. To support another language, write a class with these methods; the one for Python is
`wrongcall.languages.python.python_file.PythonFile`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from wrongcall.languages.expressions import (
    Argument,
    Comprehension,
    Decision,
    Element,
    Loop,
    Node,
    Skipping,
    Unpacked,
    View,
)
from wrongcall.languages.paths import PathStep
from wrongcall.trace.format.program_tables import Site, Span
from wrongcall.trace.read.places import Place


class SourceFile(Protocol):
    """One file."""

    def line(self, number: int) -> str:
        """Return a line of the text, or an empty string if there is none."""

    def text_of(self, node: Node) -> str:
        """Return the source of a node, on one line."""

    def view(self, node: Node) -> View:
        """Return the view of an expression."""

    def span(self, node: Node) -> Span:
        """Return the span of a node."""

    def at(self, site: Site) -> Sequence[Node]:
        """Return the nodes that have the span of a site, outer ones first."""

    # -- what gave a value -------------------------------------------------------------------------

    def expression_at(self, site: Site) -> Node | None:
        """Return the expression that gave the value written at a site, or the statement that did it."""

    def returned_at(self, site: Site) -> Node | None:
        """Return the expression whose value a function returned at a site."""

    def call_at(self, site: Site) -> Node | None:
        """Return the call expression at a site."""

    def is_awaited(self, site: Site) -> bool:
        """Return whether the call at a site is awaited right there."""

    def element_of(self, display: Node, place: PathStep) -> Node | None:
        """Return the expression for a place of a list, tuple or dict display."""

    def operands(self, node: Node) -> Iterator[Node]:
        """Iterate over the places and calls that a value was computed from, largest first."""

    def reads(self, node: Node) -> Sequence[Node]:
        """Return the largest parts of an expression or a statement that are read, in order of evaluation."""

    def inner(self, node: Node) -> Sequence[Node]:
        """Return what a part is read by: containers and keys of places, receivers and arguments of calls."""

    def keys(self, node: Node) -> Sequence[Node]:
        """Return what the keys of a place are computed from, the last one first."""

    def containers(self, node: Node) -> Sequence[Node]:
        """Return the places that a place is in, from the inside out."""

    def callee(self, node: Node) -> str:
        """Return the name of what a call calls, as it is written."""

    def calls_in(self, node: Node) -> bool:
        """Return whether evaluating an expression may call something or take turns."""

    def evaluation_span(self, node: Node) -> Span:
        """Return the span of what is evaluated together with an expression: its statement, or its header."""

    def comprehension(self, node: Node) -> Comprehension | None:
        """Return the parts of a comprehension; None for anything else."""

    def yielded_at(self, site: Site) -> Node | None:
        """Return the expression whose value a generator yielded at a site, or the one it passed values on from."""

    def raised_at(self, line: int) -> Node | None:
        """Return the statement at a line, if it raises an exception."""

    # -- what is executed --------------------------------------------------------------------------

    def decisions_of(self, node: Node) -> Sequence[Decision]:
        """Return what the execution of an expression or a statement depended on directly, the nearest first."""

    def skippings(self, definition: Node) -> Sequence[Skipping]:
        """Return the outcomes of tests in a function because of which something is not written."""

    def checked_at(self, line: int) -> Sequence[Node]:
        """Return the expressions that the assertion at a line checks, or else those of the statement there."""

    # -- loops -------------------------------------------------------------------------------------

    def loop_at(self, site: Site) -> Loop | None:
        """Return the loop that binds its variable at a site."""

    def binding_loop(self, name: Node) -> Loop | None:
        """Return the clause of a comprehension that binds a name at its position."""

    def loop_element(
        self, loop: Loop, name: str, is_builtin: Callable[[Node], bool]
    ) -> Element | None:
        """Return what a variable of a loop holds."""

    # -- arguments ---------------------------------------------------------------------------------

    def argument(
        self,
        call: Node,
        definition: Node,
        how: int,
        name: str,
        part: Place | None,
        unpacked: Unpacked,
    ) -> Argument | None:
        """Return where a parameter, or a part of what it collected, got its value; None if not certain."""

    def collects(self, definition: Node, name: str) -> bool:
        """Return whether a parameter collects the remaining arguments."""

    def generated_argument(
        self, call: Node, definition: Node, place: Place, unpacked: Unpacked, where: SourceFile
    ) -> Argument | None:
        """Return the argument that a call passed for an attribute of a class whose initialiser is generated.

        ``where``: the file of the class.
        """

    def follows_generated_init(self, name: str) -> bool:
        """Return whether generated initialisers call a method of this name at their end."""

    # -- what a statement changes ------------------------------------------------------------------

    def stored_into(self, site: Site) -> Node | None:
        """Return the expression for the object that a store changes."""

    def stores_around(self, site: Site) -> Sequence[tuple[Node, Node]]:
        """Return the methods called at and around a site: each receiver, and what is put into it, or the call."""

    def may_change(self, site: Site) -> Iterator[Node]:
        """Iterate over what a statement may change: receivers and arguments of the calls around a site."""
