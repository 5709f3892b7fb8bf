"""Which statements can stop half way, against statements that do."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from wrongcall.recorder import partial_assignment


def _statement(source: str) -> Any:
    (node,) = ast.parse(source).body
    return node


class _Refuses:
    """An object that no attribute or item can be stored to."""

    __slots__ = ()


@pytest.mark.parametrize(
    "source",
    [
        "a, o.x = 1, 2",
        "o.x, a = 1, 2",
        "a, (b, [c, o[0]], d) = 1, (2, [3, 4], 5)",
        "a = b, o.x = 1, 2",
        "a = b = 1",
        "a, *b = 1, 2",
        "a = b, c = 1",
        "a = (b, *c), o.x = (1, 2), 3",
        "(a, *o.x), b = (1, 2), 3",
    ],
)
def test_names_at_risk_are_those_bound_when_the_statement_fails_last(source: str) -> None:
    names: dict[str, Any] = {"o": _Refuses()}
    failed = False
    try:
        exec(source, names)
    except (AttributeError, TypeError, ValueError):
        failed = True
    bound = [n for n in names if n not in ("o", "__builtins__")]
    at_risk = [n.id for n in partial_assignment.names_at_risk(_statement(source).targets)]
    assert at_risk == (bound if failed else [])


def test_names_bound_before_an_unpacking_are_at_risk() -> None:
    targets = _statement("a = b, c = value").targets
    assert [n.id for n in partial_assignment.names_at_risk(targets)] == ["a"]


def test_the_place_behind_a_name_reaches_to_the_end_of_the_last_target() -> None:
    targets = _statement("first, (second,\n  o.attribute) = value").targets
    name = targets[0].elts[0]
    assert partial_assignment.behind(name, targets[-1]) == (1, 5, 2, 14)


def test_an_augmented_assignment_has_the_places_of_the_statement_and_of_its_target() -> None:
    assert partial_assignment.operations(_statement("n += value")) == (1, 0, 1, 10)
    whole, target = (1, 0, 1, 12), (1, 0, 1, 3)
    assert partial_assignment.operations(_statement("o.x += value")) == (*whole, *target)


@pytest.mark.parametrize(
    "source, may", [("a += 1", False), ("a += b", True), ("o.x += 1", False), ("a[0] += 1", True)]
)
def test_an_augmented_assignment_may_stop_unless_nothing_can_be_iterated(
    source: str, may: bool
) -> None:
    assert partial_assignment.may_stop(_statement(source)) is may


def test_a_tuple_keeps_what_was_added_in_place_though_the_assignment_fails() -> None:
    """Why ``a[0] += e`` is at risk: the list has grown when the store is refused."""
    names: dict[str, Any] = {"a": ([],)}
    with pytest.raises(TypeError):
        exec("a[0] += [1]", names)
    assert names["a"] == ([1],)


def test_walrus_names_are_those_bound_outside_of_inner_functions() -> None:
    value = _statement("(a := 1) + sum((b := x) for x in y) + (lambda: (c := 1))()").value
    assert partial_assignment.walrus_names(value) == {"a", "b"}


def test_the_targets_of_del_are_taken_apart() -> None:
    targets = _statement("del a, (b, [c.x, d[0]]), ()").targets
    assert [ast.unparse(t) for t in partial_assignment.leaves(targets)] == ["a", "b", "c.x", "d[0]"]
