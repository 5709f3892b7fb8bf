"""Calls of two runs that correspond."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from wrongcall.oracles.alignment import Alignment, CallTree, aligned

MANY = 100_000


def tree_of(parents: list[int], labels: list[str]) -> CallTree:
    """Return a tree of calls 1, 2, ..., by who made them and of which function they are."""
    tree = CallTree()
    for call, (parent, label) in enumerate(zip(parents, labels, strict=True), 1):
        tree.labels[call] = label
        tree.children.setdefault(parent, []).append(call)
    return tree


@st.composite
def trees(draw: st.DrawFn) -> CallTree:
    count = draw(st.integers(0, 25))
    parents = [draw(st.integers(0, call)) for call in range(count)]
    return tree_of(parents, [draw(st.sampled_from("abc")) for _ in range(count)])


def parents_of(tree: CallTree) -> dict[int, int]:
    return {call: parent for parent, calls in tree.children.items() for call in calls}


def check(first: CallTree, second: CallTree, found: Alignment) -> None:
    """Check what has to be true of any alignment, one by one."""
    pairs = dict(found.pairs)
    assert len(pairs) == len(found.pairs) == len(set(pairs.values()))
    above, above_second = parents_of(first), parents_of(second)
    for one, other in found.pairs:
        assert first.labels[one] == second.labels[other]
        assert pairs.get(above[one], 0) == above_second[other]
    for (a, b), (c, d) in zip(sorted(found.pairs), sorted(found.pairs)[1:], strict=False):
        if above[a] == above[c]:
            assert b < d  # in the same order
    for only, tree, taken in (
        (found.only_first, first, set(pairs)),
        (found.only_second, second, set(pairs.values())),
    ):
        callers = parents_of(tree)
        expected = {c for c in tree.labels if c not in taken and callers[c] in {0, *taken}}
        assert set(only) == expected


@given(trees(), trees())
def test_pairs_are_calls_of_the_same_function_in_the_same_order_below_a_pair(
    first: CallTree, second: CallTree
) -> None:
    check(first, second, aligned(first, second))


@given(trees())
def test_a_run_is_aligned_with_itself(tree: CallTree) -> None:
    found = aligned(tree, tree)
    assert found.pairs == tuple((call, call) for call in sorted(tree.labels))


@given(
    st.lists(st.sampled_from("abcdef"), max_size=12),
    st.lists(st.sampled_from("abcdef"), max_size=12),
)
def test_not_much_less_is_aligned_than_could_be(left: list[str], right: list[str]) -> None:
    """At least half of the longest common subsequence, which a slow and obvious algorithm finds."""
    best = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            best[i + 1][j + 1] = best[i][j] + 1 if a == b else max(best[i][j + 1], best[i + 1][j])
    one, other = tree_of([0] * len(left), left), tree_of([0] * len(right), right)
    assert len(aligned(one, other).pairs) * 2 >= best[-1][-1]


def test_a_function_that_moved_does_not_cost_the_calls_around_it() -> None:
    one, other = tree_of([0] * 4, list("aaab")), tree_of([0] * 4, list("baaa"))
    assert len(aligned(one, other).pairs) == 3


def test_calls_that_only_one_run_made_do_not_throw_the_rest_out_of_step() -> None:
    labels = ["f", "g", "h"] * 100
    more = [*labels[:50], "new", "new", *labels[50:200], *labels[203:]]
    found = aligned(tree_of([0] * 300, labels), tree_of([0] * len(more), more))
    assert found.only_second == (51, 52)
    assert len(found.only_first) == 3
    assert len(found.pairs) == 297


class Counted:
    """A label that counts how often labels are compared."""

    count = 0

    def __init__(self, text: str) -> None:
        self.text = text

    def __eq__(self, other: object) -> bool:
        Counted.count += 1
        return isinstance(other, Counted) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)


def test_the_work_grows_with_the_number_of_calls() -> None:
    """A loop of 100,000 calls, of which the second run makes some others: no more than 20 comparisons for a call."""
    random = Random(5)
    names = [random.choice("fgh") for _ in range(MANY)]
    others = [random.choice("fghi") if random.random() < 0.01 else name for name in names]
    made = [CallTree(), CallTree()]
    for tree, labels in zip(made, (names, others), strict=True):
        tree.labels = {call: Counted(text) for call, text in enumerate(labels, 1)}
        tree.children = {0: list(tree.labels)}
    Counted.count = 0
    found = aligned(*made)
    assert Counted.count < 20 * MANY
    assert len(found.pairs) > 0.9 * MANY
