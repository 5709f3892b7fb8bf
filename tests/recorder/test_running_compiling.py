"""Syntax errors and warnings of a recorded program are those of plain python."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.recorder.bothways import runs_the_same

BAD_SOURCES: dict[str, bytes] = {
    "a syntax error": b"x = 1\nprint('a'\ny = 2\n",
    "an unclosed string": b"x = 'abc\n",
    "wrong indentation": b"def f():\n    x = 1\n  y = 2\n",
    "tabs and spaces": b"if 1:\n        x = 1\n\ty = 2\n",
    "return outside a function": b"x = 1\nreturn x\n",
    "await outside a function": b"await x\n",
    "break outside a loop": b"break\n",
    "a late future import": b"x = 1\nfrom __future__ import annotations\n",
    "an unknown future": b"from __future__ import braces\n",
    "nonlocal at module level": b"nonlocal x\n",
    "a name that is global and a parameter": b"def f(a):\n    global a\n",
    "an assignment to a call": b"f() = 1\n",
    "bad utf-8": b"x = 1\nname = 'caf\xe9'\n",
    "an unknown encoding": b"# coding: no-such-encoding\nx = 1\n",
    "a null byte": b"x = 1\ny = \x00\n",
    "a wide line": "x = 'é' 日本 +\n".encode(),
    "an invalid character": "x = 1 \N{MINUS SIGN} 2\n".encode(),
    "too many parentheses": b"(" * 300 + b")" * 300,
    "a very deep expression": b"x = " + b"-" * 200000 + b"1\n",
}


@pytest.mark.parametrize("source", BAD_SOURCES)
def test_program_that_does_not_compile_fails_as_under_python(tmp_path: Path, source: str) -> None:
    done = runs_the_same(tmp_path, {"prog.py": BAD_SOURCES[source]}, summaries=0)
    assert done.status == 1
    assert not (tmp_path / "trace.wrongcall").exists()


def test_warnings_of_the_compiler_come_once(tmp_path: Path) -> None:
    bad = "x = 1\nassert (x, 'always')\nprint(x is 1, '\\d')\n"
    files = {"prog.py": bad + "import other\n", "other.py": bad}
    runs_the_same(tmp_path, files, env={"PYTHONDONTWRITEBYTECODE": "1"})


def test_warnings_of_the_compiler_can_be_errors(tmp_path: Path) -> None:
    runs_the_same(tmp_path, "x = 1\nprint(x is 1)\n", flags=["-W", "error"], summaries=0)
