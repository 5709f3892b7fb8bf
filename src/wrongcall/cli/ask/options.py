"""The options that ``run``, ``debug`` and ``web`` share: where to start, how to search, what to write."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from wrongcall.cli.config import Settings
from wrongcall.errors import UsageError
from wrongcall.oracles.authorship import author
from wrongcall.oracles.chosen import DEFAULT, FOLDER, NAMES, Chosen, parsed_names
from wrongcall.oracles.model import LOG, give_consent, has_consent
from wrongcall.oracles.reference.version import Version, version_of
from wrongcall.oracles.reference.worker_process import Allowed
from wrongcall.present.groups import member
from wrongcall.present.model_texts import model_texts
from wrongcall.present.reports import FORMATS
from wrongcall.present.text import safe
from wrongcall.recording import Recording
from wrongcall.session import DEFAULT_STRATEGY
from wrongcall.session.answers import Confidence
from wrongcall.session.search import Depth, How
from wrongcall.session.storage import DEFAULT_NAME
from wrongcall.session.strategies import strategies

VARIABLE = "WRONGCALL_ORACLES"
"""The environment variable that says who is asked, unless the command line does."""
DEPTH_VARIABLE = "WRONGCALL_TO"
"""The environment variable that says how far to search, unless the command line does."""
_WIDTH = 120
"""Columns of a call that is remembered."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Describe all of them to argparse."""
    add_search_options(parser)
    parser.add_argument(
        "--report", metavar="FILE", type=report_path,
        help=f"write a report to this file; its suffix sets the format: {', '.join(FORMATS)}",
    )  # fmt: skip


def add_search_options(parser: argparse.ArgumentParser) -> None:
    """Describe where to start and how to search."""
    start = parser.add_argument_group(
        "where to start (default: the failed test, or the uncaught exception, or the whole run)"
    )
    start.add_argument(
        "--test", metavar="NAME", help="the failed test whose name contains this text"
    )
    start.add_argument(
        "--call", metavar="NAME",
        help="a call to this function, or the call with this number (#12), is wrong",
    )  # fmt: skip
    start.add_argument(
        "--printed",
        metavar="TEXT",
        help="a printed line with this text is wrong; start where it was printed",
    )
    start.add_argument(
        "--exception", action="store_true",
        help="follow the exception that ended the program or the test, from the inside out",
    )  # fmt: skip
    start.add_argument(
        "--inside", action="store_true",
        help="with --call: search inside this call at once, before the calls it made are judged",
    )  # fmt: skip
    search = parser.add_argument_group("how to search")
    search.add_argument(
        "--to", metavar="LEVEL", choices=[each.value for each in Depth],
        help="how far to search: call or statement (the default)",
    )  # fmt: skip
    search.add_argument(
        "--strategy", metavar="NAME", choices=sorted(strategies()),
        help=f"which question comes next ({DEFAULT_STRATEGY}); one of: {', '.join(sorted(strategies()))}",
    )  # fmt: skip
    search.add_argument(
        "--balance", action=argparse.BooleanOptionalAction, default=None,
        help="ask about runs of similar calls in one question (the default)",
    )  # fmt: skip
    search.add_argument(
        "--trust", metavar="NAME", action="append", default=[],
        help="functions or modules to trust, as a glob; can be repeated",
    )  # fmt: skip
    search.add_argument(
        "--ask-definitions", action=argparse.BooleanOptionalAction, default=None,
        help="ask about bodies of modules and classes too (by default only if they raised)",
    )  # fmt: skip
    search.add_argument(
        "--ask-tests", action=argparse.BooleanOptionalAction, default=None,
        help="ask about tests, fixtures and their helpers too (by default they are trusted)",
    )  # fmt: skip
    search.add_argument(
        "--oracle", metavar="NAME", action="append", default=None, choices=NAMES,
        help=f"ask only these oracles before you, in this order ({', '.join(DEFAULT)}); can be repeated; "
        f"one of: {', '.join(NAMES)}",
    )  # fmt: skip
    search.add_argument(
        "--reference", metavar="VERSION",
        help="a version that is right: a git revision, a folder or file, or a release (NAME==1.2); "
        "calls are repeated there, with its code, and compared",
    )  # fmt: skip
    search.add_argument(
        "--allow-writes", metavar="FOLDER", action="append", type=Path, default=[],
        help="calls that are repeated in the reference may write here; can be repeated",
    )  # fmt: skip
    search.add_argument(
        "--good-run", metavar="TRACE", type=Path,
        help="a recorded run that is right: calls that are equal in it are likely right",
    )  # fmt: skip
    search.add_argument(
        "--no-oracle", action="store_true",
        help="ask nobody but you, and remove the answers of oracles from this session",
    )  # fmt: skip
    search.add_argument(
        "--ask-model", action="store_true",
        help="also ask the language model of the settings; you have to agree once for each project",
    )  # fmt: skip
    search.add_argument(
        "--session", metavar="NAME", default=DEFAULT_NAME,
        help="name of the session; a trace can have several",
    )  # fmt: skip
    search.add_argument(
        "--restart", action="store_true", help="discard the answers saved in the trace"
    )


def report_path(text: str) -> Path:
    """Return a path for a report; its ending says which format."""
    path = Path(text)
    if path.suffix not in FORMATS:
        raise UsageError(f"{text}: unknown report format; use {', '.join(FORMATS)}")
    return path


@contextmanager
def referenced(args: argparse.Namespace, root: Path | None) -> Iterator[Version | None]:
    """Provide the version that the user named as the reference, if any, until it is not needed any more."""
    if args.reference is None:
        yield None
        return
    with version_of(args.reference, Path.cwd() if root is None else root) as version:
        yield version


def how_of(
    args: argparse.Namespace,
    project: Settings,
    root: Path | None = None,
    reference: Version | None = None,
) -> How:
    """Return how to search: by the options, and where there are none by the project's settings.

    ``root``: the folder of the project; None: it is not here. ``reference``: the version that repeats calls.
    """
    named = _oracles_of(args, project)
    chosen = Chosen(
        named,
        root,
        _described,
        Confidence(project.contracts),
        project.model,
        model_texts,
        reference,
        Allowed(folders=tuple(args.allow_writes)),
        args.good_run,
    )
    is_explicit = args.no_oracle or args.oracle is not None
    return How(
        name=args.session,
        strategy=args.strategy or project.strategy,
        balance=project.balance if args.balance is None else args.balance,
        trust=(*project.trust, *args.trust),
        fresh=args.restart,
        ask_definitions=project.ask_definitions
        if args.ask_definitions is None
        else args.ask_definitions,
        ask_tests=project.ask_tests if args.ask_tests is None else args.ask_tests,
        to=_depth(args),
        oracles=chosen.oracles,
        dismissed=tuple(name for name in NAMES if name not in named) if is_explicit else (),
    )


def _depth(args: argparse.Namespace) -> Depth:
    """Return how far to search: by the option, the environment, the default."""
    said = args.to or os.environ.get(DEPTH_VARIABLE) or Depth.STATEMENT.value
    try:
        return Depth(said)
    except ValueError:
        known = " or ".join(each.value for each in Depth)
        raise UsageError(f"{DEPTH_VARIABLE} is {said!r}; use {known}") from None


def ask_consent(
    args: argparse.Namespace, project: Settings, root: Path | None, ask: Callable[[str], str]
) -> None:
    """Ask the user once for each project whether questions may be sent to a model; refuse to go on if not.

    ``ask`` puts a question to the user.
    """
    if "model" not in _oracles_of(args, project):
        return
    if project.model is None:
        raise UsageError("no model is set; add [tool.wrongcall.model] to pyproject.toml")
    if root is None:
        raise UsageError("can't ask a model: the project of this trace is not here")
    folder = root / FOLDER
    if not has_consent(folder, project.model):
        wants = (
            f"Send arguments, results, signatures and docstrings of calls to {safe(project.model.target)}? "
            f"Secrets are masked, and everything is logged in {FOLDER}/{LOG}. y n"
        )
        if not ask(wants).strip().lower().startswith("y"):
            raise UsageError(
                "nothing was sent; to continue without the model, leave out --ask-model"
            )
        give_consent(folder, project.model, author(root))


def _oracles_of(args: argparse.Namespace, project: Settings) -> tuple[str, ...]:
    """Return who is asked before the user: by the options, the environment, the project, the default."""
    if args.no_oracle and (args.oracle or args.ask_model):
        other = "--oracle" if args.oracle else "--ask-model"
        raise UsageError(f"{other} and --no-oracle can't be combined")
    given = {"reference": args.reference, "good-run": args.good_run}
    for name, value in given.items():
        if args.no_oracle and value is not None:
            raise UsageError(f"--{name} and --no-oracle can't be combined")
        if name in (args.oracle or ()) and value is None:
            raise UsageError(f"--oracle {name} needs the option --{name}")
    if args.no_oracle:
        return ()
    named = tuple(args.oracle) if args.oracle else _usual(project)
    added = tuple(name for name, value in given.items() if value is not None and name not in named)
    place = 1 if named[:1] == ("memory",) else 0  # after what the user said
    named = (*named[:place], *added, *named[place:])
    return tuple(dict.fromkeys((*named, *(("model",) if args.ask_model else ()))))


def _usual(project: Settings) -> tuple[str, ...]:
    said = os.environ.get(VARIABLE)
    if said is None:
        return DEFAULT if project.oracles is None else project.oracles
    try:
        return parsed_names(said)
    except ValueError as exc:
        raise UsageError(f"{VARIABLE} is {said!r}; {exc}, or none") from exc


def _described(recording: Recording, call: int) -> tuple[str, str]:
    """Return a call as it is shown, and its outcome."""
    shown = member(recording, call, _WIDTH)
    return shown.title, shown.outcome
