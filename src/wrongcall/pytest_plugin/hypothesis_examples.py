"""Property tests: record only the minimal failing example of Hypothesis.

Hypothesis keeps the failing example in its database. A recorded run replays it from there instead of searching and
shrinking again: the trace would otherwise hold hundreds of other runs of the test. Without a database on disk, the
search is repeated, and the minimal example is the last one that ran.
"""

from __future__ import annotations

import sys
from typing import Any

import pytest

_SETTINGS = "_hypothesis_internal_use_settings"
"""Where Hypothesis keeps the settings of a test."""


def replay_only(item: pytest.Item) -> None:
    """Make a property test replay the failing example that Hypothesis has kept, if it has."""
    hypothesis: Any = sys.modules.get("hypothesis")
    function = getattr(item, "function", None)
    current = getattr(function, _SETTINGS, None)
    if hypothesis is None or function is None or current is None:
        return
    chosen: dict[str, Any] = {"report_multiple_bugs": False}
    if _is_on_disk(current.database):
        phase = hypothesis.Phase
        chosen["phases"] = (phase.explicit, phase.reuse)
    # A recorded test takes several times as long: no time limit applies.
    setattr(function, _SETTINGS, hypothesis.settings(current, deadline=None, **chosen))


def _is_on_disk(database: object) -> bool:
    return type(database).__name__ in ("DirectoryBasedExampleDatabase", "MultiplexedDatabase")
