"""Generate expressions for `fidelity.forms`: every kind that the language has, deep and wide.

A *place* is where an expression stands: it determines what the grammar allows there. Every expression passes through a
witness call, ``w(number, value)``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

NAMES = ("a", "b", "c", "d")
DEEPEST = 3
"""Levels of nested expressions."""
OPERATORS = ("+", "-", "*", "|", "&", "^", "//", "%", "/")
COMPARISONS = ("<", "<=", "==", "!=", ">", ">=", "is", "is not")


@dataclass(frozen=True)
class Place:
    """A position in the program, and what is allowed there."""

    kind: str = "function"
    """function, generator, coroutine, asyncgen, class or module"""
    depth: int = 0
    """Levels of statements around it."""
    loop: bool = False
    """Whether `break` is allowed here."""
    walrus: bool = True
    yields: bool = True
    group: bool = False
    """Inside ``except*``, which no jump may leave."""
    owned: tuple[str, ...] = NAMES
    """Variables that an inner function may declare nonlocal."""
    fresh: bool = False
    """Inside an annotation scope or a comprehension's iterable: no walrus, yield or await at all."""

    @property
    def can_yield(self) -> bool:
        """Return whether ``yield`` is allowed."""
        return self.kind in ("generator", "asyncgen") and self.yields and not self.fresh

    @property
    def can_await(self) -> bool:
        """Return whether ``await`` is allowed."""
        return self.kind in ("coroutine", "asyncgen") and not self.fresh

    def inside(self) -> Place:
        """Return the place of a comprehension's element."""
        return replace(self, yields=False, walrus=self.walrus and self.kind != "class")

    def lazy(self) -> Place:
        """Return the place of a comprehension's iterable or an annotation scope."""
        return replace(self, fresh=True, walrus=False, yields=False)

    def in_lambda(self) -> Place:
        """Return the place of a lambda's body."""
        return replace(self, kind="function", yields=False)


class Expressions:
    """Writes expressions."""

    def __init__(self, seed: int, version: tuple[int, int]) -> None:
        self.random = Random(seed)
        self.version = version
        self.places = 0

    def pick(self, *choices: str) -> str:
        """Pick any of these."""
        return self.random.choice(choices)

    def name(self) -> str:
        """Return a variable."""
        return self.pick(*NAMES)

    def witness(self, text: str) -> str:
        """Wrap an expression in a witness call."""
        self.places += 1
        return f"w({self.places}, {text})"

    def e(self, at: Place, depth: int = 0) -> str:
        """Return any expression; most are numbers."""
        if depth >= DEEPEST or self.random.random() < 0.15 * depth:
            return self.witness(self.leaf())
        kinds = [self.arithmetic, self.choice, self.call, self.display, self.comprehension]
        kinds += [self.text, self.subscript, self.anonymous]
        if at.can_yield or at.can_await:
            kinds += [self.suspended, self.suspended]
        if at.walrus and not at.fresh:
            kinds.append(self.walrus)
        return self.witness(self.random.choice(kinds)(at, depth + 1))

    def leaf(self) -> str:
        """Return an expression without others in it."""
        return self.pick(
            *(self.name(), self.name(), str(self.random.randint(0, 9)), "box.value", "1.5"),
            *("True", "None", "len(items)", "...", "0x1f", "b'xy'[0]", "len('t' 'u')", "2j.imag"),
        )

    def arithmetic(self, at: Place, depth: int) -> str:
        """Return operators."""
        one, other = self.e(at, depth), self.e(at, depth)
        return self.pick(
            f"{one} {self.pick(*OPERATORS)} {other}",
            f"{one} {self.pick(*OPERATORS)} {other}",
            f"({self.pick('-', '+', '~', 'not ')}{one})",
            f"({one} % 5) ** ({other} % 3)",
            f"({one} << {other} % 4) >> 1",
            f"Box({one}) @ {other}",
        )

    def choice(self, at: Place, depth: int) -> str:
        """Return conditions and comparisons."""
        one, other, third = (self.e(at, depth) for _ in range(3))
        return self.pick(
            f"({one} if {other} else {third})",
            f"({one} {self.pick('and', 'or')} {other} {self.pick('and', 'or')} {third})",
            f"(not {one} or {other})",
            f"({one} {self.pick(*COMPARISONS)} {other} {self.pick(*COMPARISONS)} {third})",
            f"({one} {self.pick('in', 'not in')} items {self.pick('in', '!=')} {other})",
        )

    def call(self, at: Place, depth: int) -> str:
        """Return calls with all kinds of arguments."""
        one, other, third = (self.e(at, depth) for _ in range(3))
        forms = [
            f"max({one}, *items, key=lambda v: {self.e(at.in_lambda(), depth)})",
            f"take({one}, *({other}, {third}), k={self.name()})",
            f"take(*items, {one}, *items, j={other}, **{{'k': {third}}}, **table_of({one}))",
            f"take({one}, m={other})",
            f"box.method({one}, more={other}).value",
            f"Box({one}).method({other}).method({third}).value",
            f"double({one})",
            f"getattr({self.witness('box')}, 'value')",
        ]
        element = self.e(at.inside(), depth)
        return self.pick(*forms, f"sum({self.clauses(element, at, depth, '()')[1:-1]})")

    def display(self, at: Place, depth: int) -> str:
        """Return displays, with stars."""
        one, other, third = (self.e(at, depth) for _ in range(3))
        return self.pick(
            f"len([{one}, *items, {other}, *({third},)])",
            f"len((*items, {one}))",
            f"len({{{one}: {other}, **table, {third}: 1}})",
            f"len({{{one}, *items, {other}}})",
            f"[{one}, {other}, {third}][1]",
            f"({one}, {other})[-1]",
            f"{{'k': {one}}}['k']",
            "len([]) + len({}) + len(())",
            *(
                (f"len(frozendict({{{one}: {other}}}, k={third}))",)
                if self.version >= (3, 15)
                else ()
            ),
        )

    def comprehension(self, at: Place, depth: int) -> str:
        """Return comprehensions of every kind."""
        inside = at.inside()
        one, other = self.e(inside, depth), self.e(inside, depth)
        kind = self.pick("[]", "{}", "()", "dict")
        if self.version >= (3, 15) and self.random.random() < 0.3:
            return self.unpacked(kind, one, other, at, depth)
        if kind == "dict":
            return f"len({self.clauses(f'x: {one}', at, depth, '{}')})"
        text = self.clauses(self.pick(one, other, "x", "(x, y)"), at, depth, kind)
        if "async for" in text or "await" in text:
            return f"len({text})" if kind != "()" else f"bool({text})"
        return f"len([*{text}])"

    def unpacked(self, kind: str, one: str, other: str, at: Place, depth: int) -> str:
        """Return a comprehension that unpacks its elements."""
        if kind == "dict":
            return f"len({self.clauses(f'**{{x: {one}, 1: {other}}}', at, depth, '{}')})"
        element = self.pick(f"*({one}, x)", f"*[{one}, *({other},)]", f"*{one}", "*(x, y)")
        text = self.clauses(element, at, depth, kind)
        return f"len({text})" if kind != "()" else f"bool({text})"

    def clauses(self, element: str, at: Place, depth: int, brackets: str) -> str:
        """Return a comprehension with this element."""
        inside = at.inside()
        text = [f"for x in {self.iterable(at, depth)}"]
        if at.can_await and self.random.random() < 0.4 and brackets != "()":
            text = [f"async for x in slowly({self.iterable(at, depth)})"]
        while self.random.random() < 0.4:
            text.append(f"if {self.e(inside, depth)}")
        second = self.pick("y", "y, *z", "(y, *z)", "[y]", "box.value", "table[0]")
        if "y" in element.replace("yield", "") or self.random.random() < 0.3:
            if "y" not in second:
                second = "y"
            source = "items" if second == "y" else f"[({self.e(at.lazy(), depth)},)]"
            text.append(f"for {second} in {source}")
        return f"{brackets[0]}{element} {' '.join(text)}{brackets[1]}"

    def iterable(self, at: Place, depth: int) -> str:
        """Return what a comprehension iterates over."""
        return self.pick(
            "items", f"items[:{self.e(at.lazy(), depth)}]", self.witness("items"), "(1, 2)"
        )

    def text(self, at: Place, depth: int) -> str:
        """Return f-strings and t-strings."""
        one, other = self.e(at, depth), self.e(at, depth)
        if self.version < (3, 12) and any(c in one + other for c in "'\"\\"):
            one, other = self.witness(self.name()), self.witness(self.name())
        return self.pick(
            f"len(f'{{{one}}}')",
            f"len(f'{{{one}!r:>{{{other} % 7}}}}')",
            f"len(f'x{{{one}!s}}y{{{other}=}}' 'z')",
            f"len(f'{{{one}:{{{other} % 5}}.{{{self.name()} % 5}}}}' rf'{{{self.name()}!a}}{{{{}}}}')",
            *(self.templates(one, other) if self.version >= (3, 14) else ()),
        )

    def templates(self, one: str, other: str) -> tuple[str, ...]:
        """Return template strings."""
        return (
            f"len(t'{{{one}}}x{{{other}!r}}'.strings)",
            f"t'{{{one}!s:>{{{other} % 7}}}}'.values[0]",
            f"(t'{{{one}=}}' + rt'y{{{other}}}\\d').interpolations[1].value",
            f"len([*t'{{{one}}}{{{other}}}'])",
            f"len(f'{{t'{{{one}}}'.values}}')",
        )

    def subscript(self, at: Place, depth: int) -> str:
        """Return subscripts and slices."""
        one, other, third = (self.e(at, depth) for _ in range(3))
        return self.pick(
            f"items[{one} % 3]",
            f"len(items[{one}:])",
            f"len(items[:{one}:{other}])",
            f"len(items[{one}:{other}:{third}])",
            f"grid[{one}, {other}:{third}, ::2, ...]",
            f"grid[*items, {one}]",
            f"grid[{one}:{other}]",
        )

    def anonymous(self, at: Place, depth: int) -> str:
        """Return lambdas."""
        one, other = self.e(at, depth), self.e(at.in_lambda(), depth)
        generator = replace(at.in_lambda(), kind="generator", yields=True)
        return self.pick(
            f"(lambda: {other})()",
            f"(lambda x, /, y={one}, *z, k={self.e(at, depth)}, **m: {other})(1)",
            f"(lambda *, k={one}: (lambda: {other})())()",
            f"len([*(lambda: (yield {self.e(generator, depth)}))()])",
        )

    def walrus(self, at: Place, depth: int) -> str:
        """Return assignment expressions."""
        return f"({self.name()} := {self.e(at, depth)})"

    def suspended(self, at: Place, depth: int) -> str:
        """Return ``yield`` and ``await`` in the middle of an expression."""
        one = self.e(at, depth)
        forms = []
        if at.can_await:
            forms += [f"(await later({one}))", f"await Later({one})"]
        if at.can_yield:
            forms += [f"(yield {one})", "(yield)", f"(yield {one}, *items)"]
            if at.kind == "generator":
                forms += [f"(yield from many({one}))", "(yield from [1, 2])"]
        return self.pick(*(f"({form} or {self.leaf()})" for form in forms))
