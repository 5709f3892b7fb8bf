"""What all tests share."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

# Slow machines and sanitized builds are no reason to fail.
settings.register_profile("wrongcall", deadline=None)
settings.load_profile("wrongcall")

GAPS = Path(__file__).parent / "known_gaps.txt"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What the recorder is known to get wrong, one by one, each with its reason.

    A test that is listed may fail; the list is to be emptied. See docs/architecture.md.
    """
    rows = (line.split("\t") for line in GAPS.read_text().splitlines() if "\t" in line)
    reasons = {nodeid: reason for nodeid, reason in rows}
    for item in items:
        reason = reasons.get(item.nodeid.encode("unicode_escape").decode("ascii"))
        reason = reason or reasons.get(item.nodeid)
        if reason is not None:
            item.add_marker(pytest.mark.xfail(reason=reason, strict=False))
