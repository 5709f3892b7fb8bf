"""A `with` statement closes, however it is left."""

from __future__ import annotations

import pytest

from wrongcall.closing import Closing


class Door(Closing):
    closed = 0

    def close(self) -> None:
        self.closed += 1


def test_leaving_closes_once() -> None:
    with Door() as door:
        assert door.closed == 0
    assert door.closed == 1


def test_an_error_closes_and_goes_on() -> None:
    door = Door()
    with pytest.raises(ValueError, match="stuck"), door:
        raise ValueError("stuck")
    assert door.closed == 1
