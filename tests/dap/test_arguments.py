"""The arguments of requests."""

from __future__ import annotations

import pytest

from wrongcall.dap.arguments import Arguments
from wrongcall.errors import UsageError

FIELDS = {"t": "x", "n": 3, "f": True, "l": ["a"], "o": {"t": "y"}, "e": [{"n": 1}], "none": None}


def test_fields_are_read_by_their_type() -> None:
    found = Arguments(FIELDS, "try")
    assert (found.text("t"), found.number("n"), found.flag("f")) == ("x", 3, True)
    assert (found.texts("l"), found.inner("o").text("t")) == (["a"], "y")
    assert [one.number("n") for one in found.each("e")] == [1]


def test_defaults_stand_for_what_is_not_there() -> None:
    found = Arguments(None, "try")
    assert (found.text("t", ""), found.number("n", 0), found.flag("f")) == ("", 0, False)
    assert (found.texts("l"), found.each("e"), found.items("o")) == ([], [], {})
    assert not Arguments(FIELDS, "try").has("none")


@pytest.mark.parametrize(
    "read, message",
    [
        (lambda a: a.text("n"), "try: 'n' is not text: 3"),
        (lambda a: a.number("f"), "try: 'f' is not a whole number: True"),
        (lambda a: a.text("missing"), "try: 'missing' is missing"),
        (lambda a: a.texts("e"), "try: 'e' is not a list of texts"),
        (lambda a: a.each("l"), "try: l: the arguments are not an object"),
    ],
)
def test_anything_else_is_an_error_that_names_the_field(read: object, message: str) -> None:
    with pytest.raises(UsageError) as error:
        read(Arguments(FIELDS, "try"))  # type: ignore[operator]
    assert str(error.value) == message
    with pytest.raises(UsageError, match="the arguments are not an object"):
        Arguments([1], "try")
