"""A program with data frames, and what tests look at: opened tables and changes."""

from __future__ import annotations

from tests.present.conftest import Recorded
from wrongcall.present import DiffLine, Viewer, effect_lines
from wrongcall.recording import Call

FRAMES = """
import numpy as np
import pandas as pd

def show(df): pass

def frame():
    return pd.DataFrame(
        {'name': ['ann', ' bob', None], 'qty': [1, 20, 3], 'price': [1.5, None, 2.0],
         'day': pd.to_datetime(['2024-01-02', '2024-01-03 10:00', None], format='mixed')},
        index=['x', 'y', 'z'],
    )
"""


def changes(run: Recorded, name: str) -> list[tuple[str, str, str, str]]:
    """What a call changed, as lines."""
    call = run.call(name).id
    lines = effect_lines(
        run.recording, run.recording.questions.effect(call, run.recording.questions.input(call)), 60
    )
    return [_plain(line) for line in lines]


def _plain(line: DiffLine) -> tuple[str, str, str, str]:
    return line.kind.value, line.place, line.old, line.new


def opened(run: Recorded, call: Call, width: int = 80) -> list[str]:
    """The first argument of a call, opened."""
    viewer = Viewer(run.recording, call.args[0].time, table_width=width)
    return [part.summary for part in viewer.tree(call.args[0].value, depth=1).parts]


def lines(run: Recorded, width: int = 78) -> list[str]:
    """The first arguments of all calls of ``show``, each on one line."""
    calls = run.calls("show")
    return [Viewer(run.recording, c.args[0].time).line(c.args[0].value, width) for c in calls]
