"""Random programs whose functions run in turns and tell each of their writes themselves.

A program is a tree of functions, each of which is called once: *actors*, which run in turns (generators that
are asked in some order, tasks of asyncio, threads that hand over to each other), and helpers that they call.
They write to what they share. After each write a program prints who did it and what was there before
and after: that is the witness. `Witness` works out, slowly, what each function and the others changed.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

KEYS = ("p", "q")
PLACES = ("box.x", "box.y", "cells[0]", "cells[1]", "table['p']", "table['q']", "g", "n")
OBJECTS = {place: place.partition(".")[0].partition("[")[0] for place in PLACES}


@dataclass(frozen=True)
class Write:
    """One statement of a function: a value is put into a place, or into or out of the queue."""

    place: str
    value: int | None


@dataclass
class Function:
    """A function of a random program; its statements are writes, pauses (None) and helpers."""

    body: list[Write | Function | None]
    name: str = ""
    parent: str = ""

    def all(self) -> Iterator[Function]:
        """Go through it and what it calls."""
        yield self
        for part in self.body:
            if isinstance(part, Function):
                yield from part.all()


_writes = st.builds(Write, st.sampled_from([*PLACES, "queue"]), st.none() | st.integers(0, 2))
_helpers = st.builds(Function, st.lists(_writes | st.none(), max_size=4))
_actors = st.builds(Function, st.lists(_writes | _writes | st.none() | _helpers, max_size=7))


@dataclass
class Program:
    """A random program."""

    kind: str
    actors: list[Function]
    order: list[int]
    outer: Function
    functions: dict[str, Function] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for i, actor in enumerate(self.actors):
            actor.parent = "outer"
            for k, function in enumerate(actor.all()):
                function.name = f"actor{i}" if not k else f"helper{i}_{k}"
                self.functions[function.name] = function
                for part in function.body:
                    if isinstance(part, Function):
                        part.parent = function.name
        self.outer.name = "outer"
        self.functions["outer"] = self.outer


programs = st.builds(
    Program,
    st.sampled_from(["generators", "driven", "tasks", "threads"]),
    st.lists(_actors, min_size=2, max_size=3),
    st.lists(st.integers(0, 2), max_size=8),
    st.builds(Function, st.lists(_writes, max_size=4)),
)

_HEAD = """
import asyncio, json, threading

class Box: pass

box, cells, table, queue, g = Box(), [0, 0], {"p": 0}, [], 0
box.x = box.y = 0

def say(*what):
    print(json.dumps(what))

SEMAPHORES = [threading.Semaphore(0) for _ in range(3)]
ALIVE = []

def switch(i):
    following = ALIVE[(ALIVE.index(i) + 1) % len(ALIVE)]
    if following != i:
        SEMAPHORES[following].release()
        SEMAPHORES[i].acquire()

def run(i, actor):
    SEMAPHORES[i].acquire()
    actor()
    ALIVE.remove(i)
    if ALIVE:
        SEMAPHORES[ALIVE[0]].release()

def drive(actors, order):
    say("begin", "drive")
    for i in order:
        next(actors[i % len(actors)], None)
    for actor in actors:
        for _ in actor: pass
    say("end", "drive")
"""


def source(program: Program) -> str:
    """Return the text of a program."""
    lines = ["async def outer():" if program.kind == "tasks" else "def outer():"]
    lines += ["    global g", "    n = 0", "    say('begin', 'outer')"]
    for function in reversed(list(program.functions.values())):
        if function is not program.outer:
            lines += [f"    {line}" for line in _function(function, program)]
    lines += [f"    {line}" for part in program.outer.body for line in _statement(part, "outer")]
    lines += [f"    {line}" for line in _main(program)]
    lines += ["    say('end', 'outer')"]
    start = "asyncio.run(outer())" if program.kind == "tasks" else "outer()"
    return "\n".join([_HEAD, *lines, start, ""])


def _function(function: Function, program: Program) -> Iterator[str]:
    yield f"{'async ' if program.kind == 'tasks' else ''}def {function.name}():"
    yield "    global g"
    yield "    nonlocal n"
    yield f"    say('begin', '{function.name}')"
    number = int(function.name.strip("actorhelp").partition("_")[0])
    for part in function.body:
        if part is None:
            yield "    " + _pause(program.kind, number)
        elif isinstance(part, Function):
            way = {"tasks": "await ", "threads": ""}.get(program.kind, "yield from ")
            yield f"    {way}{part.name}()"
        else:
            yield from (f"    {line}" for line in _statement(part, function.name))
    yield f"    say('end', '{function.name}')"
    if program.kind in ("generators", "driven"):
        yield "    if False: yield"


def _pause(kind: str, number: int) -> str:
    return {"tasks": "await asyncio.sleep(0)", "threads": f"switch({number})"}.get(kind, "yield")


def _statement(part: Write | Function | None, me: str) -> Iterator[str]:
    assert isinstance(part, Write)
    if part.place == "queue" and part.value is not None:
        new = next(serial)
        yield f"queue.append({new})" if part.value else f"queue.insert(0, {new})"
        yield f"say('queue', '{me}', None, {new})"
    elif part.place == "queue":
        yield f"if queue: old = queue.pop(0); say('queue', '{me}', old, None)"
    elif part.place.startswith("table"):
        key = part.place[6:-1]
        yield f"old = table.get({key})"
        yield f"table.pop({key}, None)" if part.value is None else f"{part.place} = {part.value}"
        yield f"say('write', '{me}', {part.place!r}, old, {part.value})"
    else:
        yield f"old = {part.place}; {part.place} = {part.value}"
        yield f"say('write', '{me}', {part.place!r}, old, {part.value})"


def _main(program: Program) -> Iterator[str]:
    names = ", ".join(actor.name for actor in program.actors)
    if program.kind == "tasks":
        yield f"tasks = [asyncio.create_task(actor()) for actor in ({names},)]"
        yield "for task in tasks: await task"
    elif program.kind == "threads":
        yield f"actors = [{names}]"
        yield "ALIVE.extend(range(len(actors)))"
        yield "threads = [threading.Thread(target=run, args=(i, a)) for i, a in enumerate(actors)]"
        yield "for thread in threads: thread.start()"
        yield "SEMAPHORES[0].release()"
        yield "for thread in threads: thread.join()"
    elif program.kind == "driven":
        yield f"drive([actor() for actor in ({names},)], {program.order})"
    else:
        yield f"actors = [actor() for actor in ({names},)]"
        for i in program.order:
            yield f"next(actors[{i} % len(actors)], None)"
            yield from _statement(Write("g", i), "outer")
        yield "for actor in actors:"
        yield "    for _ in actor: pass"


serial = itertools.count(1000)
"""What is put into the queue: each number once."""

Runs = list[tuple[object, object]]


Queued = dict[str, tuple[list[int], list[int]]]
"""What each writer took out of the queue and put into it."""


class Witness:
    """What a program said about its own writes."""

    def __init__(self, program: Program, output: str) -> None:
        self.said = [json.loads(line) for line in output.splitlines()]
        self.parents = {f.name: f.parent for f in program.functions.values()}
        self.parents |= {"drive": "outer", "outer": ""}
        if program.kind == "threads":
            self.parents |= {actor.name: "" for actor in program.actors}

    def above(self, name: str) -> list[str]:
        """Return a function and those above it."""
        return [name, *self.above(self.parents[name])] if name else []

    def writer(self, name: str, who: str) -> str:
        """Return whose doing a write is, as seen from a function: its own, or of which other one."""
        if name in self.above(who):
            return name
        others = [one for one in self.above(who) if one not in self.above(name)]
        return others[-1] if others else who

    def during(self, name: str) -> list[list[Any]]:
        """Return what was said from the beginning of a function to its end."""
        return self.said[self.said.index(["begin", name]) : self.said.index(["end", name]) + 1]

    def printed(self, name: str) -> str:
        """Return what a function, and those below it, printed."""
        mine = (what for what in self.during(name) if self.writer(name, str(what[1])) == name)
        return "".join(json.dumps(what) + "\n" for what in mine)

    def runs(self, name: str, place: str) -> dict[str, Runs]:
        """Return what each writer did to a place while a function ran."""
        rows = [
            (self.writer(name, str(what[1])), what[3], what[4])
            for what in self.during(name)
            if what[0] == "write" and what[2] == place
        ]
        while True:
            shorter = _shorter(rows)
            if shorter == rows:
                break
            rows = shorter
        found: dict[str, Runs] = {}
        for who, old, new in rows:
            found.setdefault(who, []).append((old, new))
        return found

    def queued(self, name: str) -> Queued:
        """Return what each writer took out of the queue and put into it, turn by turn."""
        turns: list[tuple[str, list[int], list[int]]] = []
        for what in self.during(name):
            if what[0] != "queue":
                continue
            who = self.writer(name, str(what[1]))
            if not turns or turns[-1][0] != who:
                turns.append((who, [], []))
            _, gone, come = turns[-1]
            if what[2] is None:
                come.append(what[3])
            elif what[2] in come:
                come.remove(what[2])
            else:
                gone.append(what[2])
        found: Queued = {}
        for who, gone, come in turns:
            mine = found.setdefault(who, ([], []))
            mine[0].extend(gone)
            mine[1].extend(come)
        return {who: both for who, both in found.items() if any(both)}


def _shorter(rows: list[tuple[str, object, object]]) -> list[tuple[str, object, object]]:
    """Join two writes of one writer that are side by side, or leave out one that changed nothing."""
    for i, (who, old, new) in enumerate(rows):
        if old == new:
            return rows[:i] + rows[i + 1 :]
        if i and rows[i - 1][0] == who:
            return [*rows[: i - 1], (who, rows[i - 1][1], new), *rows[i + 1 :]]
    return rows
