"""Under pytest: mark in the trace which test runs, and which has failed.

Readers of the trace need to know where a test begins and what its runner says about it; the calls alone don't show
either. `register` gives pytest a plugin that makes the marks. It imports nothing of pytest, so it needs nothing that is
installed where the tests run.

Tests may run pytest themselves, in their own process, and expect failures there. Only the outermost run is marked.
"""

from __future__ import annotations

from _json import encode_basestring_ascii as quoted
from posix import getpid

from wrongcall.recorder import _native
from wrongcall.recorder.pytest_examples import example_of, failed_example
from wrongcall.recorder.sites import as_object
from wrongcall.recorder.world import keep_builtins

keep_builtins(globals())

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    Hook = TypeVar("Hook", bound=Callable[..., None])

PLUGIN = "wrongcall-marks"
"""The name by which pytest knows the plugin."""
LONGEST_MESSAGE = 300

_running: list[object] = []  # the plugin of the outermost run


def register(config: Any) -> None:
    """Make a run of pytest mark its tests, unless it runs inside a test."""
    plugins = getattr(config, "pluginmanager", None)
    if plugins is not None and not _running:
        marks = Marks()
        _running.append(marks)
        plugins.register(marks, PLUGIN)


def _early(function: Hook) -> Hook:
    """Let a hook run before those of others, as ``pytest.hookimpl(tryfirst=True)`` does."""
    function.pytest_impl = {"tryfirst": True}  # type: ignore[attr-defined]
    return function


class Marks:
    """The plugin. pytest finds its methods by their names."""

    def __init__(self) -> None:
        self.example = ""
        """The failing example of the test that is running, if it is a property test."""

    @_early
    def pytest_runtest_setup(self) -> None:
        """Mark where the test begins."""
        _mark({"phase": "setup"})
        self.example = ""

    @_early
    def pytest_runtest_call(self) -> None:
        """Mark where its fixtures are ready."""
        _mark({"phase": "call"})

    @_early
    def pytest_runtest_teardown(self) -> None:
        """Mark where its fixtures are torn down."""
        _mark({"phase": "teardown"})

    @_early
    def pytest_runtest_makereport(self, call: Any) -> None:
        """Remember the failing example of a property test, which the report has as text only."""
        if call.excinfo is not None:
            self.example = example_of(call.excinfo.value) or self.example

    @_early
    def pytest_runtest_logreport(self, report: Any) -> None:
        """Mark a failure, except if a worker of pytest-xdist reports it: it has marked it."""
        if is_failure(report) and not hasattr(report, "node"):
            self._mark_failure(report, report.when)

    @_early
    def pytest_collectreport(self, report: Any) -> None:
        """Mark a module that could not be imported."""
        if report.failed and not hasattr(report, "node"):
            self._mark_failure(report, "collect")

    @_early
    def pytest_unconfigure(self) -> None:
        """Let the next run of pytest in this process be marked."""
        _running.clear()

    def _mark_failure(self, report: Any, phase: str) -> None:
        message = message_of(report)
        example = self.example if phase == "call" else ""
        doctest = failed_example(report.longrepr)
        if doctest is not None:
            phase, (example, message) = "doctest", doctest
        facts = {"phase": phase, "message": message[:LONGEST_MESSAGE], "example": example}
        _mark({"failed": report.nodeid, **facts})


def _mark(mark: dict[str, str]) -> None:
    # Workers of pytest-xdist may be recorded in one trace.
    texts = {key: quoted(text) for key, text in {**mark, "process": str(getpid())}.items()}
    _native.meta(as_object({"test": as_object(texts)}))


def is_failure(report: Any) -> bool:
    """Return whether something raised; a test that passed although it was expected to fail raised nothing."""
    return bool(report.failed) and not str(report.longrepr).startswith("[XPASS(strict)]")


def message_of(report: Any) -> str:
    """Return the first line of what pytest says about a failure."""
    longrepr = report.longrepr
    crash = getattr(longrepr, "reprcrash", None)
    # The text of a fixture that doesn't exist begins with source.
    text = str(getattr(longrepr, "errorstring", longrepr) if crash is None else crash.message)
    return next((line for line in text.splitlines() if line.strip()), "")[:LONGEST_MESSAGE]
