"""Which modules are recorded. (What the command line makes of it is tested in tests/cli.)"""

from __future__ import annotations

import fnmatch
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wrongcall
from wrongcall.recorder.selection import Selection, matches


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name in ("app/core.py", "tests/test_app.py", "venv/lib/site-packages/lib/part.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    return tmp_path


def test_files_of_the_project_are_recorded_and_others_are_not(project: Path) -> None:
    chosen = Selection(str(project / "app"), [], [])
    assert chosen("app.core", str(project / "app/core.py"))
    assert not chosen("test_app", str(project / "tests/test_app.py"))
    assert not chosen("application", str(project / "application.py"))  # only the name begins so


def test_libraries_inside_the_project_are_recorded_only_if_included(project: Path) -> None:
    path = str(project / "venv/lib/site-packages/lib/part.py")
    assert not Selection(str(project), [], [])("lib.part", path)
    assert Selection(str(project), ["lib"], [])("lib.part", path)
    assert not Selection(str(project), ["li"], [])("lib.part", path)


def test_the_standard_library_and_the_recorder_are_not_the_project() -> None:
    chosen = Selection("/", [], [])
    assert not chosen("json", json.__file__)
    assert not chosen("wrongcall", wrongcall.__file__)
    assert Selection("/", ["json"], [])("json.decoder", json.__file__)


@pytest.mark.parametrize("pattern", ["tests", "tests/", "tests/*", "*.py", "test_app", "test_*"])
def test_exclusion_wins_by_path_or_by_module_name(project: Path, pattern: str) -> None:
    path = str(project / "tests/test_app.py")
    assert not Selection(str(project), ["test_app"], [pattern])("test_app", path)
    assert Selection(str(project), ["test_app"], [])("test_app", path)


def test_a_link_into_the_project_counts_as_what_it_leads_to(project: Path) -> None:
    link = project / "link.py"
    link.symlink_to(project / "app/core.py")
    assert Selection(str(project / "app"), [], [])("link", str(link))


LETTERS = st.text("ab*?", max_size=8)


@given(LETTERS, st.text("ab", max_size=12))
def test_patterns_match_as_those_of_the_shell(pattern: str, text: str) -> None:
    assert matches(pattern, text) is fnmatch.fnmatchcase(text, pattern)


@given(
    LETTERS.filter(bool), st.lists(st.text("ab", min_size=1, max_size=4), min_size=1, max_size=4)
)
def test_a_pattern_for_a_folder_matches_everything_below_it(pattern: str, parts: list[str]) -> None:
    folders = ["/".join(parts[: i + 1]) for i in range(len(parts))]
    expected = any(fnmatch.fnmatchcase(folder, pattern) for folder in folders)
    assert matches(pattern, "/".join(parts)) is expected


def test_a_pattern_with_many_stars_is_decided_quickly() -> None:
    assert not matches("a*" * 30 + "c", "a" * 3000)
