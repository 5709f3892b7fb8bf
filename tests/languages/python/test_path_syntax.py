"""Paths and keys as a person types them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wrongcall.errors import UsageError
from wrongcall.languages.paths import Key, PathStep
from wrongcall.languages.python.path_syntax import literal, normal, parse_path
from wrongcall.recording import Attr, Path

PLACES = {
    "c": Path("c"),
    "c[2]": Path("c", (Key(2),)),
    " c [ -1 ] ": Path("c", (Key(-1),)),
    "self.root.left": Path("self", (Attr("root"), Attr("left"))),
    'config["x"]': Path("config", (Key("x"),)),
    "a[i].b[None]": Path("a", (Key(name="i"), Attr("b"), Key(None))),
    "d[b'x'][2.5]": Path("d", (Key(b"x"), Key(2.5))),
    "return": Path("return"),
    "return[0].x": Path("return", (Key(0), Attr("x"))),
    "returned[0]": Path("returned", (Key(0),)),
}


@pytest.mark.parametrize("text", PLACES)
def test_a_place_is_a_variable_and_the_way_from_it(text: str) -> None:
    assert parse_path(text) == PLACES[text]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "c +",
        "c + 1",
        "f()",
        "f().x",
        "c[1:2]",
        "c[[]]",
        "c[lambda: 1]",
        "3",
        "return 3",
        "(" * 500,
        "x\0",
    ],
)
def test_anything_else_is_refused_with_examples(text: str) -> None:
    with pytest.raises(UsageError, match=r"is not a place: .* as in c\[2\]"):
        parse_path(text)


def test_a_tuple_is_a_key_of_parts_and_other_source_is_kept_as_text() -> None:
    (pair,) = parse_path("grid[1, i]").steps
    assert isinstance(pair, Key)
    assert pair.parts == (Key(1), Key(name="i"))
    assert parse_path("d[ f( x ) ]").steps == (Key(text="f(x)"),)
    assert parse_path("d[self . x]").steps == (Key(text="self.x"),)


_names = st.sampled_from(["a", "self", "x1"])
_written = st.one_of(
    st.builds(Attr, _names),
    st.builds(Key, st.one_of(st.integers(-99, 99), st.text(max_size=9), st.none(), st.booleans())),
    st.builds(lambda name: Key(name=name), _names),
)


@given(_names, st.lists(_written, max_size=4))
def test_a_path_that_was_written_down_is_read_back(root: str, steps: list[PathStep]) -> None:
    path = Path(root, tuple(steps))
    assert parse_path(str(path)) == path


@given(st.sampled_from(["a+b", "a [ 'x' ]", 'f("y",z)', "(1,2)", "not  a"]))
def test_normal_source_does_not_depend_on_blanks_and_quotes(text: str) -> None:
    other = text.replace("'", '"').replace(",", " , ")
    assert normal(text) == normal(other) != ""
    assert eval(normal("(1,2)")) == (1, 2)


def test_invalid_expressions_have_no_normal_form() -> None:
    assert normal("a +") == normal("x = 1") == normal("\0") == ""


@pytest.mark.parametrize("value", [1, -2.5, "a'b", b"c", (1, "x"), [2], {"k": None}, True])
def test_a_literal_is_read_as_its_value(value: object) -> None:
    assert literal(repr(value)) == value


@pytest.mark.parametrize("text", ["a", "f(1)", "1 +", "(" * 500, ""])
def test_other_text_is_no_literal(text: str) -> None:
    assert literal(text) is None
