"""The last writes on each line of a call, against all its writes looked at one by one."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.analysis.steps.slow_steps import latest
from tests.trace.emitter import Emitter
from wrongcall.events import Kind, SiteKind

SITES = [
    (SiteKind.ENTRY, 1, 1, None, 0),
    (SiteKind.WRITE, 1, 2, "table", 0),
    (SiteKind.WRITE, 1, 3, "x", 0),
    (SiteKind.ITEM, 1, 4, None, 0),
    (SiteKind.ITEM, 1, 5, None, 0),
]
TABLE, X, ITEM, OTHER = 2, 3, 4, 5
SOURCE = "def f():\n    table = {}\n    x = 1\n    table[x] = x\n    table[y] = x\n"

writes = st.lists(st.tuples(st.sampled_from([X, ITEM, OTHER]), st.integers(0, 4)), max_size=60)


@settings(max_examples=40)
@given(writes, st.sampled_from([1, 2, 5]))
def test_the_last_writes_are_those_of_all_steps(happened: list[tuple[int, int]], most: int) -> None:
    emitter = Emitter()
    emitter.file([{"locals": ["table", "x"], "blocks": [[2, 3, 4, 5]]}], SITES, source=SOURCE)
    call = emitter.enter(1)
    table = emitter.new("dict")
    emitter.local(call, TABLE, table)
    for number, (site, key) in enumerate(happened):
        if site == X:
            emitter.local(call, X, number)
        else:
            tagged = (emitter.value(key), emitter.value(number))
            emitter.event(
                Kind.ENTRY, site=site, call=call, obj=table.oid, key=tagged[0], value=tagged[1]
            )
    with (
        tempfile.TemporaryDirectory() as folder,
        emitter.open(Path(folder) / "t.wrongcall") as recording,
    ):
        steps = recording.execution.steps(call)
        assert steps.latest(most, 0, 100) == latest(list(steps), most)


def test_each_key_of_a_busy_site_has_its_last_value(tmp_path: Path) -> None:
    """So many writes that they are not looked at one by one."""
    emitter = Emitter()
    emitter.file([{"locals": ["table"], "blocks": [[2, 4]]}], SITES, source=SOURCE)
    call = emitter.enter(1)
    table = emitter.new("dict")
    emitter.local(call, TABLE, table)
    for number in range(300):
        key, value = emitter.value(number % 3), emitter.value(number)
        emitter.event(Kind.ENTRY, site=ITEM, call=call, obj=table.oid, key=key, value=value)
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        (found,) = (
            steps
            for line, steps in recording.execution.steps(call).latest(9, 0, 9).items()
            if line == 4
        )
        assert [(step.place, step.value) for step in found] == [
            ("table[0]", 297),
            ("table[1]", 298),
            ("table[2]", 299),
        ]


@pytest.mark.parametrize("most", [1, 2])
def test_only_the_places_written_last_are_kept(tmp_path: Path, most: int) -> None:
    emitter = Emitter()
    emitter.file([{"locals": ["table"], "blocks": [[2, 4]]}], SITES, source=SOURCE)
    call = emitter.enter(1)
    table = emitter.new("dict")
    emitter.local(call, TABLE, table)
    for key in (1, 2, 1, 3):
        tagged = emitter.value(key)
        emitter.event(Kind.ENTRY, site=ITEM, call=call, obj=table.oid, key=tagged, value=tagged)
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        found = recording.execution.steps(call).latest(most, 4, 4)[4]
        assert [step.value for step in found] == [1, 3][-most:]
