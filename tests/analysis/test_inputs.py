from __future__ import annotations

import numpy as np

from tests.trace.conftest import Record
from wrongcall.recording import Ref
from wrongcall.trace.format.event_records import call_ids
from wrongcall.trace.format.owner_index import EXTENT_EVENTS


def test_arguments_and_receiver(record: Record) -> None:
    run = record(
        """
        class Stack:
            def __init__(self):
                self.items = []

            def push(self, item, *more, loud=False):
                self.items.append(item)

            @staticmethod
            def make(item):
                return item

        def push(stack, item):
            stack.push(item, 8, loud=True)

        push(Stack(), 3)
        Stack.make(1)
        """
    )
    method, function = run.call("Stack.push"), run.call("push")
    given = run.recording.questions.input(method.id)
    assert [arg.name for arg in given.args] == ["self", "item", "more", "loud"]
    assert [given.args[1].value, given.args[3].value] == [3, True]
    assert run.picture(given.args[2].value, given.time)[2] == [8]
    assert given.receiver == given.args[0]
    # As of its entry, nothing was pushed yet.
    assert run.picture(given.args[0].value, given.time)[2]["items"][2] == []
    assert run.recording.questions.input(function.id).receiver is None


def test_globals_read_by_a_call_or_its_callees_are_inputs(record: Record) -> None:
    run = record(
        """
        limit = 10
        unused = 20
        table = {"a": 1}
        count = 0

        def inner(x):
            if x > 1000:
                return unused
            return table["a"] + x

        def outer(x):
            global count
            count = count + 1
            return min(inner(x), limit)

        outer(3)
        limit = 11
        outer(4)
        """
    )
    first, second = run.calls("outer")
    given = run.recording.questions.input(first.id)
    # `unused` stands in a branch that did not run; `min` and `inner` are no data.
    assert {read.name for read in given.globals} == {"limit", "table", "count"}
    values = {read.name: read.value for read in given.globals}
    assert (values["limit"], values["count"]) == (10, 0)
    assert isinstance(values["table"], Ref)
    later = {read.name: read.value for read in run.recording.questions.input(second.id).globals}
    assert (later["limit"], later["count"]) == (11, 1)
    inside = run.recording.questions.input(run.calls("inner")[0].id)
    assert [(read.module, read.name) for read in inside.globals] == [("__main__", "table")]


def test_an_attribute_of_a_module_is_a_global_of_that_module(record: Record) -> None:
    run = record(
        """
        import types, sys
        config = types.ModuleType("config")
        sys.modules["config"] = config
        config.debug = 5

        def ask():
            return config.debug

        ask()
        """
    )
    given = run.recording.questions.input(run.call("ask").id)
    assert [(read.module, read.name, read.value) for read in given.globals] == [
        ("config", "debug", 5)
    ]


def test_closure_variables_that_are_read(record: Record) -> None:
    run = record(
        """
        def counter(start, step, unused):
            def tick():
                nonlocal start
                start += step
                return start
            def never():
                return unused
            return tick

        tick = counter(5, 2, 0)
        tick()
        tick()
        """
    )
    first, second = run.calls("counter.<locals>.tick")
    owner = run.call("counter").id
    found = run.recording.questions.input(first.id).closure
    assert sorted((c.name, c.owner, c.value) for c in found) == [
        ("start", owner, 5),
        ("step", owner, 2),
    ]
    assert {c.name: c.value for c in run.recording.questions.input(second.id).closure}["start"] == 7


def test_names_of_comprehensions_and_parameters_are_no_globals(record: Record) -> None:
    run = record(
        """
        x = 1
        n = 2

        def f(n):
            return [x * n for x in range(n)]

        f(3)
        """
    )
    assert run.recording.questions.input(run.call("f").id).globals == ()


def test_what_a_thread_reads_late_in_a_long_run_is_its_input(record: Record) -> None:
    """Extents without a new site are skipped, so look at every event for comparison."""
    run = record(
        """
        import threading

        early, late, other, other_late = 1, 2, 3, 4
        gate = threading.Barrier(2)

        def work(count):
            gate.wait()
            total = 0
            for k in range(count):
                total += early
                if k == count - 9:
                    total += late
            return total

        def differ(count):
            gate.wait()
            total = 0
            for k in range(count):
                total += other
                if k == count // 2:
                    total += other_late
            return total

        threads = [
            threading.Thread(target=call, args=(300_000,)) for call in (work, differ)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        """
    )
    assert run.recording.event_count > 2 * EXTENT_EVENTS
    events = run.recording.events.between()
    for name, expected in (("work", {"early", "late"}), ("differ", {"other", "other_late"})):
        call = run.call(name).id
        numbers = {read.name for read in run.recording.questions.input(call).globals}
        assert expected <= numbers
        assert not numbers & ({"early", "late", "other", "other_late"} - expected)
        inputs = run.recording.questions._inputs
        program = run.recording.program
        sites = {int(site) for site in np.unique(events["site"][call_ids(events) == call])}
        blocks = {(program.sites[s].function, program.sites[s].block) for s in sites if s}
        lines = inputs._lines_below(call)
        for function, block in blocks:
            assert set(program.functions[function].blocks[block]) <= lines[function]
        assert set(lines) == {function for function, _ in blocks}
