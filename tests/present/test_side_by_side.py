"""Before and after side by side: both values can be read off the rows, compared with Python's own equality."""

from __future__ import annotations

import ast
import random
from typing import Any

import pytest

from tests.present.conftest import Record, Recorded
from wrongcall.errors import UsageError
from wrongcall.languages.paths import PathStep
from wrongcall.present.side_by_side import SideBySide, place_text, side_by_side, value_at
from wrongcall.recording import Attr, Call, Entry, Item, Member, Ref

SWAP = "def swap(box, new):\n    box['it'] = new\n"


def compared(run: Recorded, call: Call, *, around: int | None = None) -> SideBySide:
    """Compare what a box held at entry with what it holds at exit."""
    box = call.args[0].value
    assert isinstance(box, Ref)
    times = call.args[1].time, call.last
    old, new = (value_at(run.recording, (box.oid, 0), "['it']", time) for time in times)
    return side_by_side(run.recording, old, times[0], new, times[1], around=around)


def read_off(found: SideBySide, side: str) -> list[tuple[str, Any]]:
    """The labels and parts of one side, from the rows at the top."""
    rows = [row for row in found["rows"] if row["depth"] == 0]
    texts = [(row[f"{side}_label"], row[side]) for row in rows]  # type: ignore[literal-required]
    return [
        (label, ast.literal_eval("".join(text for text, _ in spans)))
        for label, spans in texts
        if label
    ]


def plain(chance: random.Random, depth: int = 0) -> Any:
    if depth > 1 or chance.random() < 0.4:
        return chance.choice([0, 1, 2, "a", "b", None])
    if chance.random() < 0.6:
        return [plain(chance, depth + 1) for _ in range(chance.randrange(5))]
    return {chance.choice("xyz"): plain(chance, depth + 1) for _ in range(3)}


def edited(chance: random.Random, value: Any) -> Any:
    """Change a value a little."""
    if isinstance(value, list):
        found = [edited(chance, v) if chance.random() < 0.3 else v for v in value]
        if chance.random() < 0.5:
            found.insert(chance.randrange(len(found) + 1), plain(chance, 1))
        if found and chance.random() < 0.4:
            found.pop(chance.randrange(len(found)))
        return found
    if isinstance(value, dict):
        return {k: edited(chance, v) if chance.random() < 0.5 else v for k, v in value.items()}
    return plain(chance, 2)


def test_both_sides_can_be_read_off_the_rows(record: Record) -> None:
    chance = random.Random(7)
    containers = (
        lambda: [plain(chance, 1) for _ in range(4)],
        lambda: {k: plain(chance, 1) for k in "abc"},
    )
    olds = [chance.choice(containers)() for _ in range(60)]
    pairs = [(old, edited(chance, old)) for old in olds]
    run = record(SWAP + f"for old, new in {pairs!r}:\n    swap({{'it': old}}, new)\n")
    for (old, new), call in zip(pairs, run.calls("swap"), strict=True):
        found = compared(run, call)
        for side, value in (("old", old), ("new", new)):
            parts = read_off(found, side)
            if isinstance(value, list):
                assert parts == [(f"[{i}]", each) for i, each in enumerate(value)], (old, new)
            else:
                assert dict(parts) == {f"[{k!r}]": v for k, v in value.items()}, (old, new)
        for row in (row for row in found["rows"] if row["depth"] == 0):
            one, other = ("".join(text for text, _ in row[side]) for side in ("old", "new"))
            assert (row["kind"] == "same") == (one == other), row


def test_an_object_that_stayed_is_compared_with_itself_earlier(record: Record) -> None:
    run = record(
        "class Node:\n    def __init__(self, v): self.v, self.kids = v, []\n"
        "def grow(root):\n    root.kids[0].v = 9\n    root.kids.append(Node(3))\n"
        "r = Node(1)\nr.kids.append(Node(2))\ngrow(r)\n"
    )
    call = run.call("grow")
    root, entry = call.args[0].value, call.args[0].time
    found = side_by_side(run.recording, root, entry, root, call.last)
    told = [(row["depth"], row["kind"], row["new_label"]) for row in found["rows"]]
    assert told == [
        (0, "same", ".v"),
        (0, "changed", ".kids"),
        (1, "changed", "[0]"),
        (2, "changed", ".v"),
        (2, "same", ".kids"),
        (1, "added", "[1]"),
    ]
    assert found["rows"][3]["old"] == [("2", True)]
    assert found["rows"][3]["new"] == [("9", True)]


def test_cycles_and_shared_objects_are_compared_once(record: Record) -> None:
    run = record(
        "class N: pass\ndef change(a):\n    a.next.v = 2\n"
        "a, b = N(), N()\na.next, b.next, b.v = b, a, 1\na.too = b\nchange(a)\n"
    )
    call = run.call("change")
    value, entry = call.args[0].value, call.args[0].time
    rows = side_by_side(run.recording, value, entry, value, call.last)["rows"]
    assert [(r["new_label"], r["kind"], r["note"]) for r in rows if r["depth"] == 0] == [
        (".next", "changed", ""),
        (".too", "changed", "compared above"),
    ]


def test_texts_are_compared_by_line_and_word_and_equal_stretches_are_counted(
    record: Record,
) -> None:
    lines = [f"line {i}" for i in range(30)]
    other = [*lines[:12], "line twelve", *lines[13:]]
    run = record(f"{SWAP}swap(dict(it={chr(10).join(lines)!r}), {chr(10).join(other)!r})")
    found = compared(run, run.call("swap"), around=1)
    assert [(r["kind"], r["count"], r["old_label"]) for r in found["rows"]] == [
        ("gap", 11, ""),
        ("same", 0, "12"),
        ("changed", 0, "13"),
        ("same", 0, "14"),
        ("gap", 16, ""),
    ]
    assert found["rows"][2]["old"] == [("line ", False), ("12", True)]
    assert found["rows"][2]["new"] == [("line ", False), ("twelve", True)]


def test_sets_have_what_was_added_and_removed(record: Record) -> None:
    run = record("def change(s):\n    s.add('x')\n    s.discard('a')\nchange({'a', 'b'})")
    call = run.call("change")
    value = call.args[0].value
    rows = side_by_side(run.recording, value, call.args[0].time, value, call.last)["rows"]
    assert sorted((r["kind"], "".join(t for t, _ in r["old"] + r["new"])) for r in rows) == [
        ("added", "'x'"),
        ("removed", "'a'"),
        ("same", "'b''b'"),
    ]


def test_places_in_source_notation_lead_back_to_their_values(record: Record) -> None:
    run = record(
        "class A: pass\ndef use(a, d, l):\n    s = 'local'\n    return s\n"
        "a = A()\na.t = 'attr'\nuse(a, {'k': 'entry', 5: 'five'}, ['item'])"
    )
    call = run.call("use")
    holders = [passed.value for passed in call.args]
    places: list[tuple[int, PathStep, str]] = [
        (0, Attr("t"), "attr"),
        (1, Entry("k"), "entry"),
        (1, Entry(5), "five"),
        (2, Item(0), "item"),
    ]
    for number, place, expected in places:
        holder = holders[number]
        assert isinstance(holder, Ref)
        assert value_at(run.recording, (holder.oid, 0), place_text(place), call.last) == expected
    assert value_at(run.recording, (0, call.id), "s", call.last) == "local"
    assert place_text(Member("x")) == ""
    holder = holders[1]
    assert isinstance(holder, Ref)
    for wrong in ("[f()]", "[", "x", "[(1, 2)]"):
        with pytest.raises(UsageError, match="step"):
            value_at(run.recording, (holder.oid, 0), wrong, call.last)
