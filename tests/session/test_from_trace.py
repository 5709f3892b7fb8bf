"""What a session learns from a trace, with a stand-in for the trace."""

from __future__ import annotations

from collections.abc import Hashable
from types import SimpleNamespace
from typing import Any

import numpy as np

from wrongcall.session.answers import Part, Where
from wrongcall.session.from_trace import (
    MAX_LOOKED_AT_CALLS,
    MAX_REPLAYED_EVENTS,
    MOST_EVENTS,
    TraceFacts,
)
from wrongcall.session.session import Session
from wrongcall.session.steps import Question
from wrongcall.tree.tree import Tree


class FakeRecording:
    """Four calls: f calls g twice in the same way, then h, of another module."""

    def __init__(self) -> None:
        # One object plays the parts of all queries.
        self.program = self.questions = self.places = self.execution = self.states = self
        self.functions = {
            1: SimpleNamespace(file=1, qualname="f"),
            2: SimpleNamespace(file=1, qualname="g"),
            3: SimpleNamespace(file=2, qualname="H.h"),
        }
        self.replayed_events = 0
        self.files = {1: SimpleNamespace(module="main"), 2: SimpleNamespace(module="lib")}

    def call(self, number: int) -> Any:
        return SimpleNamespace(entered=number * 100, entry=number * 100, exit=number * 100 + 50)

    def key(self, call: int) -> Hashable:
        return b"g" if call in (2, 3) else b"%d" % call

    def origin(self, call: int, path: str, time: int | None = None) -> Any:
        made = {("x", None): 4, ("x", 400): 2, ("moved", None): 1, ("lost", None): 1}
        links = (3, 2, 4) if path == "moved" else ()
        found = [SimpleNamespace(call=link) for link in links]
        return SimpleNamespace(call=made.get((path, time), 0), links=found)

    def covered(self) -> Any:
        chains = {("f", "x", 1, 2)}
        classes = [SimpleNamespace(edges={("f", 0, i)}, def_uses=chains) for i in range(2)]
        return SimpleNamespace(
            call=np.arange(1, 5), class_of=np.array([0, 1, 0, 1]), classes=classes
        )


def tree() -> Tree:
    return Tree.from_parents([-1, 0, 0, 0], [1, 2, 2, 3], ids=np.arange(1, 5, dtype=np.int64))


def test_lines_are_measured_until_one_measurement_is_expensive() -> None:
    recording, looks = FakeRecording(), []

    def measure(recording: FakeRecording, calls: tuple[int, ...], is_list: bool) -> int:
        looks.append(calls)
        recording.replayed_events += MAX_REPLAYED_EVENTS + 1 if calls == (3,) else 10
        return 7

    facts = TraceFacts(recording, tree(), measure)
    assert facts.lines((1,), False) == facts.lines((2,), False) == 7
    assert facts.lines((3,), False) == 7
    assert facts.lines((1,), False) is None
    assert looks == [(1,), (2,), (3,)]


def test_large_questions_are_not_measured() -> None:
    facts = TraceFacts(FakeRecording(), tree(), lambda recording, calls, is_list: 7)
    assert facts.lines((1,) * MAX_LOOKED_AT_CALLS, True) == 7
    assert facts.lines((1,) * (MAX_LOOKED_AT_CALLS + 1), True) is None
    assert facts.lines((1, MOST_EVENTS), True) is None


def test_facts_are_read_from_the_trace() -> None:
    facts = TraceFacts(FakeRecording(), tree())
    assert facts.question_key(2) == facts.question_key(3) != facts.question_key(4)
    assert (facts.module(3), facts.functions_of("main")) == ("lib", {1, 2})
    assert facts.function_name(3) == "H.h"
    assert facts.origin(4, Part(Where.OUTCOME, "x")) == 4
    assert facts.origin(4, Part(Where.INPUT, "x")) == 2
    assert facts.origin(4, Part(Where.INPUT, "y")) is None
    assert facts.origin(1, Part(Where.OUTCOME, "moved")) == 1
    assert facts.origin(2, Part(Where.EFFECT, "moved")) == 2
    assert facts.origin(2, Part(Where.EFFECT, "lost")) is None
    edges = facts.coverage("edges")
    assert edges is not None
    assert edges.class_of.tolist() == [0, 1, 0, 1]
    chains = facts.coverage("def-use")
    assert chains is not None
    assert chains.class_of.tolist() == [0, 0, 0, 0]
    assert facts.coverage("lines") is None


def test_a_session_uses_the_facts_of_its_trace() -> None:
    session = Session(tree(), TraceFacts(FakeRecording(), tree()), strategy="coverage-edges")
    session.judge(1, "wrong")
    session.judge(2, "right")
    session.advance()
    step = session.step()
    assert isinstance(step, Question)
    assert step.calls == (4,)
    session.use("top-down")
    session.answer("trust module") if isinstance(session.step(), Question) else None
    session.advance()
    assert getattr(session.step(), "calls", None) == (1,)
