"""Make every possible query to a trace, for a sample of its calls and objects.

Every failure must be an error of wrongcall: a damaged trace may refuse to answer, but only with a message. Other
exceptions are passed on to the caller.
"""

from __future__ import annotations

import argparse
import io
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from zlib import crc32

import wrongcall.recording
from wrongcall.cli import info
from wrongcall.cli.output import Output
from wrongcall.errors import WrongcallError
from wrongcall.events import Kind
from wrongcall.present import excerpt
from wrongcall.present.questions import question
from wrongcall.recording import Attr, Call, Entry, Item, Recording, Ref
from wrongcall.trace.format.event_records import obj_ids
from wrongcall.trace.read.session_store import load_session, session_names

CALLS = OBJECTS = 1
"""How many of each are queried, besides one of the oldest."""


@dataclass
class Answers:
    """The answers of a trace."""

    told: list[Any] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    def ask(self, question: Callable[[], Any]) -> Any:
        """Make a query; a refusal is noted, and None returned."""
        try:
            answer = question()
        except WrongcallError as exc:
            self.refused.append(str(exc))
            return None
        self.told.append(answer)
        return answer


def read_everything(path: Path, seed: int = 0) -> Answers:
    """Read a trace; the same seed makes the same queries to the same trace."""
    answers = Answers()
    trace = answers.ask(lambda: wrongcall.recording.open(path))
    if trace is None:
        return answers
    answers.told.clear()
    with trace:
        chance = random.Random(seed)
        _read_program(trace, answers)
        _read_calls(trace, answers, chance)
        _read_objects(trace, answers, chance)
        _read_modules(trace, answers)
        answers.ask(trace.refresh)
    _read_sessions(path, answers)
    return answers


def shown_info(trace: Recording) -> None:
    """Let `wrongcall info` show the trace, without the name and size of its file."""
    info.show(trace, argparse.Namespace(json=False), Output(io.StringIO()))


_CALL_COLUMNS = ("id", "parent", "function", "entry", "exit", "outcome")


def _read_program(trace: Recording, answers: Answers) -> None:
    answers.ask(lambda: (dict(trace.meta), trace.ended, trace.event_count))
    for table in (
        trace.program.files,
        trace.program.functions,
        trace.program.sites,
        trace.program.types,
        trace.program.names,
    ):
        answers.ask(lambda table=table: list(table.items()))  # type: ignore[misc]
    answers.ask(lambda: list(trace.program.threads.items()))
    answers.ask(lambda: crc32(trace.events.between().tobytes()))
    answers.ask(lambda: [(first, len(events)) for first, events in trace.events.segments()])
    answers.ask(lambda: shown_info(trace))
    answers.ask(lambda: (trace.calls.count, [call.id for call in trace.calls.roots()]))


def _read_calls(trace: Recording, answers: Answers, chance: random.Random) -> None:
    calls = answers.ask(trace.calls.columns)
    if calls is None:
        return
    answers.told.pop()  # arrays cannot be compared
    answers.told.append([crc32(getattr(calls, name).tobytes()) for name in _CALL_COLUMNS])
    for number in _some(calls.id.tolist(), CALLS, chance):
        _read_call(trace, answers, number)


def _some(ids: list[int], count: int, chance: random.Random) -> list[int]:
    """Return some of all, and one of the oldest, which have lived through everything."""
    oldest = ids[:10]
    return [*chance.sample(ids, min(count, len(ids))), *chance.sample(oldest, min(1, len(oldest)))]


def _read_call(trace: Recording, answers: Answers, number: int) -> None:
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
    answers.ask(lambda: (trace.execution.blocks(number), trace.execution.lines(number)))
    answers.ask(lambda: list(trace.calls.of_functions([call.function.id]))[:20])
    answers.ask(lambda: trace.places.position(call.entry))
    _read_question(trace, answers, call)
    bound = answers.ask(lambda: trace.states.locals(number)) or {}
    for name, value in list(bound.items())[:2]:
        answers.ask(lambda name=name: _history(trace.places.local_writes(number, name)))  # type: ignore[misc]
        for path in _paths(trace, answers, name, value):
            _read_path(trace, answers, number, path)


def _read_question(trace: Recording, answers: Answers, call: Call) -> None:
    """Query what the user is asked about a call, and what is shown of how it went."""
    answers.ask(lambda: trace.questions.input(call.id))
    answers.ask(lambda: trace.questions.effect(call.id))
    answers.ask(lambda: trace.questions.printed(call.id))
    answers.ask(lambda: trace.questions.key(call.id))
    answers.ask(lambda: list(trace.execution.steps(call.id)))
    answers.ask(lambda: excerpt(trace, call.id))
    answers.ask(lambda: question(trace, call.id))
    covered = answers.ask(lambda: trace.execution.coverage(call.id))
    if covered is not None:
        answers.told[-1] = (sorted(map(repr, covered.edges)), sorted(map(repr, covered.def_uses)))


def _paths(trace: Recording, answers: Answers, name: str, value: Any) -> list[str]:
    """Return a variable, and something in what it holds."""
    state = answers.ask(lambda: trace.states.state(value.oid)) if isinstance(value, Ref) else None
    if state is None:
        return [name]
    attrs = [f"{name}.{attr}" for attr in list(state.attrs)[:1] if attr.isidentifier()]
    items = [f"{name}[0]"] if state.items else []
    return [name, *attrs, *items]


def _read_path(trace: Recording, answers: Answers, number: int, path: str) -> None:
    answers.ask(lambda: trace.places.find(number, path))
    answers.ask(lambda: _history(trace.places.history(number, path)))
    answers.ask(lambda: trace.places.origin(number, path))


def _history(writes: Sequence[Any]) -> list[Any]:
    return [(w.time, w.call, w.line, w.kind, w.old, w.new) for w in writes[:50]]


def _read_objects(trace: Recording, answers: Answers, chance: random.Random) -> None:
    found = answers.ask(lambda: trace.events.select({Kind.OBJ}))
    if found is None:
        return
    answers.told.pop()
    ids = sorted(set(obj_ids(found.events).tolist()))
    for oid in _some(ids, OBJECTS, chance):
        answers.ask(lambda oid=oid: trace.states.object(oid))  # type: ignore[misc]
        answers.ask(lambda oid=oid: trace.states.plain(Ref(oid)))  # type: ignore[misc]
        _read_object(trace, answers, oid)


def _read_object(trace: Recording, answers: Answers, oid: int) -> None:
    state = answers.ask(lambda: trace.states.state(oid))
    if state is None:
        return
    places: list[Any] = [Item(0), *(Attr(name) for name in list(state.attrs)[:2])]
    places += [Entry(key) for key, _ in state.entries[:2]]
    for place in places:
        answers.ask(lambda place=place: _history(trace.places.writes(oid, place)))  # type: ignore[misc]
        answers.ask(lambda place=place: trace.places.written(oid, place))  # type: ignore[misc]


def _read_modules(trace: Recording, answers: Answers) -> None:
    names = (
        answers.ask(lambda: sorted({file.module for file in trace.program.files.values()})) or []
    )
    for module in names[:4]:
        bound = answers.ask(lambda module=module: trace.states.globals(module)) or {}  # type: ignore[misc]
        for name in list(bound)[:3]:
            answers.ask(
                lambda module=module, name=name: _history(trace.places.global_writes(module, name))  # type: ignore[misc]
            )


def _read_sessions(path: Path, answers: Answers) -> None:
    for name in answers.ask(lambda: session_names(path)) or []:
        answers.ask(lambda name=name: load_session(path, name))  # type: ignore[misc]
