"""The part of the campaign that is small enough for every test run, and the campaign's own judgement.

The whole of it is `make fidelity`. Projects are left out here: they come from elsewhere.
"""

from __future__ import annotations

import ast
import json
import sqlite3
import stat
import sys
from contextlib import closing
from pathlib import Path

import pytest

import wrongcall.recording
from fidelity import (
    campaign,
    corruption,
    cpython,
    documents,
    faults,
    forms,
    fuzz,
    hostile,
    lifetime,
    projects,
    replay,
    tree,
)
from fidelity.forms_programs import Programs
from fidelity.outcomes import Difference, Suite, allowed_differences, compare
from fidelity.read_everything import read_everything
from fidelity.report import Options, Report
from fidelity.runs import Python, Run
from tests.recorder.heap_compare import read_snapshots
from wrongcall.present import excerpt

SMALL = Options(small=True)
PARTS = (
    *(cpython, tree, lifetime, forms),
    # What a trace is worth that was cut off or damaged does not depend on the interpreter.
    *(pytest.param(part, marks=pytest.mark.once) for part in (faults, fuzz, hostile)),
)


@pytest.fixture(scope="module")
def python() -> Python:
    return Python.at(sys.executable)


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.__name__.partition(".")[2])
def test_small_part(python: Python, part: object) -> None:
    report: Report = part.run(python, SMALL)  # type: ignore[attr-defined]
    assert report.rows
    assert not report.problems


def test_small_part_of_replay(python: Python) -> None:
    report = replay.run(python, Options(small=True, only=replay.SMALL))
    assert [row["snapshots"] > 100 for row in report.rows] == [True, True]
    assert not report.problems


# -- does the campaign see what it looks for? --------------------------------------------------------


def write_suite(path: Path, **outcomes: str) -> Suite:
    facts: list[dict[str, object]] = []
    for name, outcome in outcomes.items():
        facts.append({"began": name})
        if outcome != "died":
            facts.append({"test": name, "outcome": outcome, "seconds": 0.5})
    path.write_text("".join(json.dumps(fact) + "\n" for fact in facts))
    return Suite.read(path)


def test_suites_differ_where_a_test_ends_differently_dies_or_is_missing(tmp_path: Path) -> None:
    plain = write_suite(tmp_path / "a", one="passed", two="failed", three="passed", four="skipped")
    recorded = write_suite(tmp_path / "b", one="passed", two="passed", three="died")
    assert [(d.test, d.plain, d.recorded) for d in compare(plain, recorded)] == [
        ("two", "failed", "passed"),
        ("three", "passed", "died"),
        ("four", "skipped", "missing"),
    ]


def test_tests_that_share_an_id_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "results"
    lines = [{"test": "same", "outcome": outcome} for outcome in ("passed", "failed")]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert Suite.read(path).outcomes == {"same": "passed", "same (2)": "failed"}


def test_a_difference_tells_the_last_line_of_its_reason() -> None:
    text = str(Difference("t", "passed", "failed", "Traceback\nAssertionError: 1 != 2\n"))
    assert text == "t: passed plain, failed recorded: AssertionError: 1 != 2"


def test_every_difference_that_is_allowed_has_a_reason_and_is_explained_once() -> None:
    allowed = allowed_differences()
    assert all(reason for reason in allowed.values())
    own = {test.partition(": ")[0] for test in allowed if ": " in test}
    assert own <= {project.name for project in projects.PROJECTS}
    others = {test.split(".")[1] for test in allowed if ": " not in test}
    assert others <= set(cpython.modules(small=False))


@pytest.mark.parametrize("change", ["parent", "outcome", "value", "missing", "name"])
def test_a_tree_that_differs_is_seen(change: str) -> None:
    call = {"name": "f", "line": 1, "parent": -1, "kind": "function", "outcome": "returned"}
    witnessed = [{**call, "value": "1"}, {**call, "parent": 0, "value": "2"}]
    recorded = [dict(each) for each in witnessed]
    assert tree._differences(witnessed, recorded) == []
    if change == "missing":
        recorded.pop()
    else:
        wrong = {"parent": -1, "outcome": "raised", "value": "3", "name": "g"}
        recorded[1][change] = wrong[change]
    assert len(tree._differences(witnessed, recorded)) == 1


def test_only_forgeries_may_be_read_as_another_run() -> None:
    assert fuzz.is_forged({"verdict": "other", "way": "forge_values"})
    assert not fuzz.is_forged({"verdict": "other", "way": "flip_bits"})
    assert not fuzz.is_forged({"verdict": "failed", "way": "forge_values"})


def test_a_forgery_has_right_checksums_and_damage_has_not(python: Python, tmp_path: Path) -> None:
    trace = fuzz._good_trace(python, tmp_path, "chat")
    before = read_everything(trace)
    assert before.refused == []
    with closing(sqlite3.connect(trace)) as db, db:
        db.execute("UPDATE names SET text = text || 'x'")
    assert "the table names is not as it was written" in read_everything(trace).refused[0]
    with closing(sqlite3.connect(trace)) as db, db:
        corruption.make_right(db)
    after = read_everything(trace)
    assert after.refused == []
    assert repr(after.told) != repr(before.told)


def test_a_function_that_ends_nowhere_is_shown_as_far_as_its_source_goes(
    python: Python, tmp_path: Path
) -> None:
    trace = fuzz._good_trace(python, tmp_path, "chat")
    with closing(sqlite3.connect(trace)) as db, db:
        db.execute("UPDATE functions SET end_line = 2000000000")
        corruption.make_right(db)
    with wrongcall.recording.open(trace) as opened:
        most = opened.program.files[1].source.count("\n") + 1
        shown = excerpt(opened, opened.calls.roots()[0].id)
    assert shown.lines[-1].number <= most


def test_whatever_is_touched_beside_a_trace_is_seen() -> None:
    file, folder = stat.S_IFREG | 0o644, stat.S_IFDIR | 0o755
    trace, log = "trace/run.wrongcall", "trace/run.wrongcall-wal"
    before: hostile.State = {
        trace: (file, 1, b"a"),
        log: (file, 2, b"l"),
        "home": (folder, 3, None),
    }
    touched = hostile._touched
    assert touched(before, {**before, "work/stdout.txt": (file, 9, b"")}, "info") == []
    entries: hostile.State = {
        trace: (file, 1, b"b"),
        log: (file, 4, b"l"),
        "x": (file, 5, b""),
    }
    for name, entry in entries.items():
        assert touched(before, {**before, name: entry}, "info") == [f"{name} was touched"]
    after: hostile.State = {"home": before["home"], trace: (file, 1, b"al")}
    assert touched(before, after, "debug") == []
    assert touched(before, after, "info") == [f"{name} was touched" for name in (trace, log)]
    linked: hostile.State = {**before, log: (stat.S_IFLNK | 0o777, 2, "precious")}
    assert touched(linked, after, "debug") == [f"{log} was touched"]


def test_a_command_that_hangs_crashes_or_says_something_else_is_seen() -> None:
    def verdict(status: int, out: str, err: str, *, late: bool = False) -> str:
        return hostile._judged(Run(status, out, err, 0.0, timed_out=late), "right")[0]

    assert verdict(0, "right", "") == "answered"
    assert verdict(3, "", "wrongcall: no\n") == "refused"
    assert verdict(0, "wrong", "") == "failed"
    assert verdict(0, "right", "", late=True) == "failed"
    assert verdict(1, "", "Traceback (most recent call last)") == "failed"
    assert verdict(-11, "", "") == "failed"


def test_a_program_that_prints_something_else_is_seen(python: Python, tmp_path: Path) -> None:
    (tmp_path / "prog.py").write_text("import sys; print('.h' in sys._getframe().f_locals)")
    plain = python.run(["prog.py"], tmp_path)
    (tmp_path / "prog.py").write_text("print('changed')")
    recorded = python.record(["prog.py"], tmp_path, tmp_path / "t.wrongcall")
    (text,) = lifetime.differences(plain, recorded)
    assert text.startswith("printed something else")


def test_a_table_replaces_what_stands_between_its_markers() -> None:
    text = "before\n<!-- x -->\nold\n<!-- end of x -->\nafter\n"
    new = documents.replaced(text, "x", "| new |")
    assert new == "before\n<!-- x -->\n\n| new |\n\n<!-- end of x -->\nafter\n"
    with pytest.raises(ValueError, match="markers of y"):
        documents.replaced(text, "y", "")


def test_the_page_has_a_place_for_every_part() -> None:
    text = documents.PATH.read_text()
    for name in campaign.PARTS:
        assert text.count(f"<!-- {name} -->") == text.count(f"<!-- end of {name} -->") == 1


def test_every_project_is_pinned_with_hashes() -> None:
    for project in projects.PROJECTS:
        assert "--hash=sha256:" in projects.locked(project.name)


@pytest.mark.parametrize(
    "second, steady",
    [
        ({"plain": "passed", "recorded": "failed"}, ["t::one"]),
        ({"plain": "passed", "recorded": "passed"}, []),
        ({"plain": "failed", "recorded": "passed"}, []),  # unsteady without recording, too
    ],
)
def test_a_difference_counts_if_it_is_there_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, second: dict[str, str], steady: list[str]
) -> None:
    asked: list[object] = []

    def suite(*args: object, recorded: bool, tests: list[str]) -> tuple[None, Suite]:
        asked.append(tests)
        return None, Suite({"t::one": second["recorded" if recorded else "plain"]})

    monkeypatch.setattr(projects, "_suite", suite)
    before = Suite({"t::one": "passed", "t::two": "passed"})
    once = [Difference("t::one", "passed", "failed", "")]
    project = projects.PROJECTS[0]
    here = Python(sys.executable, "3")
    found = projects._steady(here, project, tmp_path, tmp_path, before, once)
    assert [each.test for each in found] == steady
    assert asked == [["t::one"], ["t::one"]]


def test_all_tests_run_again_if_one_was_missing_plain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []

    def suite(*args: object, recorded: bool, tests: list[str]) -> tuple[None, Suite]:
        asked.append(tests)
        return None, Suite({"t::new": "passed"} if recorded else {})

    monkeypatch.setattr(projects, "_suite", suite)
    once = [Difference("t::new", "missing", "passed", "")]
    here = Python(sys.executable, "3")
    found = projects._steady(here, projects.PROJECTS[0], tmp_path, tmp_path, Suite(), once)
    assert found == once
    assert asked == [[], []]


# -- the programs of the forms ------------------------------------------------------------------------

NEVER_IN_A_PROGRAM = {"Expression", "FunctionType", "Interactive", "TypeIgnore"}
OF_OLD_TREES = {"AugLoad", "AugStore", "Param", "Suite", "Index", "ExtSlice", "_ast_Ellipsis"}
OF_OLD_TREES |= {"Bytes", "Ellipsis", "NameConstant", "Num", "Str"}


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
def test_every_form_of_the_grammar_is_generated_and_compiles() -> None:
    seen: set[str] = set()
    for seed in range(60):
        for name, text in Programs(seed, sys.version_info[:2]).files().items():
            compile(text, name, "exec", dont_inherit=True)
            seen |= {type(node).__name__ for node in ast.walk(ast.parse(text))}
    kinds = {
        name
        for name, kind in vars(ast).items()
        if isinstance(kind, type) and issubclass(kind, ast.AST) and not kind.__subclasses__()
    }
    assert kinds - seen - OF_OLD_TREES == NEVER_IN_A_PROGRAM


@pytest.mark.once
def test_a_seed_makes_one_program() -> None:
    one, same, other = (Programs(seed, (3, 12)).files() for seed in (7, 7, 8))
    assert one == same != other


def test_variables_that_the_trace_has_otherwise_are_seen(python: Python, tmp_path: Path) -> None:
    forms.write(tmp_path, 0, sys.version_info[:2])
    trace = tmp_path / "t.wrongcall"
    python.record(["prog.py"], tmp_path, trace, ["--exclude", "heap_witness"])
    snapshots = read_snapshots(tmp_path)
    with wrongcall.recording.open(trace) as opened:
        assert len(snapshots) > 5
        assert forms.wrong_snapshots(opened, snapshots) == []
        label, snapshot = next(iter(snapshots.items()))
        snapshot.locals["made_up"] = ["int", "0x1"]
        (text,) = forms.wrong_snapshots(opened, snapshots)
    assert text.startswith(f"at {label}: the program had the variables")


def test_the_first_line_that_differs_is_told() -> None:
    assert forms.first_difference("a\nb\nc", "a\nx\ny") == "'b' became 'x'"
    assert forms.first_difference("a\nb", "a") == "2 lines, 1 recorded"
