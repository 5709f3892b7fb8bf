"""What agents may read and run."""

from __future__ import annotations

from pathlib import Path

import pytest

from wrongcall.errors import UsageError
from wrongcall.mcp.permissions import Permissions

pytestmark = pytest.mark.once


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "a.wrongcall").touch()
    (folder / "prog.py").touch()
    (tmp_path / "b.wrongcall").touch()
    (tmp_path / "other.py").touch()
    (folder / "link.wrongcall").symlink_to(tmp_path / "b.wrongcall")
    return folder


def test_traces_of_the_project_may_be_read(root: Path) -> None:
    assert Permissions(root).trace("a.wrongcall") == root / "a.wrongcall"


@pytest.mark.parametrize("name", ["../b.wrongcall", "link.wrongcall", "/etc/x.wrongcall"])
def test_paths_outside_need_permission(root: Path, name: str) -> None:
    with pytest.raises(UsageError, match="--allow-path"):
        Permissions(root).trace(name)


def test_another_folder_can_be_allowed(root: Path) -> None:
    allowed = Permissions(root, (root.parent,))
    assert allowed.trace("../b.wrongcall") == root.parent / "b.wrongcall"
    assert allowed.shown(root.parent / "b.wrongcall") == str(root.parent / "b.wrongcall")


@pytest.mark.parametrize(
    "name, message",
    [("prog.py", "not a trace"), ("none.wrongcall", "no such trace"), ("a\0b", "not a path")],
)
def test_what_is_no_trace_is_refused(root: Path, name: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Permissions(root).trace(name)


def test_scripts_of_the_project_may_be_recorded(root: Path) -> None:
    assert Permissions(root).script("prog.py") == root / "prog.py"
    with pytest.raises(UsageError, match="--allow-path"):
        Permissions(root).script("../other.py")
    assert Permissions(root, any_program=True).script("../other.py") == root.parent / "other.py"


def test_only_test_runners_may_be_recorded_as_modules(root: Path) -> None:
    assert Permissions(root).module("unittest") == "unittest"
    with pytest.raises(UsageError, match="--allow-any-program"):
        Permissions(root).module("http.server")
    assert Permissions(root, any_program=True).module("http.server") == "http.server"


@pytest.mark.parametrize("name", ["-c", "os;system", ""])
def test_a_module_is_a_name(root: Path, name: str) -> None:
    with pytest.raises(UsageError, match="not the name of a module"):
        Permissions(root, any_program=True).module(name)


@pytest.mark.parametrize("name", ["-p", "--rootdir=/", "../other.py::test_x", "missing.py::test_x"])
def test_a_test_is_in_a_file_of_the_project(root: Path, name: str) -> None:
    with pytest.raises(UsageError):
        Permissions(root).test(name)
