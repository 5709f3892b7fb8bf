"""Statements with hooks: writes, branches, the beginning and end of every call.

A function becomes::

    def f(a, b):
        "docstring"
        .h = enter(a, b)
        try:
            ...                          # x = e    ->  .h[local] = x = e
            return return(.h, e)         # return e; the last one is .h[e]
            del .h[return]               # the end of the body
        except BaseException:
            raised(.h)
            raise

Each block (see `sites`) has at least one event that marks its start: a write, or a `block` hook. Stores to attributes
and subscripts are handled by native/capture/targets.c.
"""

from __future__ import annotations

import _ast as ast

from wrongcall.recorder import sites
from wrongcall.recorder.blocks import ALWAYS, IF_FALSE, IF_TRUE, NOWHERE, End
from wrongcall.recorder.expressions import (
    CONSTANT_HANDLE,
    LOCAL_HANDLE,
    Context,
    Expressions,
)
from wrongcall.recorder.lazy_imports import eager
from wrongcall.recorder.nodes import (
    HANDLE,
    LOAD,
    STORE,
    at,
    expression,
    is_docstring,
    is_future,
    name,
    none,
    own_nodes,
    parameters,
    pattern_names,
    placeholder,
    target_names,
    thunk,
)
from wrongcall.recorder.partial_assignment import (
    behind,
    leaves,
    may_stop,
    names_at_risk,
    operations,
    walrus_names,
)
from wrongcall.recorder.scopes import GLOBAL, LOCAL, NONLOCAL
from wrongcall.recorder.statement_forms import (
    LEAVING,
    TELLING,
    continues_name,
    executed_lines,
    function_kind,
    has_slice,
    header_end,
    header_place,
    imported_name,
    imports_all,
    is_compound,
    is_endless,
    may_tell,
    read_again,
    resized,
    stores_item,
)
from wrongcall.recorder.world import keep_builtins

keep_builtins(globals())


class Statements(Expressions):
    """Rewrites statements."""

    lean = False  # without the blocks that only check what a statement did before it failed

    # -- blocks -----------------------------------------------------------------------------------

    def new_block(self, lines: list[int], silent: bool = False) -> None:
        """Begin a block where the last rewritten statement leads to."""
        self.context.block = self.context.info.blocks.new(lines, silent)

    def body(self, statements: list[ast.stmt], told: bool = False) -> list[ast.stmt]:
        """Return the statements of one branch: a block of its own. told: an event already marks its start."""
        self.new_block([])
        return self._run(statements, told)

    def _run(
        self, statements: list[ast.stmt], told: bool, told_end: bool = False
    ) -> list[ast.stmt]:
        """Return the statements of the current block; after a compound statement another block begins.

        told_end: an event marks the end, because an exception may come from there.
        """
        result: list[ast.stmt] = []
        begins, awaited = not told, False
        for i, statement in enumerate(statements):
            self.context.first = begins and not awaited and self._tells(statement)
            if begins and not self.context.first:
                result.append(self._block_begins(statement))
            self.context.info.blocks.lines[self.context.block].extend(executed_lines(statement))
            self.context.told_after = False
            result.extend(self.statement(statement))
            is_last = i == len(statements) - 1
            begins = is_compound(statement)
            awaited = isinstance(statement, (ast.AsyncWith, ast.AsyncFor))
            if begins:
                told_after = is_last and (self.context.told_after or told_end)
                self.new_block([], silent=is_last and not told_after)
                if told_after:
                    result.append(self._block_begins(statement))
            elif isinstance(statement, LEAVING):
                self._leave(statement)
                if not is_last:  # what follows is never executed
                    self.new_block([])
        return result

    def _leave(self, statement: ast.stmt) -> None:
        blocks = self.context.info.blocks
        if isinstance(statement, (ast.Break, ast.Continue)):
            blocks.jump("break" if isinstance(statement, ast.Break) else "continue")
        blocks.ends = []

    def _block_begins(self, statement: ast.AST) -> ast.stmt:
        site = self.site(sites.BLOCK, statement)
        return at(self.telling("block", site), statement)  # type: ignore[return-value]

    def _tells(self, node: ast.stmt) -> bool:
        """Return whether this statement, the first of a block, leaves an event that marks the start."""
        if isinstance(node, ast.Assign):
            tells = any(map(target_names, node.targets)) or stores_item(node)
        elif isinstance(node, (ast.AugAssign, ast.AnnAssign)):
            tells = isinstance(node.target, ast.Name) and node.value is not None
        else:
            tells = isinstance(node, TELLING) and not imports_all(node)
        # A class body may have a namespace that is not read; generator expressions run at any time.
        return (
            tells
            and self.context.scope.kind != "class"
            and not any(isinstance(n, ast.GeneratorExp) for n in own_nodes([node]))
        )

    def stmt_Expr(self, node: ast.Expr) -> list[ast.stmt]:
        """Rewrite an expression statement, noting its line: even without a call hook it may change something."""
        value = node.value
        receiver = resized(value)
        direct = receiver is not None and self._stays(receiver, walrus_names(value))
        node.value = self.expr(value)
        if receiver is not None and direct:
            return [self._resize(node, value, receiver.id)]  # type: ignore[arg-type]
        if isinstance(value, (ast.Constant, ast.Await, ast.Yield, ast.YieldFrom)):
            return [node]
        if isinstance(value, ast.Call) and not isinstance(value.func, ast.Name):
            return [node]
        reach = self.telling("reach", self.site(sites.CALL, node))
        return [at(reach, node), node]  # type: ignore[list-item]

    def _resize(self, node: ast.Expr, rewritten: ast.Call, label: str) -> ast.stmt:
        """Let the program itself call ``x.resize()`` of an array, which fails if anybody else refers to x.

        From 3.14 on, the interpreter calls a method of a local variable without a reference of its own.
        """
        func = ast.Attribute(value=name(label), attr="resize", ctx=LOAD)
        direct = ast.Call(func=func, args=rewritten.args, keywords=rewritten.keywords)
        then = self.hook("half_done", self.site(sites.CALL, node), name(label))
        body = [at(expression(direct), node), at(expression(then), node)]
        test = self.hook("is_array", 0, name(label))
        return at(ast.If(test=test, body=body, orelse=[node]), node)  # type: ignore[arg-type,return-value]

    def statement(self, node: ast.stmt) -> list[ast.stmt]:
        """Return the statement with hooks: one or more statements."""
        method = getattr(self, "stmt_" + type(node).__name__, None)
        if method is None:
            self.parts(node)
            return [node]
        result: list[ast.stmt] = method(node)
        return result

    # -- names --------------------------------------------------------------------------------------

    def names_written(self, names: list[str], node: ast.AST) -> list[ast.stmt]:
        """Return hooks for after a statement that bound these names."""
        own = [n for n in names if self._is_own(n)]
        if len(own) != 1:
            return [at(expression(hook), node) for hook in self.name_hooks(names, node)]  # type: ignore[misc]
        first = self.telling("local", self.site(sites.WRITE, node, own[0], LOCAL), name(own[0]))
        others = self.name_hooks([n for n in names if n not in own], node)
        return [at(s, node) for s in (first, *map(expression, others))]  # type: ignore[misc]

    def _is_own(self, label: str) -> bool:
        """Return whether this is a local variable of a function that nobody else binds."""
        scope = self.context.scope
        is_local = scope.kind != "class" and scope.place(label) == LOCAL
        return is_local and not self._in_rebound_cell(label)

    def name_hooks(self, names: list[str], node: ast.AST) -> list[ast.expr]:
        """Like `names_written`, as expressions."""
        result: list[ast.expr] = []
        place = self.context.scope.place
        in_class = self.context.scope.kind == "class"
        for kind, hook in ((LOCAL, "locals"), (GLOBAL, "globals")):
            found = [n for n in names if place(n) == kind and not self._in_rebound_cell(n)]
            if found:
                first, *_ = [self.site(sites.WRITE, node, n, kind) for n in found]
                values = [name(n) for n in found]
                if kind == GLOBAL:
                    values = []  # the hook looks them up: they may have been deleted by then
                elif in_class:
                    # The namespace may be any object: reading a name could run code of the program.
                    hook, values = "namespace", []
                made = self.hook(hook, first, *values, names=tuple(map(self.mangled, found)))
                result.append(made)
        result.extend(self._cell_hook(n, node) for n in names if self._in_rebound_cell(n))
        shared = [n for n in names if place(n) == NONLOCAL]
        result.extend(self.nonlocal_hook(n, node, sites.WRITE, [none()]) for n in shared)
        return result

    def _in_rebound_cell(self, label: str) -> bool:
        """Return whether this is a variable of this function that others may delete at any time."""
        return label in self.context.scope.rebound

    def _cell_hook(self, label: str, node: ast.AST, *more: ast.expr) -> ast.expr:
        site = self.site(sites.WRITE, node, label)
        return self.hook("cell", site, thunk([label]), *more)

    def _name_deleted(self, label: str, node: ast.AST) -> ast.stmt:
        place = self.context.scope.place(label)
        if place == NONLOCAL:
            return expression(self.nonlocal_hook(label, node, sites.DELETE, []))
        site = self.site(sites.DELETE, node, label, place)
        kind = "global_deleted" if place == GLOBAL else "local_deleted"
        return expression(self.hook(kind, site, name=self.mangled(label)))

    # -- statements that fail half way -----------------------------------------------------------------

    def failing(self, node: ast.stmt, found: list[ast.stmt]) -> ast.stmt:
        """Wrap a statement: if it raises, `found` checks what it has done by then."""
        if not found or self.lean:
            return node
        handler = ast.ExceptHandler(
            type=self.base_exception(), name=None, body=[*found, ast.Raise(exc=None, cause=None)]
        )
        wrapped = ast.Try(body=[node], handlers=[handler], orelse=[], finalbody=[])
        return at(wrapped, node)  # type: ignore[return-value]

    def _bound_by_then(self, targets: list[ast.expr], node: ast.AST) -> list[ast.stmt]:
        """Record the names that were bound when storing to these targets failed."""
        return [
            self._if("bound", behind(bound, targets[-1]), self.names_written([bound.id], node))
            for bound in names_at_risk(targets)
        ]

    def _if(self, question: str, details: tuple[int, ...], then: list[ast.stmt]) -> ast.stmt:
        return ast.If(test=self.hook(question, 0, names=details), body=then, orelse=[])

    # -- targets ----------------------------------------------------------------------------------------

    def attr_written(self, node: ast.Attribute, augmented: bool) -> ast.stmt:
        """Return the hook for after a store to ``name.attr``."""
        site, label = self.site(sites.ATTR, node, node.attr), self.mangled(node.attr)
        base: ast.Name = node.value  # type: ignore[assignment]
        if not augmented:
            return at(self.telling("attr_written", site, name(base.id), label), node)  # type: ignore[return-value]
        flag = ast.Constant(value=True, kind=None)
        made = self.hook("attr_written", site, name(base.id), flag, name=label)
        return at(expression(made), node)  # type: ignore[return-value]

    # -- assignment ----------------------------------------------------------------------------------------

    def stmt_Assign(self, node: ast.Assign) -> list[ast.stmt]:
        """Rewrite ``x = e``, ``o.x = e``, ``a[k] = e``; anything else goes through stand-ins."""
        target = node.targets[0]
        if len(node.targets) > 1 or not isinstance(
            target, ast.Name | ast.Attribute | ast.Subscript
        ):
            node.value = self.expr(node.value)
            found = self._bound_by_then(node.targets, node)
            node.targets = [self.target(t) for t in node.targets]
            names = list(dict.fromkeys(n for t in node.targets for n in target_names(t)))
            return [self.failing(node, found), *self.names_written(names, node)]
        if isinstance(target, ast.Name):
            return self._assign_name(node, target)
        node.value = self.expr(node.value)
        if isinstance(target, ast.Attribute):
            if self._stays(target.value):
                return [node, self.attr_written(target, False)]
            return [self._store_attr(node.value, target)]
        if not has_slice(target.slice):
            return [self._store_item(node.value, target)]
        node.targets = [self.target(target)]
        return [node]

    def _assign_name(self, node: ast.Assign | ast.AnnAssign, target: ast.Name) -> list[ast.stmt]:
        place = self.context.scope.place(target.id)
        value: ast.expr = node.value  # type: ignore[assignment]
        grows = continues_name(value, target.id)
        value = node.value = self.expr(value)
        if place == NONLOCAL or grows:
            # Called: where a load follows the store, the compiler joins both, and the text would be copied.
            hooks = self.name_hooks([target.id], node)
            return [node, *(at(expression(hook), node) for hook in hooks)]  # type: ignore[list-item]
        site = self.site(sites.WRITE, node, target.id, place)
        if place == LOCAL and self.context.handle == LOCAL_HANDLE and isinstance(node, ast.Assign):
            node.targets.insert(0, at(self.told("local", site, STORE), node))  # type: ignore[arg-type]
            return [node]
        kind = "global" if place == GLOBAL else "local"
        label = self.mangled(target.id) if place == GLOBAL else None
        node.value = at(self.hook(kind, site, value, name=label), node)  # type: ignore[assignment]
        return [node]

    def _store_item(self, value: ast.expr, target: ast.Subscript) -> ast.stmt:
        """Rewrite ``a[k] = e``; the first of its block marks the start, whatever it stores to."""
        site = self.site(sites.ITEM, target)
        base = self.expr(target.value)
        kind = "first_item_store" if self.context.first else "item_store"
        made = self.hook(kind, site, value, base, self.expr(target.slice))
        return at(expression(made), target)  # type: ignore[return-value]

    def _store_attr(self, value: ast.expr, target: ast.Attribute) -> ast.stmt:
        site = self.site(sites.ATTR, target, target.attr)
        base = self.expr(target.value)
        made = self.hook("attr_store", site, value, base, name=self.mangled(target.attr))
        return at(expression(made), target)  # type: ignore[return-value]

    def stmt_AnnAssign(self, node: ast.AnnAssign) -> list[ast.stmt]:
        """Rewrite ``x: T = e``; the annotation is left alone."""
        if node.value is None:
            return [node]
        if isinstance(node.target, ast.Name):
            return self._assign_name(node, node.target)
        node.value = self.expr(node.value)
        if isinstance(node.target, ast.Attribute) and self._stays(node.target.value):
            return [node, self.attr_written(node.target, False)]
        node.target = self.target(node.target)  # type: ignore[assignment]
        return [node]

    def stmt_AugAssign(self, node: ast.AugAssign) -> list[ast.stmt]:
        """Rewrite ``x += e``: recorded after the statement, so that strings still grow in place."""
        target = node.target
        stops = may_stop(node)
        rebinds = walrus_names(node.value)
        node.value = self.expr(node.value)
        if isinstance(target, ast.Name):
            then = self._augmented_name(target, node)
            return [self._augmenting_name(target, node) if stops else node, then]
        if isinstance(target, ast.Attribute) and self._stays(target.value, rebinds):
            label = ast.Constant(value=self.mangled(target.attr), kind=None)
            looked = [read_again(target.value), label, none()]
            then = self.attr_written(target, True)
        elif isinstance(target, ast.Subscript) and self._is_simple(target, rebinds):
            looked = [read_again(target.value), read_again(target.slice)]
            made = self.hook("item_written", self.site(sites.ITEM, target), *looked)
            looked = [read_again(target.value), read_again(target.slice)]
            then = at(expression(made), target)  # type: ignore[assignment]
        else:
            node.target = self.target(target)  # type: ignore[assignment]
            return [node]
        return [self._augmenting(node, "half_done", looked) if stops else node, then]

    def _stays(self, node: ast.expr, rebinds: frozenset[str] = frozenset()) -> bool:
        """Return whether a name still means the same object after the statement, so that it can be read again."""
        return (
            isinstance(node, ast.Name)
            and self.context.scope.stays(node.id)
            and node.id not in rebinds
        )

    def _is_simple(self, node: ast.Subscript, rebinds: frozenset[str]) -> bool:
        """Return whether this is ``name[name]`` or ``name[constant]``."""
        key = node.slice
        return self._stays(node.value, rebinds) and (
            isinstance(key, ast.Constant) or self._stays(key, rebinds)
        )

    def _augmenting(self, node: ast.AugAssign, hook: str, looked: list[ast.expr]) -> ast.stmt:
        """Wrap ``t += e``: if it fails, it may have changed what t, or the element of t, holds."""
        half_done = self.hook(hook, self.site(sites.ITEM, node), *looked)
        return self.failing(node, [self._if("stopped", operations(node), [expression(half_done)])])

    def _augmenting_name(self, target: ast.Name, node: ast.AugAssign) -> ast.stmt:
        """Like `_augmenting`, for a name: its value is looked up without failing."""
        if self._stays(target):
            return self._augmenting(node, "half_done", [name(target.id)])
        place, in_class = self.context.scope.place(target.id), self.context.scope.kind == "class"
        if place == GLOBAL:
            return self._augmenting(node, "half_done_global", [self._label(target)])
        if place == LOCAL and in_class:
            return self._augmenting(node, "half_done_namespace", [self._label(target)])
        return self._augmenting(node, "half_done_cell", [thunk([target.id])])

    def _label(self, target: ast.Name) -> ast.expr:
        return ast.Constant(value=self.mangled(target.id), kind=None)

    def _augmented_name(self, target: ast.Name, node: ast.stmt) -> ast.stmt:
        place = self.context.scope.place(target.id)
        value = name(target.id)
        if place == NONLOCAL:
            made = self.nonlocal_hook(target.id, node, sites.WRITE, [none()])
            return at(expression(made), node)  # type: ignore[return-value]
        site = self.site(sites.WRITE, node, target.id, place)
        flag = ast.Constant(value=True, kind=None)
        if self.context.scope.kind == "class" and place == LOCAL:
            made = self.hook("namespace", site, flag, names=(self.mangled(target.id),))
        elif place == GLOBAL:
            made = self.hook("globals", site, flag, names=(self.mangled(target.id),))
        elif self._in_rebound_cell(target.id):
            made = self.hook("cell", site, thunk([target.id]), flag)
        else:
            made = self.hook("augmented", site, value)  # called, as in `_assign_name`
        return at(expression(made), node)  # type: ignore[return-value]

    def stmt_Delete(self, node: ast.Delete) -> list[ast.stmt]:
        """Rewrite ``del a, b`` as ``del a; del b``."""
        result: list[ast.stmt] = []
        for target in leaves(node.targets):
            names = target_names(target)
            result.append(ast.Delete(targets=[self.target(target)]))
            result.extend(self._name_deleted(n, node) for n in names)
        return [at(s, node) for s in result] or [node]  # type: ignore[misc]

    def stmt_Import(self, node: ast.Import) -> list[ast.stmt]:
        """Rewrite ``import a, b`` as ``import a; import b``."""
        result: list[ast.stmt] = []
        for alias in node.names:
            result.append(at(ast.Import(names=[alias]), node))  # type: ignore[arg-type]
            result.extend(self.names_written([imported_name(alias)], node))
        return result

    def stmt_TypeAlias(self, node: ast.stmt) -> list[ast.stmt]:
        """Rewrite ``type X = e``: e is left alone, because it is evaluated later, in a scope of its own."""
        return [node, *self.names_written([node.name.id], node)]  # type: ignore[attr-defined]

    def stmt_ImportFrom(self, node: ast.ImportFrom) -> list[ast.stmt]:
        """Rewrite ``from m import a, b``: all names are looked up at once, then bound one after the other."""
        eager(node)
        if node.names[0].name == "*":
            site = self.site(sites.WRITE, node, "*", GLOBAL)
            return [node, at(expression(self.hook("globals_changed", site)), node)]  # type: ignore[list-item]
        names = list(map(imported_name, node.names))
        found = [
            self._if("imported", (i,), self.names_written([n], node))
            for i, n in enumerate(names[:-1])
        ]
        written = self.names_written(list(dict.fromkeys(names)), node)
        return [self.failing(node, found), *written]

    # -- control flow ------------------------------------------------------------------------------------------

    def stmt_If(self, node: ast.If) -> list[ast.stmt]:
        """Rewrite an ``if``: both branches are blocks."""
        blocks, block = self.context.info.blocks, self.context.block
        node.test = self.expr(node.test)
        blocks.ends = [(block, node.lineno, IF_TRUE)]
        node.body = self.body(node.body)
        ends = blocks.ends
        blocks.ends = [(block, node.lineno, IF_FALSE)]
        node.orelse = self.body(node.orelse) if node.orelse else []
        blocks.ends += ends
        return [node]

    def _begin_test(self, node: ast.While | ast.For | ast.AsyncFor) -> None:
        """Begin the test of a loop: a block that may leave no event.

        What happens there without a hook is known by its line, so its site is made before others.
        """
        self.new_block(list(range(node.lineno, header_end(node) + 1)), silent=True)
        self.site(sites.BLOCK, header_place(node))

    def _loop(self, node: ast.While | ast.For | ast.AsyncFor) -> None:
        """Rewrite the body and ``else`` of a loop."""
        blocks, header = self.context.info.blocks, self.context.block
        blocks.loop(header)
        blocks.ends = [(header, node.lineno, IF_TRUE)]
        self.new_block([])
        if isinstance(node, ast.While):
            node.body = self._rounds(node.body, [], node)
        else:
            node.body = self._bound_rounds(node)
        breaks = blocks.loop_done()
        blocks.ends = [] if is_endless(node) else [(header, node.lineno, IF_FALSE)]
        node.orelse = self.body(node.orelse) if node.orelse else []
        blocks.ends += breaks

    def stmt_While(self, node: ast.While) -> list[ast.stmt]:
        """Rewrite a ``while``: each round begins a block."""
        self._begin_test(node)
        node.test = self.expr(node.test)
        self._loop(node)
        return [node]

    def _rounds(self, body: list[ast.stmt], names: list[str], node: ast.AST) -> list[ast.stmt]:
        """Return the body of a loop: its first event marks a new round, and no other event is like it."""
        context, first = self.context, len(self.table.names)
        block = context.block
        prompt = not names and self._is_prompt(body[0])
        begin = [] if prompt else [self._block_begins(body[0])]
        result = [*begin, *self.names_written(names, node), *self._run(body, told=True)]
        kinds = [row[0] for row in self.table.rows[first:]]
        number = kinds.index(sites.WRITE if prompt else sites.BLOCK)
        context.info.blocks.begin[block] = first + number + 1
        return result

    def _is_prompt(self, node: ast.stmt) -> bool:
        """Return whether the first event of this statement binds a name, and no other event is like it."""
        scope = self.context.scope
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            known = scope.place(node.target.id) == LOCAL
        elif isinstance(node, ast.Assign) and len(node.targets) == 1:
            target = node.targets[0]
            known = isinstance(target, ast.Name) and scope.place(target.id) in (LOCAL, GLOBAL)
        else:
            return False
        return known and scope.kind != "class" and not any(map(may_tell, own_nodes(node.value)))

    def stmt_For(self, node: ast.For | ast.AsyncFor) -> list[ast.stmt]:
        """Rewrite a ``for``: each round binds the target."""
        self._begin_test(node)
        node.iter = self.expr(node.iter)
        found = self._bound_by_then([node.target], node)
        node.target = self.target(node.target)
        self._loop(node)
        return [self.failing(node, found)]

    stmt_AsyncFor = stmt_For

    def _bound_rounds(self, node: ast.For | ast.AsyncFor) -> list[ast.stmt]:
        """Return the body of a loop that begins by binding names."""
        scope, names = self.context.scope, target_names(node.target)
        if scope.kind == "class" or all(scope.place(n) == NONLOCAL for n in names):
            return self._rounds(node.body, names, node.target)
        blocks = self.context.info.blocks
        blocks.begin[self.context.block] = len(self.table.names) + 1
        return [*self.names_written(names, node.target), *self._run(node.body, told=True)]

    def _bound_body(self, names: list[str], node: ast.AST, body: list[ast.stmt]) -> list[ast.stmt]:
        """Return a branch that begins by binding names."""
        self.new_block([node.lineno])  # type: ignore[attr-defined]
        return [*self.names_written(names, node), *self._run(body, told=bool(names))]

    def stmt_With(self, node: ast.With | ast.AsyncWith) -> list[ast.stmt]:
        """Rewrite a ``with``: its body is a block, where `as` targets are recorded; a return inside ends the call after
        __exit__.

        ``with a, b`` becomes ``with a: with b``, so that what a bound is recorded before b can fail.
        """
        begun = [self._with_item(item, node) for item in node.items]
        bound = [self.names_written(names, node) for names, _ in begun[:-1]]
        blocks = self.context.info.blocks
        blocks.open_with()
        self.new_block([])
        self.context.protected += 1
        inside = self._with_body(node, begun[-1][0])
        self.context.protected -= 1
        body = self._reentered(inside, node)
        blocks.close_with(node.lineno, executed_lines(node)[-1])
        self.context.told_after = blocks.may_skip_loop()
        for item, (_, found), before in zip(
            reversed(node.items), reversed(begun), [*reversed(bound), []], strict=True
        ):
            one = type(node)(items=[item], body=body, type_comment=None)
            body = [*before, self.failing(at(one, node), found)]  # type: ignore[arg-type]
        return body

    def _with_body(self, node: ast.With | ast.AsyncWith, names: list[str]) -> list[ast.stmt]:
        """Return the body, which begins where the names are bound."""
        written = self.names_written(names, node)
        told = bool(written) and self.context.scope.kind != "class"
        if isinstance(node, ast.AsyncWith) or not (told or self._tells(node.body[0])):
            written.insert(0, self._block_begins(node))
            told = True
        return [*written, *self._run(node.body, told, told_end=True)]

    def _with_item(self, item: ast.withitem, node: ast.AST) -> tuple[list[str], list[ast.stmt]]:
        """Rewrite one item; return the names it binds, and what records them if binding them fails."""
        item.context_expr = self.expr(item.context_expr)
        if item.optional_vars is None:
            return [], []
        names = target_names(item.optional_vars)
        found = self._bound_by_then([item.optional_vars], node)
        item.optional_vars = self.target(item.optional_vars)
        return names, found

    stmt_AsyncWith = stmt_With

    def _reentered(self, body: list[ast.stmt], node: ast.AST) -> list[ast.stmt]:
        """Return the body of a `with`: an exception that leaves it is noted before __exit__ is called."""
        if self.lean:
            return body
        block, self.context.block = self.context.block, NOWHERE
        left = expression(self.hook("left", self.site(sites.BLOCK, node)))
        self.context.block = block
        handler = ast.ExceptHandler(
            type=self.base_exception(), name=None, body=[left, ast.Raise(exc=None, cause=None)]
        )
        wrapped = ast.Try(body=body, handlers=[handler], orelse=[], finalbody=[])
        return [at(wrapped, node)]  # type: ignore[list-item]

    def stmt_Try(self, node: ast.Try) -> list[ast.stmt]:
        """Rewrite a ``try``: handlers record what they caught; a return before `finally` ends the call after it."""
        blocks = self.context.info.blocks
        self.context.protected += bool(node.finalbody)
        if node.finalbody:
            blocks.protect()
        node.body = self.body(node.body)
        ends = blocks.ends
        is_star = isinstance(node, ast.TryStar)
        caught: list[End] = []
        for handler in node.handlers:
            blocks.ends = list(caught) if is_star else []  # several clauses of except* may run
            self._handler(handler, is_star)
            caught += blocks.ends
        blocks.ends = ends
        node.orelse = self.body(node.orelse) if node.orelse else []
        blocks.ends = blocks.ends + caught
        self.context.protected -= bool(node.finalbody)
        if node.finalbody:
            self._finally(node)
        return [node]

    stmt_TryStar = stmt_Try

    def _finally(self, node: ast.Try) -> None:
        blocks = self.context.info.blocks
        ends_normally = bool(blocks.ends)
        jumps = blocks.begin_finally()
        self.new_block([])
        left = expression(self.hook("left", self.site(sites.BLOCK, node)))
        node.finalbody = [at(left, node), *self._run(node.finalbody, False, told_end=True)]  # type: ignore[list-item]
        blocks.finally_done(jumps, ends_normally)
        # Without an event after it, `break` would look like a false test of the loop.
        self.context.told_after = "break" in jumps

    def _handler(self, node: ast.ExceptHandler, is_star: bool) -> None:
        self.context.block = NOWHERE  # the exception may come from anywhere
        node.type = self.maybe(node.type)
        self.new_block([node.lineno])
        caught = expression(self.hook("caught", self.site(sites.CAUGHT, node, node.name)))
        first: list[ast.stmt] = [at(caught, node)]  # type: ignore[list-item]
        if node.name is not None:
            first += self.names_written([node.name], node)
        body = self._run(node.body, told=True) if node.name is None else self._unbinding(node)
        # Nothing sees an exception that leaves a clause of except* until the others have run.
        node.body = [*first, *(self._reentered(body, node) if is_star else body)]

    def _unbinding(self, node: ast.ExceptHandler) -> list[ast.stmt]:
        """Return the body of ``except e as x``, which unbinds x however it is left."""
        assert node.name is not None
        scope = self.context.scope
        # Once a call has returned, there is no need to record a variable that only it has.
        own = scope.place(node.name) == LOCAL and node.name not in scope.cells
        self.context.protected += not own
        body = self._run(node.body, told=True)
        self.context.protected -= not own
        block, self.context.block = self.context.block, NOWHERE
        unbound = at(self._name_deleted(node.name, node), node)
        self.context.block = block
        if self.lean:
            return [*body, unbound]  # type: ignore[list-item]
        wrapped = ast.Try(body=body, handlers=[], orelse=[], finalbody=[unbound])  # type: ignore[list-item]
        return [at(wrapped, node)]  # type: ignore[list-item]

    def stmt_Match(self, node: ast.Match) -> list[ast.stmt]:
        """Rewrite a ``match``: each case is a block and may bind names."""
        blocks = self.context.info.blocks
        node.subject = self.expr(node.subject)
        failed, ends = [(self.context.block, 0, ALWAYS)], []
        for case in node.cases:
            blocks.ends = list(failed)
            names = list(dict.fromkeys(pattern_names(case.pattern)))
            if case.guard is not None:
                case.guard = self._guard(case.guard, names, case.pattern)
                failed += blocks.ends
                case.body = self.body(case.body)
            else:
                case.body = self._bound_body(names, case.pattern, case.body)
            ends += blocks.ends
        blocks.ends = ends + failed
        return [node]

    def _guard(self, guard: ast.expr, names: list[str], pattern: ast.pattern) -> ast.expr:
        """Rewrite ``case p if g``: the names are bound before g is evaluated, even if it is false."""
        self.new_block([pattern.lineno], silent=not names)
        if not names:
            return self.expr(guard)
        told = ast.Tuple(elts=self.name_hooks(names, pattern), ctx=LOAD)  # not empty: true
        both = ast.BoolOp(op=ast.And(), values=[told, self.expr(guard)])
        return at(both, pattern)  # type: ignore[return-value]

    def stmt_Return(self, node: ast.Return) -> list[ast.stmt]:
        """Rewrite ``return e``."""
        value = none() if node.value is None else self.expr(node.value)
        site = self.site(sites.RETURN, node)
        kind = "result" if self.context.protected else "return"
        self.context.finishes |= kind == "result"
        made = at(self.hook(kind, site, value), node)
        if self.context.info.kind == "async generator":  # there, ``return`` takes no value
            return [at(expression(made), node), node]  # type: ignore[arg-type,list-item]
        node.value = made  # type: ignore[assignment]
        if kind == "return":
            self.context.returns.append((node, len(self.hooks) - 1, site))
        return [node]

    # -- functions and classes --------------------------------------------------------------------------------------

    def stmt_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.stmt]:
        """Rewrite a function: its body with hooks, and its name bound."""
        node.decorator_list = [self.decorator(d) for d in node.decorator_list]
        node.args.defaults = self.exprs(node.args.defaults)
        node.args.kw_defaults = [self.maybe(d) for d in node.args.kw_defaults]
        outer = self.context
        self.enter_scope(node, node.name, function_kind(node), LOCAL_HANDLE)
        self.context.is_generator = self.context.info.kind != "function"
        node.body = self._function_body(node)
        self.context = outer
        return [node, *self.names_written([node.name], header_place(node))]

    stmt_AsyncFunctionDef = stmt_FunctionDef

    def decorator(self, node: ast.expr) -> ast.expr:
        """Rewrite a decorator, which is called after the definition and may be foreign."""
        site = self.site(sites.CALL, node)
        return at(self.hook("decorator", site, self.expr(node)), node)  # type: ignore[return-value]

    def _function_body(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.stmt]:
        place = header_place(node)
        start = self.enter_call(node, parameters(node.args))
        assign = ast.Assign(
            targets=[ast.Name(id=HANDLE, ctx=STORE)], value=start, type_comment=None
        )
        prologue: list[ast.stmt] = [at(assign, place), *self._closures(place)]  # type: ignore[list-item]
        return self._wrapped(node.body, prologue, place)

    def _closures(self, place: ast.AST) -> list[ast.stmt]:
        """Return hooks that find the owners of shared variables, once per call."""
        scope = self.context.scope
        result: list[ast.stmt] = []
        if scope.cells:
            result.append(expression(self.hook("cells", 0, thunk(scope.cells))))
        if scope.free:
            told = expression(self.hook("closure", 0, thunk(scope.free)))
            result.append(ast.If(test=self.hook("closure_wanted", 0), body=[told], orelse=[]))
        return [at(s, place) for s in result]  # type: ignore[misc]

    def _wrapped(
        self, body: list[ast.stmt], prologue: list[ast.stmt], place: ast.AST
    ) -> list[ast.stmt]:
        """Return a body between the beginning and the end of its call."""
        kept = 0
        while kept < len(body) and (
            is_future(body[kept]) or (kept == 0 and is_docstring(body[kept]))
        ):
            kept += 1
        inside = self._run(body[kept:], told=True)
        self._last_return()
        inside.append(self._fall_off(body[-1] if body else place))
        raised = expression(self.hook("raised", self.site(sites.RETURN, place)))
        # Tracebacks keep frames: the handle must not show up among their variables.
        forget: list[ast.stmt] = []
        if self.context.handle == LOCAL_HANDLE:
            forget = [ast.Delete(targets=[ast.Name(id=HANDLE, ctx=ast.Del())])]
        final: list[ast.stmt] = []
        if self.context.finishes:
            finish = expression(self.hook("finish", self.site(sites.RETURN, place)))
            final, forget = [finish, *forget], []
        handler = ast.ExceptHandler(
            type=self.base_exception(),
            name=None,
            body=[raised, *forget, ast.Raise(exc=None, cause=None)],
        )
        wrapped = ast.Try(body=inside, handlers=[handler], orelse=[], finalbody=final)
        return [*body[:kept], *prologue, at(wrapped, place)]  # type: ignore[list-item]

    def _last_return(self) -> None:
        """Let the last ``return e`` be ``return h[e]``: a function has one site for that."""
        if not self.context.returns or self.context.handle != LOCAL_HANDLE:
            return
        node, number, site = self.context.returns[-1]
        self.hooks[number] = ("unused",)
        called: ast.Call = node.value  # type: ignore[assignment]
        made = ast.Subscript(value=called.args[0], slice=called.args[1], ctx=LOAD)
        node.value = at(made, called)  # type: ignore[assignment]
        self.returns_by_subscript(site)

    def _fall_off(self, last: ast.AST) -> ast.stmt:
        site = self.site(sites.RETURN, last)
        if self.context.finishes:
            return at(expression(self.hook("result", site, none())), last)  # type: ignore[return-value]
        if self.context.handle != LOCAL_HANDLE:
            return at(expression(self.hook("return", site, none())), last)  # type: ignore[return-value]
        return at(self.telling("return", site), last)  # type: ignore[return-value]

    def base_exception(self) -> ast.expr:
        """Return BaseException itself, whatever the name means in the program."""
        self.hooks.append(("base_exception",))
        return placeholder(len(self.hooks) - 1)

    def stmt_ClassDef(self, node: ast.ClassDef) -> list[ast.stmt]:
        """Rewrite a class: its body is a call of its own."""
        node.decorator_list = [self.decorator(d) for d in node.decorator_list]
        # The bases of a generic class are evaluated in a scope of their own.
        apart = bool(getattr(node, "type_params", None))
        self.context.depth += apart
        node.bases = self.exprs(node.bases)
        for keyword in node.keywords:
            keyword.value = self.expr(keyword.value)
        self.context.depth -= apart
        outer = self.context
        place = header_place(node)
        self.enter_scope(node, node.name, "class", CONSTANT_HANDLE)
        node.body = self.namespace_body(node, place)
        self.context = outer
        return [node, *self.names_written([node.name], place)]

    def namespace_body(self, node: ast.ClassDef | ast.Module, place: ast.AST) -> list[ast.stmt]:
        """Return the body of a class or module."""
        enter = at(expression(self.enter_call(node, [])), place)
        return self._wrapped(node.body, [enter, *self._closures(place)], place)  # type: ignore[list-item]

    def module(self, tree: ast.Module) -> Context:
        """Rewrite the whole file."""
        place = ast.Pass(lineno=1, col_offset=0, end_lineno=1, end_col_offset=0)
        context = self.enter_scope(tree, "<module>", "module", CONSTANT_HANDLE)
        tree.body = self.namespace_body(tree, place)
        return context
