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
    reasons: dict[str, str] = {}
    for line in GAPS.read_text().splitlines():
        nodeid, _, reason = line.partition("\t")
        reasons[nodeid] = reason
    for item in items:
        escaped = item.nodeid.encode("unicode_escape").decode("ascii")
        known = reasons.get(escaped) or reasons.get(item.nodeid)
        if known is not None:
            item.add_marker(pytest.mark.xfail(reason=known, strict=False))
