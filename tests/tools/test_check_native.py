"""The checks of the native code find what they are there for."""

from __future__ import annotations

import shutil
from pathlib import Path

import check_native
import pytest

pytestmark = pytest.mark.once

CLEAN = """#include <stddef.h>

size_t twice(size_t n);

size_t twice(size_t n)
{
    return n * 2;
}
"""
UNUSED = CLEAN.replace("    return", "    int unused;\n    return")
UNFORMATTED = CLEAN.replace("    return n * 2;", "  return n*2;")
REPEATED = CLEAN.replace("return n * 2;", "return n == n ? n * 2 : 0;")

needs_tools = pytest.mark.skipif(
    not (check_native.TOOLS / "clang-tidy").exists(), reason="clang-tidy is not installed here"
)


@pytest.fixture
def native(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with nothing but the settings and an empty folder of sources."""
    for name in (".clang-format", ".clang-tidy", "requirements/dev.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(check_native.ROOT / name, tmp_path / name)
    monkeypatch.setattr(check_native, "ROOT", tmp_path)
    monkeypatch.setattr(check_native, "CLEAN", tmp_path / "clean")
    folder = tmp_path / "src/wrongcall/tree/native"
    folder.mkdir(parents=True)
    return folder


@needs_tools
@pytest.mark.parametrize(
    "text, found",
    [
        (CLEAN, ""),
        (UNFORMATTED, "not formatted"),
        (UNUSED, "unused"),
        (REPEATED, "misc-redundant-expression"),
    ],
)
def test_a_file_passes_or_is_complained_about(
    native: Path, capfd: pytest.CaptureFixture[str], text: str, found: str
) -> None:
    (native / "a.c").write_text(text)
    assert check_native.main([]) == (1 if found else 0)
    assert found in capfd.readouterr().err


@needs_tools
def test_formatting_makes_the_check_pass(native: Path) -> None:
    (native / "a.c").write_text(UNFORMATTED)
    assert check_native.main(["--format"]) == 0
    assert (native / "a.c").read_text() == CLEAN


@needs_tools
def test_a_clean_file_is_checked_again_when_a_header_changes(native: Path) -> None:
    (native / "a.c").write_text(CLEAN)
    (native / "a.h").write_text("")
    before = check_native.digest(Path("src/wrongcall/tree/native/a.c"), "")
    (native / "a.h").write_text("extern int a;\n")
    assert check_native.digest(Path("src/wrongcall/tree/native/a.c"), "") != before
