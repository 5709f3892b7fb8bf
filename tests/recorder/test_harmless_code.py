"""Programs that read code objects find those that their functions have without recording."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.recorder.bothways import runs_the_same
from tests.recorder.conftest import Recorded

READERS = """
    import dis, marshal, types

    GREETING = 'hello'

    def add(a, b=1, *rest, key=None):
        total = a + b
        for each in rest:
            total += each
        return total

    def outer(n):
        def inner(m):
            return [n + m, {'k': n}, (lambda q: q * n)(m)]
        return inner

    class Shape:
        def area(self, *, scale=2):
            def twice(): return super().__hash__() is not None and scale
            return twice()
        @staticmethod
        def make(): return Shape()
        @property
        def side(self): return 3

    def numbers(n):
        for i in range(n):
            yield i

    async def later():
        return GREETING

    pair = (lambda a: a + 1), (lambda a: a - 1)
    alike = (lambda: None), (lambda: None)
    functions = [add, outer, outer(3), Shape.area, Shape.make, Shape.side.fget, numbers, later, *pair, *alike]

    def attributes(code):
        names = [n for n in dir(code) if n.startswith('co_')]
        values = {n: getattr(code, n) for n in names}
        for name in ('co_lines', 'co_positions', 'co_branches'):
            if name in values:
                values[name] = list(values[name]())
        values['co_consts'] = [attributes(c) if isinstance(c, types.CodeType) else c for c in code.co_consts]
        return values

    for f in functions:
        print(f.__qualname__, attributes(f.__code__))
        print(marshal.loads(marshal.dumps(f.__code__)) == f.__code__)
        dis.dis(f)
"""


def test_code_is_what_it_is_without_recording(tmp_path: Path) -> None:
    seen = runs_the_same(tmp_path, READERS)
    assert seen.status == 0, seen.stderr
    assert "LOAD_GLOBAL" in seen.stdout


BY_VALUE = """
    import marshal, types

    def captured(f):  # as cloudpickle and dill do it: every part by itself
        c = f.__code__
        parts = [c.co_argcount, c.co_posonlyargcount, c.co_kwonlyargcount, c.co_nlocals, c.co_stacksize,
                 c.co_flags, c.co_code, c.co_consts, c.co_names, c.co_varnames, c.co_filename, c.co_name,
                 c.co_qualname, c.co_firstlineno, c.co_linetable, c.co_exceptiontable, c.co_freevars, c.co_cellvars]
        cells = tuple(types.CellType(cell.cell_contents) for cell in f.__closure__ or ())
        return types.FunctionType(types.CodeType(*parts), f.__globals__, f.__name__, f.__defaults__, cells)

    def marshalled(f):
        return types.FunctionType(marshal.loads(marshal.dumps(f.__code__)), f.__globals__, f.__name__,
                                  f.__defaults__, f.__closure__)

    def make(scale):
        def area(side, extra=1):
            try:
                return [x * scale + extra for x in side]
            except TypeError as error:
                return str(error)
        return area

    class Counter:
        def __init__(self): self.n = 0
        def count(self, by):
            self.n += by
            return self

    for copy in (captured, marshalled):
        area = copy(make(3))
        print(area([1, 2]), area(5), area.__code__ == make(3).__code__, area.__code__ is make(3).__code__)
        Counter.count = copy(Counter.count)
        c = Counter().count(2)
        print(c.count(3).n)
"""


def test_functions_can_be_taken_apart_and_put_together(tmp_path: Path) -> None:
    seen = runs_the_same(tmp_path, BY_VALUE)
    assert seen.status == 0, seen.stderr
    assert "[4, 7]" in seen.stdout


IDENTITY = """
    import sys, types, weakref

    def f(n):
        frame = sys._getframe()
        print(frame.f_code == f.__code__, hash(frame.f_code) == hash(f.__code__), frame.f_code in known)
        return n + 1

    def g(n):
        return n - 1

    def gen(n):
        yield n

    class C:
        def m(self): return 1

    known = weakref.WeakKeyDictionary({f.__code__: 'f'})
    f(1)
    print(f.__code__ is f.__code__, f.__code__ == g.__code__, gen(1).gi_code == gen.__code__)
    print(C.m.__code__ is C().m.__code__, C().m.__func__.__code__ is C.m.__code__)
    twin = types.FunctionType(g.__code__, globals(), 'twin')
    print(twin.__code__ is g.__code__, twin(5), types.FunctionType(code=g.__code__, globals=globals())(6))
    other = g.__code__
    def h(n): return n * 100
    h.__code__ = other
    print(h(4), h.__code__ is other, h.__code__.co_name)
    changed = g.__code__.replace(co_name='renamed', co_firstlineno=40)
    h.__code__ = changed
    print(h(4), h.__code__ is changed, h.__code__.co_name, h.__code__.co_firstlineno, changed == g.__code__)
    h.__code__ = h.__code__.replace(co_consts=tuple(2 if c == 1 else c for c in h.__code__.co_consts))
    print(h(4), g(4))
    try: h.__code__ = 5
    except TypeError as e: print(e)
    try: del h.__code__
    except (TypeError, AttributeError) as e: print(e)
    try: h.__code__ = (lambda q: lambda: q)(1).__code__
    except ValueError as e: print(e)
    try: types.FunctionType((lambda q: lambda: q)(1).__code__, {})
    except TypeError as e: print(e)
    try: types.FunctionType()
    except TypeError as e: print(e)
    late = g.__code__
    del g, twin
    print(types.FunctionType(late, globals())(8))

    @types.coroutine
    def steps():
        yield 1
    async def walk():
        await steps()
    w = walk()
    print(w.send(None), steps.__code__.co_flags & 0x100, walk.__code__ == w.cr_code)
    w.close()
"""


def test_code_can_be_compared_copied_and_set(tmp_path: Path) -> None:
    seen = runs_the_same(tmp_path, IDENTITY)
    assert seen.status == 0, seen.stderr
    assert seen.stdout.startswith("True True True\n")


def test_functions_with_the_code_of_another_are_recorded(
    record: Callable[[str], Recorded],
) -> None:
    done = record("""
        import types
        def g(n):
            return n - 1
        def h(n):
            return n * 100
        copy = types.FunctionType(g.__code__, globals(), 'copy')
        h.__code__ = g.__code__
        copy(5); h(6)
        h.__code__ = g.__code__.replace(co_name='renamed')
        h(7)
        @types.coroutine
        def steps():
            yield 1
        list(steps())
    """)
    assert [call.value for call in done.calls("g")] == [4, 5, 6]
    assert len(done.calls("steps")) == 1


def test_functions_made_of_copied_code_are_not_recorded(
    record: Callable[[str], Recorded],
) -> None:
    done = record("""
        import marshal, types
        def g(n):
            return n - 1
        copy = types.FunctionType(marshal.loads(marshal.dumps(g.__code__)), globals())
        box = [copy(5), g(6)]
    """)
    assert [call.value for call in done.calls("g")] == [5]


def test_the_code_of_frames_and_loaders_can_be_marshalled(tmp_path: Path) -> None:
    seen = runs_the_same(
        tmp_path,
        {
            "lib.py": "def double(n):\n    return n * 2\n",
            "prog.py": """
                import importlib.util, io, marshal, py_compile, sys
                def f(): return sys._getframe().f_code
                print(marshal.loads(marshal.dumps(f())) == f.__code__, marshal.dumps([1], 2))
                file = io.BytesIO()
                marshal.dump(f(), file)
                print(marshal.loads(file.getvalue()) == f.__code__)
                space = {}
                code = importlib.util.find_spec('lib').loader.get_code('lib')
                exec(marshal.loads(marshal.dumps(code, 4)), space)
                print(space['double'](4))
                path = py_compile.compile('lib.py', 'lib.pyc', doraise=True)
                exec(marshal.loads(open(path, 'rb').read()[16:]), space)
                print(space['double'](5))
                try: marshal.dumps(f)
                except ValueError as e: print(e)
                try: marshal.dumps()
                except TypeError as e: print(e)
            """,
        },
    )
    assert seen.status == 0, seen.stderr
    assert "\n8\n10\n" in seen.stdout


@pytest.mark.skipif(sys.version_info < (3, 12), reason="sys.monitoring is new in 3.12")
def test_events_can_be_set_for_the_code_of_a_function(tmp_path: Path) -> None:
    seen = runs_the_same(
        tmp_path,
        """
        import sys
        m = sys.monitoring
        def f(): return 1
        def g(): return 2
        m.use_tool_id(4, 'tests')
        m.register_callback(4, m.events.PY_START, lambda code, offset: print(code.co_name, code == f.__code__))
        m.set_local_events(4, f.__code__, m.events.PY_START)
        print(m.get_local_events(4, f.__code__) == m.events.PY_START, m.get_local_events(4, g.__code__))
        f(); g()
        """,
    )
    assert seen.stdout == "True 0\nf True\n"
