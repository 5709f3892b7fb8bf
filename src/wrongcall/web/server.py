"""Serve the page on this machine until Ctrl-C."""

from __future__ import annotations

import secrets
import socket
import webbrowser
from collections.abc import Callable
from pathlib import Path

import uvicorn

from wrongcall.errors import UsageError
from wrongcall.session.search import How
from wrongcall.web import kept_address
from wrongcall.web.app import application
from wrongcall.web.assets import load_assets
from wrongcall.web.worker import Worker
from wrongcall.web.workspace import Starts

_LAST_PORT = 65_535
HOST = "127.0.0.1"


def serve(
    path: Path,
    how: How,
    start: Starts,
    *,
    port: int,
    browse: bool,
    tell: Callable[[str], None],
    keep: bool = False,
) -> None:
    """Serve a trace, and pass the address to ``tell``. Port 0 takes any free port.

    ``how`` says how to search, ``start`` where to start; ``keep``: use the same address again the next time.
    """
    assets = load_assets()
    kept = kept_address.kept_address(path) if keep else None
    token = kept.token if kept else secrets.token_urlsafe(18)
    with listening(port or (kept.port if kept else 0)) as listener:
        worker = Worker(path, how, start)
        taken = listener.getsockname()[1]
        if keep:
            kept_address.keep(path, kept_address.Address(taken, token))
        address = f"http://{HOST}:{taken}/{token}/"
        config = uvicorn.Config(
            application(worker, assets, token),
            log_level="error",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=5,
        )
        tell(address)
        if browse:
            webbrowser.open(address)
        server = uvicorn.Server(config)
        worker.ending = lambda: server.should_exit
        server.run(sockets=[listener])


def listening(port: int) -> socket.socket:
    """Return a socket that listens on a port of this machine; 0 takes any free port."""
    if not 0 <= port <= _LAST_PORT:
        raise UsageError(f"there is no port {port}: use 1 to {_LAST_PORT}, or 0 for any free port")
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
        # Before the browser opens: it may be quicker than the server.
        listener.listen()
    except OSError as exc:
        listener.close()
        raise UsageError(f"cannot listen on port {port} of {HOST}: {exc.strerror}") from exc
    return listener
