"""Coroutines, asynchronous generators, tasks: one call for each life, child of its creator."""

from __future__ import annotations

from tests.recorder.conftest import Record
from tests.recorder.outline import arguments, check, integer, lines, outline, place_of
from wrongcall.events import Kind
from wrongcall.recording import Call, Outcome


def parent_name(call: Call) -> str:
    """Return the function that the caller of a call is an activation of."""
    return call.parent.function.qualname if call.parent else ""


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
    resumed = done.trace.events.select({Kind.RESUME}, call=call.id)
    values = [
        done.trace.states.values.read(int(e["vtag"]), int(e["value"])) for e in resumed.events
    ]
    assert values == ["value"]
    assert done.trace.states.local(call.id, "got") == call.value == "value"
    check(done.trace)


def test_gather_keeps_tasks_apart(record: Record) -> None:
    done = record(
        """\
        import asyncio

        def f(x):
            return x

        async def work(name, rounds):
            for i in range(rounds):
                f(name)  # work
                await asyncio.sleep(0)
            return name * rounds

        async def main():
            f("begin")  # begin
            results = await asyncio.gather(work("a", 2), work("b", 3))  # gather
            f("end")  # end
            return results

        asyncio.run(main())  # run
        """
    )
    assert outline(done, "main") == lines(
        """
        main() @run -> ['aa', 'bbb']
          f(x='begin') @begin -> 'begin'
          work(name='a', rounds=2) @gather -> 'aa'
            f(x='a') @work -> 'a'
            f(x='a') @work -> 'a'
          work(name='b', rounds=3) @gather -> 'bbb'
            f(x='b') @work -> 'b'
            f(x='b') @work -> 'b'
            f(x='b') @work -> 'b'
          f(x='end') @end -> 'end'
        """
    )
    turns = sorted(done.calls("f"), key=lambda c: c.entry)
    assert "".join(arguments(done, c)["x"].strip("'") for c in turns) == "beginababbend"


def test_tasks_are_children_of_the_call_that_created_the_coroutine(record: Record) -> None:
    done = record(
        """\
        import asyncio

        def f(x):
            return x

        async def child(n):
            await asyncio.sleep(0)
            return f(n)  # child

        async def spawn(n):
            task = asyncio.create_task(child(n))  # create
            f("spawned")  # spawned
            return task

        async def main():
            task = await spawn(1)  # spawn
            other = child(2)  # other
            f("main")  # main
            return await task + await asyncio.create_task(other)

        asyncio.run(main())  # run
        """
    )
    assert outline(done, "main") == lines(
        """
        main() @run -> 3
          spawn(n=1) @spawn -> <Task>
            child(n=1) @create -> 1
              f(x=1) @child -> 1
            f(x='spawned') @spawned -> 'spawned'
          child(n=2) @other -> 2
            f(x=2) @child -> 2
          f(x='main') @main -> 'main'
        """
    )
    spawn, (first, _) = done.call("spawn"), done.calls("child")
    assert spawn.exit < first.exit


def test_callbacks_hang_from_the_nearest_recorded_caller(record: Record) -> None:
    """The loop runs under whoever started it; suspended coroutines call nobody."""
    done = record(
        """\
        import asyncio

        def f(x):
            return x

        def callback(x):
            return f(x)  # callback

        async def main():
            loop = asyncio.get_running_loop()
            loop.call_soon(callback, "soon")
            loop.call_later(0.001, callback, "later")
            f("main")  # main
            await asyncio.sleep(0.02)
            return f("end")  # end

        def start():
            f("start")  # start
            return asyncio.run(main())  # run

        start()
        """
    )
    assert [parent_name(c) for c in done.calls("callback")] == ["start", "start"]
    assert [c.caller_line for c in done.calls("callback")] == [19, 19]
    assert [c.function.qualname for c in done.call("main").children] == ["f", "f"]
    assert [c.function.qualname for c in done.call("start").children] == [
        "f",
        "main",
        "callback",
        "callback",
    ]
    check(done.trace)


def test_task_groups_and_timeouts(record: Record) -> None:
    done = record(
        """\
        import asyncio

        def f(x):
            return x

        async def work(n):
            f(n)  # work
            await asyncio.sleep(0)
            if n == 3:
                raise ValueError(n)
            return n

        async def forever():
            try:
                await asyncio.sleep(60)
            finally:
                f("cleanup")  # cleanup

        async def main():
            async with asyncio.TaskGroup() as group:
                group.create_task(work(1))
                group.create_task(work(2))
            f("joined")  # joined
            try:
                async with asyncio.timeout(0.01):
                    await forever()  # forever
            except TimeoutError:
                f("timeout")  # timeout
            try:
                async with asyncio.TaskGroup() as group:
                    group.create_task(work(3))
                    group.create_task(forever())
            except* ValueError:
                f("failed")  # failed

        asyncio.run(main())  # run
        """
    )
    main = done.call("main")
    assert [c.function.qualname for c in main.children] == [
        "work",
        "work",
        "f",
        "forever",
        "f",
        "work",
        "forever",
        "f",
    ]
    assert [c.outcome for c in done.calls("work")] == [Outcome.RETURNED] * 2 + [Outcome.RAISED]
    for call in done.calls("forever"):
        assert "raises CancelledError(" in outline(done, "forever")
        assert [arguments(done, c)["x"] for c in call.children] == ["'cleanup'"]
    assert [arguments(done, c)["x"] for c in main.children if c.function.name == "f"] == [
        "'joined'",
        "'timeout'",
        "'failed'",
    ]
    check(done.trace)


def test_cancelled_before_it_began(record: Record) -> None:
    done = record(
        """\
        import asyncio

        async def work():
            return 1

        async def main():
            task = asyncio.create_task(work())
            task.cancel()
            try:
                await task
            except asyncio.CancelledError:
                return "cancelled"

        asyncio.run(main())
        """
    )
    assert done.call("main").value == "cancelled"
    work = done.call("work")
    assert work.outcome in (Outcome.DROPPED, Outcome.RAISED)
    assert not len(done.trace.events.select({Kind.START}, call=work.id).times)
    assert work.exit > work.entry
    check(done.trace)


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
    places = [place_of(done.trace, c) for c in added]
    assert places == ["with", "after", "for", "else", "end"]
    check(done.trace)


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
    check(done.trace)


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


def test_work_handed_to_threads(record: Record) -> None:
    done = record(
        """\
        import asyncio

        def f(x):
            return x

        def blocking(x):
            return f(x)  # thread

        async def main():
            a = await asyncio.to_thread(blocking, 1)
            b = await asyncio.get_running_loop().run_in_executor(None, blocking, 2)
            return f(a + b)  # end

        asyncio.run(main())
        """
    )
    main = done.call("main")
    assert [c.function.qualname for c in main.children] == ["f"]
    for call in done.calls("blocking"):
        assert call.parent is None
        assert call.thread != main.thread
        assert [c.caller_line for c in call.children] == [7]
        assert call.children[0].thread == call.thread
    check(done.trace)


def test_producer_and_consumers(record: Record) -> None:
    done = record(
        """\
        import asyncio

        def f(who, x):
            return x

        async def produce(queue, n):
            for i in range(n):
                f("produce", i)
                await queue.put(i)
            for _ in range(3):
                await queue.put(None)

        async def consume(name, queue):
            total = 0
            while (x := await queue.get()) is not None:
                total += f(name, x)
                await asyncio.sleep(0)
            return total

        async def main():
            queue = asyncio.Queue(2)
            tasks = [asyncio.create_task(consume(f"c{k}", queue)) for k in range(3)]
            await produce(queue, 30)
            return sum([await t for t in tasks])

        asyncio.run(main())
        """
    )
    main = done.call("main")
    assert main.value == sum(range(30))
    assert [c.function.qualname for c in main.children] == ["consume"] * 3 + ["produce"]
    seen: list[int] = []
    for call in done.calls("consume"):
        name = call.args[0].value
        assert {c.args[0].value for c in call.children} <= {name}
        numbers = [integer(c.args[1].value) for c in call.children]
        seen += numbers
        assert call.value == sum(numbers)
    assert sorted(seen) == list(range(30))
    assert len(done.call("produce").children) == 30
    check(done.trace)


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
