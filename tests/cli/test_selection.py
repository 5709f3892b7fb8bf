"""Which modules ``wrongcall record`` records."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

import wrongcall.recording
from tests.counted import lines_run
from tests.recorder.bothways import TRACE, recorded, write_files
from wrongcall.cli import config, record
from wrongcall.recorder.selection import Selection, matches

PROGRAM = """
import sys
for folder in ("shared", ".venv/lib/site-packages", ".venv/lib/dist-packages", "../outside"):
    sys.path.append(sys.argv[1] + "/" + folder)
import beside, common, dist, json, lib.core, libx, out, pkg.a, pkg.b
"""

PROJECT: Mapping[str, str] = {
    "project/app/prog.py": PROGRAM,
    "project/app/setup.cfg": "",
    "project/app/beside.py": "x = 1",
    "project/app/pkg/__init__.py": "",
    "project/app/pkg/a.py": "x = 1",
    "project/app/pkg/b.py": "x = 1",
    "project/shared/common.py": "x = 1",
    "project/.venv/lib/site-packages/lib/__init__.py": "",
    "project/.venv/lib/site-packages/lib/core.py": "x = 1",
    "project/.venv/lib/site-packages/libx.py": "x = 1",
    "project/.venv/lib/dist-packages/dist.py": "x = 1",
    "outside/out.py": "x = 1",
}
PKG = {"pkg", "pkg.a", "pkg.b"}
APP = {"__main__", "beside", *PKG}


def modules(folder: Path, *options: str, files: Mapping[str, str] = PROJECT) -> set[str]:
    """The modules in the trace of prog.py, recorded with these options."""
    write_files(folder, files)
    project = folder / "project"
    done = recorded(project, "app/prog.py", str(project), options=options)
    assert (done.stderr, done.status) == ("", 0)
    with wrongcall.recording.open(project / TRACE) as recording:
        return {file.module for file in recording.program.files.values()}


@pytest.mark.parametrize("mark", config.PROJECT_MARKS)
def test_folder_with_a_mark_is_the_root(tmp_path: Path, mark: str) -> None:
    files = {name: text for name, text in PROJECT.items() if "setup.cfg" not in name}
    assert modules(tmp_path, files={**files, f"project/{mark}": ""}) == {*APP, "common"}


def test_nearest_mark_counts(tmp_path: Path) -> None:
    assert modules(tmp_path, files={**PROJECT, "project/.git": ""}) == APP


def test_without_a_mark_the_root_is_the_folder_of_the_script(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Folders above may have any of the real marks.
    monkeypatch.setattr(config, "PROJECT_MARKS", ("no such mark",))
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path, {"a/prog.py": "", "a/b/__main__.py": ""})
    assert record.project_root("script", "a/prog.py") == str(tmp_path / "a")
    assert record.project_root("script", "a/b") == str(tmp_path / "a" / "b")
    assert record.project_root("module", "a.prog") == str(tmp_path)


INCLUDED = {
    "a package": (["lib"], {"lib", "lib.core"}),
    "a module of a package": (["lib.core"], {"lib.core"}),
    "a module outside the project": (["out"], {"out"}),
    "two": (["dist", "libx"], {"dist", "libx"}),
    "a package of the standard library": (
        ["json"], {"json", "json.decoder", "json.encoder", "json.scanner"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("included", INCLUDED)
def test_included_is_recorded_too(tmp_path: Path, included: str) -> None:
    names, more = INCLUDED[included]
    options = [option for name in names for option in ("--include", name)]
    assert modules(tmp_path, *options) == APP | more


EXCLUDED = {
    "a file": (["beside.py"], {"beside"}),
    "a module": (["pkg.a"], {"pkg.a"}),
    "modules by a pattern": (["pkg.*"], {"pkg.a", "pkg.b"}),
    "files by a pattern": (["pkg/*"], PKG),
    "a folder": (["pkg"], PKG),
    "files in any folder": (["*/b.py"], {"pkg.b"}),
    "files with one letter": (["pkg/?.py"], {"pkg.a", "pkg.b"}),
    "two": (["beside", "pkg/a.py"], {"beside", "pkg.a"}),
    "nothing that exists": (["nothing"], set()),
    "the script": (["prog.py"], {"__main__"}),
}


@pytest.mark.parametrize("excluded", EXCLUDED)
def test_excluded_is_left_out(tmp_path: Path, excluded: str) -> None:
    patterns, less = EXCLUDED[excluded]
    options = [option for pattern in patterns for option in ("--exclude", pattern)]
    assert modules(tmp_path, *options) == APP - less


def test_excluded_wins_over_included(tmp_path: Path) -> None:
    assert modules(tmp_path, "--include", "lib", "--exclude", "lib.core") == {*APP, "lib"}


def test_module_is_searched_from_the_working_folder(tmp_path: Path) -> None:
    files = {"setup.cfg": "", "tools/run.py": "import other", "other.py": "", "tools/x.py": ""}
    write_files(tmp_path, files)
    recorded(tmp_path, "-m", "tools.run")
    with wrongcall.recording.open(tmp_path / TRACE) as recording:
        found = {(Path(f.path).name, f.module) for f in recording.program.files.values()}
    assert {name for name, _ in found} == {"run.py", "other.py"}


def test_project_behind_a_link_is_recorded(tmp_path: Path) -> None:
    write_files(tmp_path, {"real/prog.py": "import beside", "real/beside.py": ""})
    (tmp_path / "link").symlink_to("real")
    recorded(tmp_path, "link/prog.py")
    with wrongcall.recording.open(tmp_path / TRACE) as recording:
        assert {f.module for f in recording.program.files.values()} == {"__main__", "beside"}


def test_generated_code_is_left_alone(tmp_path: Path) -> None:
    program = """
        import collections, dataclasses
        exec("def made(x):\\n    y = [x]\\n    return y")
        P = collections.namedtuple("P", "x y")
        @dataclasses.dataclass
        class D:
            x: int
        def f(x): return made(x), P(x, x), D(x), eval("x + 1"), eval(compile("x", "<made>", "eval"))
        print(f(1))
    """
    write_files(tmp_path, program)
    recorded(tmp_path, "prog.py")
    with wrongcall.recording.open(tmp_path / TRACE) as recording:
        assert {f.module for f in recording.program.files.values()} == {"__main__"}
        called = {recording.call(int(n)).function.qualname for n in recording.calls.columns().id}
    assert called == {"<module>", "D", "f"}


# -- the rule itself -------------------------------------------------------------------------------


def test_standard_library_is_never_part_of_a_project() -> None:
    everything = Selection("/", [], [])
    assert not everything("os", os.__file__)
    assert not everything("wrongcall.trace", wrongcall.recording.__file__)
    assert Selection("/", ["os"], [])("os", os.__file__)


@pytest.mark.parametrize(
    "pattern, text, found",
    [
        ("a.py", "a.py", True),
        ("a.py", "b/a.py", False),
        ("*a.py", "b/a.py", True),
        ("a", "a/b/c.py", True),
        ("a", "ab/c.py", False),
        ("a/", "a/b.py", True),
        ("a?c", "abc", True),
        ("a?c", "ac", False),
        ("*", "anything/at/all", True),
        ("", "a", False),
        ("a*b*c", "a-b-b-c", True),
        ("a*b*c", "a-c-b", False),
    ],
)
def test_patterns_match_as_documented(pattern: str, text: str, found: bool) -> None:
    assert matches(pattern, text) is found


def test_many_stars_in_a_pattern_cost_no_more_than_one() -> None:
    """Going back to every star would try each way to share the text out among them: this would never end."""
    text = "a" * 200
    one, many = "*a" + "b", "*a" * 30 + "b"
    assert not matches(many, text)
    assert 0 < lines_run(lambda: matches(many, text)) < 2 * lines_run(lambda: matches(one, text))


def test_long_path_is_matched_to_its_end() -> None:
    assert matches("*z.py", "a" * 3000 + "z.py")
