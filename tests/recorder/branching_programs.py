"""Programs that take all kinds of branches."""

from __future__ import annotations

PROGRAMS = {
    "if": """\
        def f(x):
            y = 0
            if x > 10:
                y = 1
            elif x > 5:
                y = 2
            elif x > 0:
                pass
            else:
                y = 4
            return y

        def g(x):
            if x:
                return "early"
            x = not x
            if x and g(5):
                print(
                    "several",
                    "lines",
                )
            return (x,
                    x)

        for x in (20, 7, 3, -1):
            f(x)
        g(0)
        g(1)
        """,
    "for": """\
        def f(items, stop):
            found = None
            for x in items:
                if x == stop:
                    break
                if x % 2:
                    continue
                found = x
            else:
                found = "all"
            after = found
            return after

        def g(pairs):
            for a, b in pairs:
                for c in range(b):
                    a += c
                b = a
            return a

        def empty():
            for x in []:
                x += 1
            for x in [1]:
                pass
            for x in [1, 2]:
                len("")
            else:
                len("a")

        f([1, 2, 3, 4], 3)
        f([1, 2], 9)
        f([], 9)
        f([5], 5)
        g([(1, 2), (3, 0), (5, 1)])
        empty()
        """,
    "while": """\
        def f(n):
            total = 0
            while n > 0:
                n -= 1
                if n == 5:
                    break
                if n % 2:
                    continue
                total += n
            else:
                total = -total
            return total

        def g(n):
            while True:
                if n > 3:
                    return n
                n += 1

        def h(items):
            while items:
                while items and items[-1] > 2:
                    items.pop()
                if items:
                    items.pop()

        f(3)
        f(8)
        f(0)
        g(1)
        g(9)
        h([1, 3, 3, 2])
        """,
    "try": """\
        def fail(x):
            if x == 1:
                raise ValueError(x)
            if x == 2:
                raise KeyError(x)
            if x == 3:
                raise TypeError(x)
            return x

        def f(x):
            result = []
            try:
                result.append("before")
                fail(x)
                result.append("after")
            except ValueError:
                result.append("value")
            except KeyError as error:
                result.append("key")
                raise RuntimeError from error
            else:
                result.append("else")
            finally:
                result.append("finally")
            return result

        def g(x):
            try:
                return fail(x)
            finally:
                x = 0

        def h(x):
            for i in range(3):
                try:
                    if i == x:
                        continue
                    y = fail(i)
                except ValueError:
                    break
                finally:
                    z = i
            return z

        def nested(x):
            try:
                try:
                    a = 1
                    fail(x)
                    b = 2
                except KeyError:
                    c = 3
                d = 4
            except ValueError:
                e = 5
            return 6

        for function in (f, g, h, nested):
            for x in range(4):
                try:
                    function(x)
                except Exception:
                    pass
        """,
    "raise": """\
        def f(x):
            y = x + 1
            z = y / x
            return z

        def g(x):
            y = 1
            if x:
                y = 2
                int("no number")
                y = 3
            return y

        def h(x):
            y = [
                1,
                x,
            ]
            assert y[1] > 0, "too small"
            z = 1
            raise ValueError(
                "always",
            )

        def first(x):
            if x:
                int("x")
                x = 1
            return x

        def loop(x):
            for i in range(3):
                if i == x:
                    int("x")
                x = x
            return x

        def caught(x):
            try:
                if x:
                    y = 1 // 0
                    y = 2
            except ZeroDivisionError:
                y = 3
            return y

        def rounds(x):
            for i in (1, 0, 2, 0):
                try:
                    y = i // i
                    z = y
                except ZeroDivisionError:
                    if x:
                        continue
                    y = 4
            return y

        for function in (f, g, h, first, loop, caught, rounds):
            for x in (0, 1):
                try:
                    function(x)
                except Exception:
                    pass
        """,
    "match": """\
        def f(x):
            match x:
                case 0:
                    r = "zero"
                case [a, b]:
                    r = a + b
                case [first, *rest] if len(rest) > 5:
                    r = "long"
                case {"key": value}:
                    r = value
                case int() | float():
                    return "number"
                case _:
                    pass
            return "end"

        def nothing(x):
            match x:
                case 1:
                    y = 1
                case 2:
                    y = 2
            z = 3
            return z

        for x in (0, [1, 2], [1] * 9, {"key": 5}, 3.5, "text"):
            f(x)
        nothing(2)
        nothing(3)
        """,
    "with": """\
        import contextlib

        @contextlib.contextmanager
        def guard():
            try:
                yield 1
            except ValueError:
                x = "swallowed"

        def f(x):
            y = 0
            with guard() as g, guard():
                y = 1
                if x:
                    raise ValueError
                y = 2
            z = y
            return z

        def g(x):
            with contextlib.nullcontext(x) as y:
                if y:
                    return y
            with contextlib.suppress(KeyError):
                {}[x]
                y = 3
            return 4

        def h(x):
            with contextlib.suppress(ZeroDivisionError):
                if x:
                    y = 1 // 0
                    y = 2
                x = 3
            return x

        for x in (0, 1):
            f(x)
            g(x)
            h(x)
        """,
    "nested": """\
        def f(grid, wanted):
            for i, row in enumerate(grid):
                for j, x in enumerate(row):
                    if x == wanted:
                        try:
                            if i == j:
                                break
                            with open(__file__) as file:
                                if j:
                                    return i, j
                                k = 1
                        finally:
                            k = 2
                    elif x is None:
                        while j < 5:
                            j += 2
                            if j == 3:
                                break
                        else:
                            k = 4
                else:
                    continue
                k = 5
                break
            else:
                k = 6
            return k

        f([[1, 2], [3, 4]], 1)
        f([[1, 2], [3, 4]], 2)
        f([[1, 2], [3, 4]], 3)
        f([[1, 2], [3, 4]], 9)
        f([[None, 1], [1, None]], 7)
        """,
    "simple": """\
        def f(x):
            "A docstring is not a line that runs."
            global COUNT
            COUNT = x
            a = b = x
            a += 1; b -= 1
            del b
            import os
            pass
            y: int = 3
            z: int
            def inner(k):
                nonlocal a
                a = k
                return [
                    k
                    for k in range(
                        a)
                ]
            @staticmethod
            def decorated():
                return 1
            class C:
                x = 1
                def m(self):
                    return self
            inner(2)
            t = a if x else -a
            lambda: 5
            (n := 3)
            return (C()
                    .m()
                    .m())

        f(1)
        f(0)
        """,
    "generator": """\
        def g(n):
            x = 0
            while n:
                n -= 1
                got = yield n
                if got:
                    x = got
            try:
                yield "last"
            finally:
                y = 1
            return x

        def outer(n):
            r = yield from g(n)
            if r:
                yield r
            else:
                r = None

        def main():
            list(outer(2))
            it = outer(1)
            next(it)
            it.send(5)
            it.close()

        main()
        """,
    "coroutine": """\
        import asyncio

        class Lock:
            async def __aenter__(self):
                await asyncio.sleep(0)

            async def __aexit__(self, *exc):
                x = 1

        async def ticks(n):
            for i in range(n):
                await asyncio.sleep(0)
                yield i

        async def work(n):
            total = 0
            async with Lock():
                total = 1
            async for i in ticks(n):
                if i == 1:
                    continue
                total += i
            else:
                total += 100
            try:
                await asyncio.wait_for(asyncio.sleep(9), 0.001)
                total = -1
            except TimeoutError:
                total += 1
            return total

        asyncio.run(work(3))
        """,
}
