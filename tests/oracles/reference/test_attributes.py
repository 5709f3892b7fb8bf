"""Attributes are read and set without any code of the class."""

from __future__ import annotations

from typing import Any

from wrongcall.oracles.reference.attributes import attributes, set_attribute


class _Slotted:
    __slots__ = ("x", "y")


class _Mixed(_Slotted):
    def __setattr__(self, name: str, value: Any) -> None:
        raise AssertionError("code of the class ran")


def test_attributes_of_slots_and_dicts() -> None:
    made = _Mixed()
    set_attribute(made, "x", 1)
    set_attribute(made, "z", 2)
    assert attributes(made) == {"x": 1, "z": 2}


def test_the_arguments_of_an_exception() -> None:
    made = ValueError()
    set_attribute(made, "args", (1, 2))
    assert made.args == (1, 2)
