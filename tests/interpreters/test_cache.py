"""What is taken from the cache folder was written there by this user, completely."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from wrongcall.errors import RecorderError
from wrongcall.interpreters.cache import Cache, places

NAME = "thing"
CONTENT = bytes(range(256)) * 40


def test_what_is_kept_is_found(cache: Cache) -> None:
    assert cache.find(NAME) is None
    path = cache.keep(NAME, CONTENT)
    assert cache.find(NAME) == path
    assert cache.read(NAME) == CONTENT
    assert path.read_bytes().startswith(CONTENT)


def test_only_the_user_can_read_and_change_it(cache: Cache) -> None:
    path = cache.keep(NAME, CONTENT)
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert sorted(p.name for p in path.parent.iterdir()) == [NAME]


def _replace_by_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _replace_by_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(path.read_bytes()[:-1]),
        lambda path: path.write_bytes(path.read_bytes()[:100]),
        lambda path: path.write_bytes(b"x" + path.read_bytes()[1:]),
        lambda path: path.write_bytes(path.read_bytes() + b"\0"),
        _replace_by_folder,
        _replace_by_pipe,
    ],
    ids=["empty", "one byte less", "half", "changed", "one byte more", "a folder", "a pipe"],
)
def test_a_damaged_file_is_as_good_as_none(cache: Cache, damage: Callable[[Path], object]) -> None:
    path = cache.keep(NAME, CONTENT)
    damage(path)
    assert cache.find(NAME) is None
    if path.is_dir():
        path.rmdir()
    assert cache.keep(NAME, CONTENT) == path
    assert cache.read(NAME) == CONTENT


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_a_file_that_others_can_change_is_not_used(cache: Cache, mode: int) -> None:
    cache.keep(NAME, CONTENT).chmod(mode)
    assert cache.find(NAME) is None


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o1777])
def test_a_folder_that_others_can_change_is_not_used(cache: Cache, mode: int) -> None:
    folder = cache.keep(NAME, CONTENT).parent
    folder.chmod(mode)
    assert cache.find(NAME) is None
    with pytest.raises(RecorderError, match=f"{folder} can be changed by other users"):
        cache.keep(NAME, CONTENT)


def test_what_another_user_owns_is_not_used(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    path = cache.keep(NAME, CONTENT)
    if os.geteuid() == 0:
        os.chown(path, 12345, -1)
    else:  # only root can give a file away: be somebody else instead
        other = os.geteuid() + 1
        monkeypatch.setattr(os, "geteuid", lambda: other)
    assert cache.find(NAME) is None


def test_links_are_not_followed(cache: Cache, tmp_path: Path) -> None:
    path = cache.keep(NAME, CONTENT)
    moved = path.rename(tmp_path / "elsewhere")
    path.symlink_to(moved)
    assert cache.find(NAME) is None
    path.unlink()
    moved.rename(path)
    assert cache.find(NAME) == path
    folder = path.parent.rename(tmp_path / "other")
    path.parent.symlink_to(folder)
    assert cache.find(NAME) is None


def test_where_nothing_can_be_written_the_next_folder_is_used(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    cache = Cache([tmp_path / "file" / "cache", tmp_path / "second"])
    assert cache.keep(NAME, CONTENT) == tmp_path / "second" / NAME
    assert cache.read(NAME) == CONTENT


@pytest.mark.skipif(os.geteuid() == 0, reason="root can write to any folder")
def test_a_read_only_folder_is_read(tmp_path: Path) -> None:
    cache = Cache([tmp_path / "first", tmp_path / "second"])
    kept = cache.keep(NAME, CONTENT)
    kept.parent.chmod(0o500)
    assert cache.find(NAME) == kept
    assert cache.keep("other", CONTENT).parent == tmp_path / "second"


def test_without_any_folder_the_message_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    cache = Cache([tmp_path / "file" / "a", tmp_path / "file"])
    with pytest.raises(RecorderError) as raised:
        cache.keep(NAME, CONTENT)
    assert str(raised.value) == (
        f"can't cache the recorder's extension ({tmp_path}/file/a: Not a directory;"
        f" {tmp_path}/file is not a folder); set XDG_CACHE_HOME to a folder of your own"
    )


def test_the_folder_is_the_users_cache_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ada")
    assert places({"XDG_CACHE_HOME": "/x/y"})[0] == Path("/x/y/wrongcall")
    assert places({})[0] == Path("/home/ada/.cache/wrongcall")
    assert places({"XDG_CACHE_HOME": "relative"})[0] == Path("/home/ada/.cache/wrongcall")


def test_leftovers_of_a_killed_process_are_cleared_away(cache: Cache) -> None:
    folder = cache.keep(NAME, CONTENT).parent
    (folder / f"{NAME}.abc.tmp").write_bytes(b"half")
    with cache.alone(NAME):
        assert not list(folder.glob("*.tmp"))
    assert cache.read(NAME) == CONTENT


WAIT = """
import sys
from pathlib import Path
from wrongcall.interpreters.cache import Cache
with Cache([Path(sys.argv[1])]).alone("thing"):
    print("alone", flush=True)
    sys.stdin.read()
"""


def test_one_process_at_a_time_makes_a_file(cache: Cache) -> None:
    command = [sys.executable, "-c", WAIT, str(cache.folders[0])]
    first = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert first.stdin is not None
    assert first.stdout is not None
    assert first.stdout.readline() == b"alone\n"
    entered = threading.Event()

    def enter() -> None:
        with cache.alone(NAME):
            entered.set()

    waiting = threading.Thread(target=enter)
    waiting.start()
    assert not entered.wait(0.3)
    first.stdin.close()
    assert entered.wait(60)
    waiting.join()
    first.stdout.close()
    assert first.wait() == 0
