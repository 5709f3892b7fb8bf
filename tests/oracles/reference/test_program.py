"""The reference's modules and code."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from wrongcall.oracles.reference.causes import Cause, UnanswerableError
from wrongcall.oracles.reference.program import LIVE_MAIN, MAIN, Program, member_of


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Program:
    (tmp_path / "reference_helper.py").write_text("def f():\n    return (lambda: 1)\n")
    (tmp_path / "main.py").write_text(
        "from reference_helper import f\nran = __name__ == '__main__'\nclass A:\n    class B: pass\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "reference_helper", raising=False)
    monkeypatch.delitem(sys.modules, LIVE_MAIN, raising=False)
    files = {MAIN: tmp_path / "main.py", "reference_helper": tmp_path / "reference_helper.py"}
    return Program({**files, "gone": tmp_path / "gone.py", "json": tmp_path / "main.py"})


def test_the_main_module_is_loaded_without_being_run(program: Program) -> None:
    assert program.module(MAIN).ran is False
    assert member_of(program.module(MAIN), "A.B").__qualname__ == "A.B"


def test_modules_that_are_not_of_the_reference_are_refused(program: Program) -> None:
    for name in ("gone", "json"):
        with pytest.raises(UnanswerableError) as caught:
            program.module(name)
        assert caught.value.cause is Cause.MISSING


def test_code_is_found_by_name_if_there_is_only_one(program: Program) -> None:
    program.module("reference_helper")
    code, module = program.only_code("f.<locals>.<lambda>")
    assert (code.co_name, module.__name__) == ("<lambda>", "reference_helper")
    with pytest.raises(UnanswerableError, match="has 0 functions g"):
        program.only_code("g")


def test_a_fresh_program_has_nothing_loaded(program: Program) -> None:
    program.module(MAIN)
    assert not program.fresh().modules
