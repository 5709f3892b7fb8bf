from __future__ import annotations

import struct
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from wrongcall.errors import TraceError
from wrongcall.trace.format._packing import check_row as check_of
from wrongcall.trace.format._packing import sum_checks
from wrongcall.trace.format.checksums import Total, Totals, seal, sealed, unseal

PLACE = ("owner_pages", "packed", 1, 2)
OTHER_PLACES = (
    ("owner_pages", "packed", 2, 1),
    ("owner_pages", "packed", 1, 3),
    ("owner_pages", "packed", 12),
    ("checkpoint_chunks", "packed", 1, 2),
    ("owner_pages", "other", 1, 2),
)
ROWS = st.lists(st.tuples(st.integers(0, 50), st.text(max_size=5)), unique_by=lambda row: row[0])


@given(st.binary())
def test_sealed_data_is_read_back(data: bytes) -> None:
    assert unseal(seal(data, *PLACE), *PLACE) == data


@given(st.binary(), st.data())
def test_a_flipped_bit_breaks_the_seal(content: bytes, data: st.DataObject) -> None:
    stored = bytearray(seal(content, *PLACE))
    stored[data.draw(st.integers(0, len(stored) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    with pytest.raises(ValueError, match="a checksum is wrong"):
        unseal(bytes(stored), *PLACE)


@pytest.mark.parametrize("stored", [b"", b"\0", b"\0\0\0", b"abcd"])
def test_data_too_short_for_a_seal_is_refused(stored: bytes) -> None:
    with pytest.raises(ValueError, match="a checksum is wrong"):
        unseal(stored, *PLACE)


def test_the_check_of_a_row_leaves_out_blobs_which_have_their_own() -> None:
    assert check_of((7, "a", None, b"xyz")) == check_of((7, "a", None))
    assert sealed("owner_pages", (7, 2, b"xyz")) == (
        7,
        2,
        seal(b"xyz", "owner_pages", "packed", 7, 2),
    )


@given(st.binary(), st.sampled_from(OTHER_PLACES))
def test_a_seal_is_right_in_one_place_only(data: bytes, other: tuple[Any, ...]) -> None:
    with pytest.raises(ValueError, match="a checksum is wrong"):
        unseal(seal(data, *PLACE), *other)


@given(st.integers(0, 99), st.integers(0, 99), st.text(max_size=4), st.text(max_size=4))
def test_rows_that_swap_their_values_change_the_total(a: int, b: int, x: str, y: str) -> None:
    assume(a != b and x != y)
    right, wrong = Totals(), Totals()
    right.add("names", [(a, x), (b, y)])
    wrong.add("names", [(a, y), (b, x)])
    assert right.of("names") != wrong.of("names")


def test_values_cannot_move_from_one_column_to_the_next() -> None:
    assert check_of(("a\0", "b")) != check_of(("a", "\0b"))
    assert check_of((1, "2")) != check_of(("1", 2))


@given(ROWS)
def test_a_total_depends_neither_on_order_nor_on_portions(
    rows: list[tuple[int, str]],
) -> None:
    whole, parts = Totals(), Totals()
    whole.add("names", rows)
    for row in sorted(rows):
        parts.add("names", [row])
    assert whole.of("names") == parts.of("names")
    assert whole.of("names") == Total(len(rows), sum(map(check_of, rows)) % 2**63)


def test_a_repeated_row_replaces_the_earlier_one() -> None:
    totals = Totals()
    totals.add("segments", [(0, 5), (1, 3)])
    totals.add("segments", [(1, 4), (2, 1)])
    totals.add("blocks", [(1, 0, "[1]"), (1, 1, "[2]")])
    totals.add("meta", [("a", "1"), ("b", "2")])
    totals.add("meta", [("a", "3"), ("b", "2")])
    fresh = Totals()
    fresh.add("segments", [(0, 5), (1, 4), (2, 1)])
    assert totals.of("segments") == fresh.of("segments")
    assert totals.of("blocks").rows == 2
    assert totals.of("meta") == Total(2, (check_of(("a", "3")) + check_of(("b", "2"))) % 2**63)


def test_rolled_back_rows_do_not_count() -> None:
    totals = Totals()
    totals.add("segments", [(0, 5)])
    assert totals.changed() == [("segments", 1, check_of((0, 5)))]
    totals.keep()
    totals.add("segments", [(0, 6), (1, 1)])
    totals.add("names", [(1, "x")])
    totals.revert()
    assert (totals.of("segments"), totals.of("names")) == (Total(1, check_of((0, 5))), Total())
    assert totals.changed() == []
    totals.add("segments", [(0, 7)])
    assert totals.of("segments") == Total(1, check_of((0, 7)))


def test_a_table_that_is_not_as_it_was_written_is_named() -> None:
    totals = Totals()
    totals.add("names", [(1, "x")])
    totals.compare(["names", "types"], {"names": totals.of("names")})
    with pytest.raises(TraceError, match=r"the table names .* 1 rows .* not 0 with 0"):
        totals.compare(["names"], {})


def words_of(value: Any) -> list[int]:
    """Return a value as docs/reference/trace-format.md says; floats are only in damaged traces."""
    if value is None:
        return [1]
    if isinstance(value, int):
        return [2, value % 2**64]
    if isinstance(value, float):
        return [3, *struct.unpack("<Q", struct.pack("<d", value))]
    data = value.encode()
    parts = [data[at : at + 8] for at in range(0, len(data), 8)]
    return [4, len(data), *(int.from_bytes(part, "little") for part in parts)]


def slow_check_of(row: tuple[Any, ...]) -> int:
    found = 0x9E3779B97F4A7C15
    for value in row:
        for word in words_of(value):
            mixed = (found ^ word) * 0xD6E8FEB86659FD93 % 2**64
            found = mixed ^ mixed >> 32
    return found % 2**63


_CELLS = st.one_of(
    st.integers(-(2**63), 2**63 - 1),
    st.text(st.characters(exclude_categories=["Cs"])),
    st.none(),
    st.booleans(),
    st.floats(allow_nan=False),
)


@given(st.lists(_CELLS))
def test_the_check_of_a_row_is_as_documented(row: list[Any]) -> None:
    assert check_of(tuple(row)) == slow_check_of(tuple(row))


@given(st.lists(_CELLS, min_size=1), st.data())
def test_another_value_gives_another_check(row: list[Any], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(row) - 1))
    other = data.draw(_CELLS)
    assume(words_of(other) != words_of(row[at]))
    assert check_of((*row[:at], other, *row[at + 1 :])) != check_of(tuple(row))


@given(ROWS, st.integers(0, 60))
def test_many_rows_count_as_one_after_the_other(rows: list[tuple[int, str]], cut: int) -> None:
    rows = sorted(rows)
    again = [*rows[:cut], *rows[max(cut - 1, 0) :]]  # a row that is written again, once more
    at_once, one_by_one = Totals(), Totals()
    at_once.add("names", again)
    for row in again:
        one_by_one.add("names", [row])
    assert at_once.of("names") == one_by_one.of("names")
    assert at_once.of("names") == Total(len(rows), sum(map(slow_check_of, rows)) % 2**63)


@pytest.mark.parametrize("row", [(2**63,), ((),), (object(),), ("\ud800",)])
def test_values_that_no_trace_can_have_are_refused(row: tuple[Any, ...]) -> None:
    with pytest.raises((TypeError, OverflowError, UnicodeEncodeError)):
        check_of(row)


@pytest.mark.parametrize("arguments", [([(1,)], 2, (1, 2), 0), ([1], 1, None, 0), ([], 1, 5, 0)])
def test_rows_of_another_shape_are_refused(arguments: tuple[Any, ...]) -> None:
    with pytest.raises((TypeError, ValueError)):
        sum_checks(*arguments)
