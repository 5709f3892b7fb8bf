"""What all tests share."""

from __future__ import annotations

import os
import signal

from hypothesis import settings

# Slow machines and sanitized builds are no reason to fail.
settings.register_profile("wrongcall", deadline=None)
settings.load_profile("wrongcall")

# A shell without job control starts background jobs with the terminal's signals ignored, and programs
# inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGQUIT, signal.SIG_DFL)
if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:  # by nohup
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

# Test suites that the tests run are somebody's at a desk: pytest and Hypothesis behave differently on CI.
for variable in ("CI", "BUILD_NUMBER", "GITHUB_ACTIONS"):
    os.environ.pop(variable, None)

# Programs are recorded with the interpreter that runs the tests, whatever environment is active.
for variable in ("VIRTUAL_ENV", "CONDA_PREFIX"):
    os.environ.pop(variable, None)

# Nobody but the test answers, and nothing is remembered from one test to the next.
os.environ["WRONGCALL_ORACLES"] = "none"
# Searches end at the call, unless a test is about what is inside it.
os.environ["WRONGCALL_TO"] = "call"
