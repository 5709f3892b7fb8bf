"""Recording does not change what names mean, how functions look, in which order code runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.recorder.bothways import Outcome, runs_the_same

PROGRAMS = Path(__file__).parent.parent / "programs" / "harmless"


def run_both(tmp_path: Path, name: str) -> Outcome:
    seen = runs_the_same(tmp_path, (PROGRAMS / name).read_text())
    assert seen.status == 0, seen.stderr
    return seen


@pytest.mark.parametrize(
    "name", ["hidden.py", "private.py", "classes.py", "namespaces.py", "frames.py"]
)
def test_names(tmp_path: Path, name: str) -> None:
    assert run_both(tmp_path, name).stdout


def test_evaluation_order(tmp_path: Path) -> None:
    seen = run_both(tmp_path, "order.py")
    assert seen.stdout.startswith("eval v\neval a\neval k\nstore a <k> <v>\n")


def test_recursion_of_every_kind(tmp_path: Path) -> None:
    assert "too deep" not in run_both(tmp_path, "recursion.py").stdout


def test_keys_of_a_dict_with_the_names_of_members(tmp_path: Path) -> None:
    """``f.__doc__`` is a member of the function, whatever lies in ``f.__dict__``."""
    seen = runs_the_same(
        tmp_path,
        "def f():\n"
        "    'text'\n"
        "def g():\n"
        "    pass\n"
        "f.__dict__.update(__doc__='other', __module__='other')\n"
        "g.__doc__ = f.__doc__\n"
        "g.__module__ = f.__module__\n"
        "print(g.__doc__, g.__module__, g.__dict__, f.__dict__)\n",
    )
    assert seen.stdout == "text __main__ {} {'__doc__': 'other', '__module__': 'other'}\n"
