"""``wrongcall dap``: debug in an editor, by the Debug Adapter Protocol."""

from __future__ import annotations

import argparse
import os
import sys

from wrongcall.cli import config
from wrongcall.cli.ask.options import add_search_options, ask_consent, how_of
from wrongcall.cli.ask.start_options import start_of
from wrongcall.cli.ending import ending_orderly
from wrongcall.cli.reading import Commands, number
from wrongcall.cli.record import interpreter_flags
from wrongcall.cli.running import MAIN
from wrongcall.errors import UsageError
from wrongcall.recording import Recording
from wrongcall.session.failures import Failure
from wrongcall.session.search import How, Start


def add_parser(commands: Commands[argparse.ArgumentParser]) -> None:
    """Describe the command to argparse."""
    parser = commands.add_parser(
        "dap",
        help="debug in an editor (Debug Adapter Protocol)",
        description="Serves the Debug Adapter Protocol, on standard input and output or on a port of this "
        "machine: editors step through a recorded run, forwards and backwards.",
        epilog="docs/guide/editors.md explains the set-up of editors.",
    )
    parser.add_argument(
        "--port",
        type=number,
        metavar="N",
        help="listen on this port of 127.0.0.1 (0: any free port)",
    )
    add_search_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Serve a client; on a port, until Ctrl-C."""
    # Loaded for this command only: the others need not wait for it.
    from wrongcall.dap.server import serve, serve_port  # noqa: PLC0415

    def plan(recording: Recording) -> tuple[How, Start]:
        settings, root = config.of_recording(recording), config.project_of(recording)
        ask_consent(args, settings, root, lambda wants: "n")
        start = start_of(recording, args, _first_call, _first_failure)
        return how_of(args, settings, root), start

    record = [sys.executable, *interpreter_flags(), MAIN, "record", "--quiet"]
    # An editor that has enough sends SIGTERM: what is being recorded must not outlive the adapter.
    with ending_orderly():
        if args.port is not None:
            try:
                serve_port(args.port, plan, record, _tell)
            except OSError as exc:
                raise UsageError(f"can't listen on port {args.port}: {exc.strerror}") from exc
            except KeyboardInterrupt:
                return 0
        # What anything else might print must not get among the messages.
        writer = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
        # Not sys.stdin: the interpreter can't end while a thread waits for that.
        reader = os.fdopen(os.dup(sys.stdin.fileno()), "rb")
        with writer:
            serve(reader, writer, plan, record)
    return 0


def _tell(port: int) -> None:
    print(f"127.0.0.1:{port}", flush=True)


def _first_call(calls: list[int], why: str) -> int:
    return calls[0]


def _first_failure(failures: list[Failure]) -> Failure:
    return failures[0]
