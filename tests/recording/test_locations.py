"""Lines as a person writes them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.recorder.conftest import Record, write_program
from wrongcall.errors import UsageError
from wrongcall.recording.locations import locate


def test_a_line_is_found_by_the_end_of_its_path(record: Record) -> None:
    program = record("def f(x):\n    y = (\n        x)\n    return y\nf(1)\n").recording.program
    found = locate(program, "prog.py:2")
    assert found.line == 2
    assert [f.name for f in found.functions] == ["f"]
    assert locate(program, f"{found.file.path}:2") == found
    assert locate(program, "./prog.py:2") == found


@pytest.mark.parametrize(
    "text,message",
    [
        ("prog.py", "is not a line: write FILE:LINE"),
        ("prog.py:x", "is not a line"),
        (":3", "is not a line"),
        ("other.py:1", "no recorded file is called 'other.py': there are /.*/prog.py"),
        ("prog.py:3", "no statement begins at line 3 .* the nearest ones: 2, 4"),
        ("prog.py:99", "the nearest ones: 5"),
    ],
)
def test_other_texts_are_refused_with_a_hint(record: Record, text: str, message: str) -> None:
    program = record("def f(x):\n    y = x\n\n    return y\nf(1)\n").recording.program
    with pytest.raises(UsageError, match=message):
        locate(program, text)


def test_a_name_of_several_files_is_ambiguous(record: Record, tmp_path: Path) -> None:
    write_program(tmp_path, "x = 1\n", "b/prog.py")
    program = record("import b.prog\nx = 2\n").recording.program
    with pytest.raises(UsageError, match=r"several recorded files are called 'prog\.py'"):
        locate(program, "prog.py:1")
    assert locate(program, "b/prog.py:1").file.module == "b.prog"
