"""What changed between two times inside a call, and what was printed, against the program itself."""

from __future__ import annotations

from tests.recorder.conftest import Record
from wrongcall.recording import Recording

PROGRAM = """\
def f(rows, seen):
    for i, row in enumerate(rows):
        row[0] += i
        seen.add(row[0])
        print("row", i)
    return rows

f([[1], [2], [3]], {9})
"""


def rounds(recording: Recording, call: int) -> list[tuple[int, int]]:
    inside = recording.inside.of(call)
    assert inside is not None
    found = [node for node in range(len(inside)) if inside.round(node)[0]]
    return [(int(inside.before[node]), int(inside.after[node])) for node in found]


def test_a_round_changed_what_its_statements_changed(record: Record) -> None:
    recorded = record(PROGRAM)
    call = recorded.call("f").id
    for number, (before, after) in enumerate(rounds(recorded.recording, call)):
        effect = recorded.recording.inside.changes(call, before, after)
        changes = {str(each.path): [c.new for c in each.changes] for each in effect.objects}
        # The first row stays as it is: 1 + 0.
        rows = {} if number == 0 else {"row": [1 + 2 * number]}
        assert changes == {**rows, "seen": [1 + 2 * number]}
        printed = recorded.recording.inside.printed(before, after)
        assert "".join(str(part.text) for part in printed) == f"row {number}\n"


def test_all_rounds_together_changed_what_is_different_in_the_end(record: Record) -> None:
    recorded = record(PROGRAM)
    call = recorded.call("f").id
    spans = rounds(recorded.recording, call)
    effect = recorded.recording.inside.changes(call, spans[0][0], spans[-1][1])
    changes = {str(each.path): sorted(c.new for c in each.changes) for each in effect.objects}  # type: ignore[type-var]
    assert changes == {"rows[1]": [3], "row": [5], "seen": [1, 3, 5]}


def test_the_variables_of_a_module_are_its_data(record: Record) -> None:
    recorded = record("import os\ndef f(): pass\nx = 1\ny = [2]\n")
    found = recorded.recording.inside.variables(1, recorded.recording.event_count - 1)
    assert set(found) == {"x", "y"}
