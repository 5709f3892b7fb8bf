"""Stops and the lines of a call as columns."""

from __future__ import annotations

import numpy as np

from wrongcall.analysis.walking.stops import CallLines, Stop

LINES = CallLines(7, np.array([3, 5, 5, 9]), np.array([2, 4, 4, 8]), np.array([10, 11, 12, 11]))


def test_lines_are_found_by_time() -> None:
    assert [LINES.first_from(time) for time in (0, 3, 4, 5, 10)] == [0, 0, 1, 1, 4]
    assert [LINES.last_until(time) for time in (0, 3, 4, 5, 10)] == [-1, 0, 0, 2, 3]
    assert LINES.stop(2) == Stop(7, 2, 12, 5, 4)


def test_a_stop_after_an_event_is_after_the_lines_that_have_begun() -> None:
    after = LINES.after(5)
    assert after == Stop(7, 2, 12, 5, 5, is_line=False)
    assert LINES.after(5, 99).line == 99
    assert LINES.after(1).index == -1
    assert LINES.stop(2).order < after.order < LINES.stop(3).order
