"""``wrongcall regress``: find the first call that behaves differently than in a good version, without questions."""

from __future__ import annotations

import argparse
import itertools
import os
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache, partial
from pathlib import Path

import wrongcall.recording
from wrongcall.cli import config
from wrongcall.cli.ask.start_options import start_of
from wrongcall.cli.ask.terminal import Terminal
from wrongcall.cli.ending import ending_orderly
from wrongcall.cli.progress import tell, tell_python
from wrongcall.cli.record import (
    add_recording_options,
    default_name,
    program_of,
    program_python,
    project_root,
)
from wrongcall.cli.running import Program, words_of
from wrongcall.errors import UsageError
from wrongcall.oracles.reference.oracle import Reference
from wrongcall.oracles.reference.overlay import Overlay, overlay_of
from wrongcall.oracles.reference.same_run import Again
from wrongcall.oracles.reference.version import Version, version_of
from wrongcall.oracles.reference.worker_process import CALL_LIMIT_S, Allowed
from wrongcall.present.failures import failure_lines
from wrongcall.present.screens.drawing import Drawing
from wrongcall.present.text import safe
from wrongcall.recording import Recording
from wrongcall.session import Finding, Question, Session, Verdict
from wrongcall.session.failures import Failure
from wrongcall.session.search import How, Search
from wrongcall.session.steps import Next
from wrongcall.session.storage import DEFAULT_NAME
from wrongcall.trace.file.opening import tidy
from wrongcall.trace.file.replacing import check_room

FOUND, NOT_FOUND = 0, 1
STRATEGY = "optimal-dq"
"""Few repetitions; how long questions are does not matter, as nobody reads them."""
NOBODY = "nobody"
"""Who answers what the reference can't."""
GRACE_S = 60.0
"""The program may take so much longer, and twice as long, with the code of the good version."""
_MAX_CAUSES = 5


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command to argparse."""
    parser = commands.add_parser(
        "regress",
        help="find the first call that behaves differently than in a good version",
        usage="wrongcall regress --good VERSION [options] [--] (pytest ... | prog.py | -m module) [arguments]",
        description="Records a run that fails, compares its calls with the code of a good version, and shows the call "
        "that behaves differently although its own calls don't. Asks no questions.",
        epilog="docs/guide/oracles.md explains how. Exit code: 0 found, 1 not found, 2 usage error.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "--good", metavar="VERSION", required=True,
        help="the good version: a git revision, a folder or file, or a release (NAME==1.2)",
    )  # fmt: skip
    parser.add_argument(
        "--test", metavar="NAME", help="the failed test whose name contains this text (default: the first)"
    )  # fmt: skip
    parser.add_argument(
        "--seconds", metavar="N", type=float, default=CALL_LIMIT_S,
        help=f"time limit for repeating one call ({CALL_LIMIT_S:g})",
    )  # fmt: skip
    parser.add_argument(
        "--allow-writes", metavar="FOLDER", action="append", type=Path, default=[],
        help="calls that are repeated may write here; can be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--run-once", action="store_true",
        help="don't run the program again with the code of the good version",
    )  # fmt: skip
    add_recording_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Record, and search; 0 if a call was found."""
    args.program = as_program(args.program)
    kind, target = program_of(args)
    root = project_root(kind, target[0])
    settings = config.read(Path(root))
    path = Path(args.output or default_name(kind, target[0]))
    check_room(path, force=args.force)
    with ending_orderly(), version_of(args.good, Path(root)) as good:
        tell_python(program_python(args, root, settings, quiet=False))
        began = time.monotonic()
        seed = {} if args.run_once else {"PYTHONHASHSEED": os.environ.get("PYTHONHASHSEED", "0")}
        with Program(words_of(args), path, live=False, stdin=None, env=seed) as program:
            program.wait(lambda: False)
        took = time.monotonic() - began
        if not path.exists():
            raise UsageError("nothing was recorded; check that the program runs without wrongcall")
        tidy(path)
        with wrongcall.recording.open(path) as recording:
            if args.run_once:
                return _search(recording, args, good, None)
            with running_again(recording, args, good, took) as again:
                return _search(recording, args, good, again)


def as_program(words: list[str]) -> list[str]:
    """Return a program as ``record`` takes it: ``pytest ...`` and ``python ...`` are understood, too."""
    if words[:1] == ["pytest"]:
        return ["-m", *words]
    return words[1:] if words[:1] in (["python"], ["python3"]) else words


@contextmanager
def running_again(
    recording: Recording, args: argparse.Namespace, good: Version, took: float
) -> Iterator[Again]:
    """Provide what runs the program with the code of the good version; ``took``: how long it took, recorded."""
    with ExitStack() as opened:
        count = itertools.count(1)
        # Made when it is needed: a search may end before.
        copied = cache(lambda: opened.enter_context(overlay_of(recording, good.path)))

        def again() -> Recording | None:
            overlay = None if good.is_release else copied()
            if overlay is None:
                return None
            trace = overlay.root.parent / f"again-{next(count)}.wrongcall"
            words = _again_words(recording, args, overlay, trace)
            seed = {"PYTHONHASHSEED": os.environ.get("PYTHONHASHSEED", "0")}
            env = overlay.environment(recording, {**os.environ, **seed})
            tell(f"wrongcall: running the program with the code of {safe(good.label)} ...")
            with Program(
                words, trace, live=True, stdin=None, env=env, folder=overlay.folder
            ) as run:
                deadline = time.monotonic() + 2 * took + GRACE_S
                run.wait(lambda: time.monotonic() > deadline)
                if run.running:
                    return None
            if not trace.exists():
                return None
            tidy(trace)
            found = opened.enter_context(wrongcall.recording.open(trace))
            return found if overlay.came_from(found, recording) else None

        yield again


def _again_words(
    recording: Recording, args: argparse.Namespace, overlay: Overlay, trace: Path
) -> list[str]:
    program = [overlay.word(word) for word in args.program]
    # A path that was given may be relative, and the copy is in another folder.
    python = recording.meta.get("python_path") or args.python
    changed = {"program": program, "output": str(trace), "python": python, "stats": None}
    return words_of(argparse.Namespace(**{**vars(args), **changed}))


def _search(
    recording: Recording, args: argparse.Namespace, good: Version, again: Again | None
) -> int:
    settings = config.of_recording(recording)
    terminal = Terminal()
    allowed = Allowed(seconds=args.seconds, folders=tuple(args.allow_writes))
    with Reference(recording, good, allowed, again) as oracle:
        _tell_unloaded(oracle)
        how = How(
            strategy=STRATEGY,
            balance=False,
            trust=settings.trust,
            fresh=True,
            oracles=lambda _: [oracle],
        )
        with Search(recording, how) as search:
            start = start_of(recording, _start_options(args), _no_pick, _first_failure)
            terminal.show(failure_lines(recording, start, terminal.size.width))
            search.begin(start)
            step = played(search)
            for name, trouble in search.troubles.items():
                tell(f"wrongcall: {name}: {trouble}")
            if oracle.same_run_trouble:
                run = f"the run with the code of {safe(good.label)}"
                tell(f"wrongcall: {run} was not compared: {oracle.same_run_trouble}")
            return _show(search, step, oracle, good, terminal)


def played(search: Search) -> Next:
    """Let the oracles answer until something is found; what they don't know stays undecided."""
    while True:
        search.advance()
        step = search.step()
        if not isinstance(step, Question):
            return step
        search.tell(partial(_leave_undecided, question=step))


def _leave_undecided(session: Session, question: Question) -> None:
    session.answer(Verdict.DONT_KNOW, question=question, by=NOBODY)


def _show(search: Search, step: Next, oracle: Reference, good: Version, terminal: Terminal) -> int:
    name = safe(good.label)
    found = oracle.judgements.get(step.calls) if isinstance(step, Finding) else None
    # What is wrong only because the test says so is not explained by the good version.
    if not isinstance(step, Finding) or found is None or found.verdict is not Verdict.WRONG:
        print(f"\nNo call was found that behaves differently in {name}.")
        _tell_counts(oracle, name)
        return NOT_FOUND
    terminal.show([(), *Drawing(search).finding(step, terminal.size), ()])
    print(f"In {name}, {safe(found.reason)}.")
    _tell_counts(oracle, name)
    print(f"Report: wrongcall report {safe(str(search.recording.path))}")
    return FOUND


def _tell_counts(oracle: Reference, name: str) -> None:
    verdicts = Counter(found.verdict for found in oracle.judgements.values())
    total, unknown = sum(verdicts.values()), verdicts[Verdict.DONT_KNOW]
    compared = "1 call" if total == 1 else f"{total:,} calls"
    counts = f"{verdicts[Verdict.WRONG]:,} different, {verdicts[Verdict.RIGHT]:,} the same"
    print(f"Compared {compared} with {name}: {counts}, {unknown:,} undecided. No questions asked.")
    for cause, count in oracle.undecided.most_common(_MAX_CAUSES):
        print(f"  {count:,} undecided: {cause}")


def _tell_unloaded(oracle: Reference) -> None:
    for module, why in list(oracle.unloaded.items())[:_MAX_CAUSES]:
        tell(f"wrongcall: can't load {safe(module)} in the good version: {safe(why)}")


def _start_options(args: argparse.Namespace) -> argparse.Namespace:
    given = {"call": None, "inside": False, "printed": None, "exception": False, "ask_tests": False}
    return argparse.Namespace(**given, test=args.test, restart=True, session=DEFAULT_NAME)


def _no_pick(calls: list[int], why: str) -> int:
    return calls[0]


def _first_failure(failures: list[Failure]) -> Failure:
    tell(f"wrongcall: {len(failures):,} tests failed; taking the first (--test NAME chooses)")
    return failures[0]
