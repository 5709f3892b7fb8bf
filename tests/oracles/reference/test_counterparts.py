"""Which file corresponds to which."""

from __future__ import annotations

from pathlib import Path

from tests.recorder.conftest import Record
from wrongcall.oracles.reference.counterparts import counterparts, import_folders, working_folder
from wrongcall.oracles.reference.program import MAIN


def test_files_are_found_where_they_were_in_the_project(record: Record, tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "helper.py").write_text("def f(): return 1\n")
    source = "import sys\nsys.path.insert(0, 'lib')\nimport helper\nhelper.f()\n"
    recording = record(source).recording
    other = tmp_path / "other"
    other.mkdir()
    found = counterparts(recording, other)
    assert found["helper"] == other / "lib" / "helper.py"
    assert found[MAIN] == other / "prog.py"
    assert import_folders(found) == [str(other), str(other / "lib")]
    assert working_folder(recording, tmp_path) == tmp_path


def test_a_file_stands_for_the_main_program(record: Record, tmp_path: Path) -> None:
    (tmp_path / "fixed.py").write_text("")
    found = counterparts(record("def f(): pass\nf()\n").recording, tmp_path / "fixed.py")
    assert found == {MAIN: tmp_path / "fixed.py"}


def test_an_installed_package_is_found_by_its_name(record: Record, tmp_path: Path) -> None:
    (tmp_path / "helper").mkdir()
    (tmp_path / "helper" / "__init__.py").write_text("def f(): return 1\n")
    recording = record("import helper\nhelper.f()\n").recording
    release = tmp_path / "release"
    (release / "src" / "helper").mkdir(parents=True)
    (release / "src" / "helper" / "__init__.py").write_text("")
    found = counterparts(recording, release)
    assert found["helper"] == release / "src" / "helper" / "__init__.py"
    assert import_folders(found)[-1] == str(release / "src")
