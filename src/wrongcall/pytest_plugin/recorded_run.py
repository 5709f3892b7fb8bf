"""Run one test recorded, in a process of its own, as the same command line would run it.

The options of the command line are kept, except those that choose tests, run them elsewhere or report about them; the
reports of the test come back through a file.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from wrongcall.pytest_plugin.places import folder_of, next_attempt, prepare

Report = pytest.TestReport | pytest.CollectReport

_DROPPED = frozenset(
    {
        *(
            "--lf",
            "--last-failed",
            "--ff",
            "--failed-first",
            "--nf",
            "--new-first",
            "--cache-clear",
        ),
        *("--sw", "--stepwise", "--sw-skip", "--stepwise-skip", "--sw-reset", "--stepwise-reset"),
        *("--pdb", "--trace", "--pyargs", "--setup-show"),
    }
)
"""Options without a value that make no sense for one test, alone."""
_WITH_VALUE = frozenset(
    {
        *("-k", "-m", "-p", "-c", "-o", "-r", "-W", "-n"),
        *("--rootdir", "--confcutdir", "--basetemp", "--deselect", "--ignore"),
    }
)
"""Options whose value may be the next word, and look like a folder of tests."""
_OVERRIDES = {
    "xdist": ("-n0",),
    "_cov": ("--no-cov",),
    "cacheprovider": ("--lfnf=all",),
    "junitxml": ("--junit-xml=",),
}
"""For each plugin, options that switch off what it would do to the run of one test."""
_REPORTS = {
    "report_log": "--report-log=",
    "htmlpath": "--html=",
    "json_report_file": "--json-report-file=none",
    "allure_report_dir": "--alluredir=",
}
"""For each option by which a plugin is told where to write a report, one that makes it write none: it would overwrite
the user's own report. They come last, so that they also count if the option is in a configuration file."""
_UNWANTED = (
    "COVERAGE_PROCESS_START",
    "COVERAGE_PROCESS_CONFIG",
    "COV_CORE_SOURCE",
    "COV_CORE_DATAFILE",
)
"""Variables that would make the recorded process measure coverage."""


@dataclass(frozen=True)
class RecordedRun:
    """A test that ran recorded."""

    test: str
    trace: Path
    reports: tuple[Report, ...]
    example: str
    """The failing example of a property test, as a decorator."""
    output: str
    """What the process printed."""
    status: int
    """Its exit code."""

    @property
    def is_recorded(self) -> bool:
        """Whether there is a trace of the test: pytest found it, and began to run it."""
        not_run = self.status in (pytest.ExitCode.USAGE_ERROR, pytest.ExitCode.NO_TESTS_COLLECTED)
        return self.trace.exists() and not (not_run and not self.reports)

    @property
    def has_passed(self) -> bool:
        """Whether the test ran to its end, and passed."""
        passed = any(report.passed and report.when == "call" for report in self.reports)
        return passed and self.status == pytest.ExitCode.OK


def trace_for(config: pytest.Config, test: str) -> Path:
    """Return where to write the next trace of a test."""
    prepare(config.rootpath)
    return next_attempt(folder_of(config.rootpath, test))


def run_recorded(config: pytest.Config, test: str, trace: Path) -> RecordedRun:
    """Run a test, or a module that can't be collected, and record it."""
    with tempfile.TemporaryDirectory(prefix="wrongcall-") as folder:
        file = Path(folder) / "reports"
        words = [*_recorder(), "-o", str(trace), "--", "-m", "pytest"]
        words += pytest_arguments(config, Path(folder))
        done = subprocess.run(
            [*words, f"--wrongcall-reports={file}", _argument(config, test)],
            cwd=config.invocation_params.dir,
            env=environment(os.environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        lines = list(_lines(file))
    reports = [_restored(config, data) for data in lines]
    examples = [data["$wrongcall_example"] for data in lines]
    output = done.stdout.decode("utf-8", "replace")
    example = max(examples, key=len, default="")
    return RecordedRun(test, trace, tuple(reports), example, output, done.returncode)


def _lines(file: Path) -> Iterator[dict[str, Any]]:
    if file.exists():
        for line in file.read_text("utf-8").splitlines():
            yield json.loads(line)


def _restored(config: pytest.Config, data: dict[str, Any]) -> Report:
    """Restore a report that went through JSON, which has no tuples."""
    for name in ("longrepr", "location"):
        if isinstance(data.get(name), list):
            data[name] = tuple(data[name])
    for name in ("user_properties", "sections"):
        data[name] = [tuple(pair) for pair in data.get(name, ())]
    report: Report = config.hook.pytest_report_from_serializable(config=config, data=data)
    return report


def _recorder() -> list[str]:
    """Return the command that records, run by this interpreter in the way it was started."""
    flags: list[str] = subprocess._args_from_interpreter_flags()  # type: ignore[attr-defined]
    # `python -m pytest` puts the current folder on the path of imports, `pytest` does not. Not by the words of the
    # command: in `pytest -m slow`, -m chooses tests.
    is_module = getattr(sys.modules["__main__"], "__spec__", None) is not None
    safe = [] if is_module or sys.flags.safe_path else ["-P"]
    return [
        *(sys.executable, *flags, *safe, "-m", "wrongcall"),
        *("record", "--quiet", "--python", sys.executable),
    ]


def environment(variables: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of the recorded process."""
    kept = {name: text for name, text in variables.items() if name not in _UNWANTED}
    kept.pop("PYTEST_CURRENT_TEST", None)
    return kept


def pytest_arguments(config: pytest.Config, folder: Path) -> list[str]:
    """Return the options for the run of one test."""
    words = kept_arguments([str(a) for a in config.invocation_params.args], _named(config))
    for plugin, options in _OVERRIDES.items():
        if config.pluginmanager.hasplugin(plugin):
            words += options
    words += [option for name, option in _REPORTS.items() if hasattr(config.option, name)]
    words += ["-k", "", "-m", "", "--wrongcall=off", f"--rootdir={config.rootpath}"]
    if config.pluginmanager.hasplugin("cacheprovider"):
        words += ["-o", f"cache_dir={folder / 'cache'}"]
    if config.inipath is not None:
        words += ["-c", str(config.inipath)]
    return words


def _named(config: pytest.Config) -> list[str]:
    """Return the files, folders and tests that were named on the command line."""
    from_arguments = config.args_source is pytest.Config.ArgsSource.ARGS
    return [str(argument) for argument in config.args] if from_arguments else []


def kept_arguments(words: list[str], named: list[str]) -> list[str]:
    """Return the words of a command line without those that choose tests or change how they are run."""
    kept: list[str] = []
    before = ""
    for word in words:
        is_named = word in named and before not in _WITH_VALUE
        is_own = word.startswith("--wrongcall")
        if not (is_named or is_own or word in _DROPPED):
            kept.append(word)
        before = word
    return kept


def _argument(config: pytest.Config, test: str) -> str:
    """Return a test for the command line; its name is as seen from pytest's root folder."""
    file, separator, name = test.partition("::")
    return f"{config.rootpath / file}{separator}{name}"
