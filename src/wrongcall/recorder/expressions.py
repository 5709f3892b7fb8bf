"""Expressions with hooks: calls, lambdas, comprehensions, yields, awaits, walruses, ``o.__dict__``.

``f(x)``      -> ``callee(h, f)(x)``      the interpreter still makes the call
``o.m(x)``    -> ``receiver(h, o).m(x)``
``yield v``   -> ``resume(h, (yield yield(h, v)))``
``(n := v)``  -> ``(n := local(h, v))``
``a if c else b`` -> ``arm(h, a) if c else arm(h, b)``

Annotations and patterns are left as they are.
"""

from __future__ import annotations

import _ast as ast

from wrongcall.recorder import sites
from wrongcall.recorder.blocks import NOWHERE
from wrongcall.recorder.nodes import (
    DELETE,
    HANDLE,
    LOAD,
    STORE,
    at,
    call,
    expression,
    name,
    none,
    own_nodes,
    parameters,
    placeholder,
    target_names,
    thunk,
)
from wrongcall.recorder.scopes import GLOBAL, NONLOCAL, Scope
from wrongcall.recorder.sites import FileTable, FunctionInfo
from wrongcall.recorder.trampoline import STARRED, Shape
from wrongcall.recorder.world import keep_builtins

keep_builtins(globals())

# Builtins that change none of their arguments: calls by these names need no comparison afterwards.
QUIET_BUILTINS = frozenset(
    """abs all any ascii bin bool bytes callable chr complex dict dir divmod enumerate float
    format frozenset getattr globals hasattr hash hex id int isinstance issubclass iter len list
    locals max min next oct ord pow print property range repr reversed round set slice sorted
    staticmethod classmethod str sum super tuple type zip object
    ArithmeticError AssertionError AttributeError BaseException EOFError Exception IndexError
    KeyError LookupError NameError NotImplementedError OSError OverflowError RuntimeError
    StopIteration SystemExit TypeError ValueError ZeroDivisionError""".split()  # noqa: SIM905
)
# Sites whose name is that of a variable, as in the program's namespaces.
VARIABLES = frozenset({sites.PARAM, sites.WRITE, sites.DELETE, sites.CAUGHT, sites.TARGET})
NO_HANDLE, LOCAL_HANDLE, CONSTANT_HANDLE = range(3)


class Context:
    """The function, lambda, class body or module being rewritten."""

    def __init__(self, scope: Scope, info: FunctionInfo, handle: int, owner: str | None) -> None:
        self.scope = scope
        self.info = info
        self.handle = handle
        self.owner = owner  # the class whose private names are mangled here
        self.marker = -1  # number of the placeholder of its Func
        self.block = info.blocks.new([])
        self.is_generator = False
        self.protected = 0  # depth of `with` and `try ... finally` around a return
        self.finishes = False  # some return is protected: the call ends in an outer `finally`
        self.depth = 0  # inside comprehensions
        # the statement is the first of its block, and its own event marks the start
        self.first = False
        self.told_after = False  # what follows the last statement has an event of its own
        self.entering = -1  # number of the placeholder of what begins the call
        # the `return` statements that end the call: placeholder and site
        self.returns: list[tuple[ast.Return, int, int]] = []


class Expressions:
    """Rewrites expressions; `Statements` builds on it."""

    def __init__(self, table: FileTable, scopes: dict[ast.AST, Scope], modules: set[str]) -> None:
        self.table = table
        self.scopes = scopes
        self.modules = modules  # names that `import` binds to modules
        self.hooks: list[tuple[object, ...]] = []  # by placeholder number
        self.context: Context

    # -- hooks ------------------------------------------------------------------------------------

    def handle(self) -> ast.expr:
        """Return the handle of the running call, as an expression."""
        context = self.context
        if context.depth > 0 or context.handle == NO_HANDLE:
            return none()
        if context.handle == LOCAL_HANDLE:
            return name(HANDLE)
        return placeholder(context.marker)

    def hook(self, kind: str, site: int, *args: ast.expr, **extra: object) -> ast.Call:
        """Return a call of a hook of this site, with the handle first."""
        self.hooks.append(
            ("hook", kind, site, extra.get("name"), extra.get("names"), extra.get("shape"))
        )
        hook = placeholder(len(self.hooks) - 1)
        if self.context.depth > 0 and kind in ("comprehension", "arm"):
            return call(hook, self.owner(), *args)
        return call(hook, self.handle(), *args)

    def telling(
        self, kind: str, site: int, value: ast.expr | None = None, label: str | None = None
    ) -> ast.stmt:
        """Return a hook as a statement; where the handle is a variable, nothing needs to be called."""
        if self.context.handle != LOCAL_HANDLE:
            return expression(
                self.hook(kind, site, *([] if value is None else [value]), name=label)
            )
        if value is None:
            return ast.Delete(targets=[self.told(kind, site, DELETE, label)])
        told = self.told(kind, site, STORE, label)
        return ast.Assign(targets=[told], value=value, type_comment=None)

    def told(
        self, kind: str, site: int, context: ast.expr_context, label: str | None = None
    ) -> ast.Subscript:
        """Return ``h[site]``, to store to or to delete."""
        self.hooks.append(("tell", kind, site, label))
        key = placeholder(len(self.hooks) - 1)
        return ast.Subscript(value=name(HANDLE), slice=key, ctx=context)

    def owner(self) -> ast.expr:
        """Return the function that a comprehension is part of, even when it is consumed elsewhere."""
        context = self.context
        return none() if context.handle == NO_HANDLE else placeholder(context.marker)

    def site(self, kind: int, node: ast.AST, label: str | None = None, scope: int = 0) -> int:
        """Add a site in the current block."""
        context = self.context
        if label is not None and kind in VARIABLES:
            label = self.mangled(label)
        return self.table.site(kind, node, context.info.number, context.block, label, scope)

    def mangled(self, attribute: str) -> str:
        """Mangle a private name as the enclosing class does."""
        owner = (self.context.owner or "").lstrip("_")
        if not owner or not attribute.startswith("__") or attribute.endswith("__"):
            return attribute
        return f"_{owner}{attribute}"

    # -- expressions ------------------------------------------------------------------------------

    def expr(self, node: ast.expr) -> ast.expr:
        """Return the expression with hooks."""
        method = getattr(self, "expr_" + type(node).__name__, None)
        if method is not None:
            result: ast.expr = method(node)
            return result
        self.parts(node)
        return node

    def maybe(self, node: ast.expr | None) -> ast.expr | None:
        """Like `expr`, for an optional expression."""
        return None if node is None else self.expr(node)

    def exprs(self, nodes: list[ast.expr]) -> list[ast.expr]:
        """Like `expr`, for a list."""
        return [self.expr(n) for n in nodes]

    def parts(self, node: ast.AST) -> None:
        """Rewrite the parts of a node in place."""
        for field in node._fields:
            value = getattr(node, field, None)
            if isinstance(value, ast.expr):
                setattr(node, field, self.expr(value))
            elif isinstance(value, list):
                setattr(node, field, [self._part(item) for item in value])
            elif isinstance(value, ast.AST) and not isinstance(value, ast.expr_context):
                self.parts(value)

    def _part(self, item: object) -> object:
        if isinstance(item, ast.expr):
            return self.expr(item)
        if isinstance(item, ast.AST):
            self.parts(item)
        return item

    # -- calls ------------------------------------------------------------------------------------

    def expr_Call(self, node: ast.Call) -> ast.expr:
        """Rewrite a call: the callee, or the receiver of the method, goes through a hook."""
        node.func = self._callee(node)
        return node

    def _callee(self, node: ast.Call) -> ast.expr:
        func = node.func
        if isinstance(func, ast.Name):
            new = self._named_callee(node, func)
        elif isinstance(func, ast.Attribute):
            new = self._method_callee(node, func)
        else:
            new = self._filtered(node, self.expr(func), None)
        node.args = self.exprs(node.args)
        for keyword in node.keywords:
            keyword.value = self.expr(keyword.value)
        return new

    def _named_callee(self, node: ast.Call, func: ast.Name) -> ast.expr:
        quiet = func.id in QUIET_BUILTINS and self.context.scope.sees_builtin(func.id)
        gives_away = func.id == "getattr" and _may_ask_for_dict(node)
        if quiet and not gives_away and not any(k.arg == "key" for k in node.keywords):
            return func  # with key=..., its line is noted for the calls it makes
        return self._filtered(node, func, func.id)

    def _method_callee(self, node: ast.Call, func: ast.Attribute) -> ast.expr:
        base = func.value
        if isinstance(base, ast.Name) and base.id in self.modules:
            return self._filtered(node, func, func.attr)
        if _is_super(base):
            self.parts(base)
            return self._filtered(node, func, func.attr)
        label, shape = self.mangled(func.attr), _shape(node)
        site = self.site(sites.CALL, node, func.attr)
        receiver = self.expr(base)
        func.value = at(self.hook("receiver", site, receiver, name=label, shape=shape), base)  # type: ignore[assignment]
        return func

    def _filtered(self, node: ast.Call, func: ast.expr, label: str | None) -> ast.expr:
        site = self.site(sites.CALL, node, label)
        return at(self.hook("callee", site, func, shape=_shape(node)), func)  # type: ignore[return-value]

    def expr_Attribute(self, node: ast.Attribute) -> ast.expr:
        """Rewrite ``o.__dict__`` so that the dictionary is known as the object's attributes."""
        node.value = self.expr(node.value)
        if node.attr != "__dict__" or not isinstance(node.ctx, ast.Load):
            return node
        return at(self.hook("dict_of", 0, node.value), node)  # type: ignore[return-value]

    # -- conditional expressions, walrus -----------------------------------------------------------

    def expr_IfExp(self, node: ast.IfExp) -> ast.expr:
        """Rewrite a conditional expression so that the branch taken is recorded."""
        node.test = self.expr(node.test)
        for field in ("body", "orelse"):
            value = getattr(node, field)
            site = self.site(sites.BLOCK, value)
            setattr(node, field, at(self.hook("arm", site, self.expr(value)), value))
        return node

    def expr_NamedExpr(self, node: ast.NamedExpr) -> ast.expr:
        """Rewrite a walrus, which binds a name of the function, even inside a comprehension."""
        scope = self.context.scope.place(node.target.id)
        if scope == NONLOCAL:
            node.value = self.expr(node.value)
            made = self.nonlocal_hook(node.target.id, node, sites.WRITE, [node])
            return at(made, node)  # type: ignore[return-value]
        site = self.site(sites.WRITE, node, node.target.id, scope)
        kind = "global" if scope == GLOBAL else "local"
        label = self.mangled(node.target.id) if scope == GLOBAL else None
        node.value = at(self.hook(kind, site, self.expr(node.value), name=label), node)  # type: ignore[assignment]
        return node

    def nonlocal_hook(
        self, label: str, node: ast.AST, kind: int, value: list[ast.expr]
    ) -> ast.expr:
        """Return the hook for after a nonlocal name was bound (to value) or unbound; it returns the value."""
        site = self.site(kind, node, label, NONLOCAL)
        return self.hook("nonlocal", site, thunk([label]), *value)

    # -- yield and await ----------------------------------------------------------------------------

    def expr_Yield(self, node: ast.Yield) -> ast.expr:
        """Record what is yielded, and what is sent back."""
        site = self.site(sites.YIELD, node)
        value = none() if node.value is None else self.expr(node.value)
        node.value = at(self.hook("yield", site, value), node)  # type: ignore[assignment]
        return self._resumed(node)

    def expr_YieldFrom(self, node: ast.YieldFrom) -> ast.expr:
        """Record what is passed through, and the value that the other generator returned."""
        called = "call" if isinstance(node.value, ast.Call) else None
        site = self.site(sites.YIELD, node.value, sites.FROM)
        value = self.expr(node.value)
        # A value that is not iterable fails in the hook, at the place where `yield from` itself would fail.
        node.value = at(self.hook("delegate", site, value, name=called), node)  # type: ignore[assignment]
        return self._resumed(node)

    def expr_Await(self, node: ast.Await) -> ast.expr:
        """Record the value that was awaited."""
        node.value = self.expr(node.value)
        return self._resumed(node)

    def _resumed(self, node: ast.expr) -> ast.expr:
        if self.context.depth > 0:
            return node
        site = self.site(sites.RESUME, node)
        return at(self.hook("resume", site, node), node)  # type: ignore[return-value]

    # -- comprehensions -------------------------------------------------------------------------------

    def comprehension(self, node: ast.expr) -> ast.expr:
        """Rewrite a comprehension as part of its function: its variables are recorded, its calls are the function's."""
        generators: list[ast.comprehension] = node.generators  # type: ignore[attr-defined]
        generators[0].iter = self.expr(generators[0].iter)  # evaluated outside
        # One that awaits lets other calls run in between: it uses the function's own handle.
        inside = 0 if self._awaits(node) else 1
        block = self.context.block
        if isinstance(node, ast.GeneratorExp):
            self.context.block = NOWHERE
        self.context.depth += inside
        for i, generator in enumerate(generators):
            if i > 0:
                generator.iter = self.expr(generator.iter)
            generator.ifs = self.exprs(generator.ifs)
            self._comprehension_variables(generator)
        for field in ("elt", "key", "value"):
            part = getattr(node, field, None)
            if part is not None:  # ``{**d for d in e}`` has a key alone
                setattr(node, field, self.expr(part))
        self.context.depth -= inside
        self.context.block = block
        return node

    def _awaits(self, node: ast.expr) -> bool:
        if isinstance(node, ast.GeneratorExp) or self.context.handle != LOCAL_HANDLE:
            return False
        return any(isinstance(n, ast.Await) or getattr(n, "is_async", 0) for n in own_nodes(node))

    def _comprehension_variables(self, generator: ast.comprehension) -> None:
        names = target_names(generator.target)
        generator.target = self.target(generator.target)
        if not names:
            return
        first, *_ = [self.site(sites.TARGET, generator.target, n) for n in names]
        noted = self.hook("comprehension", first, *[name(n) for n in names])
        generator.ifs.insert(0, at(noted, generator.target))  # type: ignore[arg-type]

    # -- targets ----------------------------------------------------------------------------------------

    def target(self, node: ast.expr) -> ast.expr:
        """Rewrite an assignment target; containers get a stand-in that records the store."""
        if isinstance(node, (ast.Tuple, ast.List)):
            node.elts = [self.target(e) for e in node.elts]
        elif isinstance(node, ast.Starred):
            node.value = self.target(node.value)
        elif isinstance(node, ast.Attribute):
            site = self.site(sites.ATTR, node, node.attr)
            base = self.expr(node.value)
            made = self.hook("target", site, base, name=self.mangled(node.attr))
            node.value = at(made, node.value)  # type: ignore[assignment]
        elif isinstance(node, ast.Subscript):
            site = self.site(sites.ITEM, node)
            base = self.expr(node.value)
            node.value = at(self.hook("target", site, base), node.value)  # type: ignore[assignment]
            node.slice = self.expr(node.slice)
        return node

    expr_ListComp = expr_SetComp = expr_DictComp = expr_GeneratorExp = comprehension

    # -- lambda ------------------------------------------------------------------------------------------

    def expr_Lambda(self, node: ast.Lambda) -> ast.expr:
        """Rewrite ``lambda x: e`` to ``lambda x: enter(x)[e]``; the handle is on the stack."""
        node.args.defaults = self.exprs(node.args.defaults)
        node.args.kw_defaults = [self.maybe(d) for d in node.args.kw_defaults]
        if any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in own_nodes(node.body)):
            return node  # a generator in a lambda is left alone
        outer = self.context
        names = parameters(node.args)
        self.enter_scope(node, "<lambda>", "lambda", NO_HANDLE)
        enter = at(self.enter_call(node, names), node.body)
        site = self.site(sites.RETURN, node.body)
        body = self._with_closures(self.expr(node.body))
        self.returns_by_subscript(site)
        result = ast.Subscript(value=enter, slice=body, ctx=LOAD)  # type: ignore[arg-type]
        node.body = at(result, node.body)  # type: ignore[assignment]
        lines = range(node.lineno, (node.end_lineno or 0) + 1)
        self.context.info.blocks.lines[0] = list(lines)
        self.context = outer
        return node

    def _with_closures(self, body: ast.expr) -> ast.expr:
        """Let a lambda that shares variables report their owners, like functions do: ``(told, e)[-1]``."""
        scope = self.context.scope
        told: list[ast.expr] = []
        if scope.cells:
            told.append(self.hook("cells", 0, thunk(scope.cells)))
        if scope.free:
            tell = self.hook("closure", 0, thunk(scope.free))
            told.append(ast.IfExp(test=self.hook("closure_wanted", 0), body=tell, orelse=none()))
        if not told:
            return body
        every = ast.Tuple(elts=[*told, body], ctx=LOAD)
        return ast.Subscript(value=every, slice=ast.Constant(value=len(told), kind=None), ctx=LOAD)

    # -- entering a scope ---------------------------------------------------------------------------------

    def enter_scope(self, node: ast.AST, label: str, kind: str, handle: int) -> Context:
        """Begin a function, lambda, class body or module; `self.context` is its own from here on."""
        outer = getattr(self, "context", None)
        scope = self.scopes[node]
        info = self.table.function(
            label, self._qualname(outer, label), kind, outer.info.number if outer else 0
        )
        info.line = getattr(node, "lineno", 1)
        info.end_line = getattr(node, "end_lineno", 0) or 0
        owner = label if kind == "class" else outer.owner if outer else None
        self.context = Context(scope, info, handle, owner)
        info.locals = [] if kind == "module" else sorted(map(self.mangled, scope.bound))
        info.free = sorted(map(self.mangled, scope.free))  # as the interpreter sorts them
        info.entry = self.site(sites.ENTRY, node, label)
        self.hooks.append(("marker",))
        self.context.marker = len(self.hooks) - 1
        return self.context

    def _qualname(self, outer: Context | None, label: str) -> str:
        if outer is None or outer.info.kind == "module":
            return label
        if outer.info.kind == "class":
            return f"{outer.info.qualname}.{label}"
        return f"{outer.info.qualname}.<locals>.{label}"

    def enter_call(self, node: ast.AST, names: list[str]) -> ast.expr:
        """Return the expression that begins the current context's call, with its parameters."""
        context = self.context
        info = context.info
        info.params = list(map(self.mangled, names))
        param_sites = [self.site(sites.PARAM, node, n) for n in names]
        is_namespace = info.kind in ("module", "class")
        implicit = info.name.startswith("__") and info.name not in ("__init__", "__new__")
        implicit = implicit or is_namespace or bool(getattr(node, "decorator_list", None))
        called = is_namespace or len(names) > 1
        self.hooks.append(
            (
                "enter",
                context.marker,
                info.number,
                info.entry,
                param_sites[0] if param_sites else 0,
                0,
                (
                    context.is_generator,
                    is_namespace,
                    info.kind == "module",
                    implicit,
                    called,
                    tuple(info.free),
                ),
            )
        )
        context.entering = len(self.hooks) - 1
        entry = placeholder(context.entering)
        if called:
            return call(entry, *[name(n) for n in names])
        if names:
            return ast.Subscript(value=entry, slice=name(names[0]), ctx=LOAD)
        return ast.UnaryOp(op=ast.Invert(), operand=entry)

    def returns_by_subscript(self, site: int) -> None:
        """Let ``h[value]`` end the calls of the current function, at this site."""
        number = self.context.entering
        *before, _, kinds = self.hooks[number]
        self.hooks[number] = (*before, site, kinds)


def _shape(node: ast.Call) -> Shape:
    """Return how a call passes its arguments."""
    names = tuple(k.arg for k in node.keywords if k.arg is not None)
    if len(names) < len(node.keywords) or any(isinstance(a, ast.Starred) for a in node.args):
        return STARRED
    return len(node.args), names


def _is_super(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"
    )


def _may_ask_for_dict(node: ast.Call) -> bool:
    """Return whether this ``getattr(o, name)`` can mean ``o.__dict__``; not if the name begins otherwise."""
    asked = node.args[1] if len(node.args) > 1 else none()
    while isinstance(asked, (ast.BinOp, ast.JoinedStr)):  # "visit_" + name, f"visit_{name}"
        first = asked.left if isinstance(asked, ast.BinOp) else (asked.values or [none()])[0]
        if isinstance(first, ast.Constant):
            return not isinstance(first.value, str) or "__dict__".startswith(first.value[:8])
        asked = first
    return not isinstance(asked, ast.Constant) or asked.value in (None, "__dict__")
