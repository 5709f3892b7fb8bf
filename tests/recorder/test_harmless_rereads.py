"""What a statement stored to may be gone, or be another object, before the recorder looks at it.

A store can run code: `__setattr__`, `__setitem__`, a descriptor, the `__del__` of what was there
before, a module's `__getattr__`. Each program below deletes or rebinds the very names of the statement
in such code. Recorded and plain runs must look the same.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.recorder.bothways import runs_the_same

PRELUDE = """
import sys, types, traceback

def forget(*names):
    for name in names:
        globals().pop(name, None)

class Forgets:
    '''Any store deletes the globals o, d, k and c.'''
    fails = False
    def __setattr__(self, name, value):
        print('set', name, value)
        forget('o', 'd', 'k', 'c')
        if Forgets.fails:
            raise ValueError(name)
    def __setitem__(self, key, value):
        print('store', key, value)
        forget('o', 'd', 'k', 'c')
        if Forgets.fails:
            raise ValueError(key)
    def __getitem__(self, key):
        return 1
    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        return 1
    def __delattr__(self, name):
        print('delete', name)
        forget('o', 'd', 'k', 'c')
    def __delitem__(self, key):
        print('delete', key)
        forget('o', 'd', 'k', 'c')

class Dying:
    '''Its end deletes or rebinds the global c.'''
    def __init__(self, then=lambda: forget('c')):
        self.then = then
    def __del__(self):
        self.then()
        print('died')

class FailsToAdd:
    def __iadd__(self, other):
        forget('o', 'd', 'k', 'c')
        raise ValueError('no')

def run(function):
    for Forgets.fails in (False, True):
        try:
            function()
        except Exception:
            traceback.print_exc(file=sys.stdout)

module = types.ModuleType('odd')
def module_getattr(name):
    print('asked for', name)
    if name == 'second':
        forget('c')
        if Forgets.fails:
            raise AttributeError(name)
    if name.startswith('_'):
        raise AttributeError(name)
    return name
module.__getattr__ = module_getattr
sys.modules['odd'] = module
"""

GLOBALS = {
    "attribute": "o = Forgets()\no.x = 1",
    "annotated attribute": "o = Forgets()\no.x: int = 1",
    "augmented attribute": "o = Forgets()\no.x += 1",
    "augmented attribute, by a name": "o = Forgets()\none = 1\no.x += one",
    "item": "d = Forgets()\nk = 'k'\nd[k] = 1",
    "annotated item": "d = Forgets()\nk = 'k'\nd[k]: int = 1",
    "augmented item": "d = Forgets()\nd['k'] += 1",
    "augmented item, by a name": "d = Forgets()\nk = 'k'\nd[k] += k and 1",
    "deleted attribute": "o = Forgets()\ndel o.x",
    "deleted item": "d = Forgets()\nk = 1\ndel d[k]",
    "several targets": "o = Forgets()\nc = o.x = 1",
    "unpacking": "o = Forgets()\nc, o.x = 1, 2",
    "unpacking more": "o = Forgets()\nd = Forgets()\nk = 1\n(c, o.x), [*d[k]] = (1, 2), (3, 4)",
    "for": "o = Forgets()\nfor c, o.x in [(1, 2)]:\n    print('in the loop')",
    "for, nothing else": "o = Forgets()\nfor o.x in [1, 2]:\n    print('in the loop')",
    "comprehension": "o = Forgets()\nprint([1 for c, o.x in [(1, 2)]])",
    "with": "import contextlib\no = Forgets()\nwith contextlib.nullcontext((1, 2)) as (c, o.x):\n"
    "    print('inside')",
    "import from": "from odd import first as c, second, third\nprint(second)",
    "augmented name": "c = FailsToAdd()\nc += 1",
    "augmented name, by a name": "c = FailsToAdd()\none = 1\nc += one",
    "name that dies": "c = Dying()\nc = 1",
    "augmented name that dies": "c = Dying()\nDying.__iadd__ = lambda s, o: o\nc += 5",
    "for name that dies": "c = Dying()\nfor c in [1]:\n    print('in the loop')",
    "with name that dies": "import contextlib\nc = Dying()\n"
    "with contextlib.nullcontext(1) as c:\n    print('inside')",
    "import that dies": "c = Dying()\nimport odd as c",
    "import from that dies": "c = Dying()\nfrom odd import third as c",
    "def that dies": "c = Dying()\ndef c():\n    pass",
    "class that dies": "c = Dying()\nclass c:\n    pass",
    "except that dies": "c = Dying()\ntry:\n    1 / 0\nexcept ZeroDivisionError as c:\n    c = 0\nc = 5",
    "match that dies": "c = Dying()\nmatch 1:\n    case c:\n        print('matched')",
    "guard that dies": "c = Dying()\nmatch 1:\n    case c if 'c' not in globals():\n"
    "        print('matched')",
    "walrus that dies": "c = Dying()\nprint((c := 1))",
    "growing name": "c = Dying()\nDying.__add__ = lambda s, o: o\nc = c + 5",
    "bound before a failure": "c = 0\no = Forgets()\nc, o.x, k = 1, 2, 3",
}


def as_function(source: str) -> str:
    body = "\n".join("    " + line for line in source.splitlines())
    return f"def program():\n    global o, d, k, c\n{body}\nrun(program)\n"


def as_module(source: str) -> str:
    """Run at the top level, once without and once with failing stores."""
    tried = "\n".join("    " + line for line in source.splitlines())
    return (
        "for Forgets.fails in (False, True):\n  try:\n"
        + tried
        + "\n  except Exception:\n    traceback.print_exc(file=sys.stdout)\n"
    )


def as_class(source: str) -> str:
    body = "\n".join("        " + line for line in source.splitlines())
    return f"def program():\n    class Body:\n        global o, d, k, c\n{body}\nrun(program)\n"


@pytest.mark.parametrize("form", [as_function, as_module, as_class])
def test_globals_that_are_gone(tmp_path: Path, form: object) -> None:
    parts = [
        f"print({name!r})\n{form(source)}"  # type: ignore[operator]
        for name, source in GLOBALS.items()
    ]
    seen = runs_the_same(tmp_path, PRELUDE + "\n".join(parts))
    assert seen.status == 0, seen.stderr
    assert "ValueError" in seen.stdout


CLOSURES = """
import sys, traceback, contextlib

class Calls:
    '''Any store calls what it was made with.'''
    def __init__(self, then, fails=False):
        self.__dict__.update(then=then, fails=fails)
    def store(self, *what):
        print('store', *what)
        self.then()
        if self.fails:
            raise ValueError(what)
    __setattr__ = __setitem__ = store
    def __getitem__(self, key):
        return 1
    x = 1

class Dying:
    def __init__(self, then):
        self.then = then
    def __del__(self):
        self.then()
        print('died')
    def __add__(self, other):
        return other
    def __iadd__(self, other):
        return other

class FailsToAdd(Dying):
    def __del__(self):
        pass
    def __iadd__(self, other):
        self.then()
        raise ValueError('no')

def own_cells(fails):
    def forget():
        nonlocal o, d, c
        o = d = c = 0
        del o, d, c
    o = Calls(forget, fails)
    d = c = 0
    yield
    o.x = 1
    o = Calls(forget, fails); d = c = 0
    yield
    o.x += 1
    o = d = Calls(forget, fails); c = 0
    yield
    d['k'] += 1
    o = Calls(forget, fails); d = c = 0
    yield
    c, o.x, d = 1, 2, 3
    o = Calls(forget, fails); d = c = 0
    yield
    for c, o.x in [(1, 2)]:
        print('in the loop')
    c = Dying(forget); o = d = 0
    yield
    c += 1
    c = FailsToAdd(forget); o = d = 0
    yield
    c += 1
    c = Dying(forget); o = d = 0
    yield
    c = c + 1
    c = Dying(forget); o = d = 0
    yield
    c = 1
    c = Dying(forget); o = d = 0
    yield
    for c in [1]:
        print('in the loop')
    c = Dying(forget); o = d = 0
    yield
    def c():
        pass
    c = Dying(forget); o = d = 0
    yield
    with contextlib.nullcontext(1) as c:
        print('inside')
    c = Dying(forget); o = d = 0
    yield
    (c := 1)

def others_cells(fails):
    o = d = c = 0
    def forget():
        nonlocal o, d, c
        o = d = c = 0
        del o, d, c
    def first():
        o.x = 1
    def second():
        o.x += 1
    def third():
        d['k'] += 1
    def fourth():
        nonlocal c
        c, o.x = 1, 2
    def fifth():
        nonlocal c
        c += 1
    def sixth():
        class Body:
            nonlocal c
            o.x = 1
    def seventh():
        class Body:
            nonlocal c
            c += 1
    for function in (first, second, third, fourth, fifth, sixth, seventh):
        for c in (Dying(forget), FailsToAdd(forget)):
            o = d = Calls(forget, fails)
            try:
                function()
            except Exception:
                traceback.print_exc(file=sys.stdout)
            o = d = 0
            c = 0

for fails in (False, True):
    steps = own_cells(fails)
    while True:
        try:
            next(steps)
        except StopIteration:
            break
        except Exception:
            traceback.print_exc(file=sys.stdout)
            break
    for skipped in range(13):  # after a failure the generator is over: begin after the failing step
        steps = own_cells(fails)
        frame = steps.gi_frame
        try:
            for _ in range(skipped):
                next(steps)
        except Exception as error:
            print(skipped, repr(error))
    others_cells(fails)
"""


def test_cells_that_are_empty(tmp_path: Path) -> None:
    seen = runs_the_same(tmp_path, CLOSURES)
    assert seen.status == 0, seen.stderr
    assert "ValueError" in seen.stdout
