"""Random programs with every kind of statement and of control flow; each run of one is the same, and ends."""

from __future__ import annotations

import random
import textwrap

PRELUDE = """\
import asyncio
import contextlib

STATE = [7]
FUEL = [60]


def chance(n):
    STATE[0] = (STATE[0] * 1103515245 + 12345) % 2147483648
    return (STATE[0] >> 8) % n == 0


def go():
    FUEL[0] -= 1
    return FUEL[0] > 0 and not chance(4)


def boom(n):
    if chance(n):
        raise ValueError(n)
    return n


class Thing:
    def __init__(self):
        self.n = 0
        self.items = [1, 2, 3]

    def __bool__(self):
        return not chance(3)

    def __add__(self, other):
        return boom(7)

    def __getitem__(self, key):
        return boom(9)

    def __setitem__(self, key, value):
        boom(9)

    @property
    def prop(self):
        return boom(8)

    @prop.setter
    def prop(self, value):
        boom(8)


class Rounds:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        boom(6)
        self.n -= 1
        if self.n < 0:
            raise StopIteration
        return self.n


class Guarding:
    def __init__(self, suppresses):
        self.suppresses = suppresses

    def __enter__(self):
        return self

    def __exit__(self, *why):
        boom(12)
        return self.suppresses


def failing(n):
    for i in range(n):
        yield i
    if chance(2):
        raise KeyError(n)

"""

EXPRESSIONS = [
    *("a + 1", "b", "3", "chance(2)", "boom(6)", "table[a % 4]", "10 // (a % 3)", "thing + 1"),
    *("[x for x in range(3)]", "[boom(20) for x in range(2)]", "sum(x for x in range(b % 4))"),
    *(
        "a if chance(2) else b",
        "(w := boom(9))",
        "[y := x for x in range(2)]",
        "thing.prop",
        "thing[1]",
    ),
    *("(lambda q: q + 1)(b)", "len(items)", "items.pop()", "a and chance(2)", "list(lazy)"),
    *(
        "max(items, key=lambda q: -q)",
        "{x: x for x in items}",
        "f'{a}{boom(15)}'",
        "str(\n    a,\n)",
    ),
]
TESTS = [
    *("chance(2)", "chance(3)", "a % 2", "thing", "boom(7) > 3", "items", "a > b", "not table"),
    *("a and chance(2)", "table[a % 4]", "(w := chance(2))", "[x for x in items if chance(2)]"),
]
SIMPLE = [
    *(
        "a = {e}",
        "a = b = {e}",
        "b = {e}; a = 1",
        "a, b = b % 100, a % 100",
        "c: int = 2",
        "a += 1",
    ),
    *("thing.n = {e}", "thing.prop = {e}", "thing[1] = {e}", "items[0] = {e}", "table[a % 4] = 5"),
    *("items[1:1] = []", "thing.n += 1", "table['n'] = table.get('n', 0) + 1", "{t}", "chance(2)"),
    *("table |= {{a % 4: 1, 9: 2}}", "GLOBAL = {e}", "GLOBAL += 1", "items.append(1)", "pass"),
    *("del table['n']", "assert {t}", "import os", "lazy = (boom(9) for x in items)", "thing.prop"),
    *("def inner(z):\n    return z\ninner(a)", "class Inner:\n    z = 1", "a = 4"),
]
LEAVING = ["return {e}", "return", "raise ValueError(1)", "raise KeyError(2) from None"]


class Writer:
    """Writes one function."""

    def __init__(self, chance: random.Random, yields: bool) -> None:
        self._chance = chance
        self._yields = yields

    def _pick(self, texts: list[str]) -> str:
        text = self._chance.choice(texts)
        return text.format(e=self._chance.choice(EXPRESSIONS), t=self._chance.choice(TESTS))

    def suite(self, depth: int, loop: bool, handler: bool = False) -> str:
        """Return some statements, indented."""
        count = self._chance.choice([1, 1, 2, 2, 3])
        text = "\n".join(self.statement(depth, loop, handler) for _ in range(count))
        if self._chance.random() < 0.12:
            text += "\n" + self.leaving(loop, handler)
        return textwrap.indent(text, "    ")

    def leaving(self, loop: bool, handler: bool) -> str:
        """Return a statement after which nothing is executed."""
        found = [
            *LEAVING,
            *(["break", "continue"] * 3 if loop else []),
            *(["raise"] * 3 if handler else []),
        ]
        return self._pick(found)

    def statement(self, depth: int, loop: bool, handler: bool) -> str:
        """Return a statement of any kind."""
        if self._yields and self._chance.random() < 0.1:
            return self._chance.choice(["yield a", "a = yield b", "yield from range(2)"])
        if depth <= 0 or self._chance.random() < 0.4:
            return self._pick(SIMPLE)
        kinds = [self._if, self._while, self._for, self._try, self._try, self._with, self._match]
        return self._chance.choice(kinds)(depth - 1, loop, handler)

    def _maybe(self, header: str, depth: int, loop: bool, handler: bool) -> str:
        if self._chance.random() < 0.5:
            return ""
        return f"\n{header}:\n{self.suite(depth, loop, handler)}"

    def _if(self, depth: int, loop: bool, handler: bool) -> str:
        test = self._pick(["{t}"])
        if self._chance.random() < 0.15:
            return f"if {test}: {self._pick(['a = 1', 'a += 1', 'chance(2)', 'a = boom(9)'])}"
        more = self._maybe(f"elif {self._pick(['{t}'])}", depth, loop, handler)
        return f"if {test}:\n{self.suite(depth, loop, handler)}{more}" + self._maybe(
            "else", depth, loop, handler
        )

    def _while(self, depth: int, loop: bool, handler: bool) -> str:
        body, more = self.suite(depth, True, handler), self._maybe("else", depth, loop, handler)
        kind, k = self._chance.randrange(7), f"k{depth}"
        if kind == 0:
            return f"while go():\n{body}{more}"
        if kind == 1:
            return f"while True:\n    if not go(): break\n{body}{more}"
        if kind == 2:
            return f"{k} = 3\nwhile {k} > 0:\n    {k} -= 1\n{body}{more}"
        if kind == 3:
            return f"{k} = [1, 2]\nwhile {k}:\n    a = {k}.pop()\n{body}{more}"
        if kind == 4:
            return f"{k} = 3\nwhile {k} > 0 and {self._pick(['{t}'])}:\n    {k} -= 1\n{body}{more}"
        if kind == 5:
            return f"{k} = 2\nwhile {k}: {k} -= 1"
        return f"{k} = 4\nwhile True:\n    {k} = {k} - 4 // {k}\n{body}"

    def _for(self, depth: int, loop: bool, handler: bool) -> str:
        target = self._chance.choice(
            ["i", "i", "a, b", "thing.n", "GLOBAL", "table[5]", "i, table[6]"]
        )
        found = [
            "range(3)",
            "Rounds(2)",
            "failing(2)",
            "map(boom, [5, 6])",
            "items",
            "[]",
            "(x for x in (4, 5))",
        ]
        if "," in target:
            found = ["zip(range(2), range(3))", "table.items()", "[(1, 2)]"]
        body, more = self.suite(depth, True, handler), self._maybe("else", depth, loop, handler)
        if self._chance.random() < 0.1:
            return f"for i in {self._chance.choice(['range(2)', 'Rounds(2)'])}: {self._pick(['a = i', 'chance(2)'])}"
        source = self._chance.choice(found)
        return (
            f"for {target} in list({source}):\n{body}{more}"
            if source in ("items", "table.items()")
            else f"for {target} in {source}:\n{body}{more}"
        )

    def _try(self, depth: int, loop: bool, handler: bool) -> str:
        text = f"try:\n{self.suite(depth, loop, handler)}"
        kind = self._chance.randrange(6)
        star = "*" if kind == 5 else ""
        inner = loop and not star
        if kind != 0:
            caught = self._chance.choice(
                ["ValueError", "ValueError as error", "(KeyError, ValueError)", "Exception"]
            )
            text += f"\nexcept{star} {caught}:\n{self._caught(depth, inner, star)}"
            if self._chance.random() < 0.4:
                text += f"\nexcept{star} ZeroDivisionError:\n{self._caught(depth, inner, star)}"
            text += self._maybe("else", depth, loop, handler)
        if kind in (0, 1, 2):
            text += f"\nfinally:\n{self._chance.choice([self.suite, self._plain])(depth, False)}"
        return text

    def _caught(self, depth: int, loop: bool, star: str) -> str:
        if star:
            return textwrap.indent(
                self._pick(["a = {e}", "pass", "chance(2)\nraise", "b = 1"]), "    "
            )
        return self.suite(depth, loop, True)

    def _plain(self, depth: int, loop: bool) -> str:
        return textwrap.indent(self._pick(["a = 1", "chance(2)", "pass", "thing.n = 2"]), "    ")

    def _with(self, depth: int, loop: bool, handler: bool) -> str:
        one = [
            "Guarding(True)",
            "Guarding(False)",
            "Guarding(True) as g",
            "contextlib.suppress(ValueError)",
        ]
        items = self._pick(one)
        if self._chance.random() < 0.3:
            items += ", " + self._pick(one)
        return f"with {items}:\n{self.suite(depth, loop, handler)}"

    def _match(self, depth: int, loop: bool, handler: bool) -> str:
        text = f"match {self._pick(['{e}', 'a % 3', 'a', '(a, b)'])}:"
        for _ in range(self._chance.randrange(1, 4)):
            pattern = self._chance.choice(
                ["0", "1", "[p, q]", "int(p)", "str()", "bool() | float()"]
            )
            guard = self._chance.choice(["", "", f" if {self._pick(['{t}'])}"])
            body = textwrap.indent(self.suite(depth, loop, handler), "    ")
            text += f"\n    case {pattern}{guard}:\n{body}"
        return text


def program(seed: int, count: int = 12) -> str:
    """Return the source of a program: functions, and calls of each."""
    chance = random.Random(seed)
    parts = [PRELUDE, "GLOBAL = 0\n\n"]
    for number in range(count):
        yields = number % 4 == 3
        prefix = "async " if number % 6 == 4 else ""
        body = Writer(chance, yields).suite(3, False)
        more = Writer(chance, yields).suite(3, False)
        head = "    global GLOBAL\n    thing, items, table, lazy = Thing(), [3, 1, 2], {1: 1, 2: 3}, iter(())\n"
        end = "    return a\n"
        if yields:
            head += "    yield 0\n"
        parts.append(f"{prefix}def f{number}(a, b):\n{head}{body}\n{more}\n{end}\n\n")
    for number in range(count):
        run = "list(f{n}(i, 2))" if number % 4 == 3 else "f{n}(i, 2)"
        run = "asyncio.run(f{n}(i, 2))" if number % 6 == 4 else run
        parts.append(
            f"for i in range(4):\n    FUEL[0] = 60\n    try:\n        {run.format(n=number)}\n"
            "    except (Exception, ExceptionGroup):\n        pass\n"
        )
    return "".join(parts)
