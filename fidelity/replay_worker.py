"""Random programs, recorded by the interpreter that runs this: ``replay_worker COUNT``.

The programs are those of tests/recorder/test_replay.py, in greater number and different in each run. Prints what was
compared and what differed as JSON.
"""

from __future__ import annotations

import json
import random
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from tests.recorder.heap_compare import run_witnessed
from tests.recorder.test_replay import program, statements


def main(count: int) -> None:
    """Compare ``count`` programs."""
    found: dict[str, Any] = {"programs": 0, "snapshots": 0, "differing": 0, "first": [], "seed": 0}
    found["seed"] = random.randrange(2**32)

    @seed(found["seed"])
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(
        st.lists(statements(), min_size=60, max_size=150),
        st.sets(st.integers(0, 150), max_size=12),
    )
    def compare(lines: list[str], marks: set[int]) -> None:
        folder = Path(tempfile.mkdtemp(prefix="fidelity-"))
        try:
            _compare(folder, lines, marks, found)
        finally:
            shutil.rmtree(folder)

    compare()
    print(json.dumps(found))


def _compare(folder: Path, lines: list[str], marks: set[int], found: dict[str, Any]) -> None:
    found["programs"] += 1
    with run_witnessed(folder, program(lines, marks)) as run:
        for label in run.snapshots:
            found["snapshots"] += 1
            differences = run.differences(label)
            if differences:  # otherwise the following ones would repeat it
                found["differing"] += 1
                found["first"].append(f"after {label}: {differences[0]}")
                return


if __name__ == "__main__":
    main(int(sys.argv[1]))
