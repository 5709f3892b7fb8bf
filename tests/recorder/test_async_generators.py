"""Asynchronous generators, loops and comprehensions."""

from __future__ import annotations

from tests.recorder.conftest import Record
from tests.recorder.outline import check, lines, outline, parent_name
from wrongcall.recording import Outcome


def test_async_for_and_async_generators(record: Record) -> None:
    done = record(
        """\
        import asyncio

        def f(x):
            return x

        async def ticker(n):
            for i in range(n):
                f(i)  # tick
                await asyncio.sleep(0)
                yield i * 10
            f("out")  # out

        async def main():
            async for x in ticker(2):  # loop
                f(x)  # body
            return [y async for y in ticker(1)]  # comprehension

        asyncio.run(main())  # run
        """
    )
    assert outline(done, "main") == lines(
        """
        main() @run -> [0]
          ticker(n=2) @loop yields 0, 10 -> None
            f(x=0) @tick -> 0
            f(x=1) @tick -> 1
            f(x='out') @out -> 'out'
          f(x=0) @body -> 0
          f(x=10) @body -> 10
          ticker(n=1) @comprehension yields 0 -> None
            f(x=0) @tick -> 0
            f(x='out') @out -> 'out'
        """
    )
    assert done.calls("ticker")[0].function.kind == "async generator"


def test_asend_athrow_aclose(record: Record) -> None:
    done = record(
        """\
        import asyncio

        def f(x):
            return x

        async def talk():
            got = None
            while True:
                try:
                    got = yield got
                    f(got)  # got
                except ValueError:
                    f("value")  # value
                    got = "recovered"
                finally:
                    await asyncio.sleep(0)
                    f("finally")  # finally

        async def main():
            g = talk()  # create
            await anext(g)
            f(await g.asend("a"))  # send
            f(await g.athrow(ValueError("x")))  # throw
            await g.aclose()
            return f("end")  # end

        asyncio.run(main())  # run
        """
    )
    assert outline(done, "main") == lines(
        """
        main() @run -> 'end'
          talk() @create yields None, 'a', 'recovered' raises GeneratorExit()
            f(x='a') @got -> 'a'
            f(x='finally') @finally -> 'finally'
            f(x='value') @value -> 'value'
            f(x='finally') @finally -> 'finally'
            f(x='finally') @finally -> 'finally'
          f(x='a') @send -> 'a'
          f(x='recovered') @throw -> 'recovered'
          f(x='end') @end -> 'end'
        """
    )


def test_async_comprehensions_are_part_of_their_function(record: Record) -> None:
    done = record(
        """\
        import asyncio

        def f(x):
            return x

        async def double(x):
            await asyncio.sleep(0)
            return f(2 * x)  # double

        async def ticker():
            yield 1
            await asyncio.sleep(0)
            yield 2

        async def main():
            a = [await double(x) for x in (1, 2)]  # list
            b = [f(x) async for x in ticker()]  # async
            c = {f(await double(x)) async for x in ticker()}  # both
            return a + b

        async def background():
            for _ in range(5):
                f("background")
                await asyncio.sleep(0)

        async def start():
            other = asyncio.create_task(background())
            result = await main()
            await other
            return result

        asyncio.run(start())
        """
    )
    main = done.call("main")
    names = [(c.function.qualname, c.caller_line) for c in main.children]
    assert names == [
        ("double", 16),
        ("double", 16),
        ("ticker", 17),
        ("f", 17),
        ("f", 17),
        ("ticker", 18),
        ("double", 18),
        ("f", 18),
        ("double", 18),
        ("f", 18),
    ]
    assert [parent_name(c) for c in done.calls("f")].count("background") == 5
    check(done.recording)


def test_an_asynchronous_generator_that_returns_early(record: Record) -> None:
    done = record(
        """\
        import asyncio

        async def guarded(n):
            try:
                yield n
                if n:
                    return  # guarded
                yield "more"
            finally:
                f(n)  # finally

        async def bare(n):
            yield n
            return  # bare

        def f(x):
            return x

        async def main():
            return [x for g in (guarded(1), guarded(0), bare(2)) async for x in g]

        print(asyncio.run(main()))
        """
    )
    assert done.stdout == "[1, 0, 'more', 2]\n"
    first, second = done.calls("guarded")
    (last,) = done.calls("bare")
    assert [call.outcome for call in (first, second, last)] == [Outcome.RETURNED] * 3
    assert [[p.value for p in call.yielded] for call in (first, second)] == [[1], [0, "more"]]
    assert [c.caller_line for c in done.calls("f")] == [10, 10]
