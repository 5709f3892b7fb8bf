"""Coroutines: one call for each life, child of its creator; awaiting and ``async with``."""

from __future__ import annotations

from tests.recorder.conftest import Record
from tests.recorder.outline import arguments, check, lines, outline, parent_name, place_of
from wrongcall.events import Kind
from wrongcall.recording import Outcome


def test_awaiting_coroutines(record: Record) -> None:
    done = record(
        """\
        import asyncio

        def f(x):
            return x

        async def inner(n):
            f("a")  # before
            await asyncio.sleep(0)
            f("b")  # after
            return n + 1

        async def main():
            x = await inner(1)  # first
            f(x)  # between
            return await inner(x)  # second

        asyncio.run(main())  # run
        """
    )
    assert outline(done) == lines(
        """
        module __main__ -> None
          main() @run -> 3
            inner(n=1) @first -> 2
              f(x='a') @before -> 'a'
              f(x='b') @after -> 'b'
            f(x=2) @between -> 2
            inner(n=2) @second -> 3
              f(x='a') @before -> 'a'
              f(x='b') @after -> 'b'
        """
    )
    first, second = done.calls("inner")
    assert first.exit < second.entry
    assert {c.function.kind for c in (first, second)} == {"coroutine"}


def test_what_an_await_produced(record: Record) -> None:
    done = record(
        """\
        import asyncio

        async def main():
            loop = asyncio.get_running_loop()
            future = loop.create_future()
            loop.call_soon(future.set_result, "value")
            got = await future
            return got

        asyncio.run(main())
        """
    )
    call = done.call("main")
    resumed = done.recording.events.select({Kind.RESUME}, call=call.id)
    values = [
        done.recording.states.values.read(int(e["vtag"]), int(e["value"])) for e in resumed.events
    ]
    assert values == ["value"]
    assert done.recording.states.local(call.id, "got") == call.value == "value"
    check(done.recording)


def test_a_coroutine_that_is_never_awaited(record: Record) -> None:
    done = record(
        """\
        import warnings

        warnings.simplefilter("ignore")

        def f(x):
            return x

        async def lost():
            return f(1)

        def main():
            c = lost()  # create
            f("before")
            del c
            return f("after")

        main()
        """
    )
    lost = done.call("lost")
    before, after = done.calls("f")
    assert (parent_name(lost), lost.caller_line) == ("main", 12)
    assert lost.outcome == Outcome.DROPPED
    assert before.exit < lost.exit < after.entry


def test_async_with(record: Record) -> None:
    done = record(
        """\
        import asyncio

        def f(x):
            return x

        class Lock:
            async def __aenter__(self):
                f("enter")  # enter
                await asyncio.sleep(0)
                f("entered")  # entered
                return self

            async def __aexit__(self, kind, value, trace):
                f("exit")  # exit
                await asyncio.sleep(0)
                f("exited")  # exited
                return kind is ValueError

        async def main():
            async with Lock() as lock:  # with
                f("body")  # body
                await asyncio.sleep(0)
                f("body2")  # body2
            f("after")  # after
            async with Lock():  # second
                raise ValueError(1)
            return f("end")  # end

        asyncio.run(main())  # run
        """
    )
    inside = """\
  Lock.__aenter__(self=<Lock>) @with -> <Lock>
    f(x='enter') @enter -> 'enter'
    f(x='entered') @entered -> 'entered'
"""
    text = outline(done, "main")
    assert text.startswith("main() @run -> 'end'\n" + inside)
    main = done.call("main")
    assert [c.function.qualname for c in main.children] == [
        "Lock.__aenter__",
        "f",
        "f",
        "Lock.__aexit__",
        "f",
        "Lock.__aenter__",
        "Lock.__aexit__",
        "f",
    ]
    exits = done.calls("Lock.__aexit__")
    assert [arguments(done, c)["value"] for c in exits] == ["None", "ValueError(1)"]
    assert [c.value for c in exits] == [False, True]
    for call in exits:
        assert [arguments(done, c)["x"] for c in call.children] == ["'exit'", "'exited'"]


def test_where_aenter_and_aexit_are_called(record: Record) -> None:
    done = record(
        """\
        import asyncio

        def f(x):
            return x

        class Lock:
            async def __aenter__(self):
                await asyncio.sleep(0)

            async def __aexit__(self, *exc):
                await asyncio.sleep(0)

        async def main():
            f(1)
            async with Lock():
                f(2)
            f(3)

        asyncio.run(main())
        """
    )
    assert [c.caller_line for c in done.call("main").children] == [14, 15, 16, 15, 17]


def test_operators_after_an_await_without_a_name(record: Record) -> None:
    """Nothing but the operator tells that the coroutine runs again."""
    done = record(
        """\
        import asyncio

        class V:
            def __add__(self, other):
                return 1

        class Lock:
            async def __aenter__(self):
                await asyncio.sleep(0)

            async def __aexit__(self, *exc):
                await asyncio.sleep(0)

        class Ticker:
            def __init__(self):
                self.n = 0

            def __aiter__(self):
                return self

            async def __anext__(self):
                await asyncio.sleep(0)
                self.n += 1
                if self.n > 1:
                    raise StopAsyncIteration
                return self.n

        def f():
            return 0

        async def background():
            while True:
                f()
                await asyncio.sleep(0)

        async def main(v):
            other = asyncio.create_task(background())
            async with Lock():
                v + v  # with
            v + v  # after
            async for v.x in Ticker():
                v + v  # for
            else:
                v + v  # else
            v + v  # end

        asyncio.run(main(V()))
        """
    )
    added = done.calls("V.__add__")
    assert [parent_name(c) for c in added] == ["main"] * 5
    places = [place_of(done.recording, c) for c in added]
    assert places == ["with", "after", "for", "else", "end"]
    check(done.recording)


def test_awaitables_of_ones_own(record: Record) -> None:
    done = record(
        """\
        import asyncio

        def f(x):
            return x

        class Later:
            def __init__(self, value):
                self.value = value

            def __await__(self):
                f("begin")  # begin
                yield from asyncio.sleep(0).__await__()
                return f(self.value)  # value

        async def main():
            x = await Later(5)  # await
            return f(x + 1)  # end

        asyncio.run(main())  # run
        """
    )
    assert outline(done, "main") == lines(
        """
        main() @run -> 6
          Later.__init__(self=<Later>, value=5) @await -> None
          Later.__await__(self=<Later>) @await yields None -> 5
            f(x='begin') @begin -> 'begin'
            f(x=5) @value -> 5
          f(x=6) @end -> 6
        """
    )


def test_exceptions_through_awaits(record: Record) -> None:
    done = record(
        """\
        import asyncio

        def f(x):
            return x

        async def fail(n):
            await asyncio.sleep(0)
            raise ValueError(n)

        async def middle():
            try:
                await fail(1)  # fail
            finally:
                f("finally")  # finally

        async def main():
            try:
                await middle()  # middle
            except ValueError as e:
                f(e.args[0])  # handler
            results = await asyncio.gather(fail(2), fail(3), return_exceptions=True)
            return f(len(results))  # end

        asyncio.run(main())  # run
        """
    )
    assert outline(done, "main") == lines(
        """
        main() @run -> 2
          middle() @middle raises ValueError(1)
            fail(n=1) @fail raises ValueError(1)
            f(x='finally') @finally -> 'finally'
          f(x=1) @handler -> 1
          fail(n=2) @21 raises ValueError(2)
          fail(n=3) @21 raises ValueError(3)
          f(x=2) @end -> 2
        """
    )


def test_coroutines_driven_by_hand(record: Record) -> None:
    done = record(
        """\
        import types

        def f(x):
            return x

        @types.coroutine
        def pause(value):
            got = yield value
            return f(got)  # got

        async def work():
            a = await pause(1)  # one
            b = await pause(2)  # two
            return a + b

        def main():
            w = work()  # create
            f(w.send(None))  # first
            f(w.send(10))  # second
            try:
                w.send(20)
            except StopIteration as stop:
                return stop.value

        main()  # run
        """
    )
    assert outline(done, "main") == lines(
        """
        main() @run -> 30
          work() @create -> 30
            pause(value=1) @one yields 1 -> 10
              f(x=10) @got -> 10
            pause(value=2) @two yields 2 -> 20
              f(x=20) @got -> 20
          f(x=1) @first -> 1
          f(x=2) @second -> 2
        """
    )
