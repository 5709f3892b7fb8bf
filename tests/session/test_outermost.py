"""The outermost calls of a run."""

from __future__ import annotations

from pathlib import Path

from tests.session.failing import names, opened, recorded
from tests.session.truth import advanced
from wrongcall.recording import Passed
from wrongcall.session import Finding, Question
from wrongcall.session.failures import failures_of
from wrongcall.session.outermost import outermost
from wrongcall.session.search import Search
from wrongcall.session.starts import start_at

FILES = {
    "prog.py": """
        import unittest
        from numbers_ import doubled

        class Case(unittest.TestCase):
            def setUp(self):
                self.n = doubled(3)

            def test_it(self):
                self.assertEqual(self.n, 6)

        def helper(): return doubled(1)

        helper()
        unittest.main()
    """,
    "numbers_.py": "def doubled(n): return one(n) + n\ndef one(n): return n + (n == 3)\n",
}


def test_what_the_main_module_called_is_outermost(tmp_path: Path) -> None:
    with opened(recorded(tmp_path, FILES, "prog.py")) as recording:
        found = names(recording, recording.calls.columns().id[outermost(recording)].tolist())
        assert {"helper", "Case.setUp", "Case.test_it"} <= set(found)
        assert "doubled" not in found


def test_a_script_that_runs_its_own_tests_is_searched_from_the_test(tmp_path: Path) -> None:
    with opened(recorded(tmp_path, FILES, "prog.py")) as recording:
        (failed,) = failures_of(recording)
        with Search(recording) as search:
            search.begin(start_at(recording, failed))
            for _ in range(20):
                step = search.led() or advanced(search)
                if not isinstance(step, Question):
                    break
                wrong = [c for c in step.calls if _is_wrong(recording.call(c).args)]
                search.session.judge((step.calls[0], step.calls[-1]), "wrong" if wrong else "right")
            assert isinstance(step, Finding)
            assert names(recording, step.calls) == ["one"]


def _is_wrong(args: list[Passed]) -> bool:
    values = [passed.value for passed in args]
    return 3 in values or any(not isinstance(value, int) for value in values)
