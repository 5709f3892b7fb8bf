"""The tree of an origin on a screen."""

from __future__ import annotations

from tests.present.conftest import Record
from wrongcall.present.lines import text_of
from wrongcall.present.origin_tree import shown_tree
from wrongcall.present.screens.origin_tree import origin_tree_lines
from wrongcall.present.text import columns

PROGRAM = """
def larger(x, y):
    if x > y:
        return x
    return y

def f(xs):
    best = xs[0]
    for x in xs[1:]:
        best = larger(best, x)
    return best

f([3, 8, 5])
"""


def test_a_line_for_each_node(record: Record) -> None:
    run = record(PROGRAM)
    number = run.call("f").id
    root = run.recording.places.origin_tree(number, "result")
    shown = origin_tree_lines(run.recording, shown_tree(run.recording, root, 14), 80)
    texts = [text_of(line) for line in shown]
    assert len(texts) == 14
    assert all(columns(text) <= 80 for text in texts)
    assert texts[0] == f"  result = 8  line 11 f #{number} returned  return best"
    assert texts[1].startswith("    best = 8  line 10 f #")
    assert any("because x > y was true" in text for text in texts)
    assert any("because for x in xs[1:] took another element" in text for text in texts)
    assert any("not changed later, as for x in xs[1:] had no more elements" in t for t in texts)


def test_a_line_says_how_many_more_are_like_it(record: Record) -> None:
    run = record("""
        def f(n):
            total = 0
            for i in range(n):
                total += i
            return total

        f(4)
    """)
    root = run.recording.places.origin_tree(run.call("f").id, "result")
    tree = shown_tree(run.recording, root, 30)
    texts = [text_of(line) for line in origin_tree_lines(run.recording, tree, 60)]
    assert any(text.strip().startswith("total = 6") and text.endswith("(+3)") for text in texts)
    assert all(columns(text) <= 60 for text in texts)


def test_copies_are_on_one_level(record: Record) -> None:
    run = record("""
        def f():
            a = 1
            b = a
            c = b
            return c

        f()
    """)
    root = run.recording.places.origin_tree(run.call("f").id, "result")
    tree = shown_tree(run.recording, root, 30)
    texts = [text_of(line) for line in origin_tree_lines(run.recording, tree, 80)]
    assert [text.split("=")[0].strip() for text in texts if " = 1" in text][:4] == [
        "result",
        "c",
        "b",
        "a",
    ]
