"""Searches that go through processes which the program started: a pool, and workers of pytest-xdist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.ask.talking import piped
from tests.recorder.bothways import write_files

pytestmark = pytest.mark.once

POOL = """
    from multiprocessing import get_context

    def tax(amount):
        if amount > 100:
            return amount // 5
        return amount // 10

    def bill(amount):
        return amount + tax(amount)

    def total(amounts):
        with get_context("fork").Pool(1) as pool:
            bills = pool.map(bill, amounts)
        return sum(bills)

    if __name__ == "__main__":
        print(total([50, 100, 200]))
"""
"""A hundred is taxed by a fifth, not by a tenth."""

SHOP = """
    def discount(total):
        if total > 100:
            return total // 10
        return 0

    def price(items):
        total = sum(items)
        return total - discount(total)
"""

TESTS = """
    from shop import price

    def test_small():
        assert price([10, 20]) == 30

    def test_large():
        assert price([60, 40]) == 90
"""


def searched(folder: Path, *wrong: str) -> str:
    """Answer question after question, each in a session of its own; these calls are wrong. Return the finding."""
    answer: list[str] = []
    for _ in range(20):
        done = piped(folder, "debug", "t.wrongcall", lines=answer, env={"COLUMNS": "80"})
        last = re.split(r"\nQuestion \d+ ", done.stdout)[-1]
        if "The bug is in" in last:
            return re.sub(r"pid \d+", "pid PID", last[last.index("The bug is in") :])
        answer = ["n" if any(call in last for call in wrong) else "y"]
    raise AssertionError(done.stdout)


def test_a_bug_in_a_function_that_a_pool_runs(tmp_path: Path) -> None:
    write_files(tmp_path, POOL)
    run = piped(tmp_path, "record", "-o", "t.wrongcall", "prog.py")
    assert run.status == 0, run.stderr
    finding = searched(
        tmp_path, "tax(amount=100)\n", "bill(amount=100) -> 110", "bill(amount=100)\n", "  total("
    )
    assert finding.startswith("The bug is in tax  prog.py:4")
    assert "  tax(amount=100)\n  returned  10\n" in finding
    assert "called    by bill(amount=100) at line 10, in process 2 (pid PID)" in finding


def test_a_bug_in_a_test_that_a_worker_of_xdist_runs(tmp_path: Path) -> None:
    write_files(tmp_path, {"shop.py": SHOP, "test_shop.py": TESTS, "pytest.ini": "[pytest]\n"})
    options = ("-n", "2", "-q", "-p", "no:cacheprovider", "-p", "no:asyncio")
    run = piped(tmp_path, "record", "-o", "t.wrongcall", "-m", "pytest", *options, timeout=240)
    assert run.status == 1, run.stdout
    finding = searched(tmp_path, "discount(total=100)\n", "price(items=[60, 40])\n")
    assert finding.startswith("The bug is in discount  shop.py:2")
    assert re.search(
        r"called    by price\(items=\[60, 40\]\) .*in process [23] \(pid PID\)", finding
    )
