"""``wrongcall web``: debug in the browser."""

from __future__ import annotations

import argparse
from pathlib import Path

from wrongcall.cli.reading import Commands, number


def add_parser(commands: Commands[argparse.ArgumentParser]) -> None:
    """Describe the command to argparse."""
    about = "debug in the browser: questions, tree, source, histories"
    parser = commands.add_parser("web", help=about, description=f"{about.capitalize()}.")
    parser.add_argument("trace", metavar="TRACE", help="a file that record made, or is making")
    parser.add_argument(
        "--port", type=number, default=0, metavar="N", help="the port (any that is free)"
    )
    parser.add_argument("--no-open", action="store_true", help="do not open the browser")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Serve the page until Ctrl-C."""
    serve_page(Path(args.trace), port=args.port, browse=not args.no_open)
    return 0


def serve_page(path: Path, *, port: int = 0, browse: bool = True) -> None:
    """Serve the page of a trace until Ctrl-C."""
    # Loaded for this command only: the others need not wait for it.
    from wrongcall.web.server import serve  # noqa: PLC0415

    def tell(address: str) -> None:
        print(f"{address}\n(Ctrl-C ends it; answers are saved in the trace)", flush=True)

    serve(path, port=port, browse=browse, tell=tell)
