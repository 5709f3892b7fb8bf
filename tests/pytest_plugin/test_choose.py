"""The plugin loads little, and only what a process has to do."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from tests.cli.ask.talking import ROOT
from tests.pytest_plugin.suites import run, traces

pytest_plugins = ["pytester"]


def test_the_plugin_imports_nothing_until_it_is_asked() -> None:
    # What pytest_addoption needs is there; everything else would slow down every pytest run.
    program = "import sys; old = {*sys.modules}; import wrongcall.pytest_plugin; print(*sys.modules.keys() - old)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert set(done.stdout.split()) <= {"wrongcall", "wrongcall.pytest_plugin", "__future__"}


def test_failed_tests_of_workers_are_recorded_by_the_controller(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_it="def test_one(): assert 0\ndef test_two(): assert 0")
    result = run(pytester, "--wrongcall", "-n2", plugins=("xdist",))
    result.assert_outcomes(failed=2)
    names = ("one", "two")
    assert traces(pytester) == [f"test_it.py/test_{name}/1.wrongcall" for name in names]


@pytest.mark.parametrize("option", ["--wrongcall=off", "--collect-only"])
def test_nothing_is_recorded(pytester: pytest.Pytester, option: str) -> None:
    pytester.makepyfile(test_it="def test_one(): assert 0")
    run(pytester, "--wrongcall", option)
    assert not traces(pytester)


def test_an_unknown_mode_is_an_error(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_it="def test_one(): assert 0")
    result = run(pytester, "--wrongcall=sometimes")
    assert result.ret == pytest.ExitCode.USAGE_ERROR


def test_a_folder_after_the_option_is_not_its_value(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_it="def test_one(): pass")
    run(pytester, "--wrongcall", "test_it.py").assert_outcomes(passed=1)


def test_every_option_is_documented(pytester: pytest.Pytester) -> None:
    page = (ROOT / "docs" / "reference" / "pytest.md").read_text("utf-8")
    shown = run(pytester, "--help").stdout.str()
    options = set(re.findall(r"^  (--wrongcall\S*)", shown, re.MULTILINE))
    assert {"--wrongcall", "--wrongcall=on", "--wrongcall-ask"} <= options
    assert [option for option in options if f"`{option}`" not in page] == []
