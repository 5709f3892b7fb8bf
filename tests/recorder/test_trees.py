"""Copies of syntax trees."""

from __future__ import annotations

import ast
import warnings
from pathlib import Path

from wrongcall.recorder import trees

TREE = ast.parse(Path(trees.__file__).read_text())


def test_a_copy_says_the_same_and_shares_no_node() -> None:
    copy = trees.copied(TREE)
    assert ast.dump(copy, include_attributes=True) == ast.dump(TREE, include_attributes=True)
    assert not {id(n) for n in ast.walk(copy) if n._fields} & {id(n) for n in ast.walk(TREE)}


def test_copying_warns_of_nothing() -> None:
    """From 3.13 on, nodes that are made without all their fields are deprecated."""
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        trees.copied(TREE)
    assert seen == []


def test_a_node_used_twice_is_copied_twice() -> None:
    shared = ast.parse("x", mode="eval").body
    tree = ast.parse("f(a, b)")
    tree.body[0].value.args = [shared, shared]  # type: ignore[attr-defined]
    first, second = trees.copied(tree).body[0].value.args  # type: ignore[attr-defined]
    assert first is not second
    assert first.id == second.id == "x"


def test_nodes_of_other_classes_become_the_interpreters_own() -> None:
    class Tagged(ast.Name):
        """A node class of the program's own."""

        def __init__(self, *args: object) -> None:
            raise AssertionError("no code of the program runs")

    tagged = Tagged.__new__(Tagged)
    tagged.id, tagged.ctx = "x", ast.Load()
    tagged.extra = "left out"  # type: ignore[attr-defined]
    tree = ast.Module([ast.Expr(tagged)], [])
    copied = trees.copied(tree).body[0].value  # type: ignore[attr-defined]
    assert type(copied) is ast.Name
    assert copied.id == "x"
    assert not hasattr(copied, "extra")


def test_missing_fields_stay_missing() -> None:
    bare = ast.Name.__new__(ast.Name)
    copied = trees.copied(ast.Module([ast.Expr(bare)], [])).body[0].value  # type: ignore[attr-defined]
    assert "id" not in vars(copied)


def test_only_modules_are_trees_to_instrument() -> None:
    assert trees.is_tree(TREE)
    assert not trees.is_tree(ast.parse("x", mode="eval"))
    assert not trees.is_tree("x = 1")
