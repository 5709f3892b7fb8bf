"""Tests mirror the sources: each module has a test file of its own name, in the same folder."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src" / "wrongcall"
TESTS = ROOT / "tests"

pytestmark = pytest.mark.once

EXCEPTIONS = {
    "__main__.py": "one call of `cli.main`; every test that runs a command goes through it",
    "languages/source_file.py": "a protocol; `languages/python/test_python_file.py` tests the class",
    "recorder/start.py": "a script of one statement, with which `recorder/test_boot.py` begins",
}
"""Modules that need no test file of their own name, each with the reason."""

NOT_YET = frozenset(
    {
        "cli/ask/drawing.py",
        "cli/ask/keys.py",
        "cli/ask/messages.py",
        "cli/ask/prompt.py",
        "cli/ask/start_options.py",
        "cli/ask/terminal.py",
        "cli/ask/views/pager.py",
        "cli/ask/views/steps.py",
        "cli/ask/views/tree.py",
        "cli/ask/wrong_part.py",
        "cli/commands.py",
        "cli/debug.py",
        "cli/events.py",
        "cli/history.py",
        "cli/info.py",
        "cli/origin.py",
        "cli/output.py",
        "cli/run.py",
        "cli/running.py",
        "cli/shells/bash.py",
        "cli/shells/fish.py",
        "cli/shells/zsh.py",
        "cli/show.py",
        "cli/signals.py",
        "cli/tree.py",
        "cli/web.py",
        "present/diffs.py",
        "present/excerpts.py",
        "present/forms/atoms.py",
        "present/forms/callables.py",
        "present/forms/containers.py",
        "present/forms/definitions.py",
        "present/forms/exceptions.py",
        "present/forms/form.py",
        "present/forms/iterators.py",
        "present/forms/libraries.py",
        "present/forms/records.py",
        "present/forms/stateful.py",
        "present/forms/streams.py",
        "present/forms/tables.py",
        "present/forms/views.py",
        "present/frames.py",
        "present/json_shapes.py",
        "present/lines.py",
        "present/lookup.py",
        "present/models.py",
        "present/opened.py",
        "present/opened_table.py",
        "present/output.py",
        "present/processes.py",
        "present/reports.py",
        "present/screens/call.py",
        "present/screens/finding.py",
        "present/screens/lists.py",
        "present/screens/question.py",
        "present/screens/reading.py",
        "present/screens/source.py",
        "present/screens/trails.py",
        "present/stopping.py",
        "present/styles.py",
        "session/answers.py",
        "session/cost.py",
        "session/facts.py",
        "session/knowledge.py",
        "session/looking.py",
        "session/oracles.py",
        "session/steps.py",
        "session/storage.py",
        "session/strategies/base.py",
        "session/strategies/coverage.py",
        "session/strategies/divide_by_queries.py",
        "session/strategies/dq_hirunkitti.py",
        "session/strategies/dq_shapiro.py",
        "session/strategies/heaviest_first.py",
        "session/strategies/least_reading.py",
        "session/strategies/lookahead.py",
        "session/strategies/more_rules_first.py",
        "session/strategies/optimal_dq.py",
        "session/strategies/single_stepping.py",
        "session/strategies/top_down.py",
        "session/strategies/worst_case.py",
        "web/app.py",
        "web/assets.py",
        "web/balance_worker.py",
        "web/call_json.py",
        "web/icicle.py",
        "web/request_fields.py",
        "web/session_json.py",
        "web/tree_rows.py",
        "web/tree_snapshot.py",
        "web/value_search.py",
        "web/worker.py",
    }
)
"""Modules that lack one still. Take a line out when you write the test; add none."""


def _modules() -> set[str]:
    """Return all modules but the packages themselves."""
    files = (path for path in SOURCES.rglob("*.py") if path.name != "__init__.py")
    return {path.relative_to(SOURCES).as_posix() for path in files}


def _test_of(module: str) -> Path:
    path = TESTS / module
    return path.with_name(f"test_{path.name}")


def test_each_module_has_a_test_file_of_its_own_name() -> None:
    lacking = {module for module in _modules() if not _test_of(module).exists()}
    unexpected = sorted(lacking - EXCEPTIONS.keys() - NOT_YET)
    wanted = [str(_test_of(module).relative_to(ROOT)) for module in unexpected]
    assert not wanted, f"modules without a test file of their own name: write {wanted}"


@pytest.mark.parametrize("listed", [EXCEPTIONS, NOT_YET], ids=["exceptions", "not yet"])
def test_what_is_listed_is_there_and_lacks_a_test_file(
    listed: dict[str, str] | frozenset[str],
) -> None:
    gone = sorted(set(listed) - _modules())
    assert not gone, f"no such module (any more): {gone}"
    tested = sorted(module for module in listed if _test_of(module).exists())
    assert not tested, f"these have a test file now, take them off the list: {tested}"


def test_no_module_is_on_both_lists() -> None:
    assert not EXCEPTIONS.keys() & NOT_YET
