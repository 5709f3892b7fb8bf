"""Paths: how places are written down."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from wrongcall.languages.paths import Key, PathStep
from wrongcall.recording import Attr, Clipped, Entry, Item, Member, Path, Ref


def test_a_path_is_written_as_source_would_have_it() -> None:
    steps: tuple[PathStep, ...] = (Attr("left"), Item(2), Entry("a\n"), Entry(Ref(7)), Member(3))
    assert str(Path("x", steps)) == "x.left[2]['a\\n'][#7]{3}"


def test_a_key_is_written_as_it_was_typed() -> None:
    pair = Key(parts=(Key(1), Key(name="i")))
    assert str(Path("x", (pair,))) == "x[1, i]"
    assert str(Path("x", (Key(parts=(Key(1),)),))) == "x[(1,)]"
    assert str(Path("x", (Key(parts=(pair, Key(2))),))) == "x[(1, i), 2]"
    assert str(Path("x", (Key(text="f(y)"),))) == "x[f(y)]"


def test_a_path_goes_on_without_changing() -> None:
    path = Path("x", (Item(0),))
    assert path.to(Attr("y")) == Path("x", (Item(0), Attr("y")))
    assert path == Path("x", (Item(0),))


def test_a_long_key_is_shortened_after_its_beginning() -> None:
    assert str(Path("d", (Entry("a" * 41),))) == f"d['{'a' * 40}'...]"
    assert str(Path("d", (Entry("a" * 40),))) == f"d['{'a' * 40}']"


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
def test_the_text_of_a_path_is_printable(root: str, found: list[PathStep]) -> None:
    assert str(Path(root, tuple(found))).isprintable()


@given(st.integers(min_value=2**4000, max_value=2**40000))
def test_huge_keys_are_shortened(key: int) -> None:
    assert len(str(Path("d", (Entry(key),)))) < 60
