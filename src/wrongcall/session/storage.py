"""Store sessions in their trace, so that they can be closed, reopened and continued."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from wrongcall.session.answers import BY_TEST, from_plain, to_plain
from wrongcall.session.session import Session
from wrongcall.trace.read.session_store import load_session, save_session, session_names
from wrongcall.tree.tree import Tree

DEFAULT_NAME = "session"


def save(session: Session, path: Path, name: str = DEFAULT_NAME) -> None:
    """Save a session in the file of its trace."""
    settings = {"strategy": session.strategy.name}
    save_session(path, name, settings, [to_plain(entry) for entry in session.entries])


def call_of_test(path: Path, name: str) -> int:
    """Return the call of the failed test that a saved session is about; 0: there is none."""
    if name not in session_names(path):
        return 0
    saved = load_session(path, name).entries
    calls = [entry["calls"][0] for entry in saved if entry.get("by") == BY_TEST]
    return int(calls[-1]) if calls else 0


def reopen(path: Path, tree: Tree, name: str = DEFAULT_NAME, **options: Any) -> Session:
    """Return a saved session; ``options`` are those of `Session`."""
    saved = load_session(path, name)
    options = {**saved.settings, **options}
    return Session(tree, entries=[from_plain(entry) for entry in saved.entries], **options)
