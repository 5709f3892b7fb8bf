"""Reference cases for strategies, coverage and optima: tests/data/strategies-format.md has the conventions.

The environment variable WRONGCALL_VECTORS names another file of the same format to run instead.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.tree.shapes import listing
from wrongcall.session.cost import Cost, cost
from wrongcall.session.strategies import Strategy, strategy
from wrongcall.session.strategies.coverage import EdgeCoverage
from wrongcall.tree import _kernels
from wrongcall.tree.balance import Balancing, balance
from wrongcall.tree.coverage import Coverage
from wrongcall.tree.states import NodeState, Trusted
from wrongcall.tree.suspects import Suspects
from wrongcall.tree.tree import NOBODY, Tree
from wrongcall.tree.weights import IndividualWeights

Case = dict[str, Any]

COPY = Path(__file__).parent / "data" / "strategies.json"
FILE = Path(os.environ.get("WRONGCALL_VECTORS") or COPY)
LETTERS = {
    "U": NodeState.UNDEFINED,
    "W": NodeState.WRONG,
    "R": NodeState.RIGHT,
    "T": NodeState.TRUSTED,
    "K": NodeState.UNKNOWN,
}
NAMES = {
    "single_stepping": "single-stepping",
    "top_down": "top-down",
    "heaviest_first": "heaviest-first",
    "dq_shapiro": "dq-shapiro",
    "dq_hirunkitti": "dq-hirunkitti",
    "optimal_dq": "optimal-dq",
}
FOREVER = 60.0


def cases(kind: str) -> list[Any]:
    """Return the cases of a kind as parameters."""
    found = json.loads(FILE.read_text())
    assert found["format"] == 1
    return [pytest.param(case, id=case["id"]) for case in found["cases"] if case["kind"] == kind]


def suspects_of(case: Case) -> Suspects:
    """Return the suspects that a case describes."""
    parent = case["parent"]
    states = case.get("state") or case.get("root", "U") + "U" * (len(parent) - 1)
    completed = [letter == "1" for letter in case.get("done", "1" * len(parent))]
    coverage = {"edges": Coverage.of_calls(case["ent"])} if "ent" in case else None
    suspects = Suspects(
        Tree.from_parents(parent, completed=completed),
        weights=IndividualWeights(case.get("wi", [1] * len(parent))),
        trusted=Trusted(case.get("trusted", "splice")),
        coverage=coverage,
    )
    wrong = NOBODY
    for node, letter in enumerate(states):
        suspects.mark(node, LETTERS[letter])
        if letter == "W" and completed[node]:
            wrong = node
    suspects.root = wrong
    return suspects


def effective(suspects: Suspects) -> dict[str, Any]:
    compact = suspects.compact()
    nodes = compact.nodes.tolist()
    return {"root": nodes[0], "nodes": nodes, "parent": compact.parent.tolist()}


def parts(suspects: Suspects, own: list[float]) -> Iterator[tuple[int, float]]:
    """Go through the questions with the least total after each, as two smaller problems."""
    compact = suspects.compact()
    parent = compact.parent.tolist()
    for index in range(1, len(compact)):
        inside = [index]
        for other in range(index + 1, len(compact)):
            if parent[other] in inside:
                inside.append(other)
        outside = [other for other in range(len(compact)) if other not in inside]
        total = sum(own) + least(parent, own, inside) + least(parent, own, outside)
        yield int(compact.nodes[index]), total


def least(parent: list[int], own: list[float], kept: list[int]) -> float:
    place = {node: index for index, node in enumerate(kept)}
    parents = np.array([-1, *(place[parent[node]] for node in kept[1:])], dtype=np.int32)
    weights = np.array([own[node] for node in kept], dtype=np.float64)
    total, _, solved = _kernels.optimum(parents, weights, 1e18, FOREVER)
    assert solved
    return total


@pytest.mark.parametrize("case", cases("select"))
def test_the_effective_tree(case: Case) -> None:
    suspects = suspects_of(case)
    assert effective(suspects) == case["effective"]
    found = cost(suspects, strategy("top-down"))
    assert found.positions.tolist() == case["positions"]


@pytest.mark.parametrize("key", NAMES)
@pytest.mark.parametrize("case", cases("select"))
def test_a_strategy(case: Case, key: str) -> None:
    expected = case["expect"][key]
    suspects = suspects_of(case)
    first = strategy(NAMES[key]).choose(suspects)
    assert first == min(expected["first"], default=NOBODY)
    found = cost(suspects, strategy(NAMES[key]))
    assert found.questions.tolist() == expected["q"]
    assert_in_range(found, expected)


def assert_in_range(found: Cost, expected: dict[str, Any]) -> None:
    low, high = expected["total"]
    assert low <= found.total <= high
    low, high = expected["worst"]
    assert low <= found.worst <= high
    if "total_nb" in expected:
        assert found.no_bug is not None
        low, high = expected["total_nb"]
        assert low <= found.total + found.no_bug <= high
        assert found.no_bug == expected["q_nb"]


@pytest.mark.parametrize("case", cases("select"))
def test_the_average_optimum(case: Case) -> None:
    suspects = suspects_of(case)
    compact = suspects.compact()
    uniform = [1.0] * len(compact)
    weighted = compact.own.tolist()
    no_root = [0.0, *uniform[1:]] if suspects.root == NOBODY else uniform
    for key, own in (("opt_avg", no_root), ("opt_avg_nb", uniform), ("opt_wavg", weighted)):
        expected = case["expect"].get(key)
        if expected is None:
            continue
        total = least(compact.parent.tolist(), own, list(range(len(compact))))
        assert total == expected["total"], key
        first = [node for node, after in parts(suspects, own) if after == total]
        assert first == expected["first"], key


@pytest.mark.parametrize("case", cases("select"))
def test_divide_by_queries_reaches_the_average_optimum(case: Case) -> None:
    # Without weights of their own: the vectors count questions.
    suspects = suspects_of({**case, "wi": [1] * len(case["parent"])})
    expected = case["expect"]["opt_avg"]
    chosen = strategy("divide-by-queries").choose(suspects)
    assert chosen in (expected["first"] or [NOBODY])
    assert cost(suspects, strategy("divide-by-queries")).total == expected["total"]


@pytest.mark.parametrize("case", cases("select"))
def test_the_worst_case_optimum(case: Case) -> None:
    suspects = suspects_of(case)
    expected = case["expect"]["opt_worst"]
    worst = strategy("worst-case")
    assert worst.choose(suspects) in (expected["first"] or [NOBODY])
    found = cost(suspects, worst)
    longest = max(found.worst, found.no_bug or 0)
    assert found.worst <= expected["worst"] <= longest


@pytest.mark.parametrize("mode", ["subtree", "answered"])
@pytest.mark.parametrize("case", cases("coverage"))
def test_coverage(case: Case, mode: str) -> None:
    expected = case["expect"][mode]
    suspects = suspects_of(case)
    chosen = EdgeCoverage(float(Fraction(case["p"])), whole_subtree=mode == "subtree")
    weighed = suspects.weigh(chosen.weights(suspects))
    for node, weight in case["cbw"]:
        is_root = node == suspects.root
        assert (weighed.total if is_root else weighed.of(node)) == weight
    assert chosen.choose(suspects) == min(expected["first"], default=NOBODY)
    found = cost(suspects, chosen)
    low, high = expected["total"]
    assert low <= found.total <= high
    low, high = expected["worst"]
    assert low <= found.worst <= high


@pytest.mark.parametrize("key", NAMES)
@pytest.mark.parametrize("case", cases("big"))
def test_a_strategy_on_a_big_tree(case: Case, key: str) -> None:
    found = cost(suspects_of(case), strategy(NAMES[key]))
    expected = case["expect"][key]
    assert (found.total, found.worst) == (expected["total_lex"], expected["worst_lex"])


@pytest.mark.parametrize("case", cases("big"))
def test_the_optima_of_a_big_tree(case: Case) -> None:
    suspects = suspects_of(case)
    compact = suspects.compact()
    total = least(compact.parent.tolist(), compact.own.tolist(), list(range(len(compact))))
    assert total == case["expect"]["opt_avg"]["total"]
    _, worst = _kernels.worst_case(suspects.view())
    assert worst == case["expect"]["opt_worst"]["worst"]
    assert cost(suspects, strategy("worst-case")).worst == worst


def test_the_names_are_those_of_the_package() -> None:
    assert all(isinstance(strategy(name), Strategy) for name in NAMES.values())


VARIANTS = {
    "literal": Balancing(recursive=False, count_nodes=True, listed=0),
    "recursive": Balancing(count_nodes=True, listed=0),
    "project_only": Balancing(shrink=False, count_nodes=True, listed=0),
}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("case", cases("balance"))
def test_balancing(case: Case, variant: str) -> None:
    expected = case["expect"][variant]
    parent, methods = case["parent"], case["methods"]
    numbers = {name: number for number, name in enumerate(dict.fromkeys(methods))}
    chains = [-1] * len(parent)
    for number, chain in enumerate(case["chains"]):
        for node in chain:
            chains[node] = number
    tree = Tree.from_parents(parent, [numbers[name] for name in methods])
    found = listing(balance(tree, chains, VARIANTS[variant]))
    assert found == (expected["parent"], expected["kind"], expected["members"])
    assert_totals(case, found, expected["totals"])


@pytest.mark.parametrize("case", cases("balance"))
def test_the_same_without_balancing(case: Case) -> None:
    calls = [[node] for node in range(len(case["parent"]))]
    unbalanced = (case["parent"], "o" * len(calls), calls)
    assert_totals(case, unbalanced, case["expect"]["original"])


def assert_totals(
    case: Case, shape: tuple[list[int], str, list[list[int]]], totals: dict[str, Any]
) -> None:
    # Every node weighs 1 for the selection, and the members count in the total.
    parent, _, members = shape
    for key, expected in totals.items():
        found = cost(suspects_of({"parent": parent, "root": case["root"]}), strategy(NAMES[key]))
        asked = dict(zip(found.positions.tolist(), found.questions.tolist(), strict=True))
        counted = [(len(of), asked[node]) for node, of in enumerate(members) if of]
        assert sum(size * count for size, count in counted) == expected["total_lex"]
        assert max(count for _, count in counted) == expected["worst_lex"]
