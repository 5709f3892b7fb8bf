"""The recorded run that a client debugs."""

from __future__ import annotations

import pytest

from tests.dap.client import plan
from tests.dap.conftest import Recorded
from tests.dap.programs import SUMS
from wrongcall.dap.debuggee import Debuggee
from wrongcall.errors import TraceBusyError, TraceError, UsageError


def test_files_are_found_by_their_path(recorded: Recorded) -> None:
    run = recorded(SUMS)
    debuggee = Debuggee(run.trace, plan)
    file = debuggee.file(str(run.program.parent / "." / "x" / ".." / "prog.py"))
    assert file is not None
    assert file.path == str(run.program)
    assert debuggee.file("/nowhere/prog.py") is None
    assert debuggee.is_as_recorded(file)
    assert not debuggee.growing
    debuggee.close()


def test_there_is_no_stop_before_the_beginning(recorded: Recorded) -> None:
    debuggee = Debuggee(recorded(SUMS).trace, plan)
    with pytest.raises(UsageError, match="configurationDone"):
        debuggee.here  # noqa: B018
    debuggee.close()


def test_one_search_at_a_time(recorded: Recorded) -> None:
    one, other = (Debuggee(recorded(SUMS).trace, plan) for _ in range(2))
    assert one.search is one.search
    with pytest.raises(TraceBusyError):
        other.search  # noqa: B018
    one.close()
    assert other.search.session.entries is not None
    other.close()


def test_a_trace_that_is_deleted_is_noticed(recorded: Recorded) -> None:
    run = recorded(SUMS + "# to be deleted\n")
    debuggee = Debuggee(run.trace, plan)
    assert not debuggee.search.resumed
    run.trace.unlink()
    with pytest.raises(TraceError, match="deleted or moved"):
        debuggee.refresh()
    debuggee.close()
    assert not run.trace.exists()
