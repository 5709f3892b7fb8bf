"""The recorded calls of whole programs are those that the interpreter itself reports."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import wrongcall.recording
from tests.recorder.conftest import run_python, run_recorded, witnessed
from tests.recorder.witness import ATOMS, RETURNED_NOTHING
from wrongcall.events import Kind
from wrongcall.recording import Call, Outcome, Recording
from wrongcall.trace.format.event_records import call_ids

PROGRAMS = Path(__file__).parent.parent / "programs"
NAMES = [
    "sorting.py",
    "calculator.py",
    "search_tree.py",
    "functional.py",
    "class_machinery.py",
    "clean_up.py",
    "queens.py",
    "chat.py",
    "simulation.py",
    "matrices.py",
    "expressions.py",
    "bookshop/main.py",
]


@pytest.fixture(scope="module", params=NAMES)
def run(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Recording, list[dict[str, Any]]]]:
    """One program: its trace, and what the witness says about a plain run."""
    folder = tmp_path_factory.mktemp("program")
    program = PROGRAMS / request.param
    if program.parent == PROGRAMS:
        shutil.copy(program, folder)
    else:
        shutil.copytree(program.parent, folder, dirs_exist_ok=True)
    recorded = run_recorded([program.name], folder)
    plain = run_python([program.name], folder)
    assert (recorded.returncode, recorded.stdout) == (0, plain.stdout), recorded.stderr
    with wrongcall.recording.open(folder / "trace.wrongcall") as recording:
        yield recording, witnessed("calls", program.name, folder)


def running(recording: Recording) -> list[Call]:
    """Return the calls that ran, in the order in which they began to."""
    started = recording.events.select({Kind.START})
    begins = dict(zip(call_ids(started.events).tolist(), started.times.tolist(), strict=True))
    calls = [recording.call(number) for number in recording.calls.columns().id.tolist()]
    ran = [c for c in calls if c.id in begins or not is_generator(c)]
    return sorted(ran, key=lambda call: begins.get(call.id, call.entry))


def is_generator(call: Call) -> bool:
    return call.function.kind in ("generator", "coroutine", "async generator")


def test_the_same_calls_under_the_same_parents(
    run: tuple[Recording, list[dict[str, Any]]],
) -> None:
    recording, seen = run
    calls = running(recording)
    number = {call.id: i for i, call in enumerate(calls)}
    found = [
        (c.function.qualname, c.function.line, number[c.parent.id] if c.parent else -1)
        for c in calls
    ]
    assert found == [(s["qualname"], s["line"], s["parent"]) for s in seen]


def test_with_the_same_arguments_and_results(run: tuple[Recording, list[dict[str, Any]]]) -> None:
    recording, seen = run
    calls = running(recording)
    assert len(calls) == len(seen)
    for call, plain in zip(calls, seen, strict=True):
        given = {p.name: p.value for p in call.args}
        assert {name: given.get(name) for name in plain["args"]} == plain["args"], call.function
        if call.function.kind == "class":
            continue  # the interpreter has its body return a cell
        if call.outcome == Outcome.RETURNED and isinstance(call.value, ATOMS):
            assert call.value == plain["returned"], call.function
        elif call.outcome == Outcome.RETURNED:
            assert plain["returned"] == RETURNED_NOTHING, call.function
        elif not is_generator(call):
            assert plain["returned"] is None, call.function


def test_calls_come_from_the_lines_that_a_witness_sees(
    run: tuple[Recording, list[dict[str, Any]]],
) -> None:
    recording, seen = run
    wrong = [
        f"{call.function.qualname}: {call.caller_line}, not {plain['caller_line']}"
        for call, plain in zip(running(recording), seen, strict=True)
        if not is_generator(call) and call.caller_line != plain["caller_line"]
    ]
    assert wrong == []
