"""Tests of the reading side record small programs, as the recorder's tests do, or make objects by hand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.present.objects import Objects
from tests.recorder.conftest import Record, Recorded, record

__all__ = ["Record", "Recorded", "record"]


@pytest.fixture
def objects(tmp_path: Path) -> Iterator[Objects]:
    """Objects made by hand."""
    made = Objects(tmp_path)
    yield made
    made.close()
