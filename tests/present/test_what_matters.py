from __future__ import annotations

from tests.present.conftest import Record
from wrongcall.present.what_matters import attributes_that_matter

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


def test_own_attributes_come_before_those_of_callees(record: Record) -> None:
    run = record(CODE)
    matter = attributes_that_matter(run.recording, run.call("measure"))
    assert matter == ("a", "size", "b", "deeper")


def test_of_a_long_call_only_the_beginning_is_looked_at(record: Record) -> None:
    run = record(CODE)
    assert attributes_that_matter(run.recording, run.call("measure_late")) == ("size",)
