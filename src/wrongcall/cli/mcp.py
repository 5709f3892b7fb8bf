"""``wrongcall mcp``: let agents ask recordings, by the Model Context Protocol."""

from __future__ import annotations

import argparse
import os
import secrets
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from wrongcall.cli import config
from wrongcall.cli.reading import Commands, number
from wrongcall.errors import UsageError

TOKEN = "WRONGCALL_MCP_TOKEN"
"""The environment variable with the token of the HTTP server."""


def add_parser(commands: Commands[argparse.ArgumentParser]) -> None:
    """Describe the command to argparse."""
    parser = commands.add_parser(
        "mcp",
        help="let agents ask recordings (Model Context Protocol)",
        description="Serves the Model Context Protocol on standard input and output: eight tools by which an agent "
        "records a test, searches for the bug and looks things up.",
        epilog="docs/guide/agents.md shows how to set it up.",
    )
    parser.add_argument(
        "--project", metavar="DIR", type=Path,
        help="the project that agents may read and record (default: the one of the current folder)",
    )  # fmt: skip
    parser.add_argument(
        "--allow-path", metavar="DIR", type=Path, action="append", default=[],
        help="agents may also read traces in this folder; can be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--allow-any-program", action="store_true",
        help="agents may record any module and any script, not only scripts and tests of the project",
    )  # fmt: skip
    parser.add_argument(
        "--port", type=number, metavar="N",
        help=f"serve HTTP on this port of this machine instead (0: any free one); the token is ${TOKEN}, or printed",
    )  # fmt: skip
    parser.add_argument("--skill", action="store_true", help="print the skill for agents, and exit")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Serve until the client leaves, or Ctrl-C."""
    try:
        import mcp  # noqa: F401, PLC0415 - an optional dependency
    except ImportError as exc:
        raise UsageError(
            "this needs the package mcp; install it: pip install 'wrongcall[mcp]'"
        ) from exc
    from wrongcall.mcp.permissions import Permissions  # noqa: PLC0415 - as above
    from wrongcall.mcp.server import server_of, skill_text  # noqa: PLC0415
    from wrongcall.mcp.tools import Tools  # noqa: PLC0415

    if args.skill:
        print(skill_text(), end="")
        return 0
    root = config.chosen_project(args.project).resolve()
    folders = tuple(config.chosen_project(folder).resolve() for folder in args.allow_path)
    with Tools(Permissions(root, folders, args.allow_any_program)) as tools:
        _end_on_signals(tools.close)
        server = server_of(tools)
        if args.port is None:
            server.run("stdio")
        else:
            from wrongcall.mcp.transports import serve_http  # noqa: PLC0415 - as above

            serve_http(server, args.port, _token(), _tell)
    return 0


def _end_on_signals(close: Callable[[], None]) -> None:
    """End at once if the client sends SIGTERM: what is being recorded must not outlive the server."""

    def end(which: int, frame: object) -> None:
        close()
        # An exception would not do: the SDK has a thread that waits for standard input.
        os._exit(128 + which)

    for which in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(which) is not signal.SIG_IGN:  # as nohup asks for
            signal.signal(which, end)


def _token() -> str:
    """Return the token that clients have to send; print it, unless the user chose it."""
    chosen = os.environ.get(TOKEN)
    if chosen:
        return chosen
    made = secrets.token_urlsafe(24)
    print(f"token: {made}", file=sys.stderr, flush=True)
    return made


def _tell(address: str) -> None:
    print(f"{address}\n(press Ctrl-C to stop)", file=sys.stderr, flush=True)
