"""A few traces stay open, by path."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from wrongcall.errors import UsageError
from wrongcall.mcp.permissions import Permissions
from wrongcall.mcp.traces import MAX_OPEN, Traces

pytestmark = pytest.mark.once


def test_a_trace_is_opened_once(project: Path, trace: str) -> None:
    with Traces(Permissions(project)) as traces:
        with traces.use(trace) as one:
            pass
        with traces.use(trace) as other:
            assert other is one


def test_a_trace_that_was_recorded_again_is_opened_anew(project: Path, trace: str) -> None:
    copy = project / "again.wrongcall"
    shutil.copy(project / trace, copy)
    with Traces(Permissions(project)) as traces:
        with traces.use("again.wrongcall") as one:
            pass
        other_file = project / "other.wrongcall"
        shutil.copy(project / trace, other_file)
        other_file.replace(copy)
        with traces.use("again.wrongcall") as other:
            assert other is not one
            assert other.calls.count == one.calls.count


def test_the_least_used_is_closed(project: Path, trace: str) -> None:
    names = [f"copy{n}.wrongcall" for n in range(MAX_OPEN + 1)]
    for name in names:
        shutil.copy(project / trace, project / name)
    with Traces(Permissions(project)) as traces:
        opened = []
        for name in names:
            with traces.use(name) as recording:
                opened.append(recording)
        with traces.use(names[0]) as again:
            assert again is not opened[0]
        with traces.use(names[-1]) as kept:
            assert kept is opened[-1]


def test_a_trace_that_was_deleted_is_missed(project: Path, trace: str) -> None:
    shutil.copy(project / trace, project / "gone.wrongcall")
    with Traces(Permissions(project)) as traces:
        with traces.use("gone.wrongcall"):
            pass
        (project / "gone.wrongcall").unlink()
        with pytest.raises(UsageError, match="no such trace"), traces.use("gone.wrongcall"):
            pass
