"""A trace, its tree and its session, as the page works on them. For one thread only.

The *version* rises whenever something changed that the page may show: an answer, more of the tree,
other groups. A question that is shown stays the question until it is answered, also while
the tree grows (it is *pinned*): nobody can judge what changes before their eyes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import wrongcall.trace
from wrongcall.errors import TraceError, WrongcallError
from wrongcall.session import Question, Session, Step
from wrongcall.session.from_trace import TraceFacts
from wrongcall.session.storage import DEFAULT_NAME, reopen, save
from wrongcall.trace.lock import DebuggerLock
from wrongcall.trace.sessions import session_names
from wrongcall.tree.balance import Keys
from wrongcall.tree.from_trace import chains_of, tree_of
from wrongcall.web.shading import Shading

FEW_EVENTS = 300_000
"""So many events are searched for groups at once; more take longer than people like to wait."""


class Desk:
    """What the page works on."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = DebuggerLock(path)
        try:
            self.trace = wrongcall.trace.open(path)
        except BaseException:
            self._lock.release()
            raise
        self.version = 1
        self.unsaved = ""
        """Why the last change could not be saved."""
        self.trouble = ""
        """Why more of the run could not be read."""
        self._session: Session | None = None
        self._pinned: Question | None = None
        self._shading: tuple[int, Shading] | None = None
        self.balanced = False

    def close(self) -> None:
        """Close the trace, and let other debuggers have it."""
        self.trace.close()
        self._lock.release()

    @property
    def growing(self) -> bool:
        """Whether the program still runs (or its recorder was killed: that looks the same)."""
        return self.trace.ended is None

    # -- the session -------------------------------------------------------------------------------

    @property
    def session(self) -> Session:
        """The session; made, or reopened, when first asked for."""
        if self._session is None:
            self._session = self._open_session()
        return self._session

    def _open_session(self) -> Session:
        tree = tree_of(self.trace)
        facts = TraceFacts(self.trace, tree)
        chains = None
        if not self.growing and self.trace.event_count <= FEW_EVENTS:
            chains = chains_of(self.trace, tree)
            self.balanced = True
        if DEFAULT_NAME in session_names(self.path):
            return reopen(self.path, tree, facts=facts, chains=chains, growing=self.growing)
        return Session(tree, facts, chains=chains, growing=self.growing)

    def step(self) -> Step:
        """Return the next question, or what came of the search."""
        if self._pinned is not None:
            return self._pinned
        step = self.session.step()
        if isinstance(step, Question):
            self._pinned = step
        return step

    def change(self, tell: Callable[[Session], None]) -> None:
        """Tell the session something, and save it."""
        tell(self.session)
        self._pinned = None
        self.step()  # what follows from it is part of it
        self.version += 1
        try:
            save(self.session, self.path)
            self.unsaved = ""
        except TraceError as error:  # it is not lost as long as we run
            self.unsaved = str(error)

    @property
    def shading(self) -> Shading:
        """What is suspect, as of this version."""
        if self._shading is None or self._shading[0] != self.version:
            self._shading = (self.version, Shading(self.session))
        return self._shading[1]

    # -- a trace that grows ------------------------------------------------------------------------

    def refresh(self) -> None:
        """Look whether there is more of the run; what goes wrong is told, and tried again."""
        before = self.trace.event_count, self.growing, self.trouble
        try:
            self.trace.refresh()
            if before[:2] != (self.trace.event_count, self.growing) and self._session is not None:
                self._grow(None)
            self.trouble = ""
        except WrongcallError as error:
            self.trouble = str(error)
        if before != (self.trace.event_count, self.growing, self.trouble):
            self.version += 1

    def balance(self, chains: Keys) -> None:
        """Go on with groups of calls, now that they are known."""
        if self._session is not None and not self.balanced:
            self._grow(chains)
            self.balanced = True
            self.version += 1

    def _grow(self, chains: Keys | None) -> None:
        session, tree = self.session, tree_of(self.trace)
        session.facts = TraceFacts(self.trace, tree)
        session.grow(tree, chains=chains, growing=self.growing)
        self._pinned = self._still_open(session)

    def _still_open(self, session: Session) -> Question | None:
        if self._pinned is None or self._pinned.is_group:
            return None
        node = session.tree.node(self._pinned.calls[0])
        return replace(self._pinned, node=node) if session.suspects.can_ask(node) else None
