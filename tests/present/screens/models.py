"""View models to draw."""

from __future__ import annotations

from dataclasses import replace

from wrongcall.present import DiffLine, Excerpt, ExcerptLine, QuestionView, ValueNode
from wrongcall.present.questions import Where
from wrongcall.present.screens.question import Head
from wrongcall.recording import ChangeKind

WHERE = Where("merge", "examples/mergesort.py", 4, 3, 24, "sort(numbers=[2, 1])")
HEAD = Head(3, "about 2 left")


def value(label: str, summary: str, parts: tuple[ValueNode, ...] = (), size: int = 0) -> ValueNode:
    return ValueNode(label, summary, "list", 7, size or len(parts), False, parts)


def change(place: str, old: str, new: str, kind: ChangeKind = ChangeKind.CHANGED) -> DiffLine:
    return DiffLine(kind, place, old, new, "", 7)


ASKED = QuestionView(
    call=8, title="merge(left=[1], right=[2])", where=WHERE, thread=1, entry=10, exit=20, time=12,
    given=(value("left", "[1]"), value("right", "[2]")), read=(), outcome="returned",
    produced=value("", "[1, 2]"), yielded=(), defined=(), changed=(), variables=(), printed="",
    result_name="result",
)  # fmt: skip
MANY = tuple(value(f"[{i}]", str(i)) for i in range(50))
LARGE = replace(
    ASKED,
    given=tuple(value(f"arg{i}", "[0, 1, 2, …]", MANY, 1000) for i in range(12)),
    read=(value("config", "{…}", MANY),),
    produced=value("", "[" + "0, " * 100 + "…]", MANY, 5000),
    yielded=MANY,
    changed=tuple(change(f"c[{i}]", "old", "new") for i in range(40)),
    printed="line\n" * 100,
)
SOURCE = Excerpt(
    "prog.py", 8, tuple(ExcerptLine(i, f"    line {i}", i % 2, i == 5, ("x = 1",) if i == 3 else ())
                        for i in range(1, 60)),
)  # fmt: skip
