"""Where the traces of tests are."""

from __future__ import annotations

import subprocess
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from wrongcall.pytest_plugin.places import folder_of, next_attempt, prepare

ROOT = Path("/project")


def test_a_plain_name_is_the_name_of_the_folder() -> None:
    folder = folder_of(ROOT, "tests/test_shop.py::TestShop::test_total")
    assert folder == ROOT / ".wrongcall/tests/test_shop.py/TestShop.test_total"


def test_a_module_has_a_folder_too() -> None:
    assert folder_of(ROOT, "tests/test_shop.py") == ROOT / ".wrongcall/tests/test_shop.py"


@given(st.lists(st.text(), min_size=2, max_size=2, unique=True))
def test_no_two_tests_share_a_folder(parameters: list[str]) -> None:
    one, other = (folder_of(ROOT, f"test_x.py::test_it[{p}]") for p in parameters)
    assert one != other
    for folder in (one, other):
        assert folder.parent == ROOT / ".wrongcall/test_x.py"
        assert len(folder.name) < 120
        assert folder.name.isascii()


@given(st.text())
def test_every_folder_is_below_the_one_for_all(test: str) -> None:
    folder = folder_of(ROOT, test)
    assert folder.is_relative_to(ROOT / ".wrongcall")
    assert ".." not in folder.parts


def test_attempts_are_counted(tmp_path: Path) -> None:
    folder = tmp_path / "test"
    assert next_attempt(folder).name == "1.wrongcall"
    (folder / "9.wrongcall").touch()
    (folder / "notes.wrongcall").touch()
    assert next_attempt(folder).name == "10.wrongcall"


def test_git_ignores_the_traces_but_not_the_answers(tmp_path: Path) -> None:
    prepare(tmp_path)
    folder = tmp_path / ".wrongcall"
    (folder / "test_x").mkdir()
    for name in ("answers.db", "answers.db-wal", "model.log", "test_x/1.wrongcall"):
        (folder / name).write_text("x")
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    command = ["git", "-C", str(tmp_path), "status", "--short", "--untracked-files=all"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["?? .wrongcall/.gitignore", "?? .wrongcall/answers.db"]
    (tmp_path / ".wrongcall/.gitignore").write_text("mine")
    prepare(tmp_path)
    assert (tmp_path / ".wrongcall/.gitignore").read_text() == "mine"


def test_files_with_unusual_names_share_no_folder(tmp_path: Path) -> None:
    files = (
        "a b/test_x.py",
        "a_b/test_x.py",
        "../a_b/test_x.py",
        "a\\b/test_x.py",
        "a/b/test_x.py",
    )
    for name in ("::test_y", ""):
        assert len({folder_of(tmp_path, file + name) for file in files}) == len(files)
