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
    recording = answers.ask(lambda: wrongcall.recording.open(path))
    if recording is None:
        return answers
    answers.told.clear()
    with recording:
        chance = random.Random(seed)
        _read_program(recording, answers)
        _read_calls(recording, answers, chance)
        _read_objects(recording, answers, chance)
        _read_modules(recording, answers)
        answers.ask(recording.refresh)
    _read_sessions(path, answers)
    return answers


def shown_info(recording: Recording) -> None:
    """Let `wrongcall info` show the trace, without the name and size of its file."""
    info.show(recording, argparse.Namespace(json=False), Output(io.StringIO()))


_CALL_COLUMNS = ("id", "parent", "function", "entry", "exit", "outcome")


def _read_program(recording: Recording, answers: Answers) -> None:
    answers.ask(lambda: (dict(recording.meta), recording.ended, recording.event_count))
    for table in (
        recording.program.files,
        recording.program.functions,
        recording.program.sites,
        recording.program.types,
        recording.program.names,
    ):
        answers.ask(lambda table=table: list(table.items()))  # type: ignore[misc]
    answers.ask(lambda: list(recording.program.threads.items()))
    answers.ask(lambda: crc32(recording.events.between().tobytes()))
    answers.ask(lambda: [(first, len(events)) for first, events in recording.events.segments()])
    answers.ask(lambda: shown_info(recording))
    answers.ask(lambda: (recording.calls.count, [call.id for call in recording.calls.roots()]))


def _read_calls(recording: Recording, answers: Answers, chance: random.Random) -> None:
    calls = answers.ask(recording.calls.columns)
    if calls is None:
        return
    answers.told.pop()  # arrays cannot be compared
    answers.told.append([crc32(getattr(calls, name).tobytes()) for name in _CALL_COLUMNS])
    for number in _some(calls.id.tolist(), CALLS, chance):
        _read_call(recording, answers, number)


def _some(ids: list[int], count: int, chance: random.Random) -> list[int]:
    """Return some of all, and one of the oldest, which have lived through everything."""
    oldest = ids[:10]
    return [*chance.sample(ids, min(count, len(ids))), *chance.sample(oldest, min(1, len(oldest)))]


def _read_call(recording: Recording, answers: Answers, number: int) -> None:
    call = answers.ask(lambda: recording.call(number))
    if call is None:
        return
    answers.told.pop()
    for name in ("function", "caller", "caller_line", "thread", "entry", "exit", "outcome"):
        answers.ask(lambda name=name: getattr(call, name))  # type: ignore[misc]
    for name in ("value", "args", "entered", "yielded", "prints", "printed"):
        answers.ask(lambda name=name: getattr(call, name))  # type: ignore[misc]
    answers.ask(lambda: call.parent and call.parent.id)
    answers.ask(lambda: [child.id for child in call.children])
    answers.ask(lambda: (recording.execution.blocks(number), recording.execution.lines(number)))
    answers.ask(lambda: list(recording.calls.of_functions([call.function.id]))[:20])
    answers.ask(lambda: recording.places.position(call.entry))
    _read_question(recording, answers, call)
    bound = answers.ask(lambda: recording.states.locals(number)) or {}
    for name, value in list(bound.items())[:2]:
        answers.ask(lambda name=name: _history(recording.places.local_writes(number, name)))  # type: ignore[misc]
        for path in _paths(recording, answers, name, value):
            _read_path(recording, answers, number, path)


def _read_question(recording: Recording, answers: Answers, call: Call) -> None:
    """Query what the user is asked about a call, and what is shown of how it went."""
    answers.ask(lambda: recording.questions.input(call.id))
    answers.ask(lambda: recording.questions.effect(call.id))
    answers.ask(lambda: recording.questions.printed(call.id))
    answers.ask(lambda: recording.questions.key(call.id))
    answers.ask(lambda: list(recording.execution.steps(call.id)))
    answers.ask(lambda: excerpt(recording, call.id))
    answers.ask(lambda: question(recording, call.id))
    covered = answers.ask(lambda: recording.execution.coverage(call.id))
    if covered is not None:
        answers.told[-1] = (sorted(map(repr, covered.edges)), sorted(map(repr, covered.def_uses)))


def _paths(recording: Recording, answers: Answers, name: str, value: Any) -> list[str]:
    """Return a variable, and something in what it holds."""
    state = (
        answers.ask(lambda: recording.states.state(value.oid)) if isinstance(value, Ref) else None
    )
    if state is None:
        return [name]
    attrs = [f"{name}.{attr}" for attr in list(state.attrs)[:1] if attr.isidentifier()]
    items = [f"{name}[0]"] if state.items else []
    return [name, *attrs, *items]


def _read_path(recording: Recording, answers: Answers, number: int, path: str) -> None:
    answers.ask(lambda: recording.places.find(number, path))
    answers.ask(lambda: _history(recording.places.history(number, path)))
    answers.ask(lambda: recording.places.origin(number, path))


def _history(writes: Sequence[Any]) -> list[Any]:
    return [(w.time, w.call, w.line, w.kind, w.old, w.new) for w in writes[:50]]


def _read_objects(recording: Recording, answers: Answers, chance: random.Random) -> None:
    found = answers.ask(lambda: recording.events.select({Kind.OBJ}))
    if found is None:
        return
    answers.told.pop()
    ids = sorted(set(obj_ids(found.events).tolist()))
    for oid in _some(ids, OBJECTS, chance):
        answers.ask(lambda oid=oid: recording.states.object(oid))  # type: ignore[misc]
        answers.ask(lambda oid=oid: recording.states.plain(Ref(oid)))  # type: ignore[misc]
        _read_object(recording, answers, oid)


def _read_object(recording: Recording, answers: Answers, oid: int) -> None:
    state = answers.ask(lambda: recording.states.state(oid))
    if state is None:
        return
    places: list[Any] = [Item(0), *(Attr(name) for name in list(state.attrs)[:2])]
    places += [Entry(key) for key, _ in state.entries[:2]]
    for place in places:
        answers.ask(lambda place=place: _history(recording.places.writes(oid, place)))  # type: ignore[misc]
        answers.ask(lambda place=place: recording.places.written(oid, place))  # type: ignore[misc]


def _read_modules(recording: Recording, answers: Answers) -> None:
    names = (
        answers.ask(lambda: sorted({file.module for file in recording.program.files.values()}))
        or []
    )
    for module in names[:4]:
        bound = answers.ask(lambda module=module: recording.states.globals(module)) or {}  # type: ignore[misc]
        for name in list(bound)[:3]:
            answers.ask(
                lambda module=module, name=name: _history(
                    recording.places.global_writes(module, name)
                )  # type: ignore[misc]
            )


def _read_sessions(path: Path, answers: Answers) -> None:
    for name in answers.ask(lambda: session_names(path)) or []:
        answers.ask(lambda name=name: load_session(path, name))  # type: ignore[misc]
