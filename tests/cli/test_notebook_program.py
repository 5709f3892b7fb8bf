"""Notebooks given to ``run`` and ``record`` are run as programs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.paper import Run
from wrongcall.cli.notebook_program import program_text

CELLS = [
    "%matplotlib inline\nfrom helper import base\n",
    "def double(x):\n    return x + x + base\n",
    "%%time\nfound = double(4)\n",
    "%%bash\nls",
    "!ls\nprint(found)\nfound?",
    "if found:\n    %pwd\n",
]


def notebook(folder: Path, cells: list[str], **metadata: Any) -> Path:
    """Write a notebook with these cells of code, and some text."""
    listed: list[dict[str, Any]] = [{"cell_type": "markdown", "metadata": {}, "source": "# Text"}]
    for source in cells:
        lines = source.splitlines(keepends=True)
        cell: dict[str, Any] = {
            "cell_type": "code",
            "metadata": {},
            "outputs": [],
            "execution_count": None,
        }
        listed.append({**cell, "source": lines})
    path = folder / "sums.ipynb"
    content = {"cells": listed, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    path.write_text(json.dumps(content))
    return path


def test_a_notebook_is_recorded_as_a_program(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "helper.py").write_text("base = 1\n")
    notebook(tmp_path, CELLS)
    status, out, _ = run("record", "sums.ipynb")
    assert (status, out) == (0, "9\n")
    status, out, _ = run("tree", "sums.wrongcall")
    assert status == 0
    assert "double(x=4) -> 9" in out


@pytest.mark.once
def test_lines_of_ipython_become_comments_and_lines_keep_their_numbers(tmp_path: Path) -> None:
    text = program_text(notebook(tmp_path, CELLS))
    compile(text, "sums.py", "exec")
    assert text.split("\n\n")[2] == "# In [3]\npass  # %%time\nfound = double(4)"
    assert text.split("\n\n")[3] == "# In [4]\n# %%bash\n# ls"
    lines = sum(cell.rstrip("\n").count("\n") + 1 for cell in CELLS)
    assert len(text.splitlines()) == lines + 2 * len(CELLS) - 1


@pytest.mark.once
@pytest.mark.parametrize(
    "content, told",
    [
        ("{", "can't read the notebook sums.ipynb"),
        ("[]", "sums.ipynb is not a notebook of format 4"),
        ('{"worksheets": []}', "sums.ipynb is not a notebook of format 4"),
        ('{"cells": [{"cell_type": "code"}]}', "sums.ipynb has a cell without source"),
        ('{"cells": [], "metadata": {"language_info": {"name": "R"}}}', "a notebook of R"),
    ],
)
def test_a_bad_notebook_is_a_usage_error(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch, content: str, told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("sums.ipynb").write_text(content)
    status, _, err = run("record", "sums.ipynb")
    assert status == 2
    assert told in err
    assert [path.name for path in tmp_path.iterdir()] == ["sums.ipynb"]
