"""HTTP on this machine: only requests with the token get through."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from starlette.types import Receive, Scope, Send

from wrongcall.mcp.transports import TokenGuard

pytestmark = pytest.mark.once

TOKEN = "the-token-of-this-test"


async def reached(scope: Scope, receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"in"})


@pytest.mark.parametrize(
    "headers, status",
    [
        ({}, 401),
        ({"Authorization": "Bearer wrong"}, 401),
        ({"Authorization": TOKEN}, 401),
        ({"Authorization": f"Bearer {TOKEN}"}, 200),
    ],
)
def test_the_token_is_needed(headers: dict[str, str], status: int) -> None:
    async def ask() -> int:
        transport = httpx2.ASGITransport(app=TokenGuard(reached, TOKEN))
        async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            return (await client.get("/mcp", headers=headers)).status_code

    assert asyncio.run(ask()) == status


@pytest.fixture
def address(project: Path) -> Iterator[str]:
    """Start a server on a free port; return its address."""
    command = [sys.executable, "-m", "wrongcall", "mcp", "--port", "0", "--project", str(project)]
    environment = {**os.environ, "WRONGCALL_MCP_TOKEN": TOKEN}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        try:
            assert process.stderr is not None
            yield process.stderr.readline().strip()
        finally:
            process.terminate()


def test_a_real_server_answers_whoever_has_the_token(address: str, trace: str) -> None:
    assert address.startswith("http://127.0.0.1:")

    async def ask(headers: dict[str, str]) -> Any:
        async with (
            httpx2.AsyncClient(headers=headers) as http,
            Client(streamable_http_client(address, http_client=http)) as client,
        ):
            return await client.call_tool("call", {"trace": trace, "call": 1})

    result = asyncio.run(ask({"Authorization": f"Bearer {TOKEN}"}))
    assert not result.is_error
    assert result.structured_content["call"] == 1
    with pytest.raises(Exception):  # noqa: B017, PT011 - whatever the SDK makes of a 401
        asyncio.run(ask({}))
