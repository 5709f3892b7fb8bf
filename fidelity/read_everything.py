"""Asks a trace everything that can be asked, of a sample of its calls and objects.

What goes wrong must go wrong with a `TraceError`: a damaged trace may refuse to answer, but only
in words. Other exceptions are let through to whoever calls this.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import wrongcall.trace
from wrongcall.errors import TraceError
from wrongcall.events import Kind
from wrongcall.trace import Attr, Entry, Item, Trace
from wrongcall.trace.records import obj_ids

SAMPLE = 12


@dataclass
class Answers:
    """What a trace said."""

    told: list[Any] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    def ask(self, question: Callable[[], Any]) -> Any:
        """Ask; a refusal is noted, and None returned."""
        try:
            answer = question()
        except TraceError as exc:
            self.refused.append(str(exc))
            return None
        self.told.append(answer)
        return answer


def read_everything(path: Path, seed: int = 0) -> Answers:
    """Read a trace; the same seed asks the same of the same trace."""
    answers = Answers()
    trace = answers.ask(lambda: wrongcall.trace.open(path))
    if trace is None:
        return answers
    answers.told.clear()
    with trace:
        chance = random.Random(seed)
        _read_program(trace, answers)
        _read_calls(trace, answers, chance)
        _read_objects(trace, answers, chance)
        _read_modules(trace, answers)
    return answers


_CALL_COLUMNS = ("id", "parent", "function", "entry", "exit", "outcome")


def _read_program(trace: Trace, answers: Answers) -> None:
    answers.ask(lambda: (dict(trace.meta), trace.ended, trace.event_count))
    for table in (trace.files, trace.functions, trace.sites, trace.types, trace.names):
        answers.ask(lambda table=table: list(table.items()))  # type: ignore[misc]
    answers.ask(lambda: list(trace.threads.items()))
    answers.ask(lambda: trace.events().tobytes())
    answers.ask(lambda: [(first, len(events)) for first, events in trace.segments()])


def _read_calls(trace: Trace, answers: Answers, chance: random.Random) -> None:
    calls = answers.ask(trace.calls)
    if calls is None:
        return
    answers.told.pop()  # arrays do not compare
    answers.told.append([getattr(calls, name).tobytes() for name in _CALL_COLUMNS])
    ids = calls.id.tolist()
    for number in chance.sample(ids, min(SAMPLE, len(ids))):
        _read_call(trace, answers, number)


def _read_call(trace: Trace, answers: Answers, number: int) -> None:
    call = answers.ask(lambda: trace.call(number))
    if call is None:
        return
    answers.told.pop()
    for name in ("function", "caller", "caller_line", "thread", "entry", "exit", "outcome"):
        answers.ask(lambda name=name: getattr(call, name))  # type: ignore[misc]
    for name in ("value", "args", "entered", "yielded", "prints", "printed"):
        answers.ask(lambda name=name: getattr(call, name))  # type: ignore[misc]
    answers.ask(lambda: call.parent and call.parent.id)
    answers.ask(lambda: [child.id for child in call.children])
    answers.ask(lambda: (trace.blocks(number), trace.lines(number)))
    bound = answers.ask(lambda: trace.locals(number)) or {}
    for name in list(bound)[:4]:
        answers.ask(lambda name=name: _history(trace.local_writes(number, name)))  # type: ignore[misc]


def _history(writes: list[Any]) -> list[Any]:
    return [(w.time, w.call, w.line, w.kind, w.old, w.new) for w in writes[:50]]


def _read_objects(trace: Trace, answers: Answers, chance: random.Random) -> None:
    found = answers.ask(lambda: trace.select({Kind.OBJ}))
    if found is None:
        return
    answers.told.pop()
    ids = sorted(set(obj_ids(found.events).tolist()))
    for oid in chance.sample(ids, min(SAMPLE, len(ids))):
        answers.ask(lambda oid=oid: trace.object(oid))  # type: ignore[misc]
        answers.ask(lambda oid=oid: trace.picture(wrongcall.trace.Ref(oid)))  # type: ignore[misc]
        _read_object(trace, answers, oid)


def _read_object(trace: Trace, answers: Answers, oid: int) -> None:
    state = answers.ask(lambda: trace.state(oid))
    if state is None:
        return
    places: list[Any] = [Item(0), *(Attr(name) for name in list(state.attrs)[:2])]
    places += [Entry(key) for key, _ in state.entries[:2]]
    for place in places:
        answers.ask(lambda place=place: _history(trace.writes(oid, place)))  # type: ignore[misc]
        answers.ask(lambda place=place: trace.written(oid, place))  # type: ignore[misc]


def _read_modules(trace: Trace, answers: Answers) -> None:
    names = answers.ask(lambda: sorted({file.module for file in trace.files.values()})) or []
    for module in names[:4]:
        bound = answers.ask(lambda module=module: trace.globals(module)) or {}  # type: ignore[misc]
        for name in list(bound)[:3]:
            answers.ask(
                lambda module=module, name=name: _history(trace.global_writes(module, name))  # type: ignore[misc]
            )
