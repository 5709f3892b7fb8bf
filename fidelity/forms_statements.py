"""Generate statements for `fidelity.forms`: every kind that the language has, nested in each other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from fidelity.forms_expressions import NAMES, OPERATORS, Place
from fidelity.forms_patterns import Patterns

Lines = list[str]
DEEPEST = 3
"""Levels of nested statements."""
ELSE = "else:"


def below(lines: Lines) -> Lines:
    """Indent some lines."""
    return ["    " + line for line in lines]


class Statements(Patterns):
    """Writes statements as lines."""

    def block(self, at: Place, size: int = 2) -> Lines:
        """Return the indented body of a statement."""
        inner = replace(at, depth=at.depth + 1)
        lines = [
            line
            for _ in range(self.random.randint(1, size))
            for line in self.statement(inner)
        ]  # fmt: skip
        if self.random.random() < 0.3:
            lines.append(self.probe())
        return below(lines)

    def probe(self) -> str:
        """Return a statement at which the variables are written down."""
        self.places += 1
        return f"probe(label({self.places}))"

    def statement(self, at: Place) -> Lines:
        """Return any statement."""
        if at.depth >= DEEPEST or self.random.random() < 0.45:
            return [self.simple(at)]
        kinds: list[Callable[[Place], Lines]] = [
            *(self.branches, self.loop, self.while_loop, self.with_items, self.attempt),
            *(self.attempt, self.attempt_group, self.matching, self.function, self.function),
            *(self.generator, self.coroutine, self.class_body, self.imports, self.scopes),
        ]
        if self.version >= (3, 12):
            kinds.append(self.alias)
        return self.random.choice(kinds)(at)

    # -- one line --------------------------------------------------------------------------------------

    def target(self, at: Place) -> str:
        """Return a target that is not just a name."""
        e = self.e(at, 2)
        return self.pick(
            self.name(),
            self.name(),
            "box.value",
            f"{self.witness('box')}.value",
            f"{self.witness('items')}[{e} % 3]",
            f"items[{e} % 2:{self.e(at, 2)}]",
            f"table[{e}]",
            f"table[{e}, {self.e(at, 2)}]",
            f"grid[{e}:, ...]",
            f"Box({e}).value",
        )

    def unpacking(self, at: Place) -> tuple[str, str]:
        """Return several targets, and a value of their shape."""
        one, other, third = (self.target(at) for _ in range(3))
        x, y, z = (self.e(at, 1) for _ in range(3))
        forms = (
            (f"{one}, {other}", f"{x}, {y}"),
            (f"{one}, ({other}, *{self.name()}), [{third}]", f"{x}, ({y}, {z}), [{x}]"),
            (f"[*{self.name()}, {one}]", f"{x}, {y}, *items"),
            (f"({one},)", f"({x},)"),
            (f"{one}, *{self.name()}, {other}", f"items, {x}"),
            (f"*box.value, {one}", f"{x}, {y}"),
            (f"{one}, {other}", f"{x}, {y}, {z}"),
        )
        return self.random.choice(forms)

    def simple(self, at: Place) -> str:
        """Return a statement of one line."""
        kinds = [self.assignment] * 5 + [self.bare, self.deletion, self.jump, self.jump]
        return self.random.choice(kinds)(at)

    def assignment(self, at: Place) -> str:
        """Return assignments of every kind."""
        e = self.e
        targets, values = self.unpacking(at)
        note = self.note(at)
        operator = self.pick(*OPERATORS, "<<", "**").replace("*", "+", 1).replace("+*", "**")
        value = f"{e(at)} % 2" if operator in ("<<", "**") else e(at)  # or numbers get too large
        return self.pick(
            f"{self.target(at)} = {e(at)}",
            f"{self.name()} = {e(at)}",
            f"{self.target(at)} = {self.target(at)} = {e(at)}",
            f"{targets} = {values}",
            f"{targets} = {self.name()} = {values}",
            f"{self.name()} {operator}= {value}",
            f"{self.witness('box')}.value {operator}= {value}",
            f"items[{e(at, 2)} % 3] {operator}= {value}",
            f"table[{e(at, 2)}]: {note} = {e(at)}",
            f"box.value: {note} = {e(at)}",
            f"n{self.random.randint(1, 3)}: {note} = {e(at)}",
            f"box.value: {note}",
            f"{self.name()} = [{e(at)}, *items]",
            f"{self.name()} = {{'k': {e(at)}}}",
            f"{self.name()} = Box({e(at)})",
            *([f"{self.name()} = yield {e(at)}"] if at.can_yield else []),
            *([f"{self.name()} = yield"] if at.can_yield else []),
            *([f"{self.name()} += yield from many({e(at)})"] if at.kind == "generator" else []),
            *([f"{self.name()} = await later({e(at)})"] if at.can_await else []),
        )

    def bare(self, at: Place) -> str:
        """Return expression statements, and others that bind nothing."""
        return self.pick(
            self.e(at),
            f"table.pop({self.e(at)}, None)",
            f"items.append({self.e(at)})",
            f"box.method({self.e(at)})",
            "pass",
            f"assert {self.e(at)}",
            f"assert {self.e(at)}, {self.e(at)}",
            f"(yield {self.e(at)})" if at.can_yield else "...",
        )

    def deletion(self, at: Place) -> str:
        """Return ``del`` with every kind of target."""
        e = self.e(at, 2)
        return self.pick(
            f"del table[{e}]",
            f"del {self.name()}",
            f"del {self.name()}, table[{e}]",
            f"del ({self.name()}, [box.value]), items[:1]",
            f"del {self.witness('box')}.value",
            f"del items[{e}:{self.e(at, 2)}:2]",
            f"del items[{e} % 3]",
            "del ()",
        )

    def jump(self, at: Place) -> str:
        """Return statements that jump."""
        e = self.e(at, 1)
        forms = [
            f"if {e}: raise KeyError({e})",
            f"if {e}: raise ValueError({e}) from {self.pick('None', 'TypeError()', e)}",
            f"if {e}: raise",
            f"if {e}: raise ExceptionGroup('g', [KeyError({e}), ValueError(1)])",
        ]
        if at.loop and not at.group:
            forms += [f"if {e}: {self.pick('break', 'continue')}"] * 3
        if at.kind in ("function", "generator", "coroutine") and not at.group and at.depth > 1:
            forms.append(f"if {e}: return {e}")
        return self.pick(*forms)

    # -- several lines ---------------------------------------------------------------------------------

    def branches(self, at: Place) -> Lines:
        """Return ``if`` with any number of ``elif``."""
        lines = [f"if {self.e(at)}:", *self.block(at)]
        while self.random.random() < 0.5:
            lines += [f"elif {self.e(at, 1)}:", *self.block(at)]
        return lines + ([ELSE, *self.block(at)] if self.random.random() < 0.6 else [])

    def ending(self, at: Place) -> Lines:
        """Return the ``else`` of a loop, or nothing."""
        return [ELSE, *self.block(at)] if self.random.random() < 0.5 else []

    def loop(self, at: Place) -> Lines:
        """Return ``for``, with every kind of target."""
        inner = replace(at, loop=not at.group)
        target, source = self.target(at), f"{self.witness('items')}[:2]"
        if self.random.random() < 0.4:
            target, values = self.unpacking(at)
            source = f"(({values}), ({values}))"
        if at.can_await and self.random.random() < 0.6:
            return [
                f"async for {target} in slowly({source}):",
                *self.block(inner),
                *self.ending(at),
            ]
        if self.random.random() < 0.2:
            source = f"{self.e(at, 2)}, *items"
        return [f"for {target} in {source}:", *self.block(inner), *self.ending(at)]

    def while_loop(self, at: Place) -> Lines:
        """Return ``while``, which ends after a number of rounds shared by all loops."""
        inner = replace(at, loop=not at.group)
        return [f"while budget() and {self.e(at)}:", *self.block(inner), *self.ending(at)]

    def with_items(self, at: Place) -> Lines:
        """Return ``with`` with one or several items."""
        e = self.e
        many, values = self.unpacking(at)
        items = self.pick(
            f"Box({e(at)})",
            f"Box({e(at)}) as {self.target(at)}",
            f"Box({e(at)}) as {self.target(at)}, Box({e(at, 1)}), Box({e(at, 1)}) as {self.name()}",
            f"(Box({e(at)}) as {self.name()}, Box(a) as {self.target(at)},)",
            f"Box(({values})) as ({many})",
        )
        if at.can_await and self.random.random() < 0.6:
            return [f"async with {items}:", *self.block(at)]
        return [f"with {items}:", *self.block(at)]

    def attempt(self, at: Place) -> Lines:
        """Return ``try`` with every combination of clauses."""
        lines = ["try:", *self.block(at)]
        clauses = self.random.randint(0, 3)
        for _ in range(clauses):
            kind = self.pick("KeyError", "(TypeError, KeyError)", self.witness("TypeError"))
            bound = self.pick("", f" as {self.name()}")
            if self.version >= (3, 14) and not bound:
                kind = self.pick(kind, f"TypeError, {self.witness('KeyError')}")
            lines += [f"except {kind}{bound}:", *self.block(at)]
        if clauses and self.random.random() < 0.4:
            lines += ["except:", *self.block(at)]
        if clauses and self.random.random() < 0.5:
            lines += [ELSE, *self.block(at)]
        if not clauses or self.random.random() < 0.5:
            lines += ["finally:", *self.block(at)]
        return lines

    def attempt_group(self, at: Place) -> Lines:
        """Return ``try`` with ``except*``."""
        inside = replace(at, group=True, loop=False)
        lines = ["try:", *self.block(at)]
        for kind in ("KeyError", "(TypeError, Injected)")[: self.random.randint(1, 2)]:
            bound = self.pick("", f" as {self.name()}")
            if self.version >= (3, 14) and not bound:
                kind = kind.strip("()")
            lines += [f"except* {kind}{bound}:", *self.block(inside)]
        if self.random.random() < 0.3:
            lines += [ELSE, *self.block(at)]
        return lines + (["finally:", *self.block(at)] if self.random.random() < 0.4 else [])

    def matching(self, at: Place) -> Lines:
        """Return ``match`` with every kind of pattern."""
        e = self.e(at)
        subject = self.pick(
            e, "box", "items", "table", f"{e}, *items", f"({e}, [a, b])", "'k'", "-1"
        )
        count = self.random.randint(1, 4)
        lines = [f"match {subject}:"]
        for number in range(count):
            case = self.case(at, last=number == count - 1)
            lines += below([f"case {case}:", *self.block(at)])
        return lines

    # -- functions and classes ---------------------------------------------------------------------------

    def note(self, at: Place) -> str:
        """Return the annotation of a variable or parameter; from 3.14 on, that has a scope of its own."""
        lazy = at.lazy() if self.version >= (3, 14) else replace(at, yields=False, walrus=False)
        return self.e(lazy, 2)

    def annotation(self, at: Place) -> str:
        """Return an expression in a scope of its own; in a class, it may not contain scopes (3.12)."""
        if at.kind == "class":
            return self.witness(self.leaf())
        return self.e(replace(at.lazy(), kind="function"), 1)

    def type_parameters(self, at: Place) -> str:
        """Return ``[T: bound, *Ts, **P]``, or nothing."""
        if self.version < (3, 12) or self.random.random() < 0.6:
            return ""
        one = self.annotation(at)
        default = f" = {one}" if self.version >= (3, 13) and self.random.random() < 0.5 else ""
        rest = f"{' = (1, 2)' if default else ''}, **P{' = [1]' if default else ''}"
        return self.pick("[T]", f"[T: {one}]", f"[T: (int, {one})]", f"[T{default}, *Ts{rest}]")

    def parameters(self, at: Place) -> str:
        """Return parameters of every kind, with defaults and annotations."""
        one, other, third = (self.e(at, 1) for _ in range(3))
        note = self.note(at)
        return self.pick(
            "",
            f"p={one}",
            f"p={one}, /, q={other}",
            f"p: {note} = {one}, /, *q: {note}, k={other}, j: {note} = {third}, **m: {note}",
            f"*, k={one}, j={other}",
            f"*q: *{self.witness('(int, str)')}",
            f"p={one}, *, k={other}",
        )

    def decorators(self, at: Place) -> Lines:
        """Return any number of decorators."""
        kinds = (
            f"@{self.witness('same')}",
            f"@decorated({self.e(at, 1)})",
            "@lambda f: f",
            f"@(same if {self.e(at, 1)} else decorated(1))",
        )
        return [self.pick(*kinds) for _ in range(self.random.choice((0, 0, 1, 2)))]

    def body(self, at: Place, kind: str) -> Lines:
        """Return the body of a function: some variables are shared with its surroundings, others are its own."""
        shared = [name for name in NAMES if self.random.random() < 0.5]
        own = [name for name in NAMES if name not in shared]
        lines = []
        for word, names in (
            ("nonlocal", [name for name in shared if name in at.owned]),
            ("global", [name for name in shared if name not in at.owned]),
        ):
            lines += [f"{word} {', '.join(names)}"] if names else []
        lines += [f"{' = '.join(own)} = {self.random.randint(0, 5)}"] if own else []
        owned = tuple(name for name in NAMES if name in own or name in at.owned)
        inner = Place(kind, depth=at.depth, owned=owned)
        result = "" if kind == "asyncgen" else f" {self.e(inner, 1)}"
        lines += [*self.unindented(inner), self.probe(), f"return{result}"]
        return below(lines)

    def unindented(self, at: Place) -> Lines:
        """Return some statements."""
        return [line[4:] for line in self.block(at)]

    def signature(self, at: Place, name: str) -> str:
        """Return ``name[T](parameters) -> annotation:``."""
        generic = self.type_parameters(at)
        if generic:  # in a scope of its own, without yield, walrus and await
            note = self.annotation(at)
            one, other = self.annotation(at), self.annotation(at)
            return f"{name}{generic}(p: {note} = {one}, /, *q: {note}, k={other}) -> {note}:"
        note = self.note(at)
        arrow = self.pick("", f" -> {note}")
        return f"{name}{generic}({self.parameters(at)}){arrow}:"

    def function(self, at: Place) -> Lines:
        """Return a function and a call of it."""
        head = [*self.decorators(at), f"def {self.signature(at, 'inner')}"]
        lines = [*head, *self.body(at, "function"), f"{self.name()} = inner()"]
        if self.version >= (3, 14) and self.random.random() < 0.3:  # evaluated when somebody asks
            lines.append(f"{self.name()} = len(inner.__annotations__)")
        return lines

    def generator(self, at: Place) -> Lines:
        """Return a generator that is consumed in several ways."""
        head = [*self.decorators(at), f"def {self.signature(at, 'gen')}"]
        run = self.pick(
            f"{self.name()} = [*gen()]",
            f"{self.name()} = drive(gen(), {self.e(at, 1)})",
            f"for {self.name()} in gen(): break",
            f"{self.name()}, *_ = gen()",
        )
        return [*head, "    if 0: yield", *self.body(at, "generator"), run]

    def coroutine(self, at: Place) -> Lines:
        """Return a coroutine or asynchronous generator that is run."""
        kind = self.pick("coroutine", "asyncgen")
        head = [*self.decorators(at), f"async def {self.signature(at, 'co')}"]
        if kind == "asyncgen":
            return [*head, "    if 0: yield", *self.body(at, kind), f"{self.name()} = gather(co())"]
        run = f"{self.name()} = finish(co())"
        if at.can_await:
            run = self.pick(run, f"{self.name()} = await co()")
        return [*head, *self.body(at, kind), run]

    def class_body(self, at: Place) -> Lines:
        """Return a class, with bases, keywords, a metaclass, methods and statements of any kind."""
        generic = self.type_parameters(at)
        e = self.annotation(at) if generic else self.e(at, 1)
        bases = self.pick(
            "()" if generic else "",
            "(Box)",
            f"(object if {e} else Box)",
            f"(Box, metaclass=Meta, flag={e})",
            f"(*[Box], **{{'flag': {e}, 'metaclass': Meta}})",
            f"({self.witness('Flagged')}, flag={e})",
        )
        inner = Place("class", depth=at.depth, owned=at.owned)
        lines = [f"class Inner{generic}{bases}:"]
        if self.random.random() < 0.3:
            lines += below([f"'''About {e[:1]}.'''"])
        shared = "nonlocal d" if "d" in at.owned else "global d"
        lines += below([self.pick("pass", "global g", shared)])
        lines += below(["x = 1", f"g = {self.e(inner, 1)}", f"y = [x, {self.e(inner, 1)}]"])
        lines += self.block(inner)
        lines += below([f"x += {self.e(inner, 1)}", self.probe()])
        lines += below(self.method(inner))
        return [*self.decorators(at), *lines, f"{self.name()} = Inner(1).m({self.e(at, 1)})"]

    def method(self, at: Place) -> Lines:
        """Return a method that can be called on the class or an instance."""
        e = self.e(Place("function"), 1)
        return self.random.choice(
            (
                ["def m(self, v=x):", f"    return super().__repr__() and {e}"],
                ["@staticmethod", "def m(v):", f"    return {e}"],
                ["@classmethod", "def m(cls, v):", "    cls.y.append(v)", f"    return {e}"],
                ["@property", "def m(self):", f"    return lambda v: (__class__, {e})[1]"],
                ["def m(self, __v):", "    self.__w = __v", "    return self.__w"],
            )
        )

    def alias(self, at: Place) -> Lines:
        """Return a ``type`` statement, and its value."""
        head = f"type Alias{self.type_parameters(at)} = {self.annotation(at)}"
        return [head, f"{self.name()} = Alias.__value__"]

    # -- imports and declarations ------------------------------------------------------------------------

    def imports(self, at: Place) -> Lines:
        """Return imports of modules of the program and of the standard library."""
        name = self.name()
        return self.random.choice(
            (
                ["import helper", f"{name} = helper.double({self.e(at, 1)})"],
                [f"import pack.part as {name}", f"{name} = {name}.value"],
                [f"from helper import two as {name}, three"],
                ["import pack.part, os.path", f"{name} = pack.part.value"],
                [f"from math import floor as {name}", f"{name} = {name}(2.5)"],
                [f"from pack import (part, value as {name},)"],
                [f"from helper import two as {name}, missing"],
                ["import helper, nowhere.at.all"],
            )
        )

    def scopes(self, at: Place) -> Lines:
        """Return a function that declares a global, not always at its beginning."""
        inner = Place("function", depth=at.depth + 1)
        body = self.random.choice(
            (
                ["global g", f"g = {self.e(inner, 1)}", "[g := x for x in items]", "return g"],
                [f"if {self.e(inner, 1)}:", "    global g", f"g = {self.e(inner, 1)}", "return g"],
                ["global g", "for g in items: pass", "with Box(g) as g: pass", "del g", "return 1"],
                ["global g", "def g(): return 3", "return g()"],
                ["global g", "class g: pass", "import helper as h", "return h.two"],
                ["global g", "try: raise KeyError(1)", "except KeyError as g: pass", "return 2"],
                ["return (lambda: [z for z in items if (k := z)])()"],
            )
        )
        return ["def declares():", *below(body), f"{self.name()} = declares()"]
