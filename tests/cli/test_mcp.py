"""``wrongcall mcp`` over standard input and output, as clients start it."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

import wrongcall.recording
from wrongcall.cli.main import main

pytestmark = pytest.mark.once

PROGRAM = "def f(x):\n    print('out', x)\n    return x\n\nf(3)\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "prog.py").write_text(PROGRAM)
    return tmp_path


def test_a_client_records_and_asks_over_standard_input_and_output(project: Path) -> None:
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "wrongcall", "mcp", "--project", str(project)]
    )

    async def work() -> Any:
        async with Client(stdio_client(server)) as client:
            made = await client.call_tool("record", {"script": "prog.py"})
            trace = made.structured_content["trace"]
            return await client.call_tool("search", {"trace": trace, "text": "f"})

    found = asyncio.run(work())
    assert not found.is_error, found
    assert "f(x=3)" in found.structured_content["text"]


def test_malformed_messages_are_answered_and_the_server_ends_with_its_client(project: Path) -> None:
    command = [sys.executable, "-m", "wrongcall", "mcp", "--project", str(project)]
    lines = [
        "not json",
        '{"jsonrpc": "2.0"}',
        '{"jsonrpc":"2.0","id":7,"method":"no/such","params":{}}',
    ]
    pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, stderr=subprocess.DEVNULL, **pipes) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write("\n".join(lines) + "\n")
        server.stdin.flush()
        answer = json.loads(server.stdout.readline())
        while answer.get("id") != 7:
            answer = json.loads(server.stdout.readline())
        assert "error" in answer, "a request that makes no sense is answered"
        server.stdin.close()
        assert server.wait(30) == 0


ENDLESS = "import os, time\nopen('pid', 'w').write(f'{os.getpid()} ')\nwhile True:\n    time.sleep(0.01)\n"


@contextmanager
def recording_endlessly(project: Path) -> Iterator[tuple[subprocess.Popen[str], Path]]:
    """A server that records a program without end; also the program, as a folder of /proc."""
    (project / "endless.py").write_text(ENDLESS)
    command = [sys.executable, "-m", "wrongcall", "mcp", "--project", str(project)]
    with subprocess.Popen(command, stdin=-1, stdout=-1, text=True) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        about = {"protocolVersion": "2025-06-18", "capabilities": {}}
        about["clientInfo"] = {"name": "test", "version": "1"}
        called = {"name": "record", "arguments": {"script": "endless.py"}}
        for message in (
            {"id": 1, "method": "initialize", "params": about},
            {"method": "notifications/initialized"},
            {"id": 2, "method": "tools/call", "params": called},
        ):
            server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        server.stdin.flush()
        assert '"id":1' in server.stdout.readline()
        pid = project / "pid"
        while not pid.exists() or not pid.read_text().endswith(" "):
            assert server.poll() is None
            time.sleep(0.05)
        yield server, Path("/proc") / pid.read_text().strip()


def test_the_recorded_program_ends_with_a_client_that_disappears(project: Path) -> None:
    with recording_endlessly(project) as (server, program):
        assert program.exists()
        assert server.stdin is not None
        server.stdin.close()
        assert server.wait(60) == 0
    assert not program.exists()
    (trace,) = project.glob(".wrongcall/agents/*.wrongcall")
    with wrongcall.recording.open(trace) as recording:
        assert recording.calls.count == 1


def test_the_recorded_program_ends_with_a_server_that_is_terminated(project: Path) -> None:
    with recording_endlessly(project) as (server, program):
        server.terminate()
        assert server.wait(60) == 128 + signal.SIGTERM
    assert not program.exists()


def test_a_trace_that_is_deleted_meanwhile_is_an_error_and_the_session_goes_on(
    project: Path,
) -> None:
    words = ["-m", "wrongcall", "mcp", "--project", str(project)]
    server = StdioServerParameters(command=sys.executable, args=words)

    async def work() -> tuple[Any, Any, Any]:
        async with Client(stdio_client(server)) as client:
            made = await client.call_tool("record", {"script": "prog.py"})
            trace = made.structured_content["trace"]
            asked = await client.call_tool("diagnose", {"trace": trace})
            for path in (project / trace).parent.glob("*"):
                path.unlink()
            answer = {"trace": trace, "action": "answer", "verdict": "wrong"}
            gone = await client.call_tool("question", answer)
            again = await client.call_tool("record", {"script": "prog.py"})
            return asked, gone, again

    asked, gone, again = asyncio.run(work())
    assert asked.structured_content["status"] == "question"
    assert gone.is_error
    assert "no such trace" in gone.content[0].text
    assert not again.is_error


def test_the_skill_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mcp", "--skill"]) == 0
    assert capsys.readouterr().out.startswith("---\nname: wrongcall")


def test_a_folder_that_is_missing_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["mcp", "--project", str(tmp_path / "none")]) == 2
    assert "no such folder" in capsys.readouterr().err
