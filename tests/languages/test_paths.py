from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wrongcall.errors import UsageError
from wrongcall.languages.paths import Key, Step
from wrongcall.recording import Attr, Clipped, Entry, Item, Member, Path, Ref, parse_path

PLACES = {
    "c": Path("c"),
    "c[2]": Path("c", (Key(2),)),
    " c [ -1 ] ": Path("c", (Key(-1),)),
    "self.root.left": Path("self", (Attr("root"), Attr("left"))),
    'config["x"]': Path("config", (Key("x"),)),
    "a[i].b[None]": Path("a", (Key(name="i"), Attr("b"), Key(None))),
    "d[b'x'][2.5]": Path("d", (Key(b"x"), Key(2.5))),
}


@pytest.mark.parametrize("text", PLACES)
def test_a_place_is_a_variable_and_the_way_from_it(text: str) -> None:
    assert parse_path(text) == PLACES[text]


@pytest.mark.parametrize(
    "text",
    ["", "c +", "c + 1", "f()", "f().x", "c[1:2]", "c[[]]", "c[lambda: 1]", "3", "(" * 500, "x\0"],
)
def test_anything_else_is_refused_with_examples(text: str) -> None:
    with pytest.raises(UsageError, match=r"is not a place: .* as in c\[2\]"):
        parse_path(text)


def test_a_path_is_written_as_source_would_have_it() -> None:
    steps: tuple[Step, ...] = (Attr("left"), Item(2), Entry("a\n"), Entry(Ref(7)), Member(3))
    assert str(Path("x", steps)) == "x.left[2]['a\\n'][#7]{3}"


values = st.one_of(
    st.integers(),
    st.text(),
    st.binary(),
    st.floats(),
    st.none(),
    st.builds(Clipped, st.text(), st.integers(0), st.integers(0)),
)
steps = st.one_of(
    st.builds(Attr, st.text()),
    st.builds(Item, st.integers(0)),
    st.builds(Entry, values),
    st.builds(Member, values),
)


@given(st.text(), st.lists(steps, max_size=4))
def test_no_text_of_a_path_can_act_upon_a_terminal(root: str, found: list[Step]) -> None:
    assert str(Path(root, tuple(found))).isprintable()


@given(st.integers(min_value=2**4000, max_value=2**40000))
def test_huge_keys_are_shortened(key: int) -> None:
    assert len(str(Path("d", (Entry(key),)))) < 60
