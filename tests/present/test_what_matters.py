from __future__ import annotations

from tests.present.conftest import Record
from wrongcall.present.what_matters import attributes_of_callees

CODE = """
    class Box:
        a = b = c = d = 1

        @property
        def size(self):
            return self.b + self.deeper()

        def deeper(self):
            return self.d

        def unused(self):
            return self.c

    def measure(box):
        return box.a + box.size

    def measure_late(box):
        for number in range(30_000):
            box.a = number
        return box.size

    measure(Box())
    measure_late(Box())
"""


def test_attributes_are_those_that_the_calls_right_below_read(record: Record) -> None:
    run = record(CODE)
    assert attributes_of_callees(run.recording, run.call("measure")) == ("b", "deeper")


def test_of_a_long_call_only_the_beginning_is_looked_at(record: Record) -> None:
    run = record(CODE)
    assert attributes_of_callees(run.recording, run.call("measure_late")) == ()
