"""Reject requests that do not come from the page: a wrong token, another host, another origin.

Every address begins with the token, ``/TOKEN/...``, which only the person who started the server
knows. The host must be this machine, so that a foreign name that resolves to it (DNS rebinding) does
not work. A request that changes something must come from a page of this server. Every answer forbids
the browser to load anything from elsewhere or to run anything but the page's files.
"""

from __future__ import annotations

import secrets

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOCAL = ("127.0.0.1", "localhost")
NONCE = "nonce"
"""The key of the page's nonce in the scope of a request."""
_SAFE = ("GET", "HEAD")


def policy(nonce: str) -> str:
    """Return the content security policy of a response."""
    return "; ".join(
        (
            "default-src 'none'",
            "script-src 'self'",
            f"style-src 'self' 'nonce-{nonce}'",
            "img-src 'self' data:",
            "connect-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        )
    )


def _headers(nonce: str) -> dict[str, str]:
    return {
        "Content-Security-Policy": policy(nonce),
        "Cache-Control": "no-store",
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
    }


class Guard:
    """Let only requests of the page through, and remove the token from their paths."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, or reject it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        nonce = secrets.token_urlsafe(16)

        async def protected(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(_headers(nonce))
            await send(message)

        refusal = self._refusal(scope)
        if refusal:
            await PlainTextResponse(refusal, 403)(scope, receive, protected)
            return
        path = scope["path"][len(self._token) + 1 :]
        inner = {**scope, "path": path or "/", "raw_path": None, NONCE: nonce}
        await self._app(inner, receive, protected)

    def _refusal(self, scope: Scope) -> str:
        """Return why a request is rejected; empty: it is not."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if host.rpartition(":")[0] not in LOCAL and host not in LOCAL:
            return "This server answers to 127.0.0.1 and localhost only.\n"
        token = scope["path"].removeprefix("/").partition("/")[0]
        if not secrets.compare_digest(token.encode(), self._token.encode()):
            return "Use the complete address that wrongcall web printed: it ends in a secret.\n"
        origin = headers.get("origin")
        if origin is not None and origin != f"http://{host}":
            return "This request comes from another page.\n"
        if scope["method"] not in _SAFE and origin is None:
            return "This request does not say which page it comes from.\n"
        return ""
