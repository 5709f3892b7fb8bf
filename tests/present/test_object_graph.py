"""Graphs of objects: the boxes and arrows are those that the program's objects make, at each of the times."""

from __future__ import annotations

import random

from tests.present.conftest import Record, Recorded
from wrongcall.present.object_graph import MOST_NODES, ObjectGraph, has_graph, object_graph
from wrongcall.recording import Call, Ref

NODE = """
class Node:
    def __init__(self, name):
        self.name = name
        self.links = []
"""


def graph_of(run: Recorded, call: Call, *, compared: bool = False) -> ObjectGraph:
    value, entry = call.args[0].value, call.args[0].time
    assert isinstance(value, Ref)
    if compared:
        return object_graph(run.recording, value.oid, call.last, entry)
    return object_graph(run.recording, value.oid, entry)


def named(graph: ObjectGraph) -> list[str]:
    return [
        field["text"].strip("'")
        for node in graph["nodes"]
        for field in node["fields"]
        if field["label"] == "name"
    ]


def test_the_arrows_are_the_references_of_the_program(record: Record) -> None:
    chance = random.Random(3)
    links = [(chance.randrange(12), chance.randrange(12)) for _ in range(30)]
    run = record(
        NODE
        + "def use(node): pass\n"
        + "all = [Node(f'n{i}') for i in range(12)]\n"
        + f"for a, b in {links}: all[a].links.append(all[b])\n"
        + "use(all[0])\n"
    )
    graph = graph_of(run, run.call("use"))
    reached, waiting = {0}, [0]
    while waiting:
        here = waiting.pop()
        found = {b for a, b in links if a == here} - reached
        reached |= found
        waiting += found
    assert sorted(named(graph)) == sorted(f"n{i}" for i in reached)
    numbers = [int(name[1:]) for name in named(graph)]
    arrows = sorted((numbers[e["source"]], numbers[e["target"]]) for e in graph["edges"])
    assert arrows == sorted(pair for pair in links if pair[0] in reached)
    for edge in graph["edges"]:
        assert edge["label"].startswith(".links[")
        target = graph["nodes"][edge["target"]]
        assert run.recording.states.object(target["object"]).type.qualname == "Node"


def test_paths_lead_to_the_boxes(record: Record) -> None:
    run = record(
        NODE + "def use(node): pass\na, b, c = Node('a'), Node('b'), Node('c')\n"
        "a.links.append(b)\nb.by = {'k': c}\nuse(a)\n"
    )
    call = run.call("use")
    for node in graph_of(run, call)["nodes"]:
        _, value = run.recording.places.find(call.id, "node" + node["path"], call.args[0].time)
        assert value == Ref(node["object"])


def test_what_is_new_gone_or_changed_is_marked(record: Record) -> None:
    run = record(
        NODE + "def change(root):\n    root.name = 'r2'\n    root.links[0] = Node('new')\n"
        "r = Node('r')\nr.links = [Node('old'), Node('stays')]\nchange(r)\n"
    )
    graph = graph_of(run, run.call("change"), compared=True)
    states = dict(zip(named(graph), (node["state"] for node in graph["nodes"]), strict=True))
    assert states == {"r2": "changed", "new": "new", "old": "gone", "stays": "same"}
    assert graph["nodes"][0]["fields"][0]["other"] == "'r'"
    arrows = {(e["label"], e["state"]) for e in graph["edges"]}
    assert arrows == {(".links[0]", "new"), (".links[0]", "gone"), (".links[1]", "same")}


def test_what_is_new_is_the_same_seen_from_the_earlier_time(record: Record) -> None:
    run = record(
        NODE
        + "def change(root):\n    root.by = Node('new')\nr = Node('r')\nr.by = None\nchange(r)\n"
    )
    call = run.call("change")
    value, entry = call.args[0].value, call.args[0].time
    assert isinstance(value, Ref)
    late = object_graph(run.recording, value.oid, call.last, entry)
    early = object_graph(run.recording, value.oid, entry, call.last)
    for graph, here in ((late, True), (early, False)):
        added = next(node for node in graph["nodes"] if node["state"] == "new")
        assert (added["path"], added["here"]) == (".by", here)
        assert [edge["state"] for edge in graph["edges"]] == ["new"]
    by = next(f for f in early["nodes"][0]["fields"] if f["label"] == "by")
    assert (by["text"], by["other"]) == ("None", f"#{early['nodes'][1]['object']}")


def test_a_container_that_two_objects_share_is_a_box(record: Record) -> None:
    run = record(
        NODE + "def use(node): pass\na, b = Node('a'), Node('b')\na.links.append(b)\n"
        "b.links = a.links\nuse(a)\n"
    )
    graph = graph_of(run, run.call("use"))
    assert sorted(node["title"] for node in graph["nodes"]) == ["Node", "Node", "list"]
    shared = next(i for i, node in enumerate(graph["nodes"]) if node["title"] == "list")
    assert [e["label"] for e in graph["edges"] if e["target"] == shared] == [".links", ".links"]


def test_only_objects_that_lead_to_others_are_drawn(record: Record) -> None:
    run = record(
        NODE + "def use(node): pass\nuse(Node('alone'))\nuse([1, [2]])\n"
        "a = Node('a')\na.links.append(Node('b'))\nuse(a)\nuse([a])\nuse({'a': a})\n"
    )
    drawn = []
    for call in run.calls("use"):
        value = call.args[0].value
        assert isinstance(value, Ref)
        drawn.append(has_graph(run.recording, value.oid, call.args[0].time))
    assert drawn == [False, False, True, True, True]


def test_a_large_graph_is_limited_and_says_so(record: Record) -> None:
    many = MOST_NODES + 50
    run = record(
        NODE + f"def use(node): pass\nroot = at = Node(0)\nfor i in range({many} - 1):\n"
        "    at.links.append(Node(i))\n    at = at.links[0]\nuse(root)\n"
    )
    graph = graph_of(run, run.call("use"))
    assert len(graph["nodes"]) == MOST_NODES
    assert graph["more"] == 1  # the next one of the chain
