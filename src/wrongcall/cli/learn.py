"""``wrongcall learn``: record tests, and remember what those that pass confirm."""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import wrongcall.recording
from wrongcall.cli import config
from wrongcall.cli.reading import Commands
from wrongcall.errors import UsageError
from wrongcall.oracles.answer_store import AnswerStore
from wrongcall.oracles.chosen import store_of
from wrongcall.oracles.learning import Learned, learn_from
from wrongcall.present.text import safe


def add_parser(commands: Commands[argparse.ArgumentParser]) -> None:
    """Describe the command to argparse."""
    parser = commands.add_parser(
        "learn",
        help="record your tests, and remember the calls of those that pass",
        description="Runs pytest, recorded, and remembers the calls of the tests that pass: equal calls are likely "
        "right. With TRACE, learns from runs that you have already recorded (pytest --wrongcall=on).",
    )
    parser.add_argument(
        "traces", metavar="TRACE", nargs="*", type=Path, help="recorded runs of tests"
    )
    parser.add_argument(
        "--pytest",
        metavar="ARGS",
        default="",
        help="arguments for pytest, as in --pytest='-k cart'",
    )
    parser.add_argument(
        "--project", metavar="FOLDER", type=Path, help="the project (default: the one you are in)"
    )
    parser.add_argument("--forget", action="store_true", help="forget what was learned before")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Learn; 0 if there was a test that passed."""
    root = config.chosen_project(args.project)
    store = store_of(root)
    if args.forget:
        store.forget_tests()
    learned = Learned()
    if args.traces:
        for trace in args.traces:
            learned += _read(trace, store)
    else:
        learned = _record(root, shlex.split(args.pytest), store)
    failed = f", {learned.failed:,} failed" if learned.failed else ""
    tests = "1 test" if learned.passed == 1 else f"{learned.passed:,} tests"
    calls = "1 call" if learned.calls == 1 else f"{learned.calls:,} calls"
    print(f"{tests} passed{failed}; {calls} learned; equal calls are likely right")
    return 0 if learned.passed else 1


def _record(root: Path, arguments: list[str], store: AnswerStore) -> Learned:
    """Run pytest, recorded, and learn from it."""
    with tempfile.TemporaryDirectory(prefix="wrongcall-learn-") as folder:
        trace = Path(folder) / "tests.wrongcall"
        command = [sys.executable, "-m", "wrongcall", "record", "-o", str(trace), "-m", "pytest"]
        subprocess.run([*command, *arguments], cwd=root, check=False)
        if not trace.exists():
            raise UsageError(
                f"nothing was recorded; check that this works: {safe(shlex.join(['pytest', *arguments]))}"
            )
        return _read(trace, store)


def _read(trace: Path, store: AnswerStore) -> Learned:
    with wrongcall.recording.open(trace) as recording:
        return learn_from(recording, store)
