"""Threads: every event belongs to its call, every call to its thread."""

from __future__ import annotations

from tests.recorder.conftest import Record
from tests.recorder.outline import check, integer, outline
from wrongcall.recording import Outcome


def test_twenty_threads(record: Record) -> None:
    """The threads run the same functions at the same time; nothing may be mixed up."""
    done = record(
        """\
        import sys
        import threading

        sys.setswitchinterval(1e-6)
        barrier = threading.Barrier(20)

        def leaf(who, x):
            y = x * 1000 + who
            return y

        def middle(who, x):
            return leaf(who, x) + leaf(who, x + 1)  # leaves

        def numbers(who, n):
            for i in range(n):
                leaf(who, i)  # inside
                yield i

        def work(who):
            barrier.wait()
            total = 0
            for i in range(30):
                total += middle(who, i)  # middle
            for i in numbers(who, 5):
                try:
                    fail(who, i)  # fail
                except ValueError:
                    total += i
            return total

        def fail(who, i):
            raise ValueError(who)

        def main():
            threads = [threading.Thread(target=work, args=(k,)) for k in range(20)]
            for t in threads:
                t.start()
            for t in threads:
                t.join()

        main()
        """
    )
    recording = done.recording
    works = done.calls("work")
    assert sorted(integer(c.args[0].value) for c in works) == list(range(20))
    assert len({c.thread for c in works}) == 20
    assert done.call("main").thread not in {c.thread for c in works}
    assert len(recording.program.threads) == 21
    assert len({t.ident for t in recording.program.threads.values()}) >= 2
    for work in works:
        who = integer(work.args[0].value)
        below = work.children
        assert [c.function.name for c in below] == ["middle"] * 30 + ["numbers"] + ["fail"] * 5
        assert work.value == sum((2 * i + 1) * 1000 + 2 * who for i in range(30)) + 10
        for call in below:
            assert (call.thread, call.args[0].value) == (work.thread, who)
            for leaf in call.children:
                assert (leaf.thread, leaf.args[0].value) == (work.thread, who)
                expected = integer(leaf.args[1].value) * 1000 + who
                assert leaf.value == expected
                assert recording.states.local(leaf.id, "y", leaf.exit) == expected
        values = [leaf.args[1].value for call in below[:30] for leaf in call.children]
        assert values == [n for i in range(30) for n in (i, i + 1)]
        assert [c.outcome for c in below[31:]] == [Outcome.RAISED] * 5
        assert [p.value for p in below[30].yielded] == [0, 1, 2, 3, 4]
    check(recording)


def test_a_thread_begins_a_tree_of_its_own(record: Record) -> None:
    done = record(
        """\
        import threading

        def f(x):
            return x

        class Worker(threading.Thread):
            def run(self):
                f("run")  # run

        def target(x):
            return f(x)  # target

        def main():
            f("main")  # main
            worker = Worker()
            worker.start()
            worker.join()
            thread = threading.Thread(target=target, args=(1,))
            thread.start()
            thread.join()
            timer = threading.Timer(0.001, target, (2,))
            timer.start()
            timer.join()
            return f("end")  # end

        main()
        """
    )
    assert (
        outline(done, "Worker.run")
        == "Worker.run(self=<Worker>) -> None\n  f(x='run') @run -> 'run'"
    )
    assert outline(done, "target") == (
        "target(x=1) -> 1\n  f(x=1) @target -> 1\ntarget(x=2) -> 2\n  f(x=2) @target -> 2"
    )
    main = done.call("main")
    assert [c.function.qualname for c in main.children] == ["f", "f"]
    threads = [
        main.thread,
        done.call("Worker.run").thread,
        *[c.thread for c in done.calls("target")],
    ]
    assert len(set(threads)) == 4
    assert set(threads) <= set(done.recording.program.threads)


def test_a_pool(record: Record) -> None:
    done = record(
        """\
        from concurrent.futures import ThreadPoolExecutor

        def square(x):
            if x == 3:
                raise ValueError(x)
            return x * x

        def result(future):
            return future.exception() or future.result()

        def main():
            with ThreadPoolExecutor(2) as pool:
                futures = [pool.submit(square, x) for x in range(5)]
                quick = list(pool.map(lambda x: square(x), [10, 20]))
            return [str(result(f)) for f in futures]

        main()
        """
    )
    main = done.call("main")
    pooled = [c for c in done.calls("square") if c.parent is None]
    assert sorted(integer(c.args[0].value) for c in pooled) == list(range(5))
    assert all(c.thread != main.thread for c in pooled)
    lambdas = done.calls("main.<locals>.<lambda>")
    assert all(c.parent is None and c.thread != main.thread for c in lambdas)
    assert [c.value for c in lambdas] == [100, 400]
    assert [c.function.qualname for c in main.children] == ["result"] * 5
    assert [c.outcome for c in sorted(pooled, key=lambda c: integer(c.args[0].value))] == [
        Outcome.RETURNED,
        Outcome.RETURNED,
        Outcome.RETURNED,
        Outcome.RAISED,
        Outcome.RETURNED,
    ]
    check(done.recording)


def test_a_generator_passed_between_threads(record: Record) -> None:
    done = record(
        """\
        import threading

        def f(x):
            return x

        def g():
            f("first")  # first
            yield 1
            f("second")  # second
            yield 2

        def consume(it):
            next(it)
            f("thread")  # thread

        def main():
            it = g()  # create
            next(it)
            f("main")  # main
            t = threading.Thread(target=consume, args=(it,))
            t.start()
            t.join()
            f("end")  # end

        main()
        """
    )
    g = done.call("g")
    assert [c.args[0].value for c in g.children] == ["first", "second"]
    assert [p.value for p in g.yielded] == [1, 2]
    assert [c.function.qualname for c in done.call("main").children] == ["g", "f", "f"]
    assert [c.args[0].value for c in done.call("consume").children] == ["thread"]
    check(done.recording)


def test_closures_and_locals_of_threads(record: Record) -> None:
    done = record(
        """\
        import threading

        def make(n):
            def step():
                nonlocal n
                for _ in range(50):
                    n += 1
                return n
            return step

        threads = [threading.Thread(target=make(100 * k)) for k in range(5)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        """
    )
    made = done.calls("make")
    for call in done.calls("make.<locals>.step"):
        owner = done.recording.states.variables.owner(call.id, "n")
        assert owner in {c.id for c in made}
        start = integer(done.recording.call(owner).args[0].value)
        assert call.value == start + 50
        writes = done.recording.places.local_writes(call.id, "n")
        assert [w.new for w in writes] == list(range(start, start + 51))
    check(done.recording)


def test_threads_that_are_alive_at_the_end(record: Record) -> None:
    done = record(
        """\
        import threading
        import time

        def f(x):
            return x

        def daemon(ready):
            f(1)
            ready.set()
            while True:
                time.sleep(60)

        ready = threading.Event()
        threading.Thread(target=daemon, args=(ready,), daemon=True).start()
        ready.wait()
        f(2)
        """
    )
    daemon = done.call("daemon")
    assert daemon.outcome == Outcome.NONE
    assert [c.value for c in daemon.children] == [1]
    assert done.call("<module>").outcome == Outcome.RETURNED
    check(done.recording)
