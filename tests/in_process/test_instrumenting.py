"""Modules are instrumented when they are imported after install, under one root."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.in_process.blocks import run
from tests.recorder.conftest import write_program


def test_modules_that_were_imported_before_stay_plain(tmp_path: Path) -> None:
    write_program(tmp_path, "def early(x):\n    return x\n", "first.py")
    ran = run(
        tmp_path,
        """
        import first, wrongcall
        wrongcall.install()
        wrongcall.install()
        import mod
        with wrongcall.record("f.wrongcall"):
            mod.double(first.early(2))
        """,
    )
    assert ran.outline() == "double(x=2) -> 4"


def test_modules_that_a_pattern_excludes_stay_plain(tmp_path: Path) -> None:
    write_program(tmp_path, "def left(x):\n    return x\n", "other.py")
    ran = run(
        tmp_path,
        """
        import wrongcall
        wrongcall.install(".", exclude=["other.py"])
        import mod, other
        with wrongcall.record("f.wrongcall"):
            mod.double(other.left(2))
        """,
    )
    assert ran.outline() == "double(x=2) -> 4"


@pytest.mark.parametrize(
    "source, message",
    [
        (
            "wrongcall.install('no')",
            "can't instrument modules under {0}/no: there is no such folder",
        ),
        (
            "wrongcall.install(); wrongcall.install('/')",
            "wrongcall.install() was called before, for {0}; a process can have one selection of modules",
        ),
    ],
)
def test_mistakes_are_reported(tmp_path: Path, source: str, message: str) -> None:
    ran = run(tmp_path, f"import wrongcall\n{source}\n", status=1)
    assert message.format(tmp_path) in ran.stderr
