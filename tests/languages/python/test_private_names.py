"""Private names and the attributes they mean."""

from __future__ import annotations

import pytest

from wrongcall.languages.python.private_names import is_named


class Outer:
    class _Under__lines:
        def __init__(self) -> None:
            self.__x = 1
            self.__x_ = 2


MANGLED = list(vars(Outer._Under__lines()))


@pytest.mark.parametrize(
    "attribute, written, expected",
    [
        ("count", "count", True),
        ("_count", "count", False),
        # As the interpreter makes them.
        (MANGLED[0], "__x", True),
        (MANGLED[1], "__x_", True),
        (MANGLED[0], "__y", False),
        ("_C__x__", "__x__", False),
        ("__x", "__x", True),
        ("C__x", "__x", False),
    ],
)
def test_a_private_name_means_the_attribute_with_the_name_of_the_class(
    attribute: str, written: str, expected: bool
) -> None:
    assert is_named(attribute, {written}) is expected
