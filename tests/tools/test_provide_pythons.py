"""Providing interpreters from Debian's packages, with a stand-in for apt-get."""

from __future__ import annotations

import shutil
from pathlib import Path

import provide_pythons
import pytest

pytestmark = pytest.mark.once


def fake_apt(folder: Path, monkeypatch: pytest.MonkeyPatch, output: str) -> None:
    apt = folder / "apt-get"
    apt.write_text(f"#!/bin/sh\ncat <<'END'\n{output}END\n")
    apt.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder), prepend=":")


def test_the_archive_is_the_one_that_apt_uses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = "mirror/debian-security/|Debian\nelsewhere/|Somebody\nmirror/debian/|Debian\n"
    fake_apt(tmp_path, monkeypatch, lines)
    assert provide_pythons.archive() == "mirror/debian/"


def test_without_an_archive_the_error_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_apt(tmp_path, monkeypatch, "elsewhere/|Somebody\n")
    with pytest.raises(provide_pythons.ProvideError, match="run apt-get update"):
        provide_pythons.archive()


def test_apt_is_told_to_keep_everything_in_our_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(provide_pythons, "FOLDER", tmp_path)
    monkeypatch.setattr(provide_pythons, "archive", lambda: "mirror/debian/")
    settings = provide_pythons.write_settings().read_text()
    folders = [line.split('"')[1] for line in settings.splitlines() if line.startswith("Dir::")]
    assert len(folders) == 6
    assert all(Path(folder).is_relative_to(tmp_path) for folder in folders)
    assert "URIs: mirror/debian/\nSuites: sid\n" in (tmp_path / "unstable.sources").read_text()


def test_elsewhere_than_on_debian_it_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(provide_pythons, "UNPACKED", tmp_path / "nothing")
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert provide_pythons.main() == 1
    assert "works on Debian and its derivatives only" in capsys.readouterr().err


def test_what_a_failed_command_printed_is_the_error() -> None:
    with pytest.raises(provide_pythons.ProvideError, match="no such thing"):
        provide_pythons.run(["sh", "-c", "echo no such thing >&2; exit 3"])


def test_the_interpreters_own_tests_are_fetched_too() -> None:
    wanted = provide_pythons.wanted_packages()
    assert {"python3.14-dev", "python3.15-venv", "libpython3.15-testsuite"} <= set(wanted)
    assert len(wanted) == 6
