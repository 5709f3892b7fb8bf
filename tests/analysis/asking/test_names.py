"""What names mean at many times: the same as each looked up alone."""

from __future__ import annotations

import numpy as np
import pytest

from tests.analysis.asking.random_programs import random_program
from tests.recorder.conftest import Record
from wrongcall.analysis.asking import names
from wrongcall.analysis.asking.names import NamesAt
from wrongcall.replay.writes import read_slot
from wrongcall.trace.read.values import UNSET


@pytest.mark.parametrize("few", [0, 1000])
def test_a_name_is_what_a_single_lookup_finds(
    record: Record, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    monkeypatch.setattr(names, "_FEW_CALLS", few)
    program = random_program(3)
    recording = record(program.text).recording
    states = recording.states
    compared = 0
    for line in program.asked[::3]:
        found = recording.asking.executions(f"prog.py:{line}")
        if not len(found.call):
            continue
        function = recording.call(int(found.call[0])).function
        look = NamesAt(recording._store, states.heap, states.variables, function, found)
        for name in ("a", "c", "shared", "total", "xs", "nothing"):
            slots = look.slots(name)
            assert look.slots(name, slice(1, 3)) == slots[1:3]
            for slot, call, time in zip(
                slots, found.call.tolist(), found.state.tolist(), strict=True
            ):
                value = (
                    states.local(call, name, time) if name not in ("total", "nothing") else UNSET
                )
                if value is UNSET:
                    value = states.globals("__main__", time).get(name, UNSET)
                assert read_slot(states.values, slot) == value, (name, line)
                compared += 1
    assert compared > 100


def test_no_executions_have_no_names(record: Record) -> None:
    recording = record("def f(x):\n    return x\n").recording
    found = recording.asking.executions("prog.py:2")
    assert not len(found.call)
    function = next(f for f in recording.program.functions.values() if f.name == "f")
    states = recording.states
    look = NamesAt(recording._store, states.heap, states.variables, function, found)
    assert look.slots("x") == []
    assert np.array_equal(found.time, [])
