"""Objects at a time, as expressions use them; `test_answers` compares their values with `eval`."""

from __future__ import annotations

import pytest

from tests.recorder.conftest import Record, Recorded
from wrongcall.analysis.asking.answers import Answers
from wrongcall.analysis.asking.snapshot import RecordedObject, Snapshot
from wrongcall.errors import NotKnownError
from wrongcall.recording import Ref


def snapshot(recorded: Recorded) -> Snapshot:
    states = recorded.recording.states
    parts = (states.values, states.heap, states.variables, recorded.recording.sources)
    return Answers(recorded.recording._store, *parts).snapshot()


def test_an_object_stays_the_same_and_tells_the_state_of_the_time(record: Record) -> None:
    recorded = record(
        "def f():\n    xs = [1]\n    xs.append(2)\n    xs[0] = 5\n    return xs\nf()\n"
    )
    call = recorded.call("f")
    held, at = call.value, snapshot(recorded)
    assert isinstance(held, Ref)
    seen = []
    for line in (3, 4, 5):
        (time,) = recorded.recording.asking.executions(f"prog.py:{line}").state.tolist()
        at.move(time)
        xs = at.found(held.oid)
        assert isinstance(xs, RecordedObject)
        assert xs is at.found(held.oid)
        seen.append(list(xs))
    assert seen == [[1], [1, 2], [5, 2]]
    with pytest.raises(IndexError, match="list index out of range"):
        xs.item(2)
    assert xs.item(-1) == 2


def test_a_long_text_is_known_by_its_length_alone(record: Record) -> None:
    recorded = record("def f(s):\n    return s\nf('ab' * 3_000_000)\n")
    call = recorded.call("f")
    answer = recorded.recording.asking.eval("len(s)", call.id, call.last)
    assert answer.value == 6_000_000
    other = recorded.recording.asking.eval("s[0]", call.id, call.last)
    assert other.value == "a" or "only the beginning" in other.unknown


def test_what_is_not_recorded_is_not_known(record: Record) -> None:
    recorded = record("import itertools\ndef f(it):\n    return 1\nf(itertools.count())\n")
    call = recorded.call("f")
    for text in ("len(it)", "it + 1", "it == it", "list(it)", "it[0]", "it.x"):
        assert recorded.recording.asking.eval(text, call.id, call.last).unknown, text
    at = snapshot(recorded)
    at.move(call.last)
    with pytest.raises(NotKnownError):
        bool(at.found(call.args[0].value.oid))  # type: ignore[union-attr]
