"""A trace and the search in it, as the page works on them. Used by one thread only.

The *version* rises whenever something changes that the page may show: an answer, more of the tree,
other groups. A question on the screen stays until it is answered, also while the tree grows (it is
*pinned*): nobody can judge something that changes while they read it.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import wrongcall.recording
from wrongcall.errors import WrongcallError
from wrongcall.present.screens.reading import lines_to_read
from wrongcall.present.text import safe
from wrongcall.recording import Recording
from wrongcall.session import Next, Question, Session
from wrongcall.session.search import How, Search, Start, is_running
from wrongcall.trace.file.lock import DebuggerLock
from wrongcall.tree.balance import BalancedTree
from wrongcall.tree.suspects import Suspects
from wrongcall.web import contract
from wrongcall.web.lanes import Began
from wrongcall.web.node_status import NodeStatuses
from wrongcall.web.recent import Recent
from wrongcall.web.tree_snapshot import TreeSnapshot

MAX_EVENTS_AT_ONCE = 300_000
"""Search at most this many events for groups before the first question; larger traces in the background."""


MAX_QUESTIONS = 24
"""The most calls of which it is kept how they are shown."""
MAX_CALLS_IN_THREADS = 2_000_000
"""In larger traces, threads have no lanes of their own: reading the thread of each call would take too long."""
_BODIES = ("class", "module")
"""Kinds of functions that nobody calls."""
NO_START = Start()
Starts = Start | Callable[[Recording], Start]


class Workspace:
    """The trace, its search, and the question on the screen."""

    def __init__(self, path: Path, how: How | None = None, start: Starts = NO_START) -> None:
        """``start``: where to start, or what finds that in the recording."""
        self.path = path
        self._how = how
        with ExitStack() as opened:
            self._lock = DebuggerLock(path)
            opened.callback(self._lock.release)
            self.recording = opened.enter_context(wrongcall.recording.open(path))
            self.recording.prepare()  # the first question needs the indexes; meanwhile there is enough to do
            self._start = start(self.recording) if callable(start) else start
            opened.pop_all()
        self.version = 1
        self.server = secrets.token_hex(8)
        """Names this server: versions of another one are not comparable."""
        self.trouble = ""
        """Why new events could not be read; empty: they could."""
        self._told = self._seen()
        self._search: Search | None = None
        self._pinned: Question | None = None
        self._shown: tuple[int, contract.Step] | None = None
        self._names: dict[int, str] = {}
        self._began: Began | None = None
        self.questions = Recent(MAX_QUESTIONS)
        """What was last shown of calls: a search inside a call asks about the same call again and again."""
        self.latest: TreeSnapshot | None = None
        """The newest snapshot; other threads may use it."""

    def close(self) -> None:
        """Close the trace, and unlock it for other debuggers."""
        self.tell_oracles()
        self.recording.close()
        self._lock.release()

    @property
    def growing(self) -> bool:
        """Whether the program is still running."""
        return is_running(self.recording)

    # -- the session -------------------------------------------------------------------------------

    @property
    def search(self) -> Search:
        """The search. The first access starts or resumes it, which takes a while."""
        if self._search is None:
            search = Search(
                self.recording,
                self._how,
                at_once=MAX_EVENTS_AT_ONCE,
                lock=self._lock,
                measure=lines_to_read,
            )
            search.tells_oracles = False
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
        step = self.search.led() or self.search.step()
        if isinstance(step, Question):
            self._pinned = step
        return step

    def change(self, tell: Callable[[Search], None]) -> None:
        """Apply a change to the search, and save it; oracles are told later, see `tell_oracles`."""
        self.tell_oracles()
        tell(self.search)
        self._pinned = None
        self._advance(self.search)
        self.version += 1
        self.search.save()

    def tell_oracles(self) -> None:
        """Tell oracles what was judged. That may take longer than finding the next question, which doesn't need it."""
        if self._search is not None:
            before = self._search.troubles
            self._search.tell_oracles()
            if self._search.troubles != before:
                self.version += 1

    def once(self, make: Callable[[], contract.Step]) -> contract.Step:
        """Return the step's JSON, made once per version."""
        if self._shown is None or self._shown[0] != self.version:
            self._shown = (self.version, make())
        return self._shown[1]

    def snapshot(self) -> TreeSnapshot:
        """Return the tree and what is known about it, as of this version."""
        if self.latest is None or self.latest.version != self.version:
            statuses = NodeStatuses(self.session)
            functions = self.recording.program.functions
            if len(self._names) != len(functions):
                self._names = {number: safe(f.qualname) for number, f in functions.items()}
            bodies = frozenset(n for n, f in functions.items() if f.kind in _BODIES)
            began = self._began_calls()
            self.latest = TreeSnapshot(self.version, statuses, self._names, bodies, began)
        return self.latest

    def _began_calls(self) -> Began:
        """Return when the calls began and ended; the threads are read from the events, once."""
        count = self.recording.event_count
        if self._began is None or self._began.last != count:
            calls = self.recording.calls.columns()
            several = len(self.recording.program.threads) > 1 and len(calls) <= MAX_CALLS_IN_THREADS
            thread = calls.thread.astype("int64") if several else None
            self._began = Began(calls.id, calls.entry, calls.exit, count, thread)
        return self._began

    # -- a trace that grows ------------------------------------------------------------------------

    def refresh(self) -> None:
        """Read new events. An error is shown on the page, and the next refresh tries again."""
        try:
            if self._search is None:
                self.recording.refresh()
            elif self._search.look(now=True):
                self._pinned = self._still_open(self._search)
                self._search.assume_wrong()
                self._advance(self._search)
            self.trouble = ""
        except WrongcallError as error:
            self.trouble = str(error)
        if self._told != self._seen():
            self._told = self._seen()
            self.version += 1

    def _seen(self) -> tuple[object, ...]:
        return self.recording.event_count, self.growing, self.trouble

    def balance(self, grouped: Suspects) -> None:
        """Continue with the balanced tree, now that its groups are known."""
        self.search.balance(grouped)
        self._pinned = self._still_open(self.search)
        self._advance(self.search)
        self.version += 1

    def _advance(self, search: Search) -> None:
        """Add the answers that need no user, unless the next question is known already."""
        if self._pinned is None:
            search.settle()
            if search.led() is None:
                search.conclude()

    def _still_open(self, search: Search) -> Question | None:
        """Return the pinned question with its node in the current tree, if it can still be asked."""
        asked, session = self._pinned, search.session
        if asked is None:
            return None
        if asked.inside:
            inside = search.inside
            return asked if inside is not None and inside.call == asked.inside else None
        tree = session.tree
        node: int | None = None
        if not asked.is_group:
            node = tree.node(asked.calls[0])
        elif isinstance(tree, BalancedTree):
            node = tree.group(asked.calls[0], asked.calls[-1])
        if node is None or not session.suspects.can_ask(node, led=True):
            return None
        return replace(asked, node=node)
