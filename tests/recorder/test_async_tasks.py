"""Tasks: who created them, and what they wait for."""

from __future__ import annotations

from tests.recorder.conftest import Record
from tests.recorder.outline import arguments, check, integer, lines, outline, parent_name
from wrongcall.events import Kind
from wrongcall.recording import Outcome


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
    check(done.recording)


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
    check(done.recording)


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
    assert not len(done.recording.events.select({Kind.START}, call=work.id).times)
    assert work.exit > work.entry
    check(done.recording)


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
    check(done.recording)


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
    check(done.recording)
