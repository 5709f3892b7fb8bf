"""Nodes and their keys: a key leads back to its node."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tree.shapes import parents
from tests.web.snapshots import snapshot
from wrongcall.errors import TreeError, UsageError
from wrongcall.web.tree_snapshot import MAX_DIGITS, parse_key


@given(parents(smallest=2, largest=20), st.data())
def test_every_key_leads_back_to_its_node(parent: list[int], data: st.DataObject) -> None:
    count = len(parent)
    numbers = st.lists(st.integers(-1, 1), min_size=count, max_size=count)
    functions = [abs(n) for n in data.draw(numbers)]
    shown = snapshot(parent, functions, chains=data.draw(numbers))
    keys = [shown.key(node) for node in range(len(shown.tree))]
    assert [shown.node(key) for key in keys] == list(range(len(keys)))


@given(parents(smallest=2, largest=20), st.data())
def test_the_key_of_a_group_names_its_first_and_last_call(
    parent: list[int], data: st.DataObject
) -> None:
    count = len(parent)
    chains = data.draw(st.lists(st.integers(-1, 1), min_size=count, max_size=count))
    shown = snapshot(parent, chains=chains)
    tree = shown.tree
    for node in range(len(tree)):
        calls = [tree.call(member) for member in tree.members(node)]
        expected = f"{calls[0]}-{calls[-1]}" if tree.is_group(node) else str(calls[0])
        assert shown.key(node) == expected


def test_functions_are_named() -> None:
    shown = snapshot([-1, 0, 0], [0, 1, 2])
    assert [shown.function(node) for node in range(3)] == ["main", "Cart.add", "total"]


@pytest.mark.parametrize(
    "key,calls", [("7", (7, 7)), ("7-9", (7, 9)), ("7-", (7, 7)), ("0", (0, 0))]
)
def test_a_key_names_one_call_or_the_ends_of_a_group(key: str, calls: tuple[int, int]) -> None:
    assert parse_key(key) == calls


@pytest.mark.parametrize(
    "key", ["", "-1", "a", "1-b", "1-2-3", " 1", "1_0", "²", "٣", "9" * (MAX_DIGITS + 1), "-"]
)
def test_an_invalid_key_is_refused(key: str) -> None:
    with pytest.raises(UsageError, match="is not a call or a group of calls"):
        parse_key(key)


def test_a_long_key_is_cut_in_the_message() -> None:
    with pytest.raises(UsageError) as caught:
        parse_key("x" * 100_000)
    assert len(str(caught.value)) < 100


def test_an_unknown_call_or_group_is_refused() -> None:
    shown = snapshot([-1, 0, 0])
    with pytest.raises(TreeError, match="there is no call 99"):
        shown.node("99")
    with pytest.raises(UsageError, match="calls 1 to 2 are not a group of this tree"):
        shown.node("1-2")
