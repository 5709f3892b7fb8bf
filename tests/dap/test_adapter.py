"""Requests, in and out of order: what the adapter promises, launches, refuses and survives."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.dap.client import Client, RequestFailedError
from tests.dap.conftest import Recorded
from tests.dap.programs import SUMS
from wrongcall.dap.adapter import CAPABILITIES, Adapter

RECORD = [sys.executable, "-m", "wrongcall", "record", "--quiet"]


@pytest.fixture
def launcher() -> Iterator[Client]:
    """A client of an adapter that can record."""
    made = Client(RECORD)
    made.request("initialize", adapterID="wrongcall", supportsProgressReporting=True)
    yield made
    made.close()


def begin(client: Client) -> dict[str, object]:
    client.event("initialized")
    return client.begin()


def test_every_promised_request_is_there(client: Client) -> None:
    told = client.request("initialize", adapterID="x")
    assert told == CAPABILITIES
    promised = {
        "supportsConfigurationDoneRequest": "configurationDone",
        "supportsFunctionBreakpoints": "setFunctionBreakpoints",
        "supportsStepBack": "stepBack",
        "supportsRestartFrame": "restartFrame",
        "supportsGotoTargetsRequest": "gotoTargets",
        "supportsExceptionInfoRequest": "exceptionInfo",
        "supportsLoadedSourcesRequest": "loadedSources",
        "supportsTerminateRequest": "terminate",
        "supportsDataBreakpoints": "dataBreakpointInfo",
        "supportsBreakpointLocationsRequest": "breakpointLocations",
        "supportsCancelRequest": "cancel",
    }
    adapter = Adapter(None, None, [])  # type: ignore[arg-type]
    for flag, command in promised.items():
        assert told[flag] is True
        assert adapter._handler(command) is not None
    # What is recorded can't be changed.
    assert not told["supportsSetVariable"]
    assert not hasattr(adapter, "on_setVariable")


def test_requests_before_a_run_is_opened_fail(client: Client) -> None:
    client.request("initialize", adapterID="x")
    for command in ("stackTrace", "threads", "next", "continue", "wrongcall/question"):
        with pytest.raises(RequestFailedError, match="send launch or attach first"):
            client.request(command, threadId=1)


@pytest.mark.parametrize("command", ["fly", "__init__", "wrongcall/fly", "", "_step"])
def test_unknown_requests_fail(client: Client, command: str) -> None:
    with pytest.raises(RequestFailedError, match="there is no request"):
        client.request(command)


def test_wrong_arguments_are_named(client: Client, recorded: Recorded) -> None:
    with pytest.raises(RequestFailedError, match="attach: 'trace' is missing"):
        client.request("attach")
    with pytest.raises(RequestFailedError, match="there is no trace '/nowhere'"):
        client.request("attach", trace="/nowhere")
    with pytest.raises(RequestFailedError, match="not a"):
        client.request("attach", trace=str(recorded(SUMS).program))
    client.attach(recorded(SUMS).trace)
    client.begin()
    with pytest.raises(RequestFailedError, match="opened already"):
        client.request("attach", trace=str(recorded(SUMS).trace))


def test_terminating_ends_the_session(client: Client, recorded: Recorded) -> None:
    client.attach(recorded(SUMS).trace)
    client.begin()
    client.request("terminate")
    client.event("terminated")
    client.request("disconnect")


# -- launching -------------------------------------------------------------------------------------


def test_a_program_is_recorded_first(launcher: Client, tmp_path: Path) -> None:
    (tmp_path / "prog.py").write_text(
        "import os, sys\nx = os.environ['Y'] + sys.argv[1]\nprint(x)\n"
    )
    launcher.request(
        "launch", program="prog.py", args=["b"], cwd=str(tmp_path), env={"Y": "a"}, stopOnEntry=True
    )
    assert launcher.event("progressStart")["cancellable"] is True
    launcher.event("progressEnd")
    assert launcher.event("process")["startMethod"] == "launch"
    assert begin(launcher)["reason"] == "entry"
    launcher.move("continue")
    assert launcher.values()["x"] == "'ab'"
    assert launcher.output() == "ab\n"
    assert (tmp_path / "prog.wrongcall").exists()
    launcher.request("terminate")
    assert launcher.event("exited") == {"exitCode": 0}


def test_a_module_is_recorded(launcher: Client, tmp_path: Path) -> None:
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "__init__.py").write_text("")
    (tmp_path / "pkg" / "mod.py").write_text("value = 3\n")
    launcher.request("launch", module="pkg.mod", cwd=str(tmp_path))
    begin(launcher)
    assert launcher.values()["value"] == "3"


def test_a_failing_test_stops_where_it_failed(launcher: Client, tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(
        "def half(n):\n    return n // 2\n\ndef test_half():\n    assert half(3) == 1.5\n"
    )
    launcher.request("launch", test="test_it.py::test_half", cwd=str(tmp_path))
    launcher.event("initialized")
    launcher.request("setExceptionBreakpoints", filters=["raised"])
    stopped = launcher.begin()
    assert stopped["reason"] == "exception"
    assert launcher.where() == ("test_half", 5)


def test_a_run_without_debugging_prints_and_ends(launcher: Client, tmp_path: Path) -> None:
    (tmp_path / "prog.py").write_text("print('hello')\nraise SystemExit(3)\n")
    launcher.request("launch", program="prog.py", cwd=str(tmp_path), noDebug=True)
    launcher.event("initialized")
    launcher.request("configurationDone")
    assert launcher.event("exited") == {"exitCode": 3}
    launcher.event("terminated")
    assert launcher.output() == "hello\n"


def test_what_cannot_be_recorded_is_an_error(launcher: Client, tmp_path: Path) -> None:
    with pytest.raises(RequestFailedError, match=r"no such file: nope\.py"):
        launcher.request("launch", program="nope.py", cwd=str(tmp_path))


def test_recording_can_be_cancelled(launcher: Client, tmp_path: Path) -> None:
    (tmp_path / "prog.py").write_text("import time\nwhile True:\n    time.sleep(0.01)\n")
    number = launcher.send("launch", program="prog.py", cwd=str(tmp_path))
    process = _process(launcher.event("progressStart"))
    launcher.request("cancel", requestId=number)
    assert launcher.response(number)["message"] == "cancelled"
    assert not process.exists()


def test_the_program_ends_with_a_client_that_disappears(tmp_path: Path) -> None:
    (tmp_path / "prog.py").write_text("import time\nwhile True:\n    time.sleep(0.01)\n")
    client = Client(RECORD)
    client.request("initialize", adapterID="x", supportsProgressReporting=True)
    client.send("launch", program="prog.py", cwd=str(tmp_path))
    process = _process(client.event("progressStart"))
    assert process.exists()
    client.close()
    assert not process.exists()


def _process(progress: dict[str, object]) -> Path:
    return Path("/proc") / str(progress["progressId"]).removeprefix("record")


# -- traces that grow or go away -------------------------------------------------------------------


def test_a_growing_trace_is_read_on(client: Client, tmp_path: Path) -> None:
    import subprocess

    (tmp_path / "prog.py").write_text(
        "import pathlib, time\nfor i in range(3):\n    n = i\n"
        "while not pathlib.Path('go').exists():\n    time.sleep(0.01)\nlast = 1\n"
    )
    command = [*RECORD, "-o", "t.wrongcall", "prog.py"]
    recorder = subprocess.Popen(command, cwd=tmp_path)
    try:
        trace = tmp_path / "t.wrongcall"
        opened = _attached(client, trace)
        assert opened["reason"] in ("end", "entry")
        assert "last" not in client.values()
        (tmp_path / "go").touch()
        assert recorder.wait(60) == 0
    finally:
        recorder.kill()
        recorder.wait()
    client.move("continue")
    assert client.values()["last"] == "1"


def _attached(client: Client, trace: Path) -> dict[str, object]:
    """Attach as soon as something is recorded."""
    client.request("initialize", adapterID="x")
    while True:
        try:
            client.request("attach", trace=str(trace))
            break
        except RequestFailedError:
            time.sleep(0.05)
    client.event("initialized")
    while True:
        try:
            client.request("configurationDone")
            return client.event("stopped")
        except RequestFailedError:  # no line was recorded yet
            time.sleep(0.05)


def test_a_trace_that_is_deleted_is_an_error_and_not_the_end(
    client: Client, recorded: Recorded
) -> None:
    run = recorded(SUMS + "# deleted\n")
    client.attach(run.trace)
    client.begin()
    for path in run.trace.parent.glob("trace.wrongcall*"):
        path.unlink()
    asked = client.response(client.send("wrongcall/question"))
    if asked["success"]:
        asked = client.response(client.send("wrongcall/answer", verdict="yes"))
        assert asked["body"]["unsaved"] or not asked["success"]
    assert client.request("threads")["threads"]
    client.request("disconnect")
