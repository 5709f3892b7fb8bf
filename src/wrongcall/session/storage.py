"""Store sessions in their trace, so that they can be closed, reopened and continued."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from wrongcall.session.answers import BY_TEST, Entry, from_plain, to_plain
from wrongcall.session.session import Session
from wrongcall.trace.read.session_store import load_session, save_session, session_names
from wrongcall.tree.tree import Tree

DEFAULT_NAME = "session"


_INSIDE = "inside"


def save(
    session: Session,
    path: Path,
    name: str = DEFAULT_NAME,
    inside: Mapping[int, Sequence[Entry]] | None = None,
) -> None:
    """Save a session in the file of its trace; ``inside``: what was told inside which calls."""
    settings: dict[str, Any] = {"strategy": session.strategy.name}
    if inside:
        settings[_INSIDE] = {
            str(call): [to_plain(entry) for entry in entries] for call, entries in inside.items()
        }
    save_session(path, name, settings, [to_plain(entry) for entry in session.entries])


def call_of_test(path: Path, name: str) -> int:
    """Return the call of the failed test that a saved session is about; 0: there is none."""
    if name not in session_names(path):
        return 0
    saved = load_session(path, name).entries
    calls = [entry["calls"][0] for entry in saved if entry.get("by") == BY_TEST]
    return int(calls[-1]) if calls else 0


def told_inside(path: Path, name: str) -> dict[int, list[Entry]]:
    """Return what a saved session was told inside which calls."""
    found = load_session(path, name).settings.get(_INSIDE, {})
    if not isinstance(found, dict):
        return {}
    return {int(call): [from_plain(each) for each in entries] for call, entries in found.items()}


def reopen(path: Path, tree: Tree, name: str = DEFAULT_NAME, **options: Any) -> Session:
    """Return a saved session; ``options`` are those of `Session`."""
    saved = load_session(path, name)
    settings = {key: value for key, value in saved.settings.items() if key != _INSIDE}
    options = {**settings, **options}
    return Session(tree, entries=[from_plain(entry) for entry in saved.entries], **options)
