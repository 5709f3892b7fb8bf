"""A pytest plugin that notes which functions each test runs: ``-p functions_run``.

It adds a line for each test to the file in the environment variable FUNCTIONS_FILE: its id, how it ended, the seconds
it took with its fixtures, and the functions below FUNCTIONS_ROOT that were called meanwhile.
"""

import json
import os
import sys
import time
from collections.abc import Generator
from pathlib import Path
from types import CodeType, FrameType

import pytest

_file = Path(os.environ["FUNCTIONS_FILE"])
_root = os.environ["FUNCTIONS_ROOT"]
_called: set[CodeType] = set()
_outcomes: dict[str, str] = {}


def _note(frame: FrameType, event: str, _: object) -> None:
    if event == "call":
        _called.add(frame.f_code)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Note what one test ran."""
    _called.clear()
    began = time.perf_counter()
    sys.setprofile(_note)
    try:
        return (yield)
    finally:
        sys.setprofile(None)
        seconds = time.perf_counter() - began
        ran = sorted(
            {
                f"{code.co_filename[len(_root) + 1 :]}:{code.co_qualname}"
                for code in _called
                if code.co_filename.startswith(f"{_root}/")
            }
        )
        outcome = _outcomes.get(item.nodeid, "passed")
        row = {"test": item.nodeid, "outcome": outcome, "seconds": seconds, "functions": ran}
        with _file.open("a") as file:
            file.write(json.dumps(row) + "\n")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note a phase of a test that did not pass."""
    if report.outcome != "passed":
        _outcomes[report.nodeid] = report.outcome
