"""View models as plain data for JSON."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wrongcall.present.models import as_json


class Color(Enum):
    RED = "red"


@dataclass(frozen=True)
class Inner:
    n: int
    color: Color = Color.RED


@dataclass(frozen=True)
class Outer:
    inner: Inner | None
    parts: tuple[Inner, ...] = ()
    by_name: dict[Any, Any] = field(default_factory=dict)


def test_fields_enums_tuples_and_keys_become_plain() -> None:
    model = Outer(Inner(1), (Inner(2), Inner(3)), {1: Inner(4), Color.RED: None})
    assert as_json(model) == {
        "inner": {"n": 1, "color": "red"},
        "parts": [{"n": 2, "color": "red"}, {"n": 3, "color": "red"}],
        "by_name": {"1": {"n": 4, "color": "red"}, "Color.RED": None},
    }


def test_what_is_empty_is_not_left_out() -> None:
    assert as_json(Outer(None)) == {"inner": None, "parts": [], "by_name": {}}


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=())),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(plain)
def test_plain_data_stays_as_it_is(value: Any) -> None:
    assert as_json(value) == value
    assert json.loads(json.dumps(as_json(value))) == value


@pytest.mark.parametrize("value", [Inner, {Inner(1)}])
def test_classes_and_sets_are_not_view_models(value: Any) -> None:
    with pytest.raises(TypeError):
        json.dumps(as_json(value))
