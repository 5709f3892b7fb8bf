"""Harmless, the forms of the language: generated programs do the same in the same order.

Each seed makes a program of random statements, in which every expression passes through a witness:
``w(n, value)`` writes down that place n was reached. The program runs once undisturbed, then once for
each witness call with an exception raised there. What was written down, the tracebacks and the variables
at the end must be the same plain and recorded.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from fidelity.report import Options, Report, Reports, table
from fidelity.runs import Python, say, still

PROGRAMS, FEW_PROGRAMS = 400, 4
SIZE = 9
"""Statements of a body."""
DEEPEST = 3
"""Levels of nested statements."""

PROLOGUE = """
import contextlib, sys, traceback

class Injected(Exception):
    pass

log, count, fatal = [], 0, -1

def w(place, value):
    global count
    count += 1
    log.append(place)
    if count - 1 == fatal:
        raise Injected(place)
    return value

class Box:
    def __init__(self, value=0):
        self.value = value
    def __repr__(self):
        return f'Box({self.value!r})'
    def __enter__(self):
        log.append('enter')
        return self.value
    def __exit__(self, *error):
        log.append('exit')
        return isinstance(self.value, int) and self.value % 5 == 4
"""
EPILOGUE = """
def attempt(number):
    global log, count, fatal
    log, count, fatal = [], 0, number
    names = {}
    try:
        names = body(3, items=[1, 2, 3], box=Box(4))
    except Exception:
        traceback.print_exc(file=sys.stdout)
    print(number, log, sorted((k, repr(v)) for k, v in (names or {}).items() if not callable(v)))
    return count

for number in range(-1, min(attempt(-1), 200)):
    attempt(number)
"""


class Writer:
    """Writes one program."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.places = 0

    def program(self) -> str:
        """The whole text."""
        lines = ["def body(a, *, items, box):", "    b = c = d = 0", "    table = {'k': 1, 0: 2}"]
        lines += self.block(SIZE, 0)
        return PROLOGUE + "\n".join([*lines, "    return dict(locals())"]) + "\n" + EPILOGUE

    def block(self, size: int, depth: int) -> list[str]:
        """The statements of a body."""
        return [
            "    " + line
            for _ in range(self.random.randint(1, size))
            for line in self.statement(depth)
        ]

    def inner(self, depth: int) -> list[str]:
        """A body below a statement."""
        return self.block(2, depth) if depth < DEEPEST else [f"    {self.simple()}"]

    def name(self) -> str:
        """A variable."""
        return self.random.choice(("a", "b", "c", "d"))

    def witness(self, text: str) -> str:
        """An expression, seen."""
        self.places += 1
        return f"w({self.places}, {text})"

    def expression(self, depth: int = 0) -> str:
        """Any expression that is mostly a number."""
        r = self.random
        if depth >= DEEPEST:
            return self.witness(r.choice((self.name(), str(r.randint(0, 9)), "box.value")))
        one, other = self.expression(depth + 1), self.expression(depth + 1)
        forms = (
            f"{one} + {other}",
            f"({one} if {other} else {self.expression(depth + 1)})",
            f"({one} and {other})",
            f"({one} < {other} <= 5)",
            f"(lambda x, y={one}: {other})(1)",
            f"sum([{one} for x in items if {other}])",
            f"len({{{one}: {other}, **table}})",
            f"len((*items, {one}))",
            f"len(f'{{{one}!r:>{{{other}}}}}')" if "'" not in one + other else one,
            f"({self.name()} := {one})",
            f"items[{one} % 3]",
            f"max({one}, *items, key=lambda v: {other})",
            f"-{one}",
            f"sum(x for x in items if {one})",
            f"len([*range({one} % 4)][{other}:])",
        )
        return self.witness(r.choice(forms))

    def target(self) -> str:
        """A place to store to."""
        e = self.expression
        forms = (
            self.name(),
            f"{self.witness('box')}.value",
            f"{self.witness('items')}[{e(2)} % 3]",
        )
        return self.random.choice(
            (*forms, f"table[{e(2)}]", "box.value", "items[a % 3 if a else 0]")
        )

    def simple(self) -> str:
        """A statement of one line."""
        e, r = self.expression, self.random
        forms = (
            f"{self.target()} = {e()}",
            f"{self.target()} = {self.target()} = {e()}",
            f"{self.target()}, ({self.target()}, *{self.name()}) = {e()}, ({e()}, {e()})",
            f"{self.name()} {r.choice(('+=', '-=', '*=', '|='))} {e()}",
            f"{self.witness('box')}.value += {e()}",
            f"items[{e(2)} % 3] += {e()}",
            f"table[{e(2)}]: {e(2)} = {e()}",
            f"{self.name()}: int = {e()}",
            f"table.pop({e()}, None)",
            f"del table[{e()}]",
            f"assert {e()}, {e()}",
            e(),
        )
        return r.choice(forms)

    def statement(self, depth: int) -> list[str]:
        """Any statement, as lines."""
        e, r = self.expression, self.random
        if depth >= DEEPEST or r.random() < 0.5:
            return [self.simple()]
        body, more = self.inner(depth + 1), self.inner(depth + 1)
        forms = (
            [f"if {e()}:", *body, f"elif {e()}:", *more, "else:", *body],
            [f"for {self.target()} in {self.witness('items')}[:2]:", *body, "else:", *more],
            [f"with Box({e()}) as {self.target()}, Box({e()}) as {self.name()}:", *body],
            [
                "try:",
                *body,
                f"except ({self.witness('TypeError')}, KeyError) as d:",
                *more,
                "    d = 0",
            ],
            ["try:", *body, "finally:", *more],
            [
                f"match {e()}:",
                f"    case int(c) if {e()}:",
                *("    " + line for line in body),
                "    case [a, *_] | {'k': a} | (bool() as a):",
                *("    " + line for line in more),
                "    case _:",
                "        pass",
            ],
            [
                f"def inner(p={e()}, *q, k={e()}):",
                *self.rest(body),
                f"{self.name()} = inner({e()})",
            ],
            [
                f"class Inner(object if {e()} else Box):",
                f"    x = {e()}",
                "    y = [x]",
                f"    x += {e()}",
            ],
            [
                "def many():",
                "    for x in items[:2]:",
                f"        yield {e(1)}",
                f"b = sum(many()) + {e()}",
            ],
        )
        return list(r.choice(forms))

    def rest(self, body: list[str]) -> list[str]:
        """The body of a function that binds the variables of the one around it."""
        return ["    nonlocal a, b, c, d", *body, f"    return {self.expression(1)}"]


def run(python: Python, options: Options) -> Report:
    """Run each seed's program both ways."""
    report = Report()
    count, compiled = (FEW_PROGRAMS if options.small else PROGRAMS), 0
    with TemporaryDirectory(prefix="fidelity-") as name:
        for seed in range(count):
            compiled += _same(python, Path(name), seed, report)
    say(f"{python.version} forms: {compiled} of {count} programs compiled and compared")
    different = len(report.problems)
    report.rows.append({"name": "generated", "programs": compiled, "different": different})
    return report


def _same(python: Python, folder: Path, seed: int, report: Report) -> bool:
    source = Writer(seed).program()
    try:
        compile(source, "prog.py", "exec")
    except SyntaxError:  # such as a walrus that binds a comprehension's variable
        return False
    (folder / "prog.py").write_text(source)
    plain = python.run(["prog.py"], folder)
    done = python.record(["prog.py"], folder, folder / "trace.wrongcall", ["--force"])
    if (plain.status, still(plain.stdout), plain.stderr) != (
        done.status,
        still(done.stdout),
        done.own_stderr,
    ):
        report.problems.append(
            f"seed {seed}: {_first(plain.stdout, done.stdout)} {done.own_stderr[-300:]}"
        )
    return True


def _first(plain: str, recorded: str) -> str:
    pairs = zip(plain.splitlines(), recorded.splitlines(), strict=False)
    return next((f"{one!r} became {other!r}" for one, other in pairs if one != other), "")


def tables(reports: Reports) -> str:
    """Return how many programs ran, and how many differed."""
    rows = [
        [version, row["programs"], row["different"]]
        for version, report in reports.items()
        for row in report.rows
    ]
    return table(["Python", "programs", "different"], rows)
