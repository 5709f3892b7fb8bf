"""Texts side by side: both can be read off the rows, and what is not marked is on both sides."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from wrongcall.present.text_diff import Span, line_pairs, opcodes, word_spans

TEXTS = st.lists(st.sampled_from(["a", "the cat", "b b", "", "x = 1", "x = 2"]), max_size=8).map(
    "\n".join
)


def joined(spans: tuple[Span, ...]) -> str:
    return "".join(text for text, _ in spans)


@given(TEXTS, TEXTS)
def test_both_texts_can_be_read_off_the_rows(old: str, new: str) -> None:
    pairs = list(line_pairs(old, new))
    assert "\n".join(joined(p.old) for p in pairs if p.old_number) == old
    assert "\n".join(joined(p.new) for p in pairs if p.new_number) == new
    assert all(joined(p.old) == joined(p.new) for p in pairs if p.is_same)
    assert (old == new) == all(p.is_same for p in pairs)


@given(st.text("ab c.", max_size=30), st.text("ab c.", max_size=30))
def test_words_that_are_not_marked_are_on_both_sides_in_order(old: str, new: str) -> None:
    one, other = word_spans(old, new)
    assert (joined(one), joined(other)) == (old, new)
    kept = ["".join(text for text, marked in side if not marked) for side in (one, other)]
    assert kept[0] == kept[1]


def test_only_the_words_that_differ_are_marked() -> None:
    one, other = word_spans("the red fox", "the blue fox")
    assert one == (("the ", False), ("red", True), (" fox", False))
    assert other == (("the ", False), ("blue", True), (" fox", False))


@given(st.lists(st.integers(0, 3)), st.lists(st.integers(0, 3)))
def test_opcodes_cover_both_sequences_in_order(old: list[int], new: list[int]) -> None:
    at = [0, 0]
    for tag, a, b, c, d in opcodes(old, new):
        assert [a, c] == at
        assert tag != "equal" or old[a:b] == new[c:d]
        at = [b, d]
    assert at == [len(old), len(new)]


def test_control_characters_are_escaped() -> None:
    (pair,) = line_pairs("a\x1b[1m", "a\x1b[1m")
    assert pair.old == (("a\\x1b[1m", False),)
