"""Random programs with loops, exceptions, generators and closures, for comparing with a witness.

Every statement is on a line of its own. Functions call only those before them, so every program ends.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from random import Random

NAMES = ("a", "b", "c", "i", "w", "xs", "d", "total", "shared")
EXPRESSIONS = (
    "a + b",
    "c",
    "i",
    "w",
    "list(xs)",
    "len(xs) - len(d)",
    "sorted(d.items())",
    "total",
    "shared",
    "[x * 2 for x in xs if x > a]",
    "list(box.held)",
    "box.held[-1] if box.held else None",
)
HEAD = """\
class Box:
    def __init__(self):
        self.held = []


total = 0
box = Box()


def each(n):
    for g in range(n):
        yield g * 2


"""


@dataclass
class Program:
    """A program that grows line by line."""

    chance: Random
    lines: list[str] = field(default_factory=HEAD.splitlines)
    asked: list[int] = field(default_factory=list)
    """The lines at which a statement begins of which the witness reports each execution."""
    functions: list[str] = field(default_factory=list)
    loops: int = 0

    def add(self, depth: int, text: str, asked: bool = True) -> None:
        self.lines.append("    " * depth + text)
        if asked and depth:
            self.asked.append(len(self.lines))

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"


def random_program(seed: int) -> Program:
    """Return a program of three functions, the same for the same seed."""
    made = Program(Random(seed))
    for name in ("first", "second", "third"):
        made.add(0, f"def {name}(a, b):")
        made.add(1, "global total")
        made.asked.pop()  # it is not executed
        for line in ("c = 0", "w = 0", "xs = [a, b]", "d = {}", "shared = a"):
            made.add(1, line)
        made.add(1, "def inner():", asked=False)
        made.add(2, "nonlocal shared")
        made.asked.pop()
        made.add(2, "shared += 1")
        suite(made, 1, 5)
        made.add(1, "return c + len(xs)")
        made.add(0, "")
        made.functions.append(name)
    for call in ("first(1, 2)", "second(3, 1)", "third(2, 5)", "third(0, 0)"):
        made.add(0, call)
    return made


def suite(made: Program, depth: int, size: int) -> None:
    """Add statements."""
    for _ in range(made.chance.randint(1, size)):
        made.chance.choice(STATEMENTS if depth < 4 else SIMPLE)(made, depth)


def assign(made: Program, depth: int) -> None:
    text = made.chance.choice(ASSIGNMENTS)
    # From 3.12 on, a comprehension is part of its function, and every round is reported as another execution.
    made.add(depth, text, asked="for x in" not in text or sys.version_info < (3, 12))


def call(made: Program, depth: int) -> None:
    if made.functions:
        made.add(depth, f"b = {made.chance.choice(made.functions)}(a % 3, c % 3) % 9")
    else:
        made.add(depth, "b += 2")


def branch(made: Program, depth: int) -> None:
    made.add(depth, made.chance.choice(("if a < b:", "if c % 2:", "if xs:", "if a in d:")))
    suite(made, depth + 1, 2)
    if made.chance.random() < 0.5:
        made.add(depth, "else:", asked=False)
        suite(made, depth + 1, 2)


def counted(made: Program, depth: int) -> None:
    made.add(
        depth, made.chance.choice(("for i in range(3):", "for i in each(2):", "for i in (5, 7):"))
    )
    suite(made, depth + 1, 2)
    if made.chance.random() < 0.4:
        made.add(depth + 1, made.chance.choice(("if i > 1:", "if c > 3:")))
        made.add(depth + 2, made.chance.choice(("break", "continue")))
    made.add(depth + 1, "c += 1")
    if made.chance.random() < 0.3:
        made.add(depth, "else:", asked=False)
        suite(made, depth + 1, 1)


def conditional(made: Program, depth: int) -> None:
    made.loops += 1
    name = f"w{made.loops}"
    made.add(depth, f"{name} = 0")
    made.add(depth, f"while {name} < 2:")
    made.add(depth + 1, f"{name} += 1")
    suite(made, depth + 1, 2)


def guarded(made: Program, depth: int) -> None:
    made.add(depth, "try:", asked=False)
    suite(made, depth + 1, 2)
    made.add(
        depth + 1,
        made.chance.choice(("c = 1 // (a % 2)", "b = d[a]", "raise ValueError(a)", "c += 3")),
    )
    suite(made, depth + 1, 1)
    made.add(depth, "except (ValueError, ArithmeticError, LookupError):", asked=False)
    suite(made, depth + 1, 2)
    if made.chance.random() < 0.4:
        made.add(depth, "finally:", asked=False)
        suite(made, depth + 1, 1)


ASSIGNMENTS = (
    *(
        "a = b + 1",
        "c += a",
        "b = c % 5",
        "xs.append(c)",
        "d[a % 4] = b",
        "xs[0] = a",
        "total += 1",
    ),
    *("xs.sort()", "shared = c", "box.held.append(a)", "box.held = [b]", "inner()", "pass"),
    *(
        "c = sum(xs) % 7",
        "d.pop(a, None)",
        "a, b = b, a",
        "xs = [x + 1 for x in xs]",
        "c = max(a, b, c)",
    ),
)
SIMPLE = (assign, assign, assign, call)
STATEMENTS = (*SIMPLE, branch, counted, conditional, guarded)
