"""Tests of an opened trace: programs that were recorded, and a small run made by hand."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.recorder.conftest import Record, Recorded, record
from tests.recording.small_run import SmallRun

__all__ = ["Record", "Recorded", "record", "small_run"]


@pytest.fixture(scope="module")
def small_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallRun]:
    """The run; nothing is written to it."""
    made = SmallRun(tmp_path_factory.mktemp("small"))
    yield made
    made.recording.close()
