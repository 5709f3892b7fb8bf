"""A trace and the search about it, as the page works on them. For one thread only.

The *version* rises whenever something changed that the page may show: an answer, more of the tree,
other groups. A question that is shown stays the question until it is answered, also while
the tree grows (it is *pinned*): nobody can judge what changes before their eyes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import wrongcall.recording
from wrongcall.errors import WrongcallError
from wrongcall.present.screens.reading import lines_to_read
from wrongcall.present.text import safe
from wrongcall.session import Next, Question, Session
from wrongcall.session.search import How, Search, Start, is_running
from wrongcall.trace.file.lock import DebuggerLock
from wrongcall.tree.balance import BalancedTree
from wrongcall.web.glance import Glance
from wrongcall.web.shading import Shading

Data = dict[str, Any]
FEW_EVENTS = 300_000
"""So many events are searched for groups at once; more take longer than people like to wait."""


class Desk:
    """What the page works on."""

    def __init__(self, path: Path, how: How | None = None, start: Start | None = None) -> None:
        self.path = path
        self._how = how
        self._start = start or Start()
        self._lock = DebuggerLock(path)
        try:
            self.trace = wrongcall.recording.open(path)
        except BaseException:
            self._lock.release()
            raise
        self.version = 1
        self.trouble = ""
        """Why more of the run could not be read."""
        self._told = self._seen()
        self._search: Search | None = None
        self._pinned: Question | None = None
        self._shown: tuple[int, Data] | None = None
        self._names: dict[int, str] = {}
        self.latest: Glance | None = None
        """The newest glance that was taken; other threads may have it."""

    def close(self) -> None:
        """Close the trace, and let other debuggers have it."""
        self.trace.close()
        self._lock.release()

    @property
    def growing(self) -> bool:
        """Whether the program still runs."""
        return is_running(self.trace)

    # -- the session -------------------------------------------------------------------------------

    @property
    def search(self) -> Search:
        """The search; begun, or continued, when first asked for: that takes a while."""
        if self._search is None:
            search = Search(
                self.trace,
                self._how,
                at_once=FEW_EVENTS,
                lock=self._lock,
                measure=lines_to_read,
            )
            search.begin(self._start)
            self._advance(search)
            self._search = search
        return self._search

    @property
    def session(self) -> Session:
        """The session of the search."""
        return self.search.session

    def step(self) -> Next:
        """Return the next question, or the result of the search."""
        if self._pinned is not None:
            return self._pinned
        step = self.search.led() or self.session.step()
        if isinstance(step, Question):
            self._pinned = step
        return step

    def change(self, tell: Callable[[Session], None]) -> None:
        """Tell the session something, and save it."""
        tell(self.session)
        self._pinned = None
        self._advance(self.search)
        self.version += 1
        self.search.save()

    def once(self, make: Callable[[], Data]) -> Data:
        """Return what is made of the step: made once as long as nothing changes."""
        if self._shown is None or self._shown[0] != self.version:
            self._shown = (self.version, make())
        return self._shown[1]

    def glance(self) -> Glance:
        """Return the tree and what is known of it, as of this version."""
        if self.latest is None or self.latest.version != self.version:
            shading = Shading(self.session)
            functions = self.trace.program.functions
            if len(self._names) != len(functions):
                self._names = {number: safe(f.qualname) for number, f in functions.items()}
            self.latest = Glance(self.version, shading, self._names)
        return self.latest

    # -- a trace that grows ------------------------------------------------------------------------

    def refresh(self) -> None:
        """Look whether there is more of the run; what goes wrong is told, and tried again."""
        try:
            if self._search is None:
                self.trace.refresh()
            elif self._search.look(now=True):
                self._pinned = self._still_open(self._search.session)
                self._search.assume_wrong()
                self._advance(self._search)
            self.trouble = ""
        except WrongcallError as error:
            self.trouble = str(error)
        if self._told != self._seen():
            self._told = self._seen()
            self.version += 1

    def _seen(self) -> tuple[object, ...]:
        return self.trace.event_count, self.growing, self.trouble

    def balance(self, balanced: BalancedTree) -> None:
        """Go on with groups of calls, now that they are known."""
        self.search.balance(balanced)
        self._pinned = self._still_open(self.session)
        self._advance(self.search)
        self.version += 1

    def _advance(self, search: Search) -> None:
        """Add the answers that need no user, unless the next question is known already."""
        if self._pinned is None and search.led() is None:
            search.session.advance()

    def _still_open(self, session: Session) -> Question | None:
        """Return the question that is shown as one about the tree as it is now, if it can be asked."""
        asked, tree = self._pinned, session.tree
        if asked is None:
            return None
        node: int | None = None
        if not asked.is_group:
            node = tree.node(asked.calls[0])
        elif isinstance(tree, BalancedTree):
            node = tree.group(asked.calls[0], asked.calls[-1])
        if node is None or not session.suspects.can_ask(node, led=True):
            return None
        return replace(asked, node=node)
