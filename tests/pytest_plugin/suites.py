"""Small suites of tests, run by pytest in a process of its own with no plugin but the named ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import wrongcall.recording
from wrongcall.recording import Recording

SHOP = """
    class Basket:
        def __init__(self):
            self.lines = []

        def add(self, price, count):
            self.lines.append((price, count))

        def total(self):
            return sum(line_total(*line) for line in self.lines)


    def line_total(price, count):
        return price * count - discount(price, count)


    def discount(price, count):
        return price if count > 10 else 0
"""
PLUGIN = "wrongcall.pytest_plugin"


def run(pytester: pytest.Pytester, *args: str, plugins: tuple[str, ...] = ()) -> pytest.RunResult:
    """Run pytest with the plugin and these others, and no more that happen to be installed."""
    chosen = [word for name in (PLUGIN, *plugins) for word in ("-p", name)]
    return pytester.runpytest_subprocess(*chosen, *args)


def traces(pytester: pytest.Pytester) -> list[str]:
    """Return the traces that there are, as seen from the folder that holds them."""
    folder = pytester.path / ".wrongcall"
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*.wrongcall"))


def opened(pytester: pytest.Pytester, trace: str) -> Recording:
    """Open one of them."""
    return wrongcall.recording.open(pytester.path / ".wrongcall" / trace)


def failures(path: Path) -> list[dict[str, Any]]:
    """Return what a trace says about failed tests."""
    with wrongcall.recording.open(path) as recording:
        return [value for key, value in recording.meta.items() if key.startswith("failed test ")]
