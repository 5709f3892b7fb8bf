"""``wrongcall web``: debug in the browser."""

from __future__ import annotations

import argparse
import contextlib
from functools import partial
from pathlib import Path

import wrongcall.recording
from wrongcall.cli import config
from wrongcall.cli.ask.options import add_search_options, ask_consent, how_of, referenced
from wrongcall.cli.ask.start_options import start_of
from wrongcall.cli.reading import Commands, number
from wrongcall.errors import UsageError
from wrongcall.present.groups import member
from wrongcall.present.text import safe
from wrongcall.recording import Recording
from wrongcall.session.failures import Failure
from wrongcall.session.search import How, Start

_LISTED = 5


def add_parser(commands: Commands[argparse.ArgumentParser]) -> None:
    """Describe the command to argparse."""
    about = "debug in the browser: questions, tree, source, histories"
    parser = commands.add_parser("web", help=about, description=f"{about.capitalize()}.")
    parser.add_argument(
        "trace",
        metavar="TRACE",
        help="a file made by run or record, also while it is being recorded",
    )
    parser.add_argument(
        "--port", type=number, default=0, metavar="N", help="the port (default: any free port)"
    )
    parser.add_argument("--no-open", action="store_true", help="don't open the browser")
    parser.add_argument(
        "--keep-address",
        action="store_true",
        help="use the same address whenever this trace is served, so that links to it stay valid",
    )
    add_search_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Serve the page until Ctrl-C."""
    serve_page(
        Path(args.trace),
        args,
        port=args.port,
        browse=not args.no_open,
        keep=args.keep_address,
    )
    return 0


def serve_page(
    path: Path,
    args: argparse.Namespace,
    *,
    port: int = 0,
    browse: bool = True,
    keep: bool = False,
) -> None:
    """Serve the page of a trace until Ctrl-C."""
    # Loaded for this command only: the others need not wait for it.
    from wrongcall.web.server import serve  # noqa: PLC0415

    def tell(address: str) -> None:
        print(f"{address}\n(press Ctrl-C to stop; answers are saved in the trace)", flush=True)

    with contextlib.ExitStack() as kept:
        with wrongcall.recording.open(path) as recording:
            how = _how(recording, args, kept)
        start = partial(_start, args=args)
        serve(path, how, start, port=port, browse=browse, tell=tell, keep=keep)


def _how(recording: Recording, args: argparse.Namespace, kept: contextlib.ExitStack) -> How:
    """Return how to search; ``kept`` holds what is needed until the end."""
    settings, root = config.of_recording(recording), config.project_of(recording)
    ask_consent(args, settings, root, input)
    return how_of(args, settings, root, kept.enter_context(referenced(args, root)))


def _start(recording: Recording, args: argparse.Namespace) -> Start:
    """Return where to start."""
    return start_of(recording, args, lambda calls, why: _only_one(recording, calls), _only_test)


def _only_test(failures: list[Failure]) -> Failure:
    """Refuse to choose one of several failed tests: here the user can't be asked which."""
    listed = "\n".join(f"  {safe(each.test)}" for each in failures[:_LISTED])
    raise UsageError(f"{len(failures):,} tests failed; choose one: --test NAME\n{listed}")


def _only_one(recording: Recording, calls: list[int]) -> int:
    """Return the call if there is only one: here the user can't be asked which."""
    if len(calls) == 1:
        return calls[0]
    shown = [f"  #{call} {member(recording, call).title}" for call in calls[:_LISTED]]
    shown += [f"  and {len(calls) - _LISTED:,} more"] if len(calls) > _LISTED else []
    listed = "\n".join(shown)
    raise UsageError(
        f"{len(calls):,} calls match; pick one, for example --call #{calls[0]}:\n{listed}"
    )
