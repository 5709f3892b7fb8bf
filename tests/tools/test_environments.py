"""What is redone, what is installed, and what is said if it cannot be."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import environments
import pytest
from environments import SetupError, digest, missing_packages, provide_packages, run
from find_pythons import Interpreter

BARE = Interpreter("/usr/bin/python3", (3, 11, 2), has_venv=False, has_headers=False, compiler="sh")


@pytest.fixture(autouse=True)
def _no_compiler_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CC", raising=False)


def test_the_digest_follows_names_contents_and_words(tmp_path: Path) -> None:
    one, two = tmp_path / "one.c", tmp_path / "two.c"
    one.write_text("int x;")
    two.write_text("int x;")
    first = digest([one], "-O2")

    assert digest([one], "-O2") == first
    assert len({first, digest([two], "-O2"), digest([one], "-O1"), digest([one, two], "-O2")}) == 4
    one.write_text("int y;")
    assert digest([one], "-O2") != first


def test_a_step_is_done_until_what_it_depends_on_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(environments, "VENVS", tmp_path)
    environment = environments.Environment(Interpreter("python", (3, 11, 2)))
    environment.folder.mkdir()

    assert not environment.is_done("dev", "a digest")
    environment.done("dev", "a digest")
    assert environment.is_done("dev", "a digest")
    assert not environment.is_done("dev", "another digest")


def test_missing_packages_are_those_of_the_interpreters_version() -> None:
    assert missing_packages(BARE) == ["python3.11-dev"]


def test_a_missing_compiler_is_noticed() -> None:
    without_compiler = Interpreter("python", (3, 13, 0), compiler="no-such-compiler")

    assert missing_packages(without_compiler) == ["gcc", "libc6-dev"]


def test_nothing_is_installed_unless_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WRONGCALL_APT", raising=False)
    monkeypatch.setattr(os, "geteuid", lambda: 0)

    with pytest.raises(SetupError, match=r"install python3\.11-dev, or .* APT=yes"):
        provide_packages(BARE)


def test_who_may_not_install_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WRONGCALL_APT", "yes")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)

    with pytest.raises(SetupError, match=r"please install: python3\.11-dev"):
        provide_packages(BARE)


def test_root_installs_with_apt_when_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "log"
    apt = tmp_path / "apt-get"
    apt.write_text(f'#!/bin/sh\necho "$@" >> {log}\n')
    apt.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setenv("WRONGCALL_APT", "yes")
    monkeypatch.setattr(os, "geteuid", lambda: 0)

    provide_packages(BARE)

    update, install = log.read_text().splitlines()
    assert update == "update"
    assert install.endswith(" python3.11-dev")


def test_the_environment_to_run_in_has_a_folder_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(environments, "VENVS", tmp_path)
    interpreter = Interpreter("python", (3, 11, 2))

    assert environments.Environment(interpreter, "run").folder == tmp_path / "run"
    assert environments.Environment(interpreter).folder == tmp_path / "3.11"


def test_a_failed_command_shows_what_it_printed() -> None:
    with pytest.raises(SetupError, match="no wheel for this version"):
        run([sys.executable, "-c", "import sys; sys.exit('no wheel for this version')"])
