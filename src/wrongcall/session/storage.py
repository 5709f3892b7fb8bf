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


_INSIDE, _AHEAD = "inside", "ahead"
_OWN = (_INSIDE, _AHEAD)


def save(
    session: Session,
    path: Path,
    name: str = DEFAULT_NAME,
    inside: Mapping[int, Sequence[Entry]] | None = None,
    ahead: Mapping[int, bool] | None = None,
) -> None:
    """Save a session in the file of its trace.

    ``inside``: what was told inside which calls. ``ahead``: whether calls are searched inside before theirs are judged.
    """
    settings: dict[str, Any] = {"strategy": session.strategy.name}
    if inside:
        settings[_INSIDE] = {
            str(call): [to_plain(entry) for entry in entries] for call, entries in inside.items()
        }
    if ahead:
        settings[_AHEAD] = {str(call): chosen for call, chosen in ahead.items()}
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


def searched_ahead(path: Path, name: str) -> dict[int, bool]:
    """Return which calls a saved session searches inside before theirs are judged, where that was decided."""
    found = load_session(path, name).settings.get(_AHEAD, {})
    return {int(call): bool(chosen) for call, chosen in found.items()} if found else {}


def reopen(path: Path, tree: Tree, name: str = DEFAULT_NAME, **options: Any) -> Session:
    """Return a saved session; ``options`` are those of `Session`."""
    saved = load_session(path, name)
    settings = {key: value for key, value in saved.settings.items() if key not in _OWN}
    options = {**settings, **options}
    return Session(tree, entries=[from_plain(entry) for entry in saved.entries], **options)
