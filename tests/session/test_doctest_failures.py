"""Failed doctests: which examples, and which calls they made."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.session.failing import names, opened, recorded
from wrongcall.session.doctest_failures import failed_examples
from wrongcall.session.failures import failures_of
from wrongcall.session.starts import BY_TIME, start_at

TEMPS = '''
    """
    >>> mean([1, 2, 3])
    2.0
    >>> total([1]) + 1
    3
    """

    def mean(values):
        """
        >>> mean([2, 4])
        3.0
        >>> mean([])
        Traceback (most recent call last):
            ...
        ValueError
        >>> mean(
        ...     [1, 1, 1, 1])
        1.0
        """
        if not values:
            raise ValueError
        return total(values) / 2

    def total(values):
        """
        >>> total([1])
        1
        >>> total(None)
        0
        """
        return sum(values)
'''


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("doctest")
    return recorded(folder, {"temps.py": TEMPS}, "-m", "doctest", "temps.py")


def test_the_report_names_the_examples(trace: Path) -> None:
    with opened(trace) as recording:
        found = [(each.name, each.source, each.message[:60]) for each in failed_examples(recording)]
        assert found == [
            ("temps, line 3", "mean([1, 2, 3])", "expected 2.0 got 3.0"),
            ("temps, line 5", "total([1]) + 1", "expected 3 got 2"),
            ("temps.mean, line 17", "mean(\n    [1, 1, 1, 1])", "expected 1.0 got 2.0"),
            ("temps.total, line 29", "total(None)", found[3][2]),
        ]
        assert found[3][2].startswith("Exception raised: Traceback")


def test_an_example_that_is_a_call_names_the_wrong_call(trace: Path) -> None:
    with opened(trace) as recording:
        first, computed, several, raised = failures_of(recording)
        calls = [each.call for each in (first, several, raised)]
        assert names(recording, calls) == ["mean", "mean", "total"]
        length = [len(recording.states.state(a.value.oid).items)  # type: ignore[union-attr]
                  for call in calls[:2] for a in recording.call(call).args]  # fmt: skip
        assert length == [3, 4]
        # What an example computes from a call may be wrong without the call being so.
        assert computed.call == 0
        start = start_at(recording, computed)
        assert not start.wrong
        assert start.note == BY_TIME
        assert names(recording, start.first)[:1] == ["total"]
