"""Which nodes of an origin are shown, and their JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator

from tests.present.conftest import Record
from wrongcall.present.origin_tree import (
    EXPLORED_PER_NODE,
    OriginNodeData,
    OriginTreeData,
    ShownNode,
    node_data,
    parts_data,
    shown_nodes,
    shown_tree,
    tree_data,
)
from wrongcall.web.wire import to_json

PROGRAM = """
def f(n):
    a = b = 1
    for i in range(n):
        a, b = b, a + b
    return a

f(12)
"""


def count(shown: ShownNode) -> int:
    return 1 + sum(map(count, shown.parts))


def rows_of(shown: ShownNode) -> Iterator[ShownNode]:
    yield shown
    for part in shown.parts:
        yield from rows_of(part)


def test_at_most_as_many_nodes_as_wanted(record: Record) -> None:
    run = record(PROGRAM)
    root = run.recording.places.origin_tree(run.call("f").id, "result")
    assert count(shown_tree(run.recording, root, 7)) == 7
    assert shown_tree(run.recording, root, 1).parts == ()
    (copy,) = shown_tree(run.recording, root, 30, depth=1).parts[:1]
    assert (copy.node.text, copy.parts) == ("a", ())


def test_nodes_that_are_alike_are_shown_as_one(record: Record) -> None:
    run = record(PROGRAM)
    root = run.recording.places.origin_tree(run.call("f").id, "result")
    tree = shown_tree(run.recording, root, 30)
    rows = list(rows_of(tree))
    each = [(row.node.kind, row.node.name, row.node.taken, row.node.line) for row in rows]
    assert len(set(each)) == len(each)
    explored = list(run.recording.places.origin_slice(root))
    assert sum(1 + row.more for row in rows) == len(explored)
    (sums,) = [row for row in rows if (row.node.name, row.node.line) == ("b", 5)]
    assert sums.more == 10


def test_no_more_is_explored_than_needed(record: Record) -> None:
    run = record(PROGRAM)
    root = run.recording.places.origin_tree(run.call("f").id, "result")
    assert len(shown_nodes(run.recording, root, 2)) <= 2 * EXPLORED_PER_NODE
    assert [each.like for each in shown_nodes(run.recording, root, 3)[-1:]] == [2]


def test_the_json_has_what_its_type_says(record: Record) -> None:
    run = record(PROGRAM)
    root = run.recording.places.origin_tree(run.call("f").id, "result")
    data = tree_data(run.recording, shown_tree(run.recording, root, 12))
    assert set(data) == {*OriginNodeData.__annotations__, *OriginTreeData.__annotations__}
    assert data["value"] == "233"
    assert data["code"] == "return a"
    assert data["parts"][0]["text"] == "a"
    assert json.loads(to_json(data))["kind"] == "returned"


def test_parts_are_listed_with_their_values(record: Record) -> None:
    run = record(PROGRAM)
    places = run.recording.places
    root = places.origin_tree(run.call("f").id, "result")
    copy = places.origin_node(root, [0])
    data = parts_data(run.recording, places.open_origin(copy))
    assert [(n["text"], n["value"]) for n in data["operands"]] == [("b", "233")]
    assert data["conditions"][0]["taken"] is True
    assert node_data(run.recording, copy)["function"] == "f"
