"""Cells with hooks do what cells do without; what they define can be recorded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.notebook.notebooks import LOAD, WHERE, notebook
from wrongcall.recording import open as open_trace

CELLS = [
    "import sys\ncount = 0",
    "def add(a, b=2):\n    'Add.'\n    global count\n    count += 1\n    return a + b\nadd(1)",
    (
        "class Stack:\n    def __init__(self): self.items = []\n    def push(self, x):\n"
        "        self.items.append(x)\n        return self\nStack().push(1).items"
    ),
    "square = lambda x: x * x\n[square(n) for n in range(4)]",
    "def numbers(n):\n    yield from range(n)\nlist(numbers(3));",
    "async def later(x):\n    return x + 1\nawait later(1)",
    "from functools import lru_cache\n@lru_cache\ndef fib(n):\n    return n if n < 2 else fib(n-1) + fib(n-2)\nfib(20)",
    "add.__code__.co_varnames, sorted(locals().keys() & {'.h', 'add'}), add.__doc__",
    "import inspect\nprint(inspect.getsource(add))\nsys.getrecursionlimit()",
    "def deep(n): return 0 if n == 0 else 1 + deep(n - 1)\ndeep(900)",
    "add(1, 2, 3)",
    "Stack().pop()",
    "%timeit -n1 -r1 add(1)\ncount > 2",
    "print('out'); print('err', file=sys.stderr)\n_",
]
"""Definitions, calls, errors and magics."""


def executed(folder: Path, cells: list[str]) -> list[Any]:
    """Return the outputs of cells, without what differs from run to run."""
    with notebook(folder) as running:
        return [plain(running.run(cell, fails=True)) for cell in cells]


def plain(outputs: list[Any]) -> list[Any]:
    """Return what outputs show; of errors, their names and messages."""
    kept = ("name", "text", "ename", "evalue", "data")
    found = [{key: output[key] for key in kept if key in output} for output in outputs]
    return [each for each in found if "per loop" not in each.get("text", "")]


def test_cells_show_the_same_with_and_without_the_extension(tmp_path: Path) -> None:
    pytest.importorskip("nbclient", reason=WHERE)
    without = executed(tmp_path, CELLS)
    assert [[o["ename"] for o in each if "ename" in o] for each in without].count([]) == len(
        CELLS
    ) - 2
    assert executed(tmp_path, [LOAD, *CELLS])[1:] == without


def test_a_recorded_cell_shows_the_same_and_has_the_kernels_state_as_input(tmp_path: Path) -> None:
    pytest.importorskip("nbclient", reason=WHERE)
    define = "limit = [10]\ndef over(x):\n    return x > limit[0]"
    cell = "print('checking')\nfound = [x for x in (5, 15) if over(x)]\nfound, limit"
    plainly = executed(tmp_path, [define, "limit.append(1)", cell])[-1]
    cells = [LOAD, define, "limit.append(1)", f"%%wrongcall -o f.wrongcall\n{cell}", "found, _"]
    *_, recorded, after = executed(tmp_path, cells)
    assert recorded[:-1] == plainly  # the widget comes last
    assert after[0]["data"]["text/plain"].startswith("([15], ")
    with open_trace(tmp_path / "f.wrongcall") as recording:
        calls = [recording.call(int(n)) for n in recording.calls.columns().id]
        over = [call for call in calls if call.function.qualname == "over"]
        assert [call.value for call in over] == [False, True]
        assert {call.parent.function.kind for call in over if call.parent} == {"module"}
        read = recording.questions.input(over[0].id).globals
        assert [each.name for each in read] == ["limit"]
        assert recording.states.plain(read[0].value, over[0].entered)[2] == [10, 1]
        assert calls[0].printed == "checking\n"
