"""The recording as tables: the same as the queries about single calls and places say."""

from __future__ import annotations

import math

import pandas
import polars
import pytest

from tests.recorder.conftest import Record
from wrongcall.errors import UsageError
from wrongcall.recording import TABLES, Ref, StepKind

PROGRAM = """\
import sys

class Account:
    def __init__(self):
        self.total = 0

def fetch(key, d):
    account = Account()
    account.total += 1.5
    d[key] = account
    d["n"] = None
    big = 10 ** 30
    if key == "c":
        raise KeyError(key)
    print("got", key, file=sys.stderr)
    return [x for x in "ab"] if key == "b" else True

def outer():
    count = 0
    def inner():
        nonlocal count
        count += 1
    inner()
    del count

d = {}
for key in "abc":
    try:
        fetch(key, d)
    except KeyError:
        pass
outer()
"""


def test_calls_are_those_of_the_recording(record: Record) -> None:
    recording = record(PROGRAM).recording
    frame = pandas.DataFrame(recording.to_columns("calls"))
    assert len(frame) == recording.calls.count
    for row in frame.itertuples():
        call = recording.call(row.call)
        parent = call.parent.id if call.parent else 0
        assert (row.function, row.line, row.parent) == (
            call.function.qualname,
            call.function.line,
            parent,
        )
        assert (row.entry, row.exit, row.thread) == (call.entry, call.exit, call.thread)
        assert row.caller_line == call.caller_line
        assert row.outcome == call.outcome.name.lower()
        value = call.value
        if isinstance(value, Ref):
            assert row.object == value.oid
            assert row.type == recording.states.object(value.oid).type.qualname
        else:
            assert (row.type, row.object) == (type(value).__name__, 0)
        if isinstance(value, bool | int):
            assert (row.integer, row.number) == (int(value), float(value))


def test_variables_and_writes_are_the_steps_of_the_calls(record: Record) -> None:
    recording = record(PROGRAM).recording
    written = {StepKind.WRITE, StepKind.DELETE, StepKind.GIVEN}
    expected = {
        step.time: step
        for number in range(1, recording.calls.count + 1)
        for step in recording.execution.steps(number)
        if step.kind in written
    }
    variables, writes = (pandas.DataFrame(recording.to_columns(n)) for n in ("variables", "writes"))
    assert sorted([*variables.time, *writes[writes.call > 0].time]) == sorted(expected)
    for row in variables.itertuples():
        step = expected[row.time]
        assert (row.name, row.line) == (step.place, step.line)
        assert row.deleted == (step.kind is StepKind.DELETE)
        assert row.parameter == (step.kind is StepKind.GIVEN)
    (total,) = writes[(writes.place == "total") & (writes.number == 1.5)].head(1).itertuples()
    assert (total.kind, total.holder_type, total.type) == ("attribute", "Account", "float")
    entries = writes[(writes.kind == "entry")]
    assert set(entries.place) == {"'a'", "'b'", "'c'", "'n'"}
    inner = variables[(variables.name == "count") & (variables.owner != variables.call)]
    assert len(inner) == 1


def test_long_integers_are_texts(record: Record) -> None:
    recording = record(PROGRAM).recording
    frame = pandas.DataFrame(recording.to_columns("variables"))
    (big, *_) = frame[frame.name == "big"].itertuples()
    assert (big.type, big.text) == ("int", str(10**30))
    assert math.isnan(big.number)


def test_output_has_its_streams(record: Record) -> None:
    recording = record(PROGRAM).recording
    frame = pandas.DataFrame(recording.to_columns("output"))
    assert "".join(frame.text) == "got a\ngot b\n"
    assert set(frame.stream) == {"stderr"}
    assert set(recording.call(int(frame.call[0])).function.name.split()) == {"fetch"}


def test_polars_takes_all_tables(record: Record) -> None:
    recording = record(PROGRAM).recording
    for name in TABLES:
        columns = recording.to_columns(name)
        assert polars.DataFrame(columns).height == len(columns["call"])


def test_a_run_without_output_has_an_empty_table(record: Record) -> None:
    assert len(record("x = 1\n").recording.to_columns("output")["time"]) == 0


def test_other_tables_are_refused(record: Record) -> None:
    with pytest.raises(UsageError, match="there is no table 'events': there are calls, variables"):
        record("x = 1\n").recording.to_columns("events")
