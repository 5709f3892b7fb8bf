"""Before and after: what differs is seen, whatever the values are and however little room there is."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.present.conftest import Record
from wrongcall.present import Viewer, columns, question
from wrongcall.present.pairs import Pairs
from wrongcall.recording import ChangeKind

LONG = """
class Request:
    def __init__(self, headers, body, tags):
        self.headers = headers
        self.body = body
        self.tags = tags

    def close(self):
        self.headers = {**self.headers, "Connection": "close"}
        self.body = self.body[:900] + "END" + self.body[903:]
        self.tags = [*self.tags[:200], -1, *self.tags[201:]]

headers = {f"header-{i}": "value " * i for i in range(12)} | {"Connection": "keep-alive"}
Request(headers, "abcdefghi " * 400, list(range(300))).close()
"""


@pytest.mark.parametrize("width", [60, 80, 120])
def test_a_change_between_long_values_shows_the_difference(record: Record, width: int) -> None:
    run = record(LONG)
    asked = question(run.recording, run.call("Request.close").id, line_width=width)
    headers, body, tags = asked.changed
    key = "'Connection': " if width >= 80 else ""
    assert f"{key}'keep-alive'" in headers.old
    assert f"{key}'close'" in headers.new
    assert "END" in body.new
    assert body.new.endswith("' (4,000)")
    assert "199, 200, " in tags.old
    assert "199, -1, " in tags.new
    for change in asked.changed:
        assert change.kind is ChangeKind.CHANGED
        assert columns(f"{change.place}: {change.old} -> {change.new}") <= width


DEEP = """
class Box:
    def set(self, value):
        self.value = value

box = Box()
box.value = [{"id": i, "name": "x" * 50} for i in range(3000)]
again = [dict(row) for row in box.value]
again[2500]["name"] = "y" + "x" * 49
box.set(again)
"""


def test_a_difference_deep_inside_is_named_by_its_path(record: Record) -> None:
    run = record(DEEP)
    (change,) = question(run.recording, run.call("Box.set").id, line_width=160).changed
    assert change.old.startswith("… [2500]['name'] = 'xxx")
    assert change.new.startswith("… [2500]['name'] = 'yxx")


ALL_THE_ROOM = """
class Box:
    def set(self, value):
        self.value = value

box = Box()
box.value = None
box.set([1000, 1001, 1002, 1003, 1004, 1005, 1006])
"""


def test_a_short_value_leaves_its_room_to_the_long_one(record: Record) -> None:
    run = record(ALL_THE_ROOM)
    (change,) = question(run.recording, run.call("Box.set").id, line_width=66).changed
    assert (change.old, change.new) == ("None", "[1000, 1001, 1002, 1003, 1004, 1005, 1006]")


texts = st.text("ab ", max_size=60)
values = st.recursive(
    st.integers(-5, 5) | texts | st.booleans(),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(texts, inner, max_size=5),
    max_leaves=25,
)


@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(st.tuples(values, values), min_size=1, max_size=25), st.integers(40, 100))
def test_values_that_differ_never_look_the_same(
    record: Record, pairs: list[tuple[object, object]], width: int
) -> None:
    """Whether they differ is told by Python's own comparison of the values that were written down."""
    data = json.dumps(pairs)
    run = record(
        f"import json\ndef f(old, new):\n    pass\nfor pair in json.loads({data!r}):\n    f(*pair)\n"
    )
    for (old, new), call in zip(json.loads(data), run.calls("f"), strict=True):
        one, other = (passed.value for passed in call.args)
        viewer = Viewer(run.recording, call.exit)
        shown = Pairs(run.recording, viewer, viewer).texts(one, other, width)
        if repr(old) != repr(new):
            assert shown[0] != shown[1], (old, new)
        assert sum(map(columns, shown)) <= width
