"""Random small programs with one changed function, and a witness that tells which calls the change makes differ.

The witness records nothing: it runs the program with the changed function up to the entry of a call, and from there on
with the original one, and compares how the call ends, and what it leaves behind, with the run that did not switch.
"""

from __future__ import annotations

import contextlib
import types
from dataclasses import dataclass
from random import Random
from typing import Any

FUNCTIONS = 6
_HEAD = """
LOG = []
STATE = {"n": 0}
KEPT = []
FUNCS = []


class Box:
    def __init__(self, held):
        self.held = held

    def add(self, more):
        self.held = (self.held + more) % 97
        return self.held


BOX = Box(1)

"""
_SIMPLE = (
    "x = (x * {k} + {c}) % 101",
    "x = x + {c} if x > {k} else x - y",
    "LOG.append((x, {c}))",
    "STATE['n'] = (STATE['n'] + x) % {big}",
    "x = (x + STATE['n']) % 101",
    "x = BOX.add(x + {c})",
    "x = sum(v * {k} for v in range(3)) + x",
    "KEPT.append(v + {c} for v in range(5))",
    "FUNCS.append(lambda v: (v * {k} + x) % 89)",
    "x = FUNCS[-1](x) if FUNCS else x",
    "x = next(KEPT[-{one}], 0) if len(KEPT) >= {one} else x",
    "x = sorted([4, 1, x], key=lambda v: -v * {k})[0]",
    "STATE[{c}] = x",
    "LOG.append(len(STATE))",
)
_CALLING = (
    "x = f{j}(x, {c})",
    "x = f{j}(y, x) % 53",
    "for v in g{j}(x % 4):\n        x = (x + v) % 101",
    "KEPT.append(g{j}(x % 5))",
    "try:\n        x = f{j}(x, {c})\n    except ValueError:\n        x = {k}",
    "x = max([x, y], key=lambda v: f{j}(v, {c}))",
)


def _statement(random: Random, below: int) -> str:
    pattern = random.choice(_SIMPLE + (_CALLING * 2 if below else ()))
    values = {
        "k": random.randrange(2, 9),
        "c": random.randrange(20),
        "big": random.choice([50, 1000]),
        "one": random.randrange(1, 4),
        "j": random.randrange(max(below, 1)),
    }
    return pattern.format(**values)


def _function(random: Random, number: int) -> str:
    lines = [_statement(random, number) for _ in range(random.randrange(1, 5))]
    if random.random() < 0.2:
        lines.append(f"if x > {random.randrange(60, 120)}:\n        raise ValueError(x)")
    body = "".join(f"    {line}\n" for line in lines)
    return f"def f{number}(x, y):\n{body}    return x\n\n\n"


def _generator(random: Random, number: int) -> str:
    inner = "".join(f"        {_statement(random, 0)}\n" for _ in range(random.randrange(2)))
    step = random.randrange(1, 5)
    return f"def g{number}(y):\n    x = y\n    for i in range(3):\n        yield x + i * {step}\n{inner}\n\n"


def _made(random: Random, name: str) -> str:
    make = _function if name.startswith("f") else _generator
    return make(random, int(name[1:]))


@dataclass(frozen=True)
class Pair:
    """A program and the same with one other function."""

    mutant: str
    original: str
    changed: str
    """The name of the function that is not the same."""


def pair_of(random: Random) -> Pair:
    """Make a random program and its original."""
    names = [f"{kind}{number}" for number in range(FUNCTIONS) for kind in "fg"]
    parts = {name: _made(random, name) for name in names}
    changed = random.choice(names)
    other = parts[changed]
    while other == parts[changed]:
        other = _made(random, changed)
    calls = "".join(
        f"    try:\n        f{random.randrange(FUNCTIONS)}({random.randrange(30)}, {i})\n"
        "    except ValueError as error:\n        LOG.append(str(error))\n"
        for i in range(6)
    )
    main = f"def main():\n{calls}"
    texts = [_HEAD + "".join(found.values()) + main for found in (parts, {**parts, changed: other})]
    return Pair(texts[0], texts[1], changed)


# -- the witness -----------------------------------------------------------------------------------


class _EndedError(BaseException):
    """The call that is looked at has ended."""


class Witness:
    """Runs a program, and switches to the original at the entry of a call."""

    def __init__(self, pair: Pair) -> None:
        self._pair = pair
        self.names: list[str] = []
        """The functions of the calls, in the order in which they began."""
        self._plain = self._run(until=None, look_at=None)

    def differs(self, number: int) -> bool | None:
        """Return whether the original would have done something else in a call; None: it did not end."""
        if number not in self._plain:
            return None
        return bool(self._run(until=number, look_at=number)[number] != self._plain[number])

    def _run(self, until: int | None, look_at: int | None) -> dict[int, Any]:
        space: dict[str, Any] = {"__name__": "witnessed"}
        exec(self._pair.mutant, space)
        other: dict[str, Any] = {"__name__": "witnessed"}
        exec(self._pair.original, other)
        found: dict[int, Any] = {}
        names: list[str] = []

        def leave(number: int, *outcome: object) -> None:
            found[number] = (outcome, _state(space))
            if number == look_at:
                raise _EndedError

        def wrapped(name: str, mutant: Any, original: Any) -> Any:
            def call(*args: Any) -> Any:
                names.append(name)
                number = len(names) - 1
                run = mutant if until is None or number < until else original
                if name.startswith("g"):
                    return turns(number, run(*args))
                try:
                    result = run(*args)
                except Exception as error:
                    leave(number, "raised", repr(error))
                    raise
                leave(number, "returned", result)
                return result

            def turns(number: int, live: Any) -> Any:
                values = []
                for value in live:
                    values.append(value)
                    yield value
                leave(number, "yielded", values)

            return call

        for name in list(space):
            if name[0] in "fg" and name[1:].isdigit():
                same = types.FunctionType(other[name].__code__, space, name)
                space[name] = wrapped(name, space[name], same)
        with contextlib.suppress(_EndedError):
            space["main"]()
        if look_at is None:
            self.names = names
        return found


def _state(space: dict[str, Any]) -> Any:
    sizes = len(space["KEPT"]), len(space["FUNCS"])
    return repr((space["LOG"], space["STATE"], sizes, space["BOX"].held))
