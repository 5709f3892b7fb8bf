"""The pytest plugin: ``pytest --wrongcall`` records the tests that fail.

This module is loaded by every pytest run in an environment that has wrongcall, so it imports nothing until it is asked
for: not the rest of wrongcall, and not the other modules of this package. Those need pytest and the standard library
only; tests are recorded by ``python -m wrongcall record`` in processes of their own.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import pytest

FAILED, ON, RETAIN, OFF = "failed", "on", "retain-on-failure", "off"
_MODES = (
    ("--wrongcall", FAILED, "run each failed test again, alone, and record it"),
    ("--wrongcall=on", ON, "record every test, each in a process of its own"),
    ("--wrongcall=retain-on-failure", RETAIN, "record every test; keep the traces of failures"),
    ("--wrongcall=off", OFF, "record nothing (the default)"),
)
REWRITER = "_pytest.assertion.rewrite"
"""The module of pytest that compiles tests. If this process is recorded, it has a ``compile`` of the recorder's, with a
function that makes pytest mark in the trace which tests fail."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Describe the options."""
    group = parser.getgroup("wrongcall", "wrongcall: record tests, and debug those that fail")
    for option, mode, text in _MODES:
        # Each mode is an option without a value: else `--wrongcall tests/` would take the folder for one.
        group.addoption(option, dest="wrongcall", action="store_const", const=mode, help=text)
    group.addoption(
        "--wrongcall-ask", action="store_true", help="start the questions after the tests"
    )
    # Set by the plugin itself, for the run of a single test that it records.
    group.addoption("--wrongcall-reports", metavar="FILE", help="for the plugin's own use")


def pytest_configure(config: pytest.Config) -> None:
    """Load the part that was asked for."""
    mode = config.option.wrongcall or (FAILED if config.option.wrongcall_ask else OFF)
    # The recorder's modules are hidden from the program, and so from us.
    register = getattr(getattr(sys.modules.get(REWRITER), "compile", None), "register", None)
    if register is not None:
        register(config)  # the recorder has done so itself, unless assertions are not rewritten
    if config.option.wrongcall_reports:
        from wrongcall.pytest_plugin.recorded import Recorded  # noqa: PLC0415

        config.pluginmanager.register(Recorded(config), "wrongcall-recorded")
    elif register is None and mode != OFF and not config.option.collectonly:
        from wrongcall.pytest_plugin.choose import plugin_for  # noqa: PLC0415

        chosen = plugin_for(config, mode)
        if chosen is not None:
            config.pluginmanager.register(chosen, "wrongcall-recording")
