"""An exception in a recorded program looks as it does under plain python, to the last caret.

All cases run in one program, each as a module of its own whose exception is printed. Some of them
run again as programs that end with the exception.
"""

from __future__ import annotations

import re
import textwrap
from pathlib import Path
from typing import Any

import pytest

import wrongcall.recording
from tests.recorder.bothways import TRACE, plain, recorded, runs_the_same, write_files
from tests.recorder.traceback_cases import CASES, HELPERS

RUNNER = """
import asyncio.base_events, importlib, sys, traceback
for number in range(int(sys.argv[1])):
    print("=== case", number)
    try:
        importlib.import_module(f"case_{number}")
    except BaseException:
        print(traceback.format_exc())
    else:
        print("no exception")
"""


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What each case printed under python and recorded: two dictionaries."""
    folder = tmp_path_factory.mktemp("cases")
    write_files(folder, {"prog.py": RUNNER, **HELPERS})
    write_files(folder, {f"case_{i}.py": CASES[name].lstrip("\n") for i, name in enumerate(CASES)})
    args = ["prog.py", str(len(CASES))]
    outcomes = [way(folder, *args) for way in (plain, recorded)]
    assert [o.status for o in outcomes] == [0, 0], outcomes[1].stderr
    assert outcomes[1].stderr == outcomes[0].stderr
    with wrongcall.recording.open(folder / TRACE) as recording:
        modules = {file.module for file in recording.program.files.values()}
    assert modules >= {f"case_{i}" for i in range(len(CASES))}, "not all cases were recorded"
    parts = [re.split(r"=== case \d+\n", o.stdout)[1:] for o in outcomes]
    return [dict(zip(CASES, part, strict=True)) for part in parts]


LEFT_BY_RAISE = pytest.mark.xfail(
    strict=True,
    reason="the interpreter restores the line of a frame only where the compiler made the re-raise:"
    " docs/internals/architecture.md",
)


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, marks=LEFT_BY_RAISE if "frame that was left" in case else ())
        for case in CASES
    ],
)
def test_traceback_is_the_same_for(shown: Any, case: str) -> None:
    expected, actual = shown
    assert "Traceback (most recent call last)" in expected[case], "the case does not fail"
    assert actual[case] == expected[case]


UNCAUGHT = [
    "a chain of three",
    "a syntax error in an imported module",
    "an error in a package",
    "an exception group with tracebacks",
    "a coroutine",
    "import of a missing module",
    "a missing name",
]


@pytest.mark.parametrize("case", UNCAUGHT)
def test_uncaught_traceback_is_the_same_for(tmp_path: Path, case: str) -> None:
    program = textwrap.dedent(CASES[case]).lstrip("\n")
    done = runs_the_same(tmp_path, {**HELPERS, "prog.py": program})
    assert done.status == 1


def test_traceback_of_a_module_run_with_m(tmp_path: Path) -> None:
    files = {"pkg/__init__.py": "", "pkg/__main__.py": "from .a import f\nf(0)"}
    files["pkg/a.py"] = "def f(x):\n    return 1 / x"
    runs_the_same(tmp_path, files, "-m", "pkg")


def test_traceback_in_colour(tmp_path: Path) -> None:
    runs_the_same(tmp_path, "def f(x):\n    return 1 / x\nf(0)", env={"FORCE_COLOR": "1"})


def test_uncaught_recursion_error_ends_the_same(tmp_path: Path) -> None:
    write_files(tmp_path, "def f(n):\n    return f(n + 1) + 1\nf(0)")
    ends = [way(tmp_path, "prog.py") for way in (plain, recorded)]
    assert [o.status for o in ends] == [1, 1]
    same = [re.sub(r"\d+ more times", "N more times", o.stderr).splitlines()[:-1] for o in ends]
    assert same[1] == same[0]
