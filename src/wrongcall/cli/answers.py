"""``wrongcall answers``: what is remembered for a project, and how to change it."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path
from typing import Any

from wrongcall.cli import config
from wrongcall.cli.reading import Commands
from wrongcall.errors import OracleError, UsageError
from wrongcall.oracles.answer_store import AnswerStore, KeptAnswer
from wrongcall.oracles.as_tests import HEADER, written_tests
from wrongcall.oracles.chosen import store_of
from wrongcall.present.text import fit, safe

SHORTEST_ID = 4
_WIDTH = 80
_ID = 8
"""Characters of an id that are shown: they suffice to name an answer."""


def add_parser(commands: Commands[argparse.ArgumentParser]) -> None:
    """Describe the command to argparse."""
    parser = commands.add_parser(
        "answers",
        help="list, revoke and share the answers that are remembered for a project",
        description="Lists the answers that are remembered for all runs of this project: who gave them, when, and "
        "at which commit. They are kept in .wrongcall/answers.db.",
    )
    parser.add_argument(
        "--project", metavar="FOLDER", type=Path, help="the project (default: the one you are in)"
    )
    parser.add_argument(
        "--function", metavar="NAME", help="only functions with this text in their names"
    )
    parser.add_argument("--all", action="store_true", help="list revoked answers too")
    parser.add_argument("--json", action="store_true", help="list as JSON")
    change = parser.add_mutually_exclusive_group()
    change.add_argument(
        "--revoke",
        metavar="ID",
        nargs="+",
        help="revoke these answers, or 'all' (with --function: all that match)",
    )
    change.add_argument(
        "--export", metavar="FILE", type=Path, help="write the answers to this file"
    )
    change.add_argument(
        "--import", metavar="FILE", type=Path, dest="merged",
        help="add the answers in this file: an export, or an answers.db",
    )  # fmt: skip
    change.add_argument(
        "--rename", metavar=("OLD", "NEW"), nargs=2,
        help="a function was renamed from module:OLD to module:NEW; keep its answers",
    )  # fmt: skip
    change.add_argument(
        "--as-tests", metavar="FILE", type=Path,
        help="write pytest tests for calls that can be repeated: right ones, and wrong ones with what you expected",
    )  # fmt: skip
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """List or change; 0."""
    root = config.chosen_project(args.project)
    store = store_of(root)
    if args.revoke:
        return _revoke(store, args)
    if args.export:
        return _export(store, args)
    if args.merged:
        return _merge(store, args.merged)
    if args.as_tests:
        return _write_tests(store, args)
    if args.rename:
        return _rename(store, *args.rename)
    return _list(store, args)


def chosen_answers(store: AnswerStore, args: argparse.Namespace) -> list[KeptAnswer]:
    """Return the answers that the options choose."""
    found = [a for a in store.all() if args.all or not a.revoked]
    if store.damaged:
        print(f"skipped {_counted(store.damaged)}: damaged")
    return [a for a in found if not args.function or args.function in a.function]


def _list(store: AnswerStore, args: argparse.Namespace) -> int:
    answers = chosen_answers(store, args)
    if args.json:
        print(json.dumps([answer.to_plain() for answer in answers], indent=2))
    elif not answers:
        print("no answers are remembered for this project")
    else:
        for answer in answers:
            _show(answer)
        for old, new in store.renamed().items():
            print(safe(f"{old} was renamed to {new}"))
    return 0


def _show(answer: KeptAnswer) -> None:
    day = datetime.fromtimestamp(answer.at).strftime("%Y-%m-%d")
    commit = f" at {answer.commit}" if answer.commit else ""
    revoked = " (revoked)" if answer.revoked else ""
    verdict = "invalid call" if answer.verdict == "inadmissible" else answer.verdict
    print(
        safe(
            f"{answer.id[:_ID]} {verdict}{revoked}, {answer.author}, {day}{commit}: {answer.function}"
        )
    )
    outcome = f" {answer.outcome}" if answer.outcome else ""
    print(f"  {fit(safe(answer.title + outcome), _WIDTH - 2)}")
    if answer.expected:
        print(f"  expected {fit(safe(answer.expected), _WIDTH - 11)}")


def _revoke(store: AnswerStore, args: argparse.Namespace) -> int:
    known = chosen_answers(store, args)
    ids: list[str] = []
    for text in args.revoke:
        if text == "all":
            ids += [answer.id for answer in known]
        else:
            ids.append(_found(known, text).id)
    count = store.revoke(ids, time.time()) if ids else 0
    print(f"{_counted(count)} revoked")
    return 0


def _found(known: list[KeptAnswer], text: str) -> KeptAnswer:
    found = [a for a in known if len(text) >= SHORTEST_ID and a.id.startswith(text)]
    if len(found) != 1:
        what = "several answers match" if found else "no answer matches"
        raise UsageError(f"{what} {text!r}; list them with: wrongcall answers")
    return found[0]


def _export(store: AnswerStore, args: argparse.Namespace) -> int:
    args.all = True  # whoever merges them must know what was revoked
    answers = chosen_answers(store, args)
    lines = (json.dumps(answer.to_plain(), sort_keys=True) for answer in answers)
    write_text(args.export, "".join(f"{line}\n" for line in lines))
    print(f"{_counted(len(answers))} written to {safe(str(args.export))}")
    return 0


def _write_tests(store: AnswerStore, args: argparse.Namespace) -> int:
    path = args.as_tests
    made = written_tests(chosen_answers(store, args), store.renamed())
    if path.exists() and HEADER not in path.read_text(encoding="utf-8", errors="replace"):
        raise UsageError(f"{path} exists and was not written by wrongcall; choose another name")
    if not made.count:
        raise UsageError(f"no answer can become a test ({made.left_out:,} can't be repeated)")
    write_text(path, made.text)
    left_out = f" ({made.left_out:,} answers can't be repeated)" if made.left_out else ""
    tests = "1 test" if made.count == 1 else f"{made.count:,} tests"
    print(f"{tests} written to {safe(str(path))}{left_out}")
    return 0


def write_text(path: Path, text: str) -> None:
    """Write a file."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as exc:
        raise UsageError(f"can't write {path}: {exc.strerror or exc}") from exc


def _merge(store: AnswerStore, path: Path) -> int:
    answers = _read(path)
    new = store.add(answers)
    print(f"{_counted(new)} added, {len(answers) - new:,} already known")
    return 0


def _read(path: Path) -> list[KeptAnswer]:
    """Return the answers in an export or in another store."""
    if not path.is_file():
        raise UsageError(f"{path}: no such file")
    try:
        with path.open("rb") as file:
            is_store = file.read(16).startswith(b"SQLite format 3")
        if is_store:
            return AnswerStore(path).all()
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as exc:
        raise UsageError(f"can't read {path}: {exc}") from exc
    return list(_parsed(path, text.splitlines()))


def _parsed(path: Path, lines: Iterable[str]) -> Iterable[KeptAnswer]:
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                yield KeptAnswer.from_plain(_loads(line))
            except (OracleError, ValueError) as exc:
                raise UsageError(f"{path}, line {number}: {exc}") from exc


_loads: Callable[[str], Any] = json.loads


def _rename(store: AnswerStore, old: str, new: str) -> int:
    for name in (old, new):
        module, colon, function = name.partition(":")
        if not (module and colon and function):
            raise UsageError(
                f"{name!r} is not a function; write module:name, as in shop.cart:Cart.total"
            )
    store.rename(old, new)
    count = sum(not answer.revoked for answer in store.about(new))
    print(f"{safe(new)}: {_counted(count)}")
    return 0


def _counted(number: int) -> str:
    return "1 answer" if number == 1 else f"{number:,} answers"
