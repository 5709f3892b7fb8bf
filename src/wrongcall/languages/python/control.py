"""What decides whether code is executed: the tests around it, and those before it that could have left.

Pure functions on syntax trees.

Vocabulary: a statement *depends* on the innermost test around it, and on the tests between that and the statement
behind which something leaves the block: ``return``, ``raise``, ``break``, ``continue``. A test *skips* the statements
that would have been executed if it had come out otherwise.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from wrongcall.languages.expressions import Decision, DecisionKind, Skipping
from wrongcall.languages.python.syntax import SCOPED

Parents = Mapping[ast.AST, ast.AST]
_BLOCKS = ("body", "orelse", "finalbody")
_LOOPS = ast.While | ast.For | ast.AsyncFor
_COMPREHENSIONS = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def decisions_of(node: ast.AST, parents: Parents) -> list[Decision]:
    """Return what the execution of an expression or a statement depended on directly, the nearest first."""
    found: list[Decision] = []
    below, above = node, parents.get(node)
    if isinstance(node, _LOOPS):
        found += _exits(node.body, inside_loop=True)
    while above is not None and not isinstance(
        below, ast.stmt | ast.ExceptHandler | ast.match_case
    ):
        if isinstance(above, ast.IfExp) and below is not above.test:
            found.append(
                Decision(DecisionKind.ARM, above.lineno, above.test, above, below is above.body)
            )
        elif isinstance(above, _COMPREHENSIONS) and not isinstance(below, ast.comprehension):
            tests = (test for clause in above.generators for test in clause.ifs)
            found += [Decision(DecisionKind.FILTER, t.lineno, t, above, taken=True) for t in tests]
        below, above = above, parents.get(above)
    while above is not None and not isinstance(below, (*SCOPED, ast.Module)):
        found += _exits_before(below, above)
        test = _around(below, above)
        if test is not None:
            return [*found, test]
        below, above = above, parents.get(above)
        if isinstance(below, SCOPED):
            break
    return found


def _around(below: ast.AST, above: ast.AST) -> Decision | None:
    """Return the test of a statement that one of its blocks depends on."""
    if isinstance(above, ast.If):
        return Decision(DecisionKind.IF, above.lineno, above.test, above, below in above.body)
    if isinstance(above, ast.While):
        return Decision(DecisionKind.LOOP, above.lineno, above.test, above, below in above.body)
    if isinstance(above, ast.For | ast.AsyncFor) and below in above.body:
        return Decision(DecisionKind.EACH, above.lineno, above.iter, above, taken=True)
    if isinstance(above, ast.ExceptHandler):
        return Decision(DecisionKind.CAUGHT, above.lineno, above.type, above, taken=True)
    if isinstance(above, ast.Match) and isinstance(below, ast.match_case):
        return Decision(DecisionKind.CASE, above.lineno, above.subject, above, taken=True)
    return None


def _exits_before(below: ast.AST, above: ast.AST) -> Iterator[Decision]:
    """Iterate over the tests before a statement in its block behind which the block is left."""
    for name in _BLOCKS:
        block = getattr(above, name, None)
        if isinstance(block, list) and below in block:
            yield from _exits(block[: block.index(below)])


def _exits(block: list[ast.stmt], *, inside_loop: bool = False) -> list[Decision]:
    """Return the tests in statements behind which these are left, with the outcome that stays.

    ``inside_loop``: the statements are the body of the loop that is left: `continue` does not leave it.
    """
    found: list[Decision] = []

    def search(statements: list[ast.stmt], test: Decision | None, loops: int) -> None:
        for statement in statements:
            leaves = isinstance(statement, ast.Return | ast.Raise)
            leaves |= isinstance(statement, ast.Break) and not loops
            leaves |= isinstance(statement, ast.Continue) and not loops and not inside_loop
            if leaves and test is not None and test not in found:
                found.append(test)
            if isinstance(statement, ast.If):
                place = (DecisionKind.IF, statement.lineno, statement.test, statement)
                search(statement.body, Decision(*place, taken=False), loops)
                search(statement.orelse, Decision(*place, taken=True), loops)
            elif isinstance(statement, _LOOPS):
                search(statement.body, _entered(statement), loops + 1)
                search(statement.orelse, test, loops)
            elif not isinstance(statement, SCOPED):
                for part in _parts(statement):
                    search(part, test, loops)

    search(block, None, 0)
    return found


def _entered(loop: ast.While | ast.For | ast.AsyncFor) -> Decision:
    """Return the outcome of a loop's test that does not enter it."""
    if isinstance(loop, ast.While):
        return Decision(DecisionKind.LOOP, loop.lineno, loop.test, loop, taken=False)
    return Decision(DecisionKind.EACH, loop.lineno, loop.iter, loop, taken=False)


def _parts(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    for name in _BLOCKS:
        block = getattr(statement, name, None)
        if isinstance(block, list):
            yield block
    for name in ("handlers", "cases"):
        yield from (part.body for part in getattr(statement, name, ()))


# -- what tests skip ---------------------------------------------------------------------------------


def skippings(definition: ast.AST) -> Iterator[Skipping]:
    """Iterate over the outcomes of tests in a function because of which something is not written."""
    body = getattr(definition, "body", None)
    if isinstance(body, list):
        yield from _skipping_in(body, [])


def _skipping_in(block: list[ast.stmt], after: list[ast.stmt]) -> Iterator[Skipping]:
    """``after``: what follows the block, up to the end of the loop or the function around it."""
    for number, statement in enumerate(block):
        rest = [*block[number + 1 :], *after]
        if isinstance(statement, ast.If):
            place = (DecisionKind.IF, statement.lineno, statement.test, statement)
            for taken, run, other in (
                (True, statement.body, statement.orelse),
                (False, statement.orelse, statement.body),
            ):
                skipped = [*other, *(rest if _jumps(run) else [])]
                yield from _skipping(Decision(*place, taken=taken), skipped)
            yield from _skipping_in(statement.body, rest)
            yield from _skipping_in(statement.orelse, rest)
        elif isinstance(statement, _LOOPS):
            yield from _skipping(_entered(statement), statement.body)
            yield from _skipping_in(statement.body, [])
            yield from _skipping_in(statement.orelse, rest)
        elif not isinstance(statement, SCOPED):
            for part in _parts(statement):
                yield from _skipping_in(part, rest)


def _jumps(block: list[ast.stmt]) -> bool:
    return bool(block) and isinstance(block[-1], ast.Return | ast.Raise | ast.Break | ast.Continue)


def _skipping(test: Decision, statements: list[ast.stmt]) -> Iterator[Skipping]:
    names: set[str] = set()
    objects: list[ast.expr] = []
    waiting: list[ast.AST] = [*statements]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            names.add(node.id)
        elif isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
            objects.append(node.value)
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            objects.append(ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target))
        elif isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute):
                objects.append(node.func.value)
            objects += [*node.args, *(keyword.value for keyword in node.keywords)]
        if not isinstance(node, _FUNCTIONS):
            waiting += ast.iter_child_nodes(node)
    if names or objects:
        yield Skipping(test, frozenset(names), tuple(objects))
