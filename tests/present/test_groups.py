"""Several calls on one line each."""

from __future__ import annotations

from tests.recorder.conftest import Record
from wrongcall.present.groups import group
from wrongcall.present.text import columns

PROGRAM = """
from decimal import Decimal

class Box:
    def put(self, x):
        self.x = x

def halve(low, high):
    return low, (low + high) / 2

low = Decimal("0.125")
halve(low, Decimal(9))
halve(low, Decimal(4))
box = Box()
box.put(1)
box.put(2)
"""


def test_a_shared_receiver_is_shown_by_name_but_values_are_shown_in_full(record: Record) -> None:
    run = record(PROGRAM)
    halves, puts = ([call.id for call in run.calls(name)] for name in ("halve", "Box.put"))
    shared = [member.title for member in group(run.recording, puts).members]
    assert shared == ["Box.put(self, x=1)", "Box.put(self, x=2)"]
    values = [member.title for member in group(run.recording, halves, width=120).members]
    assert values[0] == "halve(low=Decimal('0.125'), high=Decimal('9'))"


def test_what_a_call_leaves_of_its_room_goes_to_its_outcome(record: Record) -> None:
    run = record(PROGRAM)
    calls = [call.id for call in run.calls("halve")]
    outcome = "-> (Decimal('0.125'), Decimal('4.5625'))"
    for width in range(columns(outcome) + 30, 100):
        first = group(run.recording, calls, width=width).members[0]
        used = columns(first.title) + 1 + columns(first.outcome)
        assert used <= width
        assert first.outcome == outcome or used > width - 12
