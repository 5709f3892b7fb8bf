"""A copy of a reference with the tests of the project."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

import wrongcall.recording
from tests.recorder.conftest import run_recorded
from wrongcall.oracles.reference import overlay
from wrongcall.oracles.reference.overlay import overlay_of
from wrongcall.recording import Recording

FILES = {
    "pyproject.toml": "",
    "src/shop/__init__.py": "",
    "src/shop/prices.py": "def taxed():\n    return 1\n",
    "tests/test_shop.py": "import shop.prices\nshop.prices.taxed()\n",
    "tests/data.json": "new",
}


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return write(tmp_path / "project", FILES)


@pytest.fixture
def reference(tmp_path: Path) -> Path:
    files = {
        "src/shop/__init__.py": "",
        "src/shop/prices.py": "def taxed():\n    return 2\n",
        "src/shop/rates.json": "{}",
        "tests/test_old.py": "",
        ".git/config": "",
        "old.wrongcall": "",
    }
    return write(tmp_path / "v1", files)


def recorded(folder: Path, path: str) -> Recording:
    done = run_recorded(["tests/test_shop.py"], folder, env={"PYTHONPATH": path})
    assert done.returncode == 0, done.stderr
    return wrongcall.recording.open(folder / "trace.wrongcall")


def test_the_code_is_that_of_the_reference_and_the_tests_are_those_of_the_project(
    project: Path, reference: Path
) -> None:
    with recorded(project, str(project / "src")) as recording:
        with overlay_of(recording, reference) as made:
            assert made is not None
            names = {str(p.relative_to(made.root)) for p in made.root.rglob("*") if p.is_file()}
            assert names == {
                "src/shop/__init__.py",
                "src/shop/prices.py",
                "src/shop/rates.json",
                "tests/test_shop.py",
                "tests/data.json",
            }
            assert "return 2" in (made.root / "src/shop/prices.py").read_text()
            root = made.root
        assert not root.exists()
    assert (reference / "tests" / "test_old.py").exists()


def test_a_run_in_it_takes_its_modules_from_it(project: Path, reference: Path) -> None:
    with (
        recorded(project, str(project / "src")) as recording,
        overlay_of(recording, reference) as made,
    ):
        assert made is not None
        # As after an editable installation: the folder comes from elsewhere.
        env = made.environment(recording, {"PYTHONPATH": f"/elsewhere{os.pathsep}{project}/src"})
        moved = str(made.root / "src")
        assert env["PYTHONPATH"].split(os.pathsep)[:2] == ["/elsewhere", moved]
        assert moved in made.environment(recording, {})["PYTHONPATH"].split(os.pathsep)
        with recorded(made.folder, env["PYTHONPATH"]) as again:
            assert made.came_from(again, recording)
        assert not made.came_from(recording, recording)


def test_paths_of_the_project_in_arguments_are_moved(project: Path, reference: Path) -> None:
    with (
        recorded(project, str(project / "src")) as recording,
        overlay_of(recording, reference) as made,
    ):
        assert made is not None
        assert made.word(str(project / "tests")) == str(made.root / "tests")
        assert made.word("tests/test_shop.py") == "tests/test_shop.py"
        assert made.word("/elsewhere") == "/elsewhere"


def _no_room(*_: object, **__: object) -> None:
    raise OSError(28, "No space left on device")


def test_single_files_and_large_folders_are_not_copied(
    project: Path, reference: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with recorded(project, str(project / "src")) as recording:
        with overlay_of(recording, reference / "src" / "shop" / "prices.py") as made:
            assert made is None
        with monkeypatch.context() as broken:
            broken.setattr(shutil, "copytree", _no_room)
            with overlay_of(recording, reference) as made:
                assert made is None
        monkeypatch.setattr(overlay, "MAX_FILES", 2)
        with overlay_of(recording, reference) as made:
            assert made is None
