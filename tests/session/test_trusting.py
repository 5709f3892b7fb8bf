"""Trust by name: modules with what is in them, functions."""

from __future__ import annotations

import pytest

from wrongcall.session.trusting import is_trusted


@pytest.mark.parametrize(
    "pattern, trusted",
    [
        ("shop", {"shop:add", "shop.dates:today", "shop.dates:Day.next"}),
        ("shop.dates", {"shop.dates:today", "shop.dates:Day.next"}),
        ("shop.*", {"shop:add", "shop.dates:today", "shop.dates:Day.next"}),
        ("Day.next", {"shop.dates:Day.next", "__main__:Day.next"}),
        ("shop.dates.Day.next", {"shop.dates:Day.next"}),
        ("Day.*", {"shop.dates:Day.next", "__main__:Day.next"}),
        ("add", {"shop:add"}),
        ("sho", set()),
    ],
)
def test_trust_patterns_match_functions_and_modules(pattern: str, trusted: set[str]) -> None:
    functions = {
        "shop:add",
        "shop.dates:today",
        "shop.dates:Day.next",
        "__main__:Day.next",
        "shopping:total",
    }
    patterns = ("nothing", pattern)
    assert {name for name in functions if is_trusted(patterns, *name.split(":"))} == trusted
