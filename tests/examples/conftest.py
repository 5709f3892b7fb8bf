"""The oracle's tests record small programs, as the recorder's tests do."""

from __future__ import annotations

from tests.recorder.conftest import Record, Recorded, record

__all__ = ["Record", "Recorded", "record"]
