from __future__ import annotations

import json
from hashlib import blake2b
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from wrongcall.errors import TraceError
from wrongcall.trace.format.checksums import Total, Totals, check_of, seal, sealed, unseal

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
    digest = blake2b(b'[7, "a", null]', digest_size=8).digest()
    assert check_of((7, "a", None, b"xyz")) == int.from_bytes(digest, "little") % 2**63
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


_CELLS = st.one_of(
    st.integers(-(2**63), 2**63 - 1),
    st.text(),
    st.none(),
    st.booleans(),
    st.floats(allow_nan=False),
)


@given(st.lists(_CELLS))
def test_the_check_of_a_row_is_that_of_its_json(row: list[Any]) -> None:
    digest = blake2b(json.dumps(row).encode(), digest_size=8).digest()
    assert check_of(tuple(row)) == int.from_bytes(digest, "little") % 2**63
