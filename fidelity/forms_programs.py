"""Build the programs of `fidelity.forms` from statements: the frame around them, and wide and deep ones."""

from __future__ import annotations

from dataclasses import replace

from fidelity.forms_expressions import NAMES, Place
from fidelity.forms_statements import Lines, Statements, below

STEPS = 7
"""Statements of the function that is run."""
ATTEMPTS = 60
"""The most exceptions raised in one program."""
KINDS = ("function", "generator", "coroutine", "asyncgen", "function", "generator")

HELPERS = {
    "helper.py": "two, three = 2, [3]\ndef double(x):\n    return x * 2\n",
    "pack/__init__.py": "from . import part\nfrom .part import *\n__all__ = ['part', 'value']\n",
    "pack/part.py": "import helper\nfrom helper import two as value\ndel helper\n",
}

PROLOGUE = """
import sys, traceback, heap_witness
from helper import double

class Injected(Exception):
    pass

log, count, fatal, number, fuel, moments, probing = [], 0, -1, -1, 0, 0, False

def w(place, value):
    global count
    count += 1
    log.append(place)
    if count - 1 == fatal:
        raise Injected(place)
    if type(value) is int and not -99 < value < 99:
        return value % 100
    if type(value) in (list, tuple, str, bytes) and len(value) > 50:
        return value[:5]
    return value

def label(place):
    global moments
    moments += 1
    return f'{number} {place} {moments}'

def probe(label):
    if probing and moments < 15:
        heap_witness.show_locals(label)

def budget():
    global fuel
    fuel -= 1
    return fuel > 0

class Box:
    limit = 7
    __match_args__ = ('value',)
    def __init__(self, value=0):
        self.value = value
    def __repr__(self):
        return f'Box({type(self.value).__name__})'
    def method(self, *values, more=0):
        self.value = more or values[0]
        return self
    def __matmul__(self, other):
        return w(-1, other)
    def __enter__(self):
        log.append('enter')
        return self.value
    def __exit__(self, *error):
        log.append('exit')
        return isinstance(self.value, int) and self.value % 5 == 4
    async def __aenter__(self):
        return await later(self.value)
    async def __aexit__(self, *error):
        return await later(self.__exit__(*error))

class Flagged(Box):
    def __init_subclass__(cls, flag=0, **others):
        super().__init_subclass__(**others)
        cls.flag = flag

class Meta(type):
    def __new__(meta, name, bases, space, flag=0, **others):
        return super().__new__(meta, name, bases, space, **others)
    def __init__(cls, name, bases, space, flag=0, **others):
        super().__init__(name, bases, space, **others)
        cls.flag = flag

class Grid:
    def __getitem__(self, key):
        log.append(repr(key))
        return len(key) if isinstance(key, tuple) else 1
    def __setitem__(self, key, value):
        log.append(repr(key))

grid = Grid()

class Later:
    def __init__(self, value):
        self.value = value
    def __await__(self):
        got = yield self.value
        return got or self.value

async def later(value):
    return await Later(value)

async def slowly(values):
    for value in values:
        yield await later(value)

def many(n):
    got = yield n
    yield got
    return n

def finish(coroutine):
    try:
        while True:
            log.append(repr(coroutine.send(None)))
    except StopIteration as end:
        return end.value

def gather(generator):
    async def run():
        found = []
        async for value in generator:
            found.append(value)
        return found
    return finish(run())

def drive(generator, value):
    found = []
    try:
        found.append(next(generator))
        found.append(generator.send(value))
        found.append(generator.throw(KeyError('thrown')))
    except (StopIteration, KeyError) as end:
        found.append(repr(end))
    generator.close()
    return found

def take(*values, k=0, **more):
    log.append(sorted(more))
    return len(values) + len(more)

def table_of(value):
    return {'n': value}

def same(f):
    return f

def decorated(value):
    def decorate(f):
        log.append(f.__name__)
        return f
    return decorate
"""
EPILOGUE = """
def told(names):
    return sorted((k, repr(v)) for k, v in (names or {}).items() if not callable(v))

def attempt(n):
    global log, count, fatal, number, fuel, moments, probing
    log, count, fatal, number, fuel, moments = [], 0, n, n, 12, 0
    probing = n % 7 == 6
    names = {}
    try:
        names = enter()
    except Exception:
        traceback.print_exc(file=sys.stdout)
    print(n, log, told(names))
    return count

def enter():
    made = body(3, items=[1, 2, 3], box=Box(4), more=5)
    if KIND == 'generator':
        return [*made] and told_by.pop()
    if KIND == 'coroutine':
        return finish(made) and told_by.pop()
    if KIND == 'asyncgen':
        return gather(made) and told_by.pop()
    return made and told_by.pop()

def main():
    reached = attempt(-1)
    for n in range(0, reached, max(1, reached // ATTEMPTS)):
        attempt(n)

told_by = []
if __name__ == '__main__':
    main()
"""
IMPORT_TOP = """
    number, fatal, fuel, moments, probing = 'top', -1, 12, 0, True
    import top
"""
TOP = """
from __main__ import *
a = b = c = d = 1
items, box, table = [1, 2, 3], Box(4), {'k': 1, 0: 2}
"""

LATE = """
lazy import pack.part as late, colorsys
lazy from helper import two as later, three
if a:
    lazy import helper
b = w(0, later) + len(three)
items.append(late.value)
"""


class Programs(Statements):
    """Writes one program."""

    def __init__(self, seed: int, version: tuple[int, int]) -> None:
        super().__init__(seed, version)
        self.seed = seed

    def files(self) -> dict[str, str]:
        """Return the program's files by name."""
        kind = KINDS[self.seed % len(KINDS)]
        at = Place(kind)
        lines = ["b = c = d = 0", "table = {'k': 1, 0: 2}", *self.rest(kind)]
        for _ in range(STEPS):
            lines += self.step(at)
        if self.seed % 8 == 7:
            lines += self.guarded(self.extreme(at))
        lines += ["told_by.append(dict(locals()))", "" if kind == "asyncgen" else "return 1"]
        word = "async def" if kind in ("coroutine", "asyncgen") else "def"
        head = [f"KIND, ATTEMPTS = {kind!r}, {ATTEMPTS}"]
        head.append(f"{word} body(a, /, *more, items, box, **others):")
        program = PROLOGUE + "\n".join([*head, *below(lines)]) + "\n" + EPILOGUE
        files = {**HELPERS, "prog.py": program}
        if self.seed % 4 == 1:  # code of a module, too
            steps = [line for _ in range(3) for line in self.step(Place("module", owned=()))]
            late = LATE if self.version >= (3, 15) else ""
            told = "\nprint(told(globals() | {'__builtins__': 0}))"
            files["top.py"] = TOP + late + "\n".join(steps) + told
            files["prog.py"] = program.replace("    main()\n", "    main()\n" + IMPORT_TOP)
        return files

    def rest(self, kind: str) -> Lines:
        """Return lines that make a function a generator even if no statement yields."""
        return ["if 0: yield"] if kind in ("generator", "asyncgen") else []

    def step(self, at: Place) -> Lines:
        """Return a statement, usually guarded so that the next one runs in any case, and a probe of the variables."""
        lines = self.statement(replace(at, depth=0))
        if self.random.random() < 0.9:
            lines = self.guarded(lines)
        if self.random.random() < 0.3:
            lines += [f"{self.name()} = {self.random.randint(0, 9)}"]
        return [*lines, self.probe()]

    def guarded(self, lines: Lines) -> Lines:
        """Wrap statements so that their exceptions end here."""
        return ["try:", *below(lines), "except Exception as e:", "    log.append(repr(e))"]

    # -- wide and deep -----------------------------------------------------------------------------------

    def extreme(self, at: Place) -> Lines:
        """Return something near the limits of the compiler."""
        kinds = (self.nested, self.chain, self.parenthesized, self.wide, self.functions)
        return self.random.choice(kinds)(at)

    def nested(self, at: Place) -> Lines:
        """Return statements nested nearly as deep as the limit of 20 blocks."""
        lines = [f"{self.name()} = {self.e(at, 1)}"]
        for _ in range(self.random.randint(12, 15)):
            head = self.pick(
                "with Box(1) as d:", "for c in [1]:", "if 1:", "while budget():", "try:"
            )
            lines = [head, *below(lines)]
            lines += ["finally:", "    b = 1"] if head == "try:" else []
            lines += ["    break"] if head == "while budget():" else []
        return lines

    def chain(self, at: Place) -> Lines:
        """Return many branches."""
        lines = [f"if a == {self.e(at, 2)}:", "    pass"]
        for number in range(150):
            lines += [f"elif a == -{number}:", f"    b = {number}"]
        return [*lines, f"elif {self.e(at, 1)}:", f"    c = {self.e(at, 1)}", "else:", "    d = 2"]

    def parenthesized(self, at: Place) -> Lines:
        """Return expressions nested in each other, or one after the other."""
        text = self.e(replace(at, kind="function"), 1)  # it may end up in a lambda
        for _ in range(30):
            text = self.pick(f"(-{text})", f"[{text}][0]", f"take({text})", f"(lambda: {text})()")
        return [f"a = {text}", "b = " + " + ".join(["a"] * 200), "c = " + " or ".join(["0"] * 200)]

    def wide(self, at: Place) -> Lines:
        """Return more elements, arguments and variables than fit into a byte."""
        names = [f"v{number}" for number in range(270)]
        return [
            f"a = [{', '.join(map(str, range(270)))}, {self.e(at, 1)}]",
            f"*_, {', '.join(names)} = a",
            f"b = take({', '.join(names)}, {', '.join(f'{name}={name}' for name in names)})",
            f"c = {{{', '.join(f'{name!r}: {name}' for name in names)}}}",
            f"for {', '.join(names)} in [range(270)]: pass",
            f"del {', '.join(names)}",
        ]

    def functions(self, at: Place) -> Lines:
        """Return nested functions that share variables."""
        lines = [f"{name} = {self.e(Place(), 2)}" for name in NAMES] + ["return a"]
        for number in range(12):
            lines = [
                "nonlocal a, b, c, d",
                f"def f{number}():",
                *below(lines),
                f"return f{number}()",
            ]
        return ["def outer():", *below(lines), "c = outer()"]
