"""What a call changed and what others changed meanwhile, where several run in turns."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, note, settings

import wrongcall.recording
from tests.analysis.effects.interleaved import (
    OBJECTS,
    PLACES,
    Function,
    Program,
    Queued,
    Runs,
    Witness,
    Write,
    programs,
    source,
)
from tests.recorder.conftest import run_recorded
from tests.trace.conftest import Record, Recorded
from wrongcall.languages.paths import step_text
from wrongcall.recording import UNSET, Change, Changed, ChangeKind, Rebound, Recording, Ref

OWN = "its own"


def runs_of(change: Change) -> Runs:
    pairs = [(run.old, run.new) for run in change.runs] or [(change.old, change.new)]
    return [(None if old is UNSET else old, None if new is UNSET else new) for old, new in pairs]


class Told:
    """What the trace tells of a call: what it changed itself, and what each of the others did."""

    def __init__(self, recording: Recording, call: int) -> None:
        bound = recording.states.globals("__main__")
        named = {"box": bound["box"], "cells": bound["cells"], "table": bound["table"]}
        self._names = {v.oid: name for name, v in named.items() if isinstance(v, Ref)}
        module = recording.states.variables.module("__main__")
        assert module is not None
        self._names[module] = ""
        queue = bound["queue"]
        self._queue = queue.oid if isinstance(queue, Ref) else 0
        self._recording = recording
        self.places: dict[str, dict[str, Runs]] = {}
        self.queued: Queued = {}
        effect = recording.questions.effect(call)
        self._add(OWN, effect.objects, effect.variables)
        for part in effect.meanwhile:
            self._add(self._named(part.by), part.objects, part.variables)

    def _named(self, call: int) -> str:
        if not call:
            return "unrecorded"
        name = self._recording.call(call).function.name
        return self._recording.call(call).children[0].function.name if name == "run" else name

    def _add(self, who: str, objects: tuple[Changed, ...], variables: tuple[Rebound, ...]) -> None:
        for changed in objects:
            for change in changed.changes:
                if changed.oid == self._queue:
                    self._add_queued(who, change)
                elif changed.oid in self._names:
                    place = f"{self._names[changed.oid]}{step_text(change.place)}".removeprefix(".")
                    self._note(place, who, change)
        for rebound in variables:
            self._note(step_text(rebound.change.place).removeprefix("."), who, rebound.change)

    def _note(self, place: str, who: str, change: Change) -> None:
        writers = self.places.setdefault(place, {})
        assert who not in writers
        writers[who] = runs_of(change)

    def _add_queued(self, who: str, change: Change) -> None:
        gone, come = self.queued.setdefault(who, ([], []))
        if change.kind is ChangeKind.REMOVED:
            assert isinstance(change.old, int)
            gone.append(change.old)
        else:
            assert change.kind is ChangeKind.ADDED
            assert isinstance(change.new, int)
            come.append(change.new)


def mentioned(program: Program, name: str) -> set[str]:
    """Return the names that a function, and those below it, use."""
    functions = list(program.functions.values()) if name == "outer" else []
    if name == "outer" and program.kind == "threads":
        functions = [program.outer]
    elif name in program.functions and name != "outer":
        functions = list(program.functions[name].all())
    found = {p.place for f in functions for p in f.body if isinstance(p, Write)}
    if name == "outer" and program.kind == "generators" and program.order:
        found.add("g")
    return {OBJECTS.get(place, place) for place in found}


def checked(program: Program) -> None:
    """Record a program and compare all its calls with what it says itself."""
    text = source(program)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "prog.py").write_text(text)
        done = run_recorded(["prog.py"], Path(folder))
        assert done.returncode == 0, done.stderr
        witness = Witness(program, done.stdout)
        with wrongcall.recording.open(Path(folder, "trace.wrongcall")) as recording:
            for name in [*program.functions, *(["drive"] if program.kind == "driven" else [])]:
                (number,) = [f.id for f in recording.program.functions.values() if f.name == name]
                (call,) = recording.calls.of_functions([number])
                compare(program, witness, recording, call, name)


def compare(program: Program, witness: Witness, recording: Recording, call: int, name: str) -> None:
    told, used = Told(recording, call), mentioned(program, name)
    for place in PLACES:
        if place == "n" and name == "outer":
            continue  # its own variable
        expected = witness.runs(name, place)
        if OBJECTS[place] not in used:
            assert name not in expected
            expected = {}
        own = {OWN if who == name else who: runs for who, runs in expected.items()}
        assert told.places.get(place, {}) == own, (name, place)
    queued = witness.queued(name) if "queue" in used else {}
    own_queued = {OWN if who == name else who: both for who, both in queued.items()}
    assert in_order(told.queued) == in_order(own_queued), name
    printed = "".join(str(part.text) for part in recording.questions.printed(call))
    assert printed == witness.printed(name)


def in_order(queued: Queued) -> Queued:
    return {who: (sorted(gone), sorted(come)) for who, (gone, come) in queued.items()}


@settings(
    max_examples=30,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
)
@given(programs)
def test_changes_are_attributed_to_their_writers(program: Program) -> None:
    note(source(program))
    checked(program)


def test_three_tasks_that_add_to_one_counter(record: Record) -> None:
    run = record(
        """
        import asyncio

        class Counter:
            def __init__(self):
                self.n = 0

        async def add(counter):
            for _ in range(2):
                counter.n += 1
                await asyncio.sleep(0)

        async def main(counter):
            await asyncio.gather(*[add(counter) for _ in range(3)])

        asyncio.run(main(Counter()))
        """
    )
    told = [told_of(run, call.id) for call in run.calls("add")]
    first, second, third = (call.id for call in run.calls("add"))
    assert told[0] == {
        "own": [("counter.n", [(0, 1), (3, 4)])],
        second: [("counter.n", [(1, 2), (4, 5)])],
        third: [("counter.n", [(2, 3), (5, 6)])],
    }
    # The first one had done its first addition before the others began.
    assert told[1]["own"] == [("counter.n", [(1, 2), (4, 5)])]
    assert told[1][first] == [("counter.n", [(3, 4)])]
    # Whoever created them has done all of it.
    assert told_of(run, run.call("main").id) == {"own": [("counter.n", [(0, 6)])]}


def told_of(run: Recorded, call: int) -> dict[object, list[tuple[str, Runs]]]:
    """Return what a call and others changed, by places and by writers."""
    effect = run.recording.questions.effect(call)
    return {
        "own": _told(run, effect.objects),
        **{part.by: _told(run, part.objects) for part in effect.meanwhile},
    }


def _told(run: Recorded, objects: tuple[Changed, ...]) -> list[tuple[str, Runs]]:
    return [
        (
            f"{changed.path or run.recording.states.object(changed.oid).type.qualname}{step_text(change.place)}",
            runs_of(change),
        )
        for changed in objects
        for change in changed.changes
    ]


def test_the_generated_programs_do_interleave() -> None:
    # Else the random ones show less than they are to show.
    for kind in ("generators", "driven", "tasks", "threads"):
        bodies = [[Write("box.x", i), None, Write("box.x", i + 2), None] for i in (1, 2)]
        actors = [Function([*body]) for body in bodies]
        program = Program(kind, actors, [0, 1, 0, 1, 0, 1], Function([]))
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "prog.py").write_text(source(program))
            done = run_recorded(["prog.py"], Path(folder))
            assert done.returncode == 0, done.stderr
            runs = Witness(program, done.stdout).runs("actor0", "box.x")
        assert runs == {"actor0": [(0, 1), (2, 3)], "actor1": [(1, 2), (3, 4)]}
        checked(program)


def test_an_object_that_another_task_created_meanwhile_is_listed(record: Record) -> None:
    run = record(
        """
        class Job:
            def __init__(self, n):
                self.n, self.done = n, False

        def worker(queue):
            while True:
                yield
                while queue:
                    job = queue.pop()
                    mine = Job(0)
                    mine.done = True
                    job.done = True

        def main(queue):
            one = worker(queue)
            next(one)
            queue.append(Job(1))
            next(one)
            one.close()

        main([])
        """
    )
    told = told_of(run, run.call("worker").id)
    places = dict(told["own"])
    assert places.pop("Job.done") == [(False, True)]
    assert list(places) == ["queue[0]"]  # and not the job that it made itself
    # How the job was made is nothing that happened to something it knew.
    assert [place for place, _ in told[run.call("main").id]] == ["queue[0]"]


def test_writes_of_no_call_are_attributed_to_unrecorded_code(record: Record) -> None:
    run = record(
        """
        import threading

        def extend(items):
            thread = threading.Thread(target=items.append, args=(1,))
            thread.start()
            thread.join()
            items.append(2)

        extend([])
        """
    )
    told = told_of(run, run.call("extend").id)
    assert ("items[1]", [(None, 2)]) in told["own"]
    assert ("items[0]", [(None, 1)]) in told[0]


def test_changes_within_a_group_are_its_own(record: Record) -> None:
    run = record(
        """
        import asyncio

        class Counter:
            def __init__(self):
                self.n = 0

        async def add(counter, step):
            counter.n += step
            await asyncio.sleep(0)
            print(step)

        async def twice(counter, step):
            await add(counter, step)
            await add(counter, step)

        async def main(counter):
            await asyncio.gather(twice(counter, 1), twice(counter, 10))

        asyncio.run(main(Counter()))
        """
    )
    one, other = run.calls("twice")
    first, second = (call.id for call in one.children)
    effect = run.recording.questions.effect_until(first, second)
    assert _told(run, effect.objects) == [("counter.n", [(0, 1), (11, 12)])]
    assert [(part.by, _told(run, part.objects)) for part in effect.meanwhile] == [
        (other.id, [("counter.n", [(1, 11), (12, 22)])])
    ]
    assert [part.text for part in run.recording.questions.printed(first, second)] == ["1", "\n"] * 2


def test_a_generator_that_is_asked_by_somebody_else_is_not_below_it(record: Record) -> None:
    run = record(
        """
        def numbers(log):
            log.append("one")
            yield 1

        def use(it, log):
            for n in it:
                log.append(n)

        def main(log):
            use(numbers(log), log)

        main([])
        """
    )
    numbers = run.call("numbers").id
    assert told_of(run, run.call("use").id) == {
        "own": [("log[1]", [(None, 1)])],
        numbers: [("log[0]", [(None, "one")])],
    }
    whole = told_of(run, run.call("main").id)
    assert whole == {"own": [("log[0]", [(None, "one")]), ("log[1]", [(None, 1)])]}


def test_a_coroutine_without_parameters_begins_when_it_starts(record: Record) -> None:
    run = record(
        """
        import asyncio

        totals = {}

        async def work():
            totals["mine"] = 1

        async def main():
            later = work()
            totals["early"] = 1
            await later

        asyncio.run(main())
        """
    )
    assert told_of(run, run.call("work").id) == {"own": [("totals['mine']", [(None, 1)])]}
    assert run.recording.questions.input(run.call("work").id).time > run.call("work").entry


def test_calls_with_concurrent_changes_never_share_a_key(record: Record) -> None:
    run = record(
        """
        def fill(table):
            table["mine"] = 1
            yield table
            table["mine"] = 2

        for other in (1, 1, 0, 0):
            table = {"mine": 0, "other": 0}
            for _ in fill(table):
                if other:
                    table["other"] = other
        """
    )
    one, two, alone, again = (run.recording.questions.key(call.id) for call in run.calls("fill"))
    assert one != two  # either may have had to react to what was written meanwhile
    assert alone == again
