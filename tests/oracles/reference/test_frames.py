"""Frames of pandas are made again and compared."""

from __future__ import annotations

from tests.oracles.reference.conftest import Judge, all_right
from wrongcall.session import Verdict


def test_frames_are_made_again_and_compared_by_their_cells(judge: Judge) -> None:
    source = """
        import pandas as pd

        def double(frame):
            return frame.assign(b=frame["a"] * 2)

        if __name__ == "__main__":
            double(pd.DataFrame({"a": [1, 2]}))
        """
    assert all_right(judge(source))
    assert judge(source, '"a"] * 2', '"a"] * 3')["double"] == [Verdict.WRONG]
