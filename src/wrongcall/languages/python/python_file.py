"""A Python source file, as the analyses query it.

Every query is about a site or a node of this file, and every answer is a node of it (`expressions`), or None where the
source does not tell (`wrongcall.languages.source_file`).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from wrongcall.events import FROM, Passing, SiteKind
from wrongcall.languages.expressions import (
    Argument,
    Clause,
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
from wrongcall.languages.python import assigned_value as bindings
from wrongcall.languages.python import control, generated, loops, passing
from wrongcall.languages.python import reads as reading
from wrongcall.languages.python.assertions import checked_values
from wrongcall.languages.python.syntax import Source, span_of
from wrongcall.languages.python.views import view_of
from wrongcall.languages.source_file import SourceFile
from wrongcall.trace.format.program_tables import Site, Span
from wrongcall.trace.read.places import Attr, Place


class PythonFile(Source):
    """One file."""

    def view(self, node: Node) -> View:
        """Return the view of an expression."""
        return view_of(node)

    def span(self, node: Node) -> Span:
        """Return the span of a node."""
        return span_of(node) if isinstance(node, ast.AST) else (0, 0, 0, 0)

    # -- what gave a value -------------------------------------------------------------------------

    def expression_at(self, site: Site) -> Node | None:
        """Return the expression that gave the value written at a site, or the statement that did it."""
        nodes = self.at(site)
        if site.kind == SiteKind.WRITE and site.name is not None:
            # `+=`, `for` and `with` bind a name without giving it an expression.
            headers = (node for node in nodes if isinstance(node, ast.stmt | ast.expr))
            return bindings.bound_to_name(nodes, site.name) or next(headers, None)
        if site.kind in (SiteKind.ITEM, SiteKind.ATTR):
            return self._stored_at(nodes)
        if site.kind == SiteKind.CALL:
            calls = [n for n in nodes if isinstance(n, ast.Call)]
            return next((bindings.stored_by(n) or n for n in calls), None)
        if site.kind == SiteKind.RETURN:
            return self.returned_at(site)
        return None

    def _stored_at(self, nodes: list[ast.AST]) -> Node | None:
        for node in nodes:
            if isinstance(node, ast.Subscript | ast.Attribute):
                statement = self.statement(node)
                found = bindings.bound_to_target(node, statement)
                if found is not None or statement is not None:
                    return found or statement
        return None

    def returned_at(self, site: Site) -> Node | None:
        """Return the expression whose value a function returned at a site."""
        for node in self.at(site):
            if isinstance(node, ast.Return):
                return node.value
            if isinstance(node, ast.expr):  # the body of a lambda
                return node
        return None

    def call_at(self, site: Site) -> Node | None:
        """Return the call expression at a site."""
        return next((n for n in self.at(site) if isinstance(n, ast.Call)), None)

    def is_awaited(self, site: Site) -> bool:
        """Return whether the call at a site is awaited right there."""
        call = self.call_at(site)
        return isinstance(call, ast.AST) and isinstance(self.parents.get(call), ast.Await)

    def element_of(self, display: Node, place: PathStep) -> Node | None:
        """Return the expression for a place of a list, tuple or dict display."""
        return bindings.element(display, place) if isinstance(display, ast.AST) else None

    def operands(self, node: Node) -> Iterator[Node]:
        """Iterate over the places and calls that a value was computed from, largest first."""
        if isinstance(node, ast.AugAssign):
            yield from bindings.operands(node.target)
            yield from bindings.operands(node.value)
        elif isinstance(node, ast.For | ast.AsyncFor):
            yield from bindings.operands(node.iter)
        elif isinstance(node, ast.expr):
            yield from bindings.operands(node)

    def reads(self, node: Node) -> list[Node]:
        """Return the largest parts of an expression or a statement that are read, in order of evaluation."""
        return [*reading.reads(node)] if isinstance(node, ast.AST) else []

    def inner(self, node: Node) -> list[Node]:
        """Return what a part is read by: containers and keys of places, receivers and arguments of calls."""
        return [*reading.inner(node)] if isinstance(node, ast.AST) else []

    def keys(self, node: Node) -> list[Node]:
        """Return what the keys of a place are computed from, the last one first."""
        return [*reading.keys(node)] if isinstance(node, ast.AST) else []

    def containers(self, node: Node) -> list[Node]:
        """Return the places that a place is in, from the inside out."""
        return [*reading.containers(node)] if isinstance(node, ast.AST) else []

    def callee(self, node: Node) -> str:
        """Return the name of what a call calls, as it is written."""
        return reading.callee(node) if isinstance(node, ast.AST) else ""

    def calls_in(self, node: Node) -> bool:
        """Return whether evaluating an expression may call something or take turns."""
        return isinstance(node, ast.AST) and reading.calls_in(node)

    def evaluation_span(self, node: Node) -> Span:
        """Return the span of what is evaluated together with an expression: its statement, or its header."""
        if not isinstance(node, ast.AST):
            return (0, 0, 0, 0)
        above = self.parents.get(node)
        while isinstance(node, ast.expr | ast.keyword | ast.comprehension) and above is not None:
            if isinstance(above, ast.stmt) and hasattr(above, "body"):
                break
            node, above = above, self.parents.get(above)
        return span_of(node)

    def comprehension(self, node: Node) -> Comprehension | None:
        """Return the parts of a comprehension; None for anything else."""
        if not isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            return None
        clauses = tuple(Clause(self._loop(each), tuple(each.ifs)) for each in node.generators)
        is_list = isinstance(node, ast.ListComp)
        return Comprehension(reading.elements(node), clauses, is_list)

    def yielded_at(self, site: Site) -> Node | None:
        """Return the expression whose value a generator yielded at a site, or the one it passed values on from."""
        for node in self.at(site):
            if isinstance(node, ast.Yield):
                return node.value
            if isinstance(node, ast.expr) and site.name == FROM:
                return node
        return None

    def raised_at(self, line: int) -> Node | None:
        """Return the statement at a line, if it raises an exception."""
        nodes = ast.walk(self.tree) if self.tree is not None else ()
        return next((n for n in nodes if isinstance(n, ast.Raise) and n.lineno == line), None)

    # -- what is executed --------------------------------------------------------------------------

    def decisions_of(self, node: Node) -> list[Decision]:
        """Return what the execution of an expression or a statement depended on directly, the nearest first."""
        return control.decisions_of(node, self.parents) if isinstance(node, ast.AST) else []

    def skippings(self, definition: Node) -> list[Skipping]:
        """Return the outcomes of tests in a function because of which something is not written."""
        return [*control.skippings(definition)] if isinstance(definition, ast.AST) else []

    def checked_at(self, line: int) -> list[Node]:
        """Return the expressions that the assertion at a line checks, or else those of the statement there."""
        return [*checked_values(self, line)]

    # -- loops -------------------------------------------------------------------------------------

    def loop_at(self, site: Site) -> Loop | None:
        """Return the loop that binds its variable at a site."""
        if site.kind not in (SiteKind.WRITE, SiteKind.TARGET):
            return None
        found = (loops.loop_of(node, self.parents) for node in self.at(site))
        return next((self._loop(loop) for loop in found if loop is not None), None)

    def binding_loop(self, name: Node) -> Loop | None:
        """Return the clause of a comprehension that binds a name at its position."""
        if not isinstance(name, ast.Name):
            return None
        found = loops.binding_loop(name, self.parents)
        return None if found is None else self._loop(found)

    def _loop(self, loop: loops.Loop) -> Loop:
        whole = loop if isinstance(loop, ast.stmt) else self.parents[loop]
        return Loop(loop.target, span_of(loop.target), loop.iter, span_of(whole), loop)

    def loop_element(
        self, loop: Loop, name: str, is_builtin: Callable[[Node], bool]
    ) -> Element | None:
        """Return what a variable of a loop holds."""
        if not isinstance(loop.node, ast.For | ast.AsyncFor | ast.comprehension):
            return None
        return loops.element_of(loop.node, name, is_builtin)

    # -- arguments ---------------------------------------------------------------------------------

    def argument(
        self,
        call: Node,
        definition: Node,
        how: Passing | int,
        name: str,
        part: Place | None,
        unpacked: Unpacked,
    ) -> Argument | None:
        """Return where a parameter, or a part of what it collected, got its value; None if not certain."""
        if not isinstance(call, ast.Call) or not isinstance(definition, ast.AST):
            return None
        return passing.source_of(call, definition, how, name, part, unpacked)

    def collects(self, definition: Node, name: str) -> bool:
        """Return whether a parameter is ``*name`` or ``**name``."""
        return isinstance(definition, ast.AST) and passing.collects(definition, name)

    def generated_argument(
        self, call: Node, definition: Node, place: Place, unpacked: Unpacked, where: SourceFile
    ) -> Argument | None:
        """Return the argument that a call passed for an attribute of a class whose ``__init__`` is generated.

        ``where``: the file of the class.
        """
        if not isinstance(place, Attr) or not isinstance(definition, ast.ClassDef):
            return None
        if not isinstance(where, PythonFile):
            return None
        fields = generated.generated_init(where, definition)
        field = next((f for f in fields or () if f.attribute == place.name), None)
        if field is None or field.changed or fields is None:
            return None
        init = generated.signature(fields)
        return self.argument(call, init, Passing.BOUND, field.parameter, None, unpacked)

    def follows_generated_init(self, name: str) -> bool:
        """Return whether a generated ``__init__`` calls a method of this name at its end."""
        return name in generated.POST_INIT

    # -- what a statement changes ------------------------------------------------------------------

    def stored_into(self, site: Site) -> Node | None:
        """Return the expression before the last dot or bracket of a store."""
        for node in self.at(site):
            if isinstance(node, ast.Subscript | ast.Attribute):
                return node.value
        return None

    def stores_around(self, site: Site) -> list[tuple[Node, Node]]:
        """Return the methods called at and around a site: each receiver, and what is put into it, or the call."""
        found: list[tuple[Node, Node]] = []
        above: ast.AST | None = next((n for n in self.at(site) if isinstance(n, ast.expr)), None)
        while isinstance(above, ast.expr | ast.keyword):
            if isinstance(above, ast.Call) and isinstance(above.func, ast.Attribute):
                found.append((above.func.value, bindings.stored_by(above) or above))
            above = self.parents.get(above)
        return found

    def may_change(self, site: Site) -> Iterator[Node]:
        """Iterate over what a statement may change: receivers and arguments of the calls at and around a site.

        The site of a change made by a method is the last one that was reached, possibly that of an argument.
        """
        for node in self.at(site):
            if isinstance(node, ast.stmt | ast.Expr):
                yield from bindings.changed_by(node)
                continue
            above: ast.AST | None = node
            while above is not None and not isinstance(above, ast.stmt):
                if isinstance(above, ast.expr):
                    yield from bindings.changed_by_call(above)
                above = self.parents.get(above)
            if above is not None:
                yield from bindings.changed_by(above)
