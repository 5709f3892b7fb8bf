"""Files that were not recorded, and are different in the reference."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from tests.oracles.reference.repositories import git, repository
from wrongcall.oracles.reference import other_files
from wrongcall.oracles.reference.other_files import different_file, text_of

PROJECT = {
    "prog.py": "import shop.cart\n",
    "shop/cart.py": "import shop.fast\n",
    "shop/fast.py": "import shop.faster\n",
    "shop/faster.py": "",
    "shop/unused.py": "",
    "shop/rates.json": "{}",
    "README.md": "about",
    "pyproject.toml": "",
    "tests/data/cart.json": "{}",
    "tests/helper.py": "",
}
RECORDED = ("prog.py", "shop/cart.py")


def write(folder: Path, *changes: tuple[str, str | None]) -> Path:
    """Write the project long ago, with some files replaced or left out."""
    for name, text in {**PROJECT, **dict(changes)}.items():
        if text is not None:
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            os.utime(path, (1, 1))
    return folder


def found(mine: Path, theirs: Path, started: float = 1000.0) -> str:
    """Return the file that is different."""
    recorded = {os.path.realpath(mine / name): PROJECT[name] for name in RECORDED}
    return different_file(mine, theirs, recorded, started)


@pytest.mark.parametrize(
    "name, text, said",
    [
        ("shop/rates.json", "[]", "shop/rates.json differs"),
        ("shop/rates.json", None, "shop/rates.json differs"),
        ("shop/more.json", "", "shop/more.json differs"),
        ("shop/native.c", "int x;", "shop/native.c differs"),
        # Imported by code that was recorded, or by a module that is.
        ("shop/fast.py", "x = 1", "shop/fast.py differs, and may have run without being recorded"),
        (
            "shop/faster.py",
            "x = 1",
            "shop/faster.py differs, and may have run without being recorded",
        ),
        ("shop/unused.py", "x = 1", ""),
        # Recorded: its text is compared.
        ("shop/cart.py", "x = 1", ""),
        ("README.md", "more", ""),
        ("pyproject.toml", "[project]", ""),
        ("requirements.txt", "x", ""),
        ("tests/data/cart.json", "[]", ""),
        ("tests/helper.py", "x = 1", ""),
        (".hidden/file", "x", ""),
    ],
)
def test_what_may_have_made_a_difference_is_named(
    tmp_path: Path, name: str, text: str | None, said: str
) -> None:
    mine, theirs = write(tmp_path / "mine"), write(tmp_path / "theirs", (name, text))
    assert found(mine, theirs) == said


def test_a_module_that_only_the_reference_has_counts_if_it_may_be_imported(tmp_path: Path) -> None:
    mine = write(tmp_path / "mine", ("shop/fast.py", None))
    assert "shop/fast.py differs" in found(mine, write(tmp_path / "theirs"))


def test_what_was_changed_since_the_run_began_may_have_been_anything(tmp_path: Path) -> None:
    mine, theirs = write(tmp_path / "mine"), write(tmp_path / "theirs")
    assert found(mine, theirs, started=2.0) == ""
    os.utime(mine / "shop" / "rates.json")
    assert found(mine, theirs, started=2.0) == "shop/rates.json differs"


def test_what_the_run_wrote_and_what_git_ignores_belong_to_no_version(tmp_path: Path) -> None:
    theirs = write(tmp_path / "theirs")
    mine = repository(write(tmp_path / "mine"), {".gitignore": "*.log\n"})
    write(mine, ("run.log", ""), ("out.csv", ""))
    os.utime(mine / "out.csv")
    assert found(mine, theirs, started=time.time() - 60) == ""
    os.utime(mine / "out.csv", (1, 1))
    assert found(mine, theirs) == "out.csv differs"
    assert "run.log" not in git(mine, "status", "--short")


def test_a_suspect_module_counts_whoever_imports_it(tmp_path: Path) -> None:
    mine, theirs = write(tmp_path / "mine"), write(tmp_path / "theirs", ("shop/unused.py", "x"))
    suspect = frozenset({os.path.realpath(mine / "shop" / "unused.py")})
    said = different_file(mine, theirs, {}, 1000.0, suspect=suspect)
    assert said == "shop/unused.py differs, and was not recorded"
    assert different_file(mine, theirs, {}, 1000.0, only=frozenset({"tests"})) == ""


def test_the_reference_may_be_inside_the_project(tmp_path: Path) -> None:
    mine = write(tmp_path / "mine")
    assert found(mine, write(mine / "good")) == ""


def test_too_many_files_are_not_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(other_files, "MAX_FILES", 3)
    assert "has more than" in found(write(tmp_path / "mine"), write(tmp_path / "theirs"))


def test_a_text_is_read_as_python_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "prog.py"
    path.write_bytes(b"# coding: latin-1\nx = '\xe9'\n")
    assert text_of(path) == "# coding: latin-1\nx = 'é'\n"
    path.write_bytes(b"x = '\xe9'\n")
    assert text_of(path) is None
    assert text_of(tmp_path / "missing.py") is None
