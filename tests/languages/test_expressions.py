"""Views of expressions: what they have besides their fields."""

from __future__ import annotations

import dataclasses

import pytest

from wrongcall.languages import expressions
from wrongcall.languages.expressions import Element, Part, View


def test_an_element_names_its_parts_with_blanks_where_there_is_no_variable() -> None:
    parts = (Part("node", "a"), None, Part("node", "b"))
    assert Element("container", parts=parts).names == ["a", "", "b"]
    assert Element("container").names == []


@pytest.mark.parametrize("kind", View.__args__)
def test_views_are_compared_by_what_they_show_and_never_change(kind: type) -> None:
    fields = dataclasses.fields(kind)
    one, same = (kind(*(field.name for field in fields)) for _ in range(2))
    assert one == same
    assert hash(one) == hash(same)
    for field in fields:
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(one, field.name, "other")


def test_every_view_class_of_the_module_is_a_view() -> None:
    """A class that `View` lacks would be a case that no analysis is checked for."""
    classes = {k for k in vars(expressions).values() if dataclasses.is_dataclass(k)}
    local = {k for k in classes if getattr(k, "__module__", "") == expressions.__name__}
    helpers = {
        expressions.Loop,
        expressions.Part,
        expressions.Element,
        expressions.Written,
        expressions.Spread,
        expressions.Receiver,
        expressions.Default,
        expressions.Unpacked,
        expressions.Clause,
        expressions.Comprehension,
        expressions.Decision,
        expressions.Skipping,
    }
    assert local - helpers == set(View.__args__)
