"""How a client reaches the server: standard input and output, or HTTP on this machine with a token."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

import uvicorn
from mcp.server.mcpserver import MCPServer
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from wrongcall.web.server import HOST, listening

PATH = "/mcp"


class TokenGuard:
    """Lets requests with the token through, and no others."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._wanted = f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, or reject it."""
        if scope["type"] == "http":
            said = Headers(scope=scope).get("authorization", "").encode()
            if not secrets.compare_digest(said, self._wanted):
                headers = {"WWW-Authenticate": "Bearer"}
                refused = PlainTextResponse("this server needs its token\n", 401, headers)
                await refused(scope, receive, send)
                return
        await self._app(scope, receive, send)


def application(server: MCPServer[Any], token: str) -> ASGIApp:
    """Return the application that serves HTTP. The SDK checks host and origin."""
    return TokenGuard(server.streamable_http_app(streamable_http_path=PATH, host=HOST), token)


def serve_http(server: MCPServer[Any], port: int, token: str, tell: Callable[[str], None]) -> None:
    """Serve on this machine until Ctrl-C; pass the address to ``tell``. Port 0 takes any free port."""
    with listening(port) as listener:
        config = uvicorn.Config(
            application(server, token),
            log_level="error",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=5,
        )
        tell(f"http://{HOST}:{listener.getsockname()[1]}{PATH}")
        uvicorn.Server(config).run(sockets=[listener])
