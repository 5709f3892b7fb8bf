"""``wrongcall mcp`` over standard input and output, as clients start it."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

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


def test_the_skill_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mcp", "--skill"]) == 0
    assert capsys.readouterr().out.startswith("---\nname: wrongcall")


def test_a_folder_that_is_missing_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["mcp", "--project", str(tmp_path / "none")]) == 2
    assert "no such folder" in capsys.readouterr().err
