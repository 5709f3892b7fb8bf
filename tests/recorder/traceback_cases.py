"""Programs that fail, each with a traceback of its own kind."""

from __future__ import annotations

CASES: dict[str, str] = {
    "a call": "def f(x):\n    return int(x)\nf('a')",
    "a call of a method": "'a'.join(\n    [1, 2])",
    "a call over several lines": """
        def f(a, b):
            return a + b
        f(
            1,
            b="x",
        )
    """,
    "nested calls on one line": """
        def f(x): return g(x) + 1
        def g(x): return len(h(x))
        def h(x): return x.nothing
        print(f(f(g(2))), f(1))
    """,
    "a call with too few arguments": "def f(a, b): pass\nf(1)",
    "a call with an unknown keyword": "def f(a, b): pass\nf(1, c=2)",
    "a call of a builtin with wrong arguments": "import math\nmath.floor('a', 'b')",
    "a call of something not callable": "x = 5\nx(1)",
    "a call of None as a method": "class C: m = None\nC().m(1)",
    "a star argument that is none": "import math\nmath.floor(*5)",
    "a star argument of a function": "def f(*a): pass\nf(*5)",
    "a star argument of a method": "[].append(*5)",
    "a double star argument that is none": "def f(**k): pass\nf(**5)",
    "a double star argument of a library function": "import textwrap\ntextwrap.dedent(**5)",
    "a keyword given twice": "def f(**k): pass\nf(a=1, **{'a': 2})",
    "a keyword given twice to a library function": (
        "import textwrap\ntextwrap.fill(text=1, **{'text': 2})"
    ),
    "a keyword that is no string": "def f(**k): pass\nf(**{1: 2})",
    "a method of its own class": """
        class C:
            def m(self, x):
                return self.n(x)[0].z
            def n(self, x):
                return [x]
        C().m(1)
    """,
    "a missing method": "class C:\n    def close(self): pass\nc = C()\nc.clse()",
    "a missing attribute": "class C:\n    value = 1\nC().valeu",
    "a missing attribute of a module": "import math\nmath.sqroot(2)",
    "an attribute of None": "x = None\nprint(x.a.b(1).c)",
    "a missing name": "def f():\n    undefind = 1\n    return undefined\nf()",
    "a missing global": "printt(1)",
    "an unbound local": "def f():\n    print(x)\n    x = 1\nf()",
    "an unbound local that is augmented": "def f():\n    x += 1\nf()",
    "a deleted local": "def f(x):\n    del x\n    return x\nf(1)",
    "deleting an unbound local": "def f():\n    del x\n    x = 1\nf()",
    "an unbound free variable": "def f():\n    def g(): return x\n    g()\n    x = 1\nf()",
    "an unbound nonlocal": """
        def f():
            def g():
                nonlocal x
                x += 1
            g()
            x = 1
        f()
    """,
    "an unbound name in a class body": "class C:\n    y = x\n    x = 1",
    "a missing index": "def f(a):\n    return a[1][2] + a[0][5]['k']\nf([[1], [1, 2, 3]])",
    "a missing key": "d = {'a': {}}\nx = 1 + d['a']['b'] * 2",
    "an index of the wrong type": "x = [1]\nx['a']",
    "an operator": "x, y = 1, 'a'\nz = (x + 2) * 3 + y / 2",
    "an operator on calls": "def f(x): return x\nf(1) + f('a') + f(2)",
    "an operator on methods": "'a'.upper() + (1).bit_length()",
    "an operator in an argument": "print(1, len('a' + 1), 2)",
    "an operator method": """
        class C:
            def __add__(self, other):
                raise ValueError("added")
            __radd__ = __add__
        x = 1 + C()
    """,
    "a comparison": "x = 1 < 2 < 'a'",
    "a unary operator": "x = -'a'",
    "a condition": "class B:\n    def __bool__(self): raise ValueError\nif B():\n    pass",
    "a loop condition": "class B:\n    def __bool__(self): raise ValueError\nwhile B():\n    pass",
    "a conditional expression": "x = 1 if 1 / 0 else 2",
    "an arm of a conditional expression": "x = (1 / 0) if True else (2 + 2)",
    "and and or": "x = 0 or (1 and len(5))",
    "not": "class B:\n    def __bool__(self): raise ValueError\nx = not B()",
    "an f-string": "x = f'{1} and {1 / 0} and {len(5)}'",
    "an f-string with a bad format": "x = f'{1:zz}'",
    "a lambda": "f = lambda x: 1 / x\nf(0)",
    "a lambda that calls": "f = lambda x: len(x) + 1\ng = lambda y: f(y)\ng(5)",
    "a lambda in a sort": "sorted([3, 'a', 1], key=lambda x: x + 1)",
    "a lambda over two lines": "f = lambda x: (\n    x +\n    'a')\nf(1)",
    "a lambda with a default": "f = lambda x=1: x()\nf()",
    "a lambda in a class": "class C:\n    f = lambda self: self.nothing\nC().f()",
    "a list comprehension": "def f(n):\n    return [10 / (x - 2) for x in range(n) if x]\nf(5)",
    "a condition in a comprehension": "[x for x in 'ab' if x > 1]",
    "the iterable of a comprehension": "[x for x in 5]",
    "the second iterable of a comprehension": "[y for x in (1, 2) for y in x]",
    "unpacking in a comprehension": "[a for a, b in [(1, 2), (3,)]]",
    "a call in a comprehension": "def f(x): return 1 / x\n{x: f(x) for x in (1, 0)}",
    "a set comprehension": "{[x] for x in (1,)}",
    "a generator expression": "def f(g): return sum(g)\nf(1 / x for x in (1, 0))",
    "a comprehension in a class body": "class C:\n    y = [x / 0 for x in (1,)]",
    "an attribute store": "x = 5\nx.a = 1",
    "an attribute store that is misspelt": (
        "class C:\n    __slots__ = ('value',)\nc = C()\nc.valeu = 1"
    ),
    "an attribute store on an expression": "def f(): return 5\nf().a = 1",
    "an attribute store deep inside": "class C: pass\nc = C()\nc.d = None\nc.d.e = 1\n",
    "an attribute store on a property": """
        class C:
            @property
            def p(self): return 1
            @p.deleter
            def p(self): raise ValueError("deleted")
        c = C()
        try:
            del c.p
        finally:
            c.p = 2
    """,
    "an attribute store with __setattr__": """
        class C:
            def __setattr__(self, name, value):
                raise ValueError(name)
        C().x = 1
    """,
    "an annotated attribute store": "x = 5\nx.a: int = 1",
    "an augmented attribute": "class C: a = 1\nc = C()\nc.a += 'x'",
    "an augmented attribute that is missing": "class C: pass\nc = C()\nc.d = c\nc.d.e += 1",
    "deleting an attribute": "class C: pass\nc = C()\ndel c.x",
    "deleting an attribute of an expression": "class C: pass\ndel C().x",
    "a subscript store": "x = [1, 2]\nx[5] = 1",
    "a subscript store on an expression": "x = {'a': [1]}\nx['a'][3] = len('abc')",
    "a subscript store on a tuple": "x = (1, 2)\nx[0] = 1",
    "a subscript store with an unhashable key": "x = {}\nx[[]] = 1",
    "a subscript store with __setitem__": """
        class C:
            def __setitem__(self, k, v):
                raise ValueError(k, v)
        c = C()
        c[1, 2] = 3
    """,
    "a slice store": "x = [1, 2, 3]\nx[::2] = [1]",
    "a slice store on a string": "x = 'abc'\nx[1:2] = 'd'",
    "an augmented subscript": "d = {}\nd['k'] += 1",
    "an augmented subscript of the wrong type": "d = {'k': 1}\nd['k'] += 'a'",
    "an augmented subscript on an expression": "d = {'k': [1]}\nd['k'][len('abc')] += 1",
    "an augmented subscript of a tuple": "t = ([],)\nt[0] += [1]",
    "deleting a subscript": "x = {}\ndel x['a']",
    "deleting a subscript on an expression": "x = {'a': []}\ndel x['a'][2]",
    "deleting several": "x = {'a': 1}\ndel x['a'], x['b'], x['c']",
    "an augmented name": "x = 1\nx += 'a'",
    "an augmented local": "def f(x):\n    x -= 'a'\n    return x\nf(1)",
    "an augmented global": "n = 1\ndef f():\n    global n\n    n *= {}\nf()",
    "an augmented operation with a call": "x = 1\nx += len(5) + 1",
    "unpacking too few": "a, b = 1,",
    "unpacking too many": "a, b = [1, 2, 3]",
    "unpacking what is not iterable": "a, b = 5",
    "unpacking with a star": "a, *b, c = [1]",
    "unpacking into a subscript": "x = []\na, x[1] = 1, 2",
    "unpacking into an attribute": "x = 5\n(a, x.b), c = (1, 2), 3",
    "unpacking a call": "def f(): return 1, 2, 3\na, b = f()",
    "unpacking in a for loop": "for a, b in [(1, 2), 3]:\n    pass",
    "a chained assignment": "x = []\na = x[0] = b = 1",
    "an annotated assignment": "x: int = 1 / 0",
    # From 3.14 on, annotations are evaluated when somebody asks for them.
    "a bad annotation": "import sys\nx: undefined_type = 1\nsys.modules[__name__].__annotations__",
    "a bad annotation of a function": "def f(x: undefined_type): pass\nf.__annotations__",
    "a bad annotation in a class": "class C:\n    x: undefined_type\nC.__annotations__",
    "a for loop over no iterable": "def f():\n    for x in 5:\n        print(x)\nf()",
    "a for loop into a subscript": "x = []\nfor x[0] in (1, 2):\n    pass",
    "the body of a for loop": "for i in range(3):\n    x = 1 / (i - 1)",
    "an iterator that fails": """
        class I:
            def __iter__(self): return self
            def __next__(self): raise ValueError
        for x in I():
            pass
    """,
    "return of an expression": "def f(x):\n    return x + [\n        1]\nf(2)",
    "return in finally": """
        def f():
            try:
                return 1 / 0
            finally:
                len(5)
        f()
    """,
    "return in with": """
        import contextlib
        @contextlib.contextmanager
        def c():
            try:
                yield 1
            finally:
                print("left")
        def f():
            with c() as x:
                return x / 0
        f()
    """,
    "with on a wrong object": "with 5 as x:\n    pass",
    "with whose __enter__ fails": """
        class C:
            def __enter__(self): raise ValueError("enter")
            def __exit__(self, *e): pass
        with C() as c:
            pass
    """,
    "with whose __exit__ fails": """
        class C:
            def __enter__(self): return self
            def __exit__(self, *e): raise ValueError("exit")
        with C() as c:
            1 / 0
    """,
    "with into a subscript": "import io\nx = []\nwith io.StringIO() as x[0]:\n    pass",
    "with of two": """
        import io
        with (
            io.StringIO() as a,
            open("/no/such/file") as b,
        ):
            pass
    """,
    "an assertion": "x = 1\nassert x == 2, f'x is {x}'",
    "an assertion that calls": "def f(x): return x.y\nassert f(1) == 2, 'no'",
    "raise": "raise ValueError('text')",
    "raise of a class": "class E(Exception):\n    pass\nraise E",
    "raise of a wrong object": "raise 5",
    "raise from": (
        "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    raise ValueError('b') from e"
    ),
    "raise from None": (
        "try:\n    1 / 0\nexcept ZeroDivisionError:\n    raise ValueError('b') from None"
    ),
    "raise in a handler": "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    {}['k']",
    "raise again": """
        def f():
            try:
                {}["k"]
            except KeyError:
                print("caught")
                raise
        f()
    """,
    "raise again by name": """
        def f():
            try:
                {}["k"]
            except KeyError as e:
                raise e
        f()
    """,
    "raise again out of a call": """
        def g():
            raise
        try:
            1 / 0
        except ZeroDivisionError:
            g()
    """,
    "a chain of three": """
        def a():
            raise ValueError("a")
        def b():
            try:
                a()
            except ValueError as e:
                raise KeyError("b") from e
        def c():
            try:
                b()
            except KeyError:
                raise IndexError("c")
        c()
    """,
    "a wrong class in except": "try:\n    1 / 0\nexcept 5:\n    pass",
    "a name in except that is missing": "try:\n    1 / 0\nexcept NoSuchError:\n    pass",
    "an exception with notes": "e = ValueError('x')\ne.add_note('a note')\nraise e",
    "an exception group": (
        "raise ExceptionGroup('g', [ValueError(1), ExceptionGroup('h', [KeyError(2)])])"
    ),
    "an exception group with tracebacks": """
        def f(x):
            return 1 / x
        errors = []
        for x in (0, "a"):
            try:
                f(x)
            except Exception as e:
                errors.append(e)
        raise ExceptionGroup("all", errors)
    """,
    "except*": """
        try:
            raise ExceptionGroup("g", [ValueError(1), KeyError(2)])
        except* ValueError:
            print("values")
    """,
    "except* with raise": """
        try:
            raise ExceptionGroup("g", [ValueError(1), KeyError(2)])
        except* ValueError as e:
            raise TypeError("new") from e
    """,
    "finally": "try:\n    1 / 0\nfinally:\n    print('finally')",
    "else": "try:\n    pass\nexcept ValueError:\n    pass\nelse:\n    1 / 0",
    "a nested function": """
        def f(x):
            def g(y):
                def h():
                    nonlocal x
                    x = y / 0
                return h()
            return g(x)
        f(1)
    """,
    "a decorator": "def d(f):\n    raise ValueError('decorating')\n@d\ndef g():\n    pass",
    "a decorator with arguments": "def d(n): return n()\n@d(\n    5)\ndef g():\n    pass",
    "the second of two decorators": "@staticmethod\n@undefined\ndef g():\n    pass",
    "a decorated function": """
        import functools
        def d(f):
            @functools.wraps(f)
            def wrapper(*args, **kw):
                return f(*args, **kw)
            return wrapper
        @d
        def g(x):
            return x.y
        g(1)
    """,
    "a default argument": "def f(x=1 / 0):\n    pass",
    "a class body": "class C:\n    x = 1\n    y = x / 0",
    "a class in a class": "class C:\n    class D:\n        def m(self): 1 / 0\n        m(1)",
    "a base class": "class C(5):\n    pass",
    "a metaclass": "class C(metaclass=lambda *a: 1 / 0):\n    x = 1",
    "a class decorator": "@(lambda c: c.nothing)\nclass C:\n    pass",
    "__init__": "class C:\n    def __init__(self, x):\n        self.x = x.y\nC(1)",
    "__init__ with wrong arguments": "class C:\n    def __init__(self, x): pass\nC(1, 2)",
    "__init__ of the base": """
        class A:
            def __init__(self): raise ValueError
        class B(A):
            def __init__(self):
                super().__init__()
        B()
    """,
    "an abstract class": """
        import abc
        class A(abc.ABC):
            @abc.abstractmethod
            def m(self): pass
        A()
    """,
    "a property": "class C:\n    @property\n    def p(self): return self.q\nC().p",
    "__getattr__": "class C:\n    def __getattr__(self, n): raise AttributeError(n)\nC().x.y",
    "__getattr__ of a method": (
        "class C:\n    def __getattr__(self, n): raise ValueError(n)\nC().x(1)"
    ),
    "__call__": "class C:\n    def __call__(self, x): return x / 0\nC()(1)",
    "__del__ and repr": "class C:\n    def __repr__(self): return self.x\nrepr(C())",
    "a dataclass": """
        import dataclasses
        @dataclasses.dataclass(frozen=True)
        class D:
            x: int
        d = D(1)
        d.x = 2
    """,
    "a dataclass with a missing argument": (
        "import dataclasses\n@dataclasses.dataclass\nclass D:\n    x: int\nD()"
    ),
    "an enum": "import enum\nclass E(enum.Enum):\n    A = 1\nE(2)",
    "super": "class C:\n    def m(self): super().m()\nC().m()",
    "a generator": "def g():\n    yield 1\n    yield 1 / 0\nlist(g())",
    "a generator that is thrown into": (
        "def g():\n    x = yield 1\nit = g()\nnext(it)\nit.throw(ValueError('in'))"
    ),
    "a generator thrown into inside try": """
        def g():
            try:
                yield 1
            except ValueError as e:
                yield e / 1
        it = g()
        next(it)
        it.throw(ValueError("in"))
    """,
    "a generator thrown into inside with": """
        import contextlib
        def g():
            with contextlib.nullcontext():
                yield 1
        it = g()
        next(it)
        it.throw(ValueError("in"))
    """,
    "a generator that raises StopIteration": "def g():\n    yield next(iter([]))\nlist(g())",
    "a generator that runs already": "def g():\n    yield next(it)\nit = g()\nnext(it)",
    "sending to a fresh generator": "def g():\n    yield\ng().send(1)",
    "yield from": "def a():\n    yield 1 / 0\ndef b():\n    x = yield from a()\nlist(b())",
    "yield from no iterable": "def b():\n    yield from 5\nlist(b())",
    "a yield with a bad operand": "def g():\n    x = 1 + (yield 2)\nlist(g())",
    "a generator ignoring close": """
        def g():
            try:
                yield 1
            except GeneratorExit:
                yield 2
        it = g()
        next(it)
        it.close()
    """,
    "a coroutine": """
        import asyncio
        async def f(x):
            await asyncio.sleep(0)
            return x / 0
        async def g():
            y = await f(1)
            return y
        asyncio.run(g())
    """,
    "await of a wrong object": "import asyncio\nasync def f():\n    await 5\nasyncio.run(f())",
    "gathered tasks": """
        import asyncio
        async def f(x):
            await asyncio.sleep(0)
            return 1 / x
        async def main():
            return await asyncio.gather(f(1), f(0))
        asyncio.run(main())
    """,
    "a task group": """
        import asyncio
        async def f(x):
            await asyncio.sleep(0)
            return 1 / x
        async def main():
            async with asyncio.TaskGroup() as group:
                group.create_task(f(0))
        asyncio.run(main())
    """,
    "async with": """
        import asyncio
        class C:
            async def __aenter__(self): return self
            async def __aexit__(self, *e): raise ValueError("leaving")
        async def f():
            async with C() as c:
                c.x
        asyncio.run(f())
    """,
    "async for": """
        import asyncio
        async def g():
            yield 1
            yield 1 / 0
        async def f():
            async for x in g():
                pass
            return [y async for y in g()]
        asyncio.run(f())
    """,
    "async for over no iterable": (
        "import asyncio\nasync def f():\n    async for x in 5:\n        pass\nasyncio.run(f())"
    ),
    "a timeout": """
        import asyncio
        async def f():
            async with asyncio.timeout(0):
                await asyncio.sleep(1)
        asyncio.run(f())
    """,
    "match": "match 5:\n    case int(x) if x / 0:\n        pass",
    "a match body": "match {'a': [1]}:\n    case {'a': [x, *_]}:\n        print(x.y)",
    "a wrong class pattern": "x = 5\nmatch 1:\n    case x():\n        pass",
    "a walrus": "if (n := len('abc')) and (m := n / 0):\n    pass",
    "a walrus in a comprehension": "[y := x / 0 for x in (1,)]",
    "global": "def f():\n    global g\n    g = 1 / 0\nf()",
    "import of a missing module": "import no_such_module",
    "import of a missing name": "from math import no_such_name",
    "import of a misspelt name": "from collections import ordereddict",
    "import of a missing submodule": "import os.nothing.more",
    "import of a missing name of ours": "from helper import nothing",
    "import in a function": "def f():\n    import no_such_module as m\nf()",
    "an error in an imported module": "import broken",
    "an error in a package": "from package import part",
    "an error in a function of another module": "import helper\nhelper.fail(1)",
    "a callback from another module": "import helper\nhelper.apply(lambda x: x.nothing)",
    "a syntax error in an imported module": "import bad_syntax",
    "an indentation error in an imported module": "import bad_indent",
    "a syntax error in a function's import": "def f():\n    from bad_syntax import x\nf()",
    "an import cycle": "import cycle_a",
    "a wrong relative import": "from . import x",
    "a relative import in a package": "import package.relative",
    "eval": "eval('1 / 0')",
    "eval of bad syntax": "eval('1 +')",
    "exec": "exec('def f():\\n    return 1 / 0\\nf()')",
    "library code": "import json\njson.loads('{')",
    "a callback from library code": (
        "import functools\nfunctools.reduce(lambda a, b: a / b, [1, 0])"
    ),
    "re with a callback": "import re\nre.sub('a', lambda m: m.nothing(), 'a')",
    "a mutating method": "x = [1]\nx.remove(2)",
    "a mutating method on a call": "def f(): return []\nf().pop()",
    "a change during iteration": "d = {1: 2}\nfor k in d:\n    d[k + 1] = 1",
    "wide characters": "def f(日本):\n    return 日本['é'] + 'ü'[2]\nf({'é': 'x'})",
    "a long line": f"x = {' + '.join(['1'] * 60)} + len(5)",
    "an expression in parentheses": "x = (\n    1\n    + 2\n    / 0\n)",
    "two statements on a line": "x = 1; y = x / 0; z = 2",
    "a semicolon after del": "x = [1]; del x[0]; del x[0]",
    "if on one line": "if True: len(5)",
    "a function on one line": "def f(x): return x.y\nf(1)",
    "a docstring and one line": "def f():\n    'doc'\n    len(5)\nf()",
    "deep recursion": "def f(n):\n    return 1 / n if n < 1 else f(n - 1)\nf(20)",
    "mutual recursion": """
        def f(n):
            return g(n - 1)
        def g(n):
            if n < 0: raise ValueError
            return f(n)
        f(9)
    """,
    "an exception stored and raised later": """
        def f():
            try:
                1 / 0
            except ZeroDivisionError as e:
                return e
        e = f()
        raise e
    """,
    "an exception raised twice": """
        error = ValueError("same")
        def f():
            raise error
        for i in (1, 2):
            try:
                f()
            except ValueError:
                if i == 2:
                    raise
    """,
    "traceback objects": """
        import traceback
        def f(x):
            y = [x]
            return y[x]
        try:
            f(1)
        except IndexError as e:
            tb, seen = e.__traceback__, []
            while tb:
                seen.append((tb.tb_frame.f_code.co_name, tb.tb_lineno, tb.tb_lasti > 0))
                tb = tb.tb_next
            print(seen, [s.name for s in traceback.extract_tb(e.__traceback__)])
            raise
    """,
    "the line of a frame that was left": """
        def f(x):
            y = [x]
            return y[x]
        try:
            f(1)
        except IndexError as e:
            print(e.__traceback__.tb_next.tb_frame.f_lineno)
            raise
    """,
    "local variables in a traceback": """
        import traceback
        def f(x):
            y = [x]
            return y[x]
        try:
            f(1)
        except IndexError as e:
            te = traceback.TracebackException.from_exception(e, capture_locals=True)
            print([s.locals for s in te.stack if s.name == "f"])
            raise
    """,
    "a custom traceback": """
        try:
            1 / 0
        except ZeroDivisionError as e:
            raise ValueError("x").with_traceback(e.__traceback__) from None
    """,
    "a cleared frame": """
        import sys
        def f():
            local = object()
            1 / 0
        try:
            f()
        except ZeroDivisionError as e:
            e.__traceback__.tb_next.tb_frame.clear()
            raise
    """,
    "sys.exc_info": """
        import sys
        def f():
            return sys.exc_info()[0], sys.exception()
        print(f())
        try:
            1 / 0
        except ZeroDivisionError:
            print(f())
            try:
                {}["k"]
            except KeyError:
                print(f())
            print(f())
        print(f())
        def g():
            yield sys.exc_info()[0]
            try:
                {}["g"]
            except KeyError:
                yield sys.exc_info()[0]
            yield sys.exc_info()[0]
        try:
            1 / 0
        except ZeroDivisionError:
            print(list(g()))
        raise ValueError
    """,
}  # fmt: skip


HELPERS = {
    "helper.py": "def fail(x):\n    y = x\n    return y / 0\n\n"
    "def apply(f):\n    return [f(i) for i in (1,)]\n",
    "broken.py": "x = 1\ndef f():\n    return x.nothing\n\ny = f()\n",
    "package/__init__.py": "name = 1\n",
    "package/part.py": "from package import name\nname.missing()\n",
    "package/relative.py": "from ... import too_far\n",
    "bad_syntax.py": "x = 1\ndef f(:\n    pass\n",
    "bad_indent.py": "def f():\n  x = 1\n    y = 2\n",
    "cycle_a.py": "from cycle_b import b\na = 1\n",
    "cycle_b.py": "from cycle_a import a\nb = 1\n",
}
