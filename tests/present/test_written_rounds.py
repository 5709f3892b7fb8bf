"""The rounds of histories, compared with what the program itself says when it writes."""

from __future__ import annotations

import json

from tests.present.conftest import Record
from wrongcall.present.written_rounds import ROUND, WrittenRounds, matches

PROGRAM = """
import json
said = []

def work(rows):
    total = 0
    said.append([0, None, None, None])
    for i, row in enumerate(rows):
        number = 0
        for n in row:
            number += 1
            total += n
            said.append([total, i, n, number])
    left = 3
    count = 0
    while left:
        left -= 1
        count += 1
        total = -count
        said.append([total, None, None, count])
    total = 99
    said.append([99, None, None, None])
    return total

work([[1, 2], [], [3, 4, 5]])
print(json.dumps(said))
"""


def test_rounds_are_what_the_program_saw(record: Record) -> None:
    run = record(PROGRAM)
    call = run.call("work")
    rounds = WrittenRounds(run.recording)
    versions = run.recording.places.history(call.id, "total")
    columns = rounds.columns(versions)
    assert columns == ["i", "row", "n", ROUND]
    told = []
    for version in versions:
        data = rounds.data(version, columns)
        named = dict(zip(columns, data["rounds"], strict=True))
        told.append([data["value"], named["i"], named["n"], named[ROUND]])
    said = json.loads(run.stdout)
    assert told == [[str(v), *("" if x is None else str(x) for x in rest)] for v, *rest in said]


def test_a_place_written_outside_of_loops_has_no_columns(record: Record) -> None:
    run = record("def f():\n    x = 1\n    x = 2\n    return x\nf()")
    versions = run.recording.places.history(run.call("f").id, "x")
    assert WrittenRounds(run.recording).columns(versions) == []


def test_filters_match_values_functions_lines_and_rounds(record: Record) -> None:
    run = record(PROGRAM)
    rounds = WrittenRounds(run.recording)
    versions = run.recording.places.history(run.call("work").id, "total")
    columns = rounds.columns(versions)
    every = [rounds.data(version, columns) for version in versions]

    def found(wanted: str) -> list[str | None]:
        return [v["value"] for v in every if matches(v, columns, wanted)]

    assert found("i = 2") == found("i=2") == ["6", "10", "15"]
    assert found("round = 3") == ["15", "-3"]
    assert found("TOTAL += n") == ["1", "3", "6", "10", "15"]
    assert found("99") == ["99"]
    assert found("i = 7") == []
    assert len(found("work")) == len(every)
