"""Time of n calls of a library's method on an object that leads to a whole framework.

A test case leads to everything that pytest knows. Checking what each `self.assertEqual` may have changed must not cost
as much as can be reached. Prints `asserts N SECONDS`. Scale: N.
"""

import sys
import time
import unittest

import pytest

COUNT = 20_000


class Asserts(unittest.TestCase):
    count = COUNT

    def test_equal(self) -> None:
        start = time.process_time()
        for i in range(self.count):
            self.assertEqual(i, i)
        print(f"\nasserts {self.count} {time.process_time() - start:.6f}")


class Only:
    """Passes the scale on: pytest imports this file once more."""

    def __init__(self, count: int) -> None:
        self.count = count

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        for item in items:
            item.cls.count = self.count


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else COUNT
    options = ["-q", "-s", "-p", "no:cacheprovider", "-c", "/dev/null"]
    raise SystemExit(pytest.main([__file__, *options], plugins=[Only(count)]))


if __name__ == "__main__":
    main()
