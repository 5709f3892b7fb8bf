"""What a search starts with, in words."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.session.failing import failure, opened, recorded
from wrongcall.present.failures import failure_entry, failure_lines
from wrongcall.present.findings import finding_view
from wrongcall.present.lines import text_of
from wrongcall.present.reports import as_markdown, report_of
from wrongcall.recording import Recording
from wrongcall.session import Finding
from wrongcall.session.failures import failures_of
from wrongcall.session.search import How, Search, Start
from wrongcall.session.starts import start_at

SUITE = {
    "test_it.py": """
        import numpy as np

        def test_one(): assert 1 == 2
        def test_library(): np.zeros(-1)
    """
}


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return recorded(tmp_path_factory.mktemp("suite"), SUITE)


def _text(recording: Recording, start: Start) -> list[str]:
    return [text_of(line) for line in failure_lines(recording, start, 100)]


def test_a_failed_test_is_named_with_what_its_runner_says(suite: Path) -> None:
    with opened(suite) as recording:
        start = start_at(recording, failure(recording, "test_one"))
        assert _text(recording, start) == [
            "test_it.py::test_one failed: assert 1 == 2",
            "Tests, fixtures and their helpers are trusted (--ask-tests asks about them too).",
        ]


def test_a_package_that_is_not_recorded_is_named(suite: Path) -> None:
    with opened(suite) as recording:
        start = start_at(recording, failure(recording, "test_library"))
        assert "raised in numpy, which is not recorded; record it too: --include numpy" in _text(
            recording, start
        )


def test_several_failures_are_listed(suite: Path) -> None:
    with opened(suite) as recording:
        lines = [
            [text_of(line) for line in failure_entry(recording, n, each, 80)]
            for n, each in enumerate(failures_of(recording), 1)
        ]
        assert lines[0] == ["   1 test_it.py::test_one  assert 1 == 2"]


def test_long_names_of_failures_keep_their_ends(suite: Path) -> None:
    with opened(suite) as recording:
        first = failures_of(recording)[0]
        test = "tests/test_time_and_money.py::test_precise_sums_of_everything[val36-1 hour]"
        long = replace(first, test=test, message="AssertionError: " + 50 * "x")
        lines = [text_of(line) for line in failure_entry(recording, 16, long, 60)]
        assert lines[0].startswith("  16 …")
        assert lines[0].endswith("sums_of_everything[val36-1 hour]")
        assert lines[1] == "     " + 50 * "x"
        assert all(len(line) <= 60 for line in lines)


def test_a_failure_without_any_recorded_call_says_so(suite: Path) -> None:
    with opened(suite) as recording:
        lost = replace(failures_of(recording)[0], call=0, message="fixture 'x' not found")
        (line,) = failure_entry(recording, 3, lost, 100)
        assert text_of(line).endswith("fixture 'x' not found (nothing of it was recorded)")


def test_a_crash_is_named_with_its_place(tmp_path: Path) -> None:
    program = "def f(x):\n    return 1 / x\n\nf(0)\n"
    with opened(recorded(tmp_path, {"prog.py": program}, "prog.py")) as recording:
        (crashed,) = failures_of(recording)
        assert _text(recording, start_at(recording, crashed)) == [
            "The program ended with ZeroDivisionError('division by zero'), raised at prog.py:2"
        ]


def test_the_report_names_the_test(suite: Path, tmp_path: Path) -> None:
    with opened(suite) as recording:
        failed = failure(recording, "test_one")
        with Search(recording, How(name="reported", fresh=True)) as search:
            search.begin(start_at(recording, failed))
            found = search.step()
            assert isinstance(found, Finding)
            view = finding_view(recording, search.session, found)
            report = report_of(recording, search.session, view)
        assert report.test == "test_it.py::test_one failed: assert 1 == 2"
        assert "## The test\n\ntest\\_it.py::test\\_one failed: assert 1 == 2" in as_markdown(
            report
        )


def test_a_search_of_the_whole_run_says_nothing(suite: Path) -> None:
    with opened(suite) as recording:
        assert _text(recording, Start()) == []
