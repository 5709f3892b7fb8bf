"""The outline of a function: its statements, conditions and loops, and what each is part of.

A function is a tree of *parts*: its body, compound statements, the rounds of loops, conditions, simple statements, and
the comprehensions in them. One execution of a part is a node of what happened inside a call
(`wrongcall.analysis.inside`).

Vocabulary: a *header* is what a compound statement evaluates before its suites: a condition, what a loop takes next,
what a ``with`` enters. The header of a loop is part of the round that it begins; the time that it ends the loop, it is
part of the loop only. A *binding* is a target of a comprehension: each time it is bound, a round begins.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import Enum

from wrongcall.languages.python.syntax import SCOPED, Source, span_of
from wrongcall.trace.format.program_tables import Span

MAX_DEPTH = 60
"""Parts that are nested deeper are not parts of their own."""
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_TRIES = (ast.Try, ast.TryStar)
_WITHS = (ast.With, ast.AsyncWith)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class PartKind(Enum):
    """What a part of a function is."""

    BODY = "body"
    LOOP = "loop"
    ROUND = "round"
    BRANCH = "branch"
    TRY = "try"
    WITH = "with"
    CONDITION = "condition"
    HANDLER = "handler"
    STATEMENT = "statement"
    CALL = "call"


@dataclass(frozen=True)
class Part:
    """One part of a function."""

    number: int
    kind: PartKind
    line: int
    end_line: int
    parent: int
    """The part that it is in; -1 for the body."""
    depth: int
    text: str
    """Its source on one line; of a compound statement, only its header."""
    node: ast.AST
    is_comprehension: bool = False
    names: tuple[str, ...] = ()
    """Of a round of a comprehension: what it binds."""
    else_line: int = 0
    """Of an `if` with an `else`: the line of that."""

    @property
    def mentioned(self) -> frozenset[str]:
        """The names in its source, with everything inside it."""
        return frozenset(node.id for node in ast.walk(self.node) if isinstance(node, ast.Name))


@dataclass
class Outline:
    """The parts of a function, and what begins them."""

    parts: list[Part] = field(default_factory=list)
    by_line: dict[int, int] = field(default_factory=dict)
    """The part that begins when a line is executed."""
    ends_loop: dict[int, int] = field(default_factory=dict)
    """The part that a loop's header is when it ends the loop, by the one that it is else."""
    taken: dict[int, int] = field(default_factory=dict)
    """The part that begins when a condition on a line is true, if it is on the same line."""
    bindings: dict[tuple[Span, str], int] = field(default_factory=dict)
    """The rounds of comprehensions, by the place and the name of what is bound first when they begin."""

    def path(self, number: int) -> list[int]:
        """Return a part and what it is in, the body first."""
        found = []
        while number >= 0:
            found.append(number)
            number = self.parts[number].parent
        return found[::-1]

    def enclosing(self, number: int, *kinds: PartKind) -> Part | None:
        """Return the innermost part of some kinds that a part is in."""
        while (number := self.parts[number].parent) >= 0:
            if self.parts[number].kind in kinds:
                return self.parts[number]
        return None

    def part_at(self, line: int, column: int, within: int) -> int:
        """Return the innermost part of a statement that is evaluated at a position; else the statement.

        The first iterable of a comprehension is evaluated before its rounds.
        """
        best = within
        for part in self.parts[within + 1 :]:
            if part.depth <= self.parts[within].depth:
                break
            clause = part.node
            if isinstance(clause, ast.comprehension) and _runs_at(self.parts, part, line, column):
                best = part.number
        return best


def outline_of(source: Source, definition: ast.AST) -> Outline:
    """Return the outline of a function, class or module."""
    return _Maker(source).made(definition)


class _Maker:
    def __init__(self, source: Source) -> None:
        self._source = source
        self._outline = Outline()

    def made(self, definition: ast.AST) -> Outline:
        line = getattr(definition, "lineno", 1)
        end = getattr(definition, "end_lineno", 0) or len(self._source.lines)
        text = self._source.text_of(definition) if isinstance(definition, ast.stmt) else ""
        root = self._part(PartKind.BODY, definition, -1, text=text, lines=(line, end))
        body = getattr(definition, "body", [])
        if isinstance(body, list):
            self._suite(body, root)
        else:  # a lambda: its expression
            self._begins(self._simple(body, root))
        return self._outline

    def _part(
        self,
        kind: PartKind,
        node: ast.AST,
        parent: int,
        *,
        text: str = "",
        lines: tuple[int, int] | None = None,
        is_comprehension: bool = False,
    ) -> int:
        parts = self._outline.parts
        first, _, last, _ = span_of(node)
        if lines is not None:
            first, last = lines
        depth = parts[parent].depth + 1 if parent >= 0 else 0
        made = Part(
            len(parts),
            kind,
            first,
            last,
            parent,
            depth,
            text,
            node,
            is_comprehension=is_comprehension,
        )
        parts.append(made)
        return made.number

    def _begins(self, number: int) -> None:
        """Let a part begin when its first line is executed; the first part on a line counts."""
        self._outline.by_line.setdefault(self._outline.parts[number].line, number)

    # -- statements --------------------------------------------------------------------------------

    def _suite(self, statements: list[ast.stmt], parent: int, test_line: int = 0) -> None:
        """Add the statements of a suite; ``test_line``: the line of the condition before it."""
        for number, statement in enumerate(statements):
            if self._outline.parts[parent].depth > MAX_DEPTH - 4:
                return
            made = self._statement(statement, parent)
            if number == 0 and test_line and statement.lineno == test_line:
                self._outline.taken[test_line] = made

    def _statement(self, node: ast.stmt, parent: int) -> int:
        if isinstance(node, _LOOPS):
            return self._loop(node, parent)
        if isinstance(node, ast.If | ast.Match):
            return self._branch(node, parent)
        if isinstance(node, _TRIES):
            return self._try(node, parent)
        if isinstance(node, _WITHS):
            return self._with(node, parent)
        if _is_docstring(node) and self._outline.parts[parent].kind is PartKind.BODY:
            self._outline.by_line.setdefault(node.lineno, parent)
            return parent
        made = self._simple(node, parent)
        before = self._outline.by_line.setdefault(node.lineno, made)
        if before != made and self._outline.parts[before].kind is PartKind.STATEMENT:
            # `a = 1; b = 2` is executed as one line.
            whole = f"{self._outline.parts[before].text}; {self._outline.parts[made].text}"
            self._outline.parts[before] = replace(self._outline.parts[before], text=whole)
        return made

    def _simple(self, node: ast.AST, parent: int, kind: PartKind = PartKind.STATEMENT) -> int:
        made = self._part(kind, node, parent, text=self._source.text_of(node))
        if not isinstance(node, SCOPED):
            self._comprehensions(node, made)
        return made

    def _header(self, whole: ast.AST, evaluated: list[ast.AST], parent: int, text: str) -> int:
        lines = (span_of(whole)[0], max(span_of(node)[2] for node in evaluated))
        made = self._part(PartKind.CONDITION, whole, parent, text=text, lines=lines)
        for node in evaluated:
            self._comprehensions(node, made)
        return made

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While, parent: int) -> int:
        text = self._source.text_of(node)
        loop = self._part(PartKind.LOOP, node, parent, text=text)
        round_ = self._part(PartKind.ROUND, node, loop, text=text)
        if isinstance(node, ast.While):
            is_endless = isinstance(node.test, ast.Constant)
            header = (
                round_
                if is_endless
                else self._header(node, [node.test], round_, self._source.text_of(node.test))
            )
        else:
            if node.body[0].lineno == node.lineno:  # the suite is executed with the header
                text = " ".join(self._source.line(node.lineno).split())
            header = self._header(node, [node.target, node.iter], round_, text)
        self._begins(header)
        if header != round_:
            last = self._outline.parts[header]
            ended = self._part(
                PartKind.CONDITION, node, loop, text=last.text, lines=(last.line, last.end_line)
            )
            self._outline.ends_loop[header] = ended
            if isinstance(node, ast.While):
                self._comprehensions(node.test, ended)
        self._suite(node.body, round_, node.lineno if isinstance(node, ast.While) else 0)
        self._suite(node.orelse, loop)
        return loop

    def _branch(self, node: ast.If | ast.Match, parent: int) -> int:
        tested = node.test if isinstance(node, ast.If) else node.subject
        text = self._source.text_of(node)
        if isinstance(node, ast.Match):
            text = f"match {self._source.text_of(tested)}"
        branch = self._part(PartKind.BRANCH, node, parent, text=text)
        header = self._header(node, [tested], branch, self._source.text_of(tested))
        self._begins(header)
        if isinstance(node, ast.If):
            self._suite(node.body, branch, node.lineno)
            self._suite(node.orelse, branch)
            parts = self._outline.parts
            parts[branch] = replace(parts[branch], else_line=self._else_line(node))
            return branch
        for case in node.cases:
            line = case.pattern.lineno
            text = " ".join(self._source.line(line).split()).rstrip(":")
            pattern = self._part(
                PartKind.HANDLER, case.pattern, branch, text=text, lines=(line, line)
            )
            self._begins(pattern)
            self._suite(case.body, branch, line)
        return branch

    def _else_line(self, node: ast.If) -> int:
        """Return the line of the `else` of an `if`; 0 if it has none, or an `elif` instead."""
        if not node.orelse:
            return 0
        lines = range(span_of(node.body[-1])[2] + 1, node.orelse[0].lineno + 1)
        return next((n for n in lines if self._source.line(n).lstrip().startswith("else")), 0)

    def _try(self, node: ast.Try | ast.TryStar, parent: int) -> int:
        made = self._part(PartKind.TRY, node, parent, text="try")
        self._begins(made)
        self._suite(node.body, made, node.lineno)
        for handler in node.handlers:
            text = " ".join(self._source.line(handler.lineno).split()).rstrip(":")
            lines = (handler.lineno, handler.lineno)
            caught = self._part(PartKind.HANDLER, handler, made, text=text, lines=lines)
            self._begins(caught)
            self._suite(handler.body, made, handler.lineno)
        self._suite(node.orelse, made)
        self._suite(node.finalbody, made)
        return made

    def _with(self, node: ast.With | ast.AsyncWith, parent: int) -> int:
        text = self._source.text_of(node)
        made = self._part(PartKind.WITH, node, parent, text=text)
        evaluated: list[ast.AST] = [item.context_expr for item in node.items]
        evaluated += [item.optional_vars for item in node.items if item.optional_vars is not None]
        header = self._header(node, evaluated, made, text)
        self._begins(header)
        self._suite(node.body, made)
        return made

    # -- comprehensions ----------------------------------------------------------------------------

    def _comprehensions(self, node: ast.AST, parent: int) -> None:
        """Add the comprehensions in an expression or a simple statement."""
        for child in _own(node):
            if isinstance(child, _COMPREHENSIONS):
                self._comprehension(child, parent)
            else:
                self._comprehensions(child, parent)

    def _comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp, parent: int
    ) -> None:
        if self._outline.parts[parent].depth > MAX_DEPTH - 8:
            return
        text = self._source.text_of(node)
        self._comprehensions(node.generators[0].iter, parent)
        inner = self._part(PartKind.LOOP, node, parent, text=text, is_comprehension=True)
        for number, clause in enumerate(node.generators):
            if number:
                self._comprehensions(clause.iter, inner)
            lines = (span_of(clause.target)[0], span_of(node)[2])
            inner = self._part(
                PartKind.ROUND, clause, inner, text=text, lines=lines, is_comprehension=True
            )
            names = [n for n in ast.walk(clause.target) if isinstance(n, ast.Name)]
            parts = self._outline.parts
            parts[inner] = replace(parts[inner], names=tuple(n.id for n in names))
            bound = next(iter(names), None)
            if bound is not None:
                for place in (bound, clause.target):
                    self._outline.bindings.setdefault((span_of(place), bound.id), inner)
            for test in clause.ifs:
                self._comprehensions(test, inner)
        values = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        for value in values:
            self._comprehensions(value, inner)


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """Iterate over the parts of a node that are evaluated in place."""
    if isinstance(node, SCOPED):
        return
    if isinstance(node, _COMPREHENSIONS):
        yield node
        return
    yield from ast.iter_child_nodes(node)


def _runs_at(parts: list[Part], part: Part, line: int, column: int) -> bool:
    """Return whether a round of a comprehension evaluates what is at a position."""
    whole = parts[part.parent]
    while whole.kind is PartKind.ROUND:
        whole = parts[whole.parent]
    node = whole.node
    if not isinstance(node, _COMPREHENSIONS):
        return False
    position = (line, column)
    if not _holds(node, position):
        return False
    at = node.generators.index(part.node)  # type: ignore[arg-type]
    before = [clause.iter for clause in node.generators[: at + 1]]
    before += [test for clause in node.generators[:at] for test in clause.ifs]
    return not any(_holds(each, position) for each in before)


def _holds(node: ast.AST, position: tuple[int, int]) -> bool:
    first_line, first, last_line, last = span_of(node)
    return (first_line, first) <= position < (last_line, last)
