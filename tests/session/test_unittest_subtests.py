"""Failed subtests of unittest, from its report."""

from __future__ import annotations

from pathlib import Path

from tests.session.failing import names, opened, recorded
from wrongcall.session.failures import failures_of
from wrongcall.session.starts import start_at

FILES = {
    "numbers_.py": "def doubled(n):\n    return n + n + (n == 3)\n",
    "test_it.py": """
        import unittest
        from numbers_ import doubled

        class Case(unittest.TestCase):
            def test_several(self):
                for n in (1, 2, 3, 4):
                    with self.subTest(n=n):
                        self.assertEqual(doubled(n), 2 * n)

            def test_named(self):
                "With a docstring."
                with self.subTest("third"):
                    self.assertEqual(doubled(3), 6)

            def test_right(self):
                with self.subTest(n=1):
                    self.assertEqual(doubled(1), 2)
    """,
}


def test_the_report_tells_which_subtests_failed(tmp_path: Path) -> None:
    with opened(recorded(tmp_path, FILES, "-m", "unittest")) as recording:
        found = failures_of(recording)
        assert [(f.test, f.message) for f in found] == [
            ("test_it.Case.test_named [third]", "AssertionError: 7 != 6"),
            ("test_it.Case.test_several (n=3)", "AssertionError: 7 != 6"),
        ]
        assert names(recording, [f.call for f in found]) == ["Case.test_named", "Case.test_several"]
        # The first question is about the call that the subtest checked, not a later one.
        (first,) = start_at(recording, found[1]).first
        assert [passed.value for passed in recording.call(first).args] == [3]
