"""Every way to bind or unbind a local name is recorded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.recorder.heap_compare import Witnessed, run_witnessed
from wrongcall.events import Kind
from wrongcall.recording import UNSET

PRELUDE = """
import contextlib, types

class Point:
    __match_args__ = ('px', 'py')
    def __init__(self, px, py):
        self.px = px
        self.py = py

class Sealed:
    __slots__ = ()

@contextlib.contextmanager
def having(value):
    yield value

@contextlib.contextmanager
def failing():
    raise KeyError
    yield

class Suppress:
    def __enter__(self):
        return self
    def __exit__(self, *error):
        return True

def keep(function):
    return function

def boom(*values):
    yield from values
    raise KeyError
"""


@dataclass(frozen=True)
class Step:
    """A statement in a function whose variables a and b are set."""

    text: str
    number: int

    @property
    def name(self) -> str:
        return self.text.replace("\n", "; ").replace("    ", "")


def steps(texts: list[str]) -> list[Step]:
    return [Step(text, number) for number, text in enumerate(texts)]


STEPS = steps(
    [
        "a = 5",
        "a = a + 1",
        "a = a",
        "a = b",
        "a += 1",
        "a -= 1; a *= 3; a //= 2; a **= 2; a |= 1; a &= 3",
        "a ^= 1; a <<= 2; a >>= 1; a %= 2; a /= 2",
        "b += [4]",
        "b = b + [4]",
        "b *= 2",
        "c: int = 5",
        "c: int",
        "a: 'no such type' = 5",
        "(c): int = 5",
        "a = c = 7",
        "a = c = d = []",
        "a, b = b, a",
        "a, c = c, d = 1, 2",
        "a, *c = 1, 2, 3",
        "*c, a = 'abc'",
        "(a, [c, (d, *e)]) = 1, (2, (3, 4, 5))",
        "[a, c] = 1, 2",
        "a, = b",
        "for a in range(3): pass",
        "for c in range(3): pass",
        "for c in (): pass",
        "for a in (): pass",
        "for a, (c, d) in [(1, (2, 3)), (4, (5, 6))]: pass",
        "for c in range(5):\n    if c == 2:\n        break\nelse:\n    d = 1",
        "for c in range(5):\n    if c % 2:\n        continue\n    d = c\nelse:\n    e = 1",
        "for c in [1, 2]:\n    for d in [3, 4]:\n        e = c * d",
        "for a in b:\n    a += 1",
        "for *c, d in ['abc', 'de']: pass",
        "while a < 5:\n    a += 1\nelse:\n    c = a",
        "with having(5) as a: pass",
        "with having((5, 6)) as (c, d): pass",
        "with having(5) as c, having(c) as d: pass",
        "with (having(5) as c, having([6, 7]) as [d, *e]): pass",
        "with Suppress() as c:\n    d = 1\n    1 / 0\n    e = 2",
        "try:\n    1 / 0\nexcept ZeroDivisionError as c:\n    d = str(c)",
        "try:\n    1 / 0\nexcept ZeroDivisionError as a:\n    pass",
        "try:\n    1 / 0\nexcept ZeroDivisionError as c:\n    del c",
        "try:\n    1 / 0\nexcept ZeroDivisionError as c:\n    c = 5",
        "try:\n    raise ExceptionGroup('g', [ValueError()])\nexcept* ValueError as c:\n    d = 1",
        "try:\n    c = 1\nexcept KeyError:\n    c = 2\nelse:\n    d = 3\nfinally:\n    e = 4",
        "try:\n    c = 1\n    {}[0]\nexcept KeyError:\n    c = 2\nelse:\n    d = 3\nfinally: e = 4",
        "import math",
        "import os.path",
        "import os.path as c",
        "import math as c, os as d",
        "from math import pi, e as c",
        "from os import path as a",
        "def c(): pass",
        "def a(): pass",
        "@keep\ndef c(): pass",
        "c = lambda: 0",
        "async def c(): pass",
        "class C: kind = 1",
        "@keep\nclass C(Point): pass",
        "del a",
        "del a, b",
        "del (a, [b])",
        "del a\na = 3",
        "if (c := 5) > 3: pass",
        "c = (d := 3) + 1",
        "print(end=(c := ''))",
        "[c := d for d in range(3)]",
        "any((c := d) > 1 for d in range(3))",
        "{(c := d): (e := d) for d in range(3)}",
        "[a for a in range(3)]",
        "c = [d for d in range(3) if (e := d)]",
        "while (c := a) < 5:\n    a += 2",
        "match [1, 2, 3]:\n    case [a, *c]:\n        d = 1",
        "match {'k': 1, 'm': 2}:\n    case {'k': c, **d}: pass",
        "match Point(1, 2):\n    case Point(px=c, py=d): pass",
        "match Point(1, 2):\n    case Point(c, 2 as d): pass",
        "match 5:\n    case int() | str() as c: pass",
        "match 5:\n    case c: pass",
        "match (1, 2):\n    case (c, 3): pass\n    case (1, d): pass",
        "match (1, 2):\n    case (c, d) if c > 5: pass",
        "match (1, 2):\n    case (c, d) if c > 5: pass\n    case (d, e): pass",
        "match (1, [2, 3]):\n    case (c, [d, *_]) if (e := d): pass",
        "match 5:\n    case 6 | 7: pass\n    case _: c = 1",
        "c = 1; d = 2; del c",
        "c = d = e = None",
        "global G1\nG1 = 5",
        "a = not a",
        "a = 'x' if b else 'y'",
        "c = [*b, *b]",
        "c, d = zip(*[(1, 2), (3, 4)])",
        "def c():\n    a = 7\n    return a\nd = c()",
        "def c():\n    nonlocal a\n    a = 7\nc()",
        "def c():\n    nonlocal a\n    a += 7\nc()\nc()",
        "def c():\n    nonlocal b\n    b += [7]\nc()",
        "def c():\n    nonlocal a\n    del a\nc()",
        "def c():\n    nonlocal a, b\n    a, b = b, a\nc()",
        "def c():\n    nonlocal a\n    for a in range(3): pass\nc()",
        "def c():\n    def d():\n        nonlocal a\n        a = 8\n    d()\nc()",
        "def c():\n    nonlocal a\n    with having(4) as a: pass\nc()",
        "def c():\n    nonlocal a\n    import math as a\nc()",
        "def c():\n    nonlocal a\n    def a(): pass\nc()",
        "def c():\n    nonlocal a\n    if (a := 4): pass\nc()",
        "def c():\n    nonlocal a\n    try: 1 / 0\n    except ZeroDivisionError as a: pass\nc()",
        "class C:\n    nonlocal a\n    a = 9",
        "c = lambda: (a, b)\nd = c()\na = 3",
        "c = [lambda: a for _ in range(2)]\na = 4",
        "def c(x=a, *args, y=b, **kw): return x\nd = c(1, 2, z=3)",
        # Something fails after a name was bound.
        "try:\n    c, a.zz = 1, 2\nexcept AttributeError:\n    pass",
        "try:\n    c = a.zz = 1\nexcept AttributeError:\n    pass",
        "try:\n    c, b[9] = 1, 2\nexcept IndexError:\n    pass",
        "try:\n    c, d = 1, 2, 3\nexcept ValueError:\n    pass",
        "try:\n    for c, a.zz in [(1, 2)]: pass\nexcept AttributeError:\n    pass",
        "try:\n    with having(1) as c, failing() as d: pass\nexcept KeyError:\n    pass",
        "try:\n    import math as c, no_such_module as d\nexcept ImportError:\n    pass",
        "try:\n    from math import pi as c, no_such_name as d\nexcept ImportError:\n    pass",
        "try:\n    del a, zz\nexcept NameError:\n    pass\nif False:\n    zz = 1",
        "try:\n    for c in boom(1, 2): pass\nexcept KeyError:\n    pass",
        "try:\n    c = [d := e for e in boom(1, 2)]\nexcept KeyError:\n    pass",
        "try:\n    (c := 5) + None\nexcept TypeError:\n    pass",
        "try:\n    a += None\nexcept TypeError:\n    pass",
        "try:\n    b += boom(5)\nexcept KeyError:\n    pass",
        "try:\n    b[0] += boom(5)\nexcept TypeError:\n    pass",
        "try:\n    c, (d, e) = 1, 5\nexcept TypeError:\n    pass",
        "try:\n    c = d, e = 5\nexcept TypeError:\n    pass",
        "try:\n    a = c, *a.zz = 5, 6\nexcept AttributeError:\n    pass",
        "try:\n    (\n        c,\n        (d, e),\n    ) = (1,\n    (2, 3, 4))\nexcept ValueError:\n    pass",
        "try:\n    c, b[0], (d, a.zz), e = 1, 2, (3, 4), 5\nexcept AttributeError:\n    pass",
        "try:\n    c, no_such.zz = 1, 2\nexcept NameError:\n    pass",
        "try:\n    c, b[boom].zz = 1, 2\nexcept TypeError:\n    pass",
        "try:\n    c, Point(1, 2, 3).zz = 1, 2\nexcept TypeError:\n    pass",
        "try:\n    c, a.zz = 1 / 0, 2\nexcept ZeroDivisionError:\n    pass",
        "try:\n    for c, (d, e) in [(1, (2, 3)), (4, 5)]: pass\nexcept TypeError:\n    pass",
        "try:\n    for c, (d, e) in [(1, (2, 3))]: 1 / 0\nexcept ZeroDivisionError:\n    pass",
        "try:\n    with having((1, 2)) as (c, a.zz): pass\nexcept AttributeError:\n    pass",
        "try:\n    with having(1) as c, having(1 / 0) as d: pass\nexcept ZeroDivisionError:\n    pass",
        "try:\n    del (a, [zz, b])\nexcept NameError:\n    pass\nif False:\n    zz = 1",
        "try:\n    from math import nope as a, pi as c\nexcept ImportError:\n    pass",
        "try:\n    from math import pi as a, e as c, nope, tau as d\nexcept ImportError:\n    pass",
        "try:\n    from nowhere import pi as a, e as c\nexcept ImportError:\n    pass",
        "match (1, 2):\n    case (c, d) if c > 5: pass\n    case _: e = 1",
        "try:\n    match (1, 2):\n        case (c, d) if 1 / 0: pass\nexcept ArithmeticError: pass",
        "def c():\n    nonlocal a\n    [a := n for n in range(3)]\nc()",
        "def c():\n    nonlocal a\n    return (lambda: (a := 3))()\nc()",
        "def c():\n    nonlocal a\n    try: a, b.zz = 5, 6\n    except AttributeError: pass\nc()",
        "def c():\n    nonlocal b\n    try:\n        b += boom(5)\n    except KeyError: pass\nc()",
        "def c():\n    nonlocal a\n    match 7:\n        case a if a > 9: pass\nc()",
    ]
)


def program() -> str:
    parts = [PRELUDE, "G1 = None"]
    for step in STEPS:
        body = "\n".join("    " + line for line in step.text.splitlines())
        head = ""
        if step.text.startswith("global"):
            first, _, rest = step.text.partition("\n")
            head, body = "    " + first + "\n", "    " + rest
        parts.append(
            f"def step_{step.number}(a, b):\n{head}    probe('{step.number} before')\n{body}\n"
            f"    probe('{step.number} after')\nstep_{step.number}(1, [2])"
        )
    return "\n".join(parts)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Witnessed]:
    with run_witnessed(tmp_path_factory.mktemp("names"), program()) as run:
        yield run


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_local(run: Witnessed, step: Step) -> None:
    before, after = f"{step.number} before", f"{step.number} after"
    run.locals_agree(before)
    run.locals_agree(after)
    check_histories(run, before, after)


def check_histories(run: Witnessed, before: str, after: str) -> None:
    """What changed between two probes was written between their lines, in this call."""
    recording, call = run.recording, run.mark(before).parent
    assert call is not None
    begin, end = run.time(before), run.time(after)
    lines = range(run.line(f"probe('{before}')") + 1, run.line(f"probe('{after}')"))
    old, new = recording.states.locals(call.id, begin), recording.states.locals(call.id, end)
    for name in old.keys() | new.keys():
        writes = [w for w in recording.places.local_writes(call.id, name) if begin < w.time <= end]
        assert all(w.line in lines for w in writes), f"{name}: {writes} not in {lines}"
        assert all(w.call >= call.id for w in writes)
        was, now = old.get(name, UNSET), new.get(name, UNSET)
        if was != now or type(was) is not type(now):
            assert writes, f"{name} became {now!r} without a write"
            assert (writes[0].old, writes[-1].new) == (was, now)


UNBOUND = {
    "raised in the clause": """
    try:
        try:
            raise KeyError(1)
        except KeyError as d:
            raise ValueError(2)
    except ValueError:
        pass
""",
    "raised in the clause of a group": """
    try:
        try:
            raise KeyError(1)
        except* KeyError as d:
            raise ValueError(2)
    except* ValueError:
        pass
""",
    "continue": """
    for x in 1, 2:
        try:
            raise KeyError(1)
        except KeyError as d:
            continue
""",
    "break": """
    while True:
        try:
            raise KeyError(1)
        except KeyError as d:
            break
""",
    "break through finally": """
    while True:
        try:
            raise KeyError(1)
        except KeyError as d:
            try:
                break
            finally:
                probe('still there')
""",
    "return of a variable that others share": """
    def inner():
        nonlocal d
        try:
            raise KeyError(1)
        except KeyError as d:
            return [d]
    d = 1
    inner()
""",
    "a generator that is closed": """
    def inner():
        nonlocal d
        try:
            raise KeyError(1)
        except KeyError as d:
            yield 1
    d = 1
    g = inner()
    next(g)
    g.close()
""",
}


@pytest.mark.parametrize("how", UNBOUND)
def test_the_name_of_an_exception_is_unbound_however_its_clause_is_left(
    tmp_path: Path, how: str
) -> None:
    source = f"def f():\n{UNBOUND[how]}\n    probe('after')\nf()\n"
    with run_witnessed(tmp_path, source) as run:
        assert "d" not in run.snapshots["after"].locals
        for label in run.snapshots:
            run.locals_agree(label)


def test_a_clause_that_returns_records_nothing_after_its_call_ended(tmp_path: Path) -> None:
    source = """
def f():
    try:
        raise KeyError(1)
    except KeyError as d:
        return 5
def g():
    x = f()
    probe('after')
g()
"""
    with run_witnessed(tmp_path, source) as run:
        run.locals_agree("after")
        call = run.call("f")
        assert call.value == 5
        assert call.parent is not None
        assert call.parent.id == run.call("g").id
        deleted = run.recording.events.select({Kind.LOCAL_DEL}, call=call.id)
        assert all(time < call.exit for time in deleted.times.tolist())


def test_names_of_a_class_body_differ_from_the_variables_of_its_functions(tmp_path: Path) -> None:
    source = """
def f():
    a, b = 1, 2
    class C:
        probe('before')
        a = 5
        g = lambda: a
        probe('bound')
        h = lambda: b
        b = [7]
        probe('both')
        del a
        probe('deleted')
    class D:
        nonlocal a
        a = 9
        probe('nonlocal')
    probe('last')
f()
"""
    with run_witnessed(tmp_path, source) as run:
        for label in run.snapshots:
            run.locals_agree(label)
        body = run.mark("bound").parent
        assert body is not None
        seen = [
            run.recording.states.locals(body.id, run.time(label))["a"]
            for label in ("before", "bound")
        ]
        assert [*seen, run.recording.states.locals(body.id, run.time("deleted"))["a"]] == [1, 5, 1]
