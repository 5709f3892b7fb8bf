"""A session without a trace: nothing is known about any call."""

from __future__ import annotations

from wrongcall.session.answers import Part, Where
from wrongcall.session.facts import Facts, NoFacts
from wrongcall.session.session import Session
from wrongcall.tree.tree import Tree

FACTS: Facts = NoFacts()


def test_no_two_calls_are_taken_for_the_same_question() -> None:
    session = Session(Tree.from_parents([-1, 0, 0]), FACTS, strategy="top-down")
    session.judge(0, "wrong")
    session.judge(1, "right")
    assert session.advance() == ()


def test_all_functions_belong_to_one_module() -> None:
    functions = FACTS.functions_of(FACTS.module(0))
    assert all(function in functions for function in (0, 1, 10**9))


def test_functions_are_named_by_their_numbers() -> None:
    assert FACTS.function_name(7) == "function 7"


def test_values_coverage_and_lines_are_unknown() -> None:
    assert FACTS.origin(1, Part(Where.INPUT, "x")) is None
    assert FACTS.coverage("edges") is None
    assert FACTS.lines((1, 2), True) is None
