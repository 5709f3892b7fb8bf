from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from wrongcall.trace.read.growing_column import Growing


@given(st.lists(st.lists(st.integers(0, 99), min_size=1, max_size=900), max_size=8))
def test_appended_rows_can_be_read(chunks: list[list[int]]) -> None:
    growing = Growing({"number": "<i8", "flag": "u1"})
    expected: list[int] = []
    for chunk in chunks:
        growing.append(number=np.array(chunk), flag=1)
        expected += chunk
        assert len(growing) == len(expected)
        assert growing.columns()["number"].tolist() == expected
        assert growing.columns()["flag"].tolist() == [1] * len(expected)


def test_views_stay_as_they_were() -> None:
    growing = Growing({"number": "<i8"})
    growing.append(number=np.arange(10))
    view = growing.columns()["number"]
    growing.truncate(5)
    growing.append(number=np.arange(5, 5000))
    assert view.tolist() == list(range(10))
    assert growing.columns()["number"].tolist() == list(range(5000))


def test_a_copy_grows_independently() -> None:
    growing = Growing({"number": "<i8"})
    growing.append(number=np.arange(3))
    other = growing.copy()
    other.columns()["number"][:] = 7
    other.append(number=np.arange(2))
    assert growing.columns()["number"].tolist() == [0, 1, 2]
    assert other.columns()["number"].tolist() == [7, 7, 7, 0, 1]
    assert len(Growing({"number": "<i8"}).copy()) == 0
