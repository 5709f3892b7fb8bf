"""Keeping instrumented code for the next run."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from tests.recorder.bothways import plain, recorded, write_files
from wrongcall.interpreters.code_store import CodeStore

NAME = "0123456789abcdef"


def opened(folder: Path) -> CodeStore:
    store = CodeStore.open([folder])
    assert store is not None
    return store


def test_an_entry_is_a_file_for_the_user_alone(tmp_path: Path) -> None:
    store = opened(tmp_path)
    store.keep(NAME, b"old")
    store.keep(NAME, b"new")
    (found,) = store.folder.iterdir()
    assert (found.name, found.read_bytes()) == (NAME, b"new")
    assert stat.S_IMODE(found.stat().st_mode) == 0o600
    assert stat.S_IMODE(store.folder.stat().st_mode) == 0o700


@pytest.mark.parametrize("name", ["", "../prog.py", "a/b", NAME + "0", NAME[:-1] + "/", "x" * 16])
def test_a_name_that_the_recorder_does_not_make_is_refused(tmp_path: Path, name: str) -> None:
    store = opened(tmp_path)
    store.keep(name, b"anything")
    assert list(tmp_path.rglob("*")) == [store.folder]


def test_an_entry_that_cannot_be_written_is_dropped(tmp_path: Path) -> None:
    store = opened(tmp_path)
    (store.folder / NAME).mkdir()
    store.keep(NAME, b"new")
    assert [path.name for path in store.folder.iterdir()] == [NAME]
    store.folder.rename(tmp_path / "gone")
    store.keep(NAME, b"new")
    assert not store.folder.exists()


def test_a_folder_that_others_can_change_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "code").mkdir()
    (tmp_path / "code").chmod(0o777)
    assert CodeStore.open([tmp_path]) is None


def test_the_folder_around_it_is_for_the_user_alone(tmp_path: Path) -> None:
    before = os.umask(0o002)
    try:
        folder = opened(tmp_path / "cache").folder
    finally:
        os.umask(before)
    assert stat.S_IMODE(folder.parent.stat().st_mode) == 0o700
    folder.parent.chmod(0o770)
    assert CodeStore.open([tmp_path / "cache"]) is None


PROGRAM = {
    "prog.py": "import helper\nprint(helper.double(4), helper.__file__ is not None)\n",
    "helper.py": "def double(x):\n    return [i for i in (x, x)]\n",
}


def test_a_second_run_takes_the_code_of_the_first(tmp_path: Path) -> None:
    write_files(tmp_path, PROGRAM)
    expected = plain(tmp_path, "prog.py")
    environ = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    assert recorded(tmp_path, "prog.py", env=environ) == expected
    kept = {path: path.stat() for path in (tmp_path / "cache/wrongcall/code").iterdir()}
    assert len(kept) == len(PROGRAM)
    assert recorded(tmp_path, "prog.py", env=environ) == expected
    assert {path: path.stat().st_ino for path in kept} == {p: s.st_ino for p, s in kept.items()}
    (tmp_path / "helper.py").write_text("def double(x):\n    return x + x\n")
    assert recorded(tmp_path, "prog.py", env=environ).stdout == "8 True\n"
    changed = [p for p, s in kept.items() if p.stat().st_ino != s.st_ino]
    assert len(changed) == 1


def test_a_program_runs_where_nothing_can_be_kept(tmp_path: Path) -> None:
    write_files(tmp_path, PROGRAM)
    (tmp_path / "file").touch()
    environ = {"XDG_CACHE_HOME": str(tmp_path / "file"), "TMPDIR": os.devnull}
    assert recorded(tmp_path, "prog.py", env=environ).stdout == "[4, 4] True\n"
