"""Tests of screens record small programs, too."""

from __future__ import annotations

from tests.recorder.conftest import Record, Recorded, record

__all__ = ["Record", "Recorded", "record"]
