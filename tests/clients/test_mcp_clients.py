"""The inspector and the conformance suite of the Model Context Protocol, against the real server."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.clients.conftest import PROGRAMS
from tests.mcp.conftest import project, tools, trace

__all__ = ["project", "tools", "trace"]

OFFICIAL = PROGRAMS / "@modelcontextprotocol"
INSPECTOR = OFFICIAL / "inspector" / "clients" / "launcher" / "build" / "index.js"
CONFORMANCE = OFFICIAL / "conformance" / "dist" / "index.js"
SCENARIOS = (
    "server-initialize", "ping", "tools-list", "resources-list", "prompts-list", "server-sse-multiple-streams",
    "dns-rebinding-protection",
)  # fmt: skip
"""What the suite asks of any server. The others call tools, resources and prompts with names that only a server made
for the suite has, or features that this server does not promise (log levels, completion, subscriptions)."""
TOKEN = "the-token-of-this-test"
FORWARD = f"""\
import uvicorn
from pathlib import Path
from wrongcall.mcp.permissions import Permissions
from wrongcall.mcp.server import server_of
from wrongcall.mcp.tools import Tools
from wrongcall.mcp.transports import application
from wrongcall.web.server import listening

app = application(server_of(Tools(Permissions(Path.cwd()))), {TOKEN!r})

async def with_token(scope, receive, send):  # the suite can't send one
    if scope["type"] == "http":
        token = (b"authorization", b"Bearer " + {TOKEN!r}.encode())
        scope = {{**scope, "headers": [*scope["headers"], token]}}
    await app(scope, receive, send)

with listening(0) as listener:
    print(listener.getsockname()[1], flush=True)
    uvicorn.Server(uvicorn.Config(with_token, log_level="error")).run(sockets=[listener])
"""


def inspect(node: str, project: Path, home: Path, *words: str) -> Any:
    """Run the inspector in its command-line mode; return what it printed."""
    server = [sys.executable, "-m", "wrongcall", "mcp", "--project", str(project)]
    command = [node, str(INSPECTOR), "--cli", *server, *words]
    # It keeps a catalogue of servers in the home folder.
    environment = {**os.environ, "HOME": str(home)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr + done.stdout
    return json.loads(done.stdout)


def test_the_inspector_has_no_complaint_about_the_tools(
    node: str, project: Path, tmp_path: Path
) -> None:
    listed = inspect(node, project, tmp_path, "--method", "tools/list", "--strict")["tools"]
    assert len(listed) == 8
    assert all(tool["outputSchema"] for tool in listed)


def test_the_inspector_calls_a_tool(node: str, project: Path, trace: str, tmp_path: Path) -> None:
    asked = ["--method", "tools/call", "--tool-name", "diagnose", "--tool-arg", f"trace={trace}"]
    told = inspect(node, project, tmp_path, *asked)
    assert told["structuredContent"]["status"] == "question"
    assert "question(action=" in told["structuredContent"]["next"]


def test_the_inspector_reads_resources_and_prompts(
    node: str, project: Path, tmp_path: Path
) -> None:
    asked = ["--method", "resources/read", "--uri", "wrongcall://skill"]
    assert "wrongcall" in inspect(node, project, tmp_path, *asked)["contents"][0]["text"]
    prompts = inspect(node, project, tmp_path, "--method", "prompts/list")["prompts"]
    assert "debug_failing_test" in [prompt["name"] for prompt in prompts]


@pytest.fixture(scope="module")
def address(project: Path) -> Iterator[str]:
    """Start a server that passes the token on to itself; return its address."""
    command = [sys.executable, "-c", FORWARD]
    with subprocess.Popen(command, cwd=project, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            yield f"http://127.0.0.1:{int(server.stdout.readline())}/mcp"
        finally:
            server.terminate()


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_conformance_suite_passes(
    scenario: str, node: str, address: str, tmp_path: Path
) -> None:
    command = [node, str(CONFORMANCE), "server", "--url", address, "--scenario", scenario]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    told = done.stdout + done.stderr
    assert done.returncode == 0, told
    passed = re.search(r"(\d+)/(\d+)", told)
    assert passed, told
    assert passed[1] == passed[2] != "0", told
