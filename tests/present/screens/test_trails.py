"""Histories and origins on a screen."""

from __future__ import annotations

import re

import pytest

from tests.present.conftest import Record, Recorded
from tests.present.programs import TRAIL
from wrongcall.present.lines import Line, text_of
from wrongcall.present.screens.trails import history_lines, origin_lines
from wrongcall.recording import EndKind, Origin


def history(run: Recorded, place: str, **how: bool | int) -> list[str]:
    versions = run.recording.places.history(run.call("keep").id, place)
    return shown(history_lines(run.recording, place, versions, 80, **how))  # type: ignore[arg-type]


def origin(run: Recorded, place: str, **how: bool) -> list[str]:
    found = run.recording.places.origin(run.call("keep").id, place)
    return shown(origin_lines(run.recording, place, found, 80, **how))


def shown(lines: list[Line]) -> list[str]:
    texts = [text_of(line) for line in lines]
    assert all(text.isprintable() for text in texts)
    return texts


def test_a_history_has_a_line_for_each_value(record: Record) -> None:
    run = record(TRAIL)
    head, *lines = history(run, "box['x']")
    assert head == f"box['x']  {len(lines)} values"
    assert re.fullmatch(r'  \(removed\) +line 8 +keep #\d+  del box\["x"\]', lines[-2])
    assert re.fullmatch(r'  5 +line 6 +keep #\d+  box\["x"\] = make\(4\)', lines[-3])


def test_a_value_that_was_not_written_is_marked_first_seen(record: Record) -> None:
    run = record("""
        def keep(argv):
            return argv

        import sys
        keep(sys.argv)
    """)
    head, line = history(run, "argv[0]")
    assert head == "argv[0]  1 value"
    assert "(first seen)" in line


LOOP = """
def keep(n):
    for i in range(n):
        last = i
    return last

keep(500)
"""


def test_a_long_history_shows_its_first_and_last_values(record: Record) -> None:
    lines = history(record(LOOP), "last", most=3)
    assert lines[0] == "last  500 values"
    assert lines[2] == "  … 497 more (wrongcall history shows all)"
    assert [line.split()[0] for line in (lines[1], *lines[3:])] == ["0", "498", "499"]


@pytest.mark.parametrize("most", [500, 501, None])
def test_with_enough_room_nothing_is_left_out(record: Record, most: int | None) -> None:
    lines = history(record(LOOP), "last", most=most)  # type: ignore[arg-type]
    assert len(lines) == 501


def test_times_are_those_that_commands_take(record: Record) -> None:
    run = record(TRAIL)
    versions = run.recording.places.history(run.call("keep").id, "box['y']")
    _, line = history(run, "box['y']", times=True)
    assert int(line.split()[0]) == versions[0].time


def test_an_origin_ends_at_the_expression_with_its_operands(record: Record) -> None:
    run = record(TRAIL)
    lines = origin(run, "box['y']")
    assert lines[0] == "box['y'] = 5"
    assert lines[1].startswith("  line 7 ")
    assert lines[1].endswith('  box["y"] = box["x"]')
    assert lines[-2] == f"  computed by n + 1 at line 3 in make #{run.call('make').id}"
    assert lines[-1] == "    n = 4"


def test_an_origin_in_the_source_is_a_literal(record: Record) -> None:
    run = record(TRAIL)
    (*_, last) = origin(run, "box['z']")
    assert last.startswith("  written in the source as ")
    assert last.endswith(f" at line 10 in keep #{run.call('keep').id}")


def test_an_origin_that_is_unknown_says_so(record: Record) -> None:
    run = record(TRAIL)
    lost = Origin(2, run.call("keep").exit, (), EndKind.UNKNOWN, "", 0, 0, ())
    assert shown(origin_lines(run.recording, "box", lost, 80)) == [
        "box = 2",
        "  the trail ends here: the source doesn't say more",
    ]
