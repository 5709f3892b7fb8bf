"""A question with all parts of its values."""

from __future__ import annotations

from tests.present.conftest import Record
from wrongcall.present import question
from wrongcall.present.opened import PARTS, opened
from wrongcall.present.values import CHILDREN

PROGRAM = """
numbers = list(range({count}))

def work(given):
    given.append(numbers[0])
    return {{"all": numbers, "few": [1]}}

work(list(range({count})))
"""


def test_values_get_the_parts_that_were_left_out(record: Record) -> None:
    run = record(PROGRAM.format(count=120))
    asked = question(run.recording, run.call("work").id, depth=2)
    (given,) = asked.given
    assert len(given.parts) == CHILDREN
    whole = opened(run.recording, asked)
    (given,) = whole.given
    assert [part.label for part in given.parts] == [f"[{i}]" for i in range(120)]
    assert whole.produced is not None
    assert [len(part.parts) for part in whole.produced.parts] == [120, 1]
    read = next(node for node in whole.read if node.label == "numbers")
    assert [part.summary for part in read.parts] == [str(i) for i in range(120)]


def test_given_values_are_as_they_were_before_the_call(record: Record) -> None:
    run = record(PROGRAM.format(count=60))
    whole = opened(run.recording, question(run.recording, run.call("work").id))
    assert len(whole.given[0].parts) == 60  # without what the call appended


def test_the_parts_of_a_very_long_value_are_limited(record: Record) -> None:
    run = record(PROGRAM.format(count=3000))
    whole = opened(run.recording, question(run.recording, run.call("work").id))
    assert (len(whole.given[0].parts), whole.given[0].size) == (PARTS, 3000)


def test_what_was_folded_on_purpose_stays_folded(record: Record) -> None:
    run = record(PROGRAM.format(count=120))
    asked = question(run.recording, run.call("work").id, depth=0)
    assert opened(run.recording, asked) == asked


def test_an_unfinished_call_has_no_result_to_open(
    record: Record,
) -> None:
    run = record(
        """
        import os

        def stop():
            os._exit(0)

        stop()
        """
    )
    asked = question(run.recording, run.call("stop").id)
    assert asked.produced is None
    assert opened(run.recording, asked).produced is None
