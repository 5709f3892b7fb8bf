"""pytest's rewriting module gets a ``compile`` that instruments the project's tests."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

from wrongcall.recorder import loader, pytest_rewrite
from wrongcall.recorder.selection import Selection


@pytest.fixture
def patched() -> dict[str, Any]:
    namespace: dict[str, Any] = {"compile": compile, "other": 1}
    pytest_rewrite.patch(namespace)
    return namespace


@pytest.fixture
def instrumented(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[tuple[str, str]]:
    """Modules that were handed to the instrumentation, which does nothing here."""
    found: list[tuple[str, str]] = []

    def note(made: Any, path: str, module: str) -> Any:
        found.append((path, module))
        return made.plain

    monkeypatch.setattr(pytest_rewrite, "instrument", note)
    monkeypatch.setattr(loader, "current", [Selection(str(tmp_path / "project"), [], [])])
    monkeypatch.setattr(pytest_rewrite, "current", loader.current)
    return found


def _write(path: Path) -> str:
    path.parent.mkdir(exist_ok=True)
    path.write_text("answer = 42\n")
    return str(path)


def test_a_test_of_the_project_is_instrumented(
    patched: dict[str, Any], instrumented: list[tuple[str, str]], tmp_path: Path
) -> None:
    path = _write(tmp_path / "project" / "test_it.py")
    names: dict[str, Any] = {}
    exec(patched["compile"](ast.parse("answer = 42"), path, "exec", dont_inherit=True), names)
    assert instrumented == [(path, "test_it")]
    assert names["answer"] == 42


def test_other_code_is_compiled_without_hooks(
    patched: dict[str, Any], instrumented: list[tuple[str, str]], tmp_path: Path
) -> None:
    outside = _write(tmp_path / "elsewhere" / "test_it.py")
    inside = _write(tmp_path / "project" / "test_it.py")
    patched["compile"](ast.parse("1"), outside, "exec")
    assert eval(patched["compile"]("6 * 7", inside, "eval")) == 42
    assert instrumented == []


def test_nothing_is_cached(patched: dict[str, Any]) -> None:
    assert patched["_read_pyc"](Path("a"), Path("b")) is None
    assert patched["_write_pyc"](object(), code=1) is None
    assert patched["other"] == 1
