"""An independent witness: what happens inside calls of a plain run, by hooks in its source.

``instrumented`` puts a call of a hook before every statement, at the beginning of every suite, and into every header; a
`Log` follows them with a stack, one execution after the other, and takes down the variables. Nothing of wrongcall is
used. Run as a script, ``execution_witness.py prog.py`` prints the logs of all calls of functions whose names begin with
``f`` as JSON on the last line of standard error.
"""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

HOOK = "__witness__"
MINE = "__log__"
Picture = Callable[[dict[str, Any]], Any]
Key = tuple[str, int]
"""The kind and the line of a part; where one is inside another, they differ."""


class Log:
    """What happened inside one call."""

    def __init__(self, name: str, frame: FrameType, body: Key, picture: Picture) -> None:
        self.name = name
        self._frame = frame
        self._picture = picture
        self.true: set[int] = set()
        """The conditions that were true, by their places among the executions."""
        self._stack: list[Key] = [body]
        self._pending: tuple[tuple[Key, ...], Any] | None = None
        self.executions: list[Any] = [[0, *body, 0, self._variables()]]
        self._rounds: dict[int, int] = {}
        self.end: Any = None

    def _variables(self) -> Any:
        found = self._frame.f_locals.items()
        return self._picture({name: value for name, value in found if not name.startswith("__")})

    def _emit(self, path: tuple[Key, ...], before: Any, number: int = 0) -> None:
        """Note that the part at the end of a path begins; what is not on the path has ended."""
        common = 0
        while common < min(len(self._stack), len(path) - 1) and self._stack[common] == path[common]:
            common += 1
        assert common == len(path) - 1, (self._stack, path)
        self._stack[common:] = [path[-1]]
        self.executions.append([common, *path[-1], number, before])

    def _settle(self) -> None:
        """A header that no round followed ended its loop."""
        if self._pending is not None:
            path, before = self._pending
            self._pending = None
            self._emit((*path, ("condition", path[-1][1])), before)

    def enter(self, *path: Key) -> None:
        """A part begins."""
        self._settle()
        self._emit(path, self._variables())

    def taken(self, *path: Key) -> None:
        """The condition at the end of a path was true."""
        self.true.add(len(self.executions) - 1)

    def caught(self, *path: Key) -> None:
        """A handler or a pattern took over, and perhaps bound a name."""
        self._settle()
        self._emit(path, None)

    def header(self, *path: Key) -> None:
        """The header of a loop, which is at the end of a path, is evaluated."""
        self._settle()
        self._pending = (path, self._variables())

    def round(self, is_endless: bool, *path: Key) -> None:
        """A round of a loop begins, whose header was just evaluated."""
        assert self._pending is not None
        before, self._pending = self._pending[1], None
        loop = path[-1]
        # The rounds of this execution of the loop: those since it was entered.
        count = 1 + sum(
            1
            for e in self.executions[self._entered(loop) :]
            if (e[1], e[2], e[0]) == ("round", loop[1], len(path))
        )
        inner = (*path, ("round", loop[1]))
        self._emit(inner, before, count)
        if not is_endless:
            self._emit((*inner, ("condition", loop[1])), before)

    def _entered(self, loop: Key) -> int:
        places = [i for i, e in enumerate(self.executions) if (e[1], e[2]) == loop]
        return places[-1]

    def close(self) -> None:
        """The call ends."""
        self._settle()
        self.end = self._variables()

    def each(self, iterable: Any, *path: Key) -> Any:
        """Iterate, noting each time the loop takes an element."""
        return _Each(self, iter(iterable), path)

    def each_async(self, iterable: Any, *path: Key) -> Any:
        """Do the same for an asynchronous iterator."""
        return _EachAsync(self, iterable.__aiter__(), path)


class _Each:
    def __init__(self, log: Log, iterator: Any, path: tuple[Key, ...]) -> None:
        self.log, self.iterator, self.path = log, iterator, path

    def __iter__(self) -> _Each:
        return self

    def __next__(self) -> Any:
        self.log.header(*self.path)
        return next(self.iterator)


class _EachAsync(_Each):
    def __aiter__(self) -> _EachAsync:
        return self

    def __anext__(self) -> Any:
        self.log.header(*self.path)
        return self.iterator.__anext__()


def shown(value: Any) -> str:
    """Return a value of which all is known as text, and of others the type."""
    if isinstance(value, bool | int | float | str | None.__class__):
        return repr(value)
    if type(value) is list and all(isinstance(each, int | str) for each in value):
        return repr(value)
    return type(value).__name__


def shown_variables(variables: dict[str, Any]) -> dict[str, str]:
    """Return variables as text."""
    return {name: shown(value) for name, value in variables.items()}


class Logs:
    """The logs of a run; ``picture`` takes down variables."""

    def __init__(self, picture: Picture = shown_variables) -> None:
        self.all: list[Log] = []
        self._picture = picture

    def begin(self, name: str, *body: Any) -> Log:
        """A call begins."""
        log = Log(name, sys._getframe(1), (body[0], body[1]), self._picture)
        self.all.append(log)
        return log


# -- hooks in the source ---------------------------------------------------------------------------


class _Hooks:
    """Puts hooks into one function."""

    def __init__(self) -> None:
        self._constants: dict[str, Any] = {}

    def call(self, method: str, path: tuple[Key, ...], *more: ast.expr, on: str = MINE) -> ast.Call:
        keys = [
            ast.Tuple([ast.Constant(kind), ast.Constant(line)], ast.Load()) for kind, line in path
        ]
        hook = ast.Attribute(ast.Name(on, ast.Load()), method, ast.Load())
        return ast.Call(hook, [*more, *keys], [])

    def does(self, method: str, path: tuple[Key, ...], *more: ast.expr) -> ast.stmt:
        return ast.Expr(self.call(method, path, *more))

    def function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        body: Key = ("body", node.lineno)
        begin = self.call("begin", (), ast.Constant(node.name), on=HOOK)
        begin.args += [ast.Constant("body"), ast.Constant(node.lineno)]
        first = ast.Assign([ast.Name(MINE, ast.Store())], begin)
        suite = self.suite(node.body, (body,))
        node.body = [first, ast.Try(suite, [], [], [self.does("close", ())])]

    def suite(
        self, statements: list[ast.stmt], path: tuple[Key, ...], line: int = 0
    ) -> list[ast.stmt]:
        """Return a suite with hooks; statements on one line are executed as one.

        ``line``: that of a header which is executed with the suite, if that is on the same line.
        """
        found: list[ast.stmt] = []
        for statement in statements:
            is_same = statement.lineno == line
            line = statement.lineno
            found += [statement] if is_same else self.statement(statement, path)
        return found

    def statement(self, node: ast.stmt, above: tuple[Key, ...]) -> list[ast.stmt]:
        line = node.lineno
        if isinstance(node, ast.If):
            path = (*above, ("branch", line))
            node.test = self.before(("condition", line), path, node.test)
            true = self.does("taken", (*path, ("condition", line)))
            node.body = [true, *self.suite(node.body, path)]
            node.orelse = self.suite(node.orelse, path)
            return [self.does("enter", path), node]
        if isinstance(node, ast.While | ast.For | ast.AsyncFor):
            return self.loop(node, (*above, ("loop", line)))
        if isinstance(node, ast.Try | ast.TryStar):
            path = (*above, ("try", line))
            node.body = self.suite(node.body, path, line)
            for handler in node.handlers:
                caught = (*path, ("handler", handler.lineno))
                suite = self.suite(handler.body, path, handler.lineno)
                handler.body = [self.does("caught", caught), *suite]
            node.orelse = self.suite(node.orelse, path)
            node.finalbody = self.suite(node.finalbody, path)
            return [self.does("enter", path), node]
        if isinstance(node, ast.With | ast.AsyncWith):
            path = (*above, ("with", line))
            node.body = self.suite(node.body, path, line)
            header = self.does("enter", (*path, ("condition", line)))
            return [self.does("enter", path), header, node]
        if isinstance(node, ast.Match):
            path = (*above, ("branch", line))
            node.subject = self.before(("condition", line), path, node.subject)
            for case in node.cases:
                taken = (*path, ("handler", case.pattern.lineno))
                suite = self.suite(case.body, path, case.pattern.lineno)
                # A pattern may match though its guard is false: those are left out.
                case.body = [*([] if case.guard else [self.does("caught", taken)]), *suite]
            return [self.does("enter", path), node]
        return [self.does("enter", (*above, ("statement", line))), node]

    def before(self, key: Key, path: tuple[Key, ...], value: ast.expr) -> ast.expr:
        """Return an expression that notes a key before its value is computed."""
        return ast.Subscript(
            ast.Tuple([self.call("enter", (*path, key)), value], ast.Load()),
            ast.Constant(1),
            ast.Load(),
        )

    def loop(
        self, node: ast.While | ast.For | ast.AsyncFor, path: tuple[Key, ...]
    ) -> list[ast.stmt]:
        is_endless = isinstance(node, ast.While) and isinstance(node.test, ast.Constant)
        if isinstance(node, ast.While):
            noted = self.call("header", path)
            node.test = ast.Subscript(
                ast.Tuple([noted, node.test], ast.Load()), ast.Constant(1), ast.Load()
            )
        else:
            method = "each" if isinstance(node, ast.For) else "each_async"
            node.iter = self.call(method, path, node.iter)
        inner = (*path, ("round", node.lineno))
        begins = self.does("round", path, ast.Constant(is_endless))
        line = 0 if isinstance(node, ast.While) else node.lineno
        node.body = [begins, *self.suite(node.body, inner, line)]
        node.orelse = self.suite(node.orelse, path)
        return [self.does("enter", path), node]


def instrumented(text: str, wanted: Callable[[str], bool]) -> ast.Module:
    """Return a program with hooks in the functions whose qualified names are wanted."""
    tree = ast.parse(text)
    _hook(tree, "", wanted)
    return ast.fix_missing_locations(tree)


def _hook(node: ast.AST, prefix: str, wanted: Callable[[str], bool]) -> None:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef):
            _hook(child, f"{prefix}{child.name}.", wanted)
        elif isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            _hook(child, f"{prefix}{child.name}.<locals>.", wanted)
            if wanted(prefix + child.name):
                _Hooks().function(child)
        else:
            _hook(child, prefix, wanted)


def main() -> None:
    path = Path(sys.argv[1])
    logs = Logs()
    hooked = instrumented(path.read_text(), lambda name: name.startswith("f") and "." not in name)
    code = compile(hooked, str(path), "exec")
    try:
        exec(code, {"__name__": "__main__", "__file__": str(path), HOOK: logs})
    finally:
        found = [[log.name, log.executions, log.end] for log in logs.all]
        print(json.dumps(found), file=sys.stderr)


if __name__ == "__main__":
    main()
