"""A search for bugs in a trace: the session about it, kept up to date and saved.

What interfaces share: `Search` opens the session that is stored in a trace (or begins one), looks at what a
running program has added, and saves after each answer, so that nothing is lost when the
debugger ends, however it ends. One process at a time can have a search of a trace.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

import numpy.typing as npt

from wrongcall.closing import Closing
from wrongcall.errors import SessionError, TraceError, TreeError
from wrongcall.recording import Recording
from wrongcall.session.answers import (
    ASSUMED,
    BY_TEST,
    USER,
    Answer,
    Choice,
    Decision,
    Entry,
    Verdict,
)
from wrongcall.session.code_of_tests import CodeOfTests
from wrongcall.session.descent import crowded_call, cuts_more_inside
from wrongcall.session.failures import failures_of, needed_by
from wrongcall.session.from_trace import Measure, TraceFacts
from wrongcall.session.inside import InsideSession, inside_of
from wrongcall.session.interrupted import has_crashed, perhaps_endless
from wrongcall.session.leading import Known, next_on_the_way
from wrongcall.session.oracles import Judged, Oracle
from wrongcall.session.session import DEFAULT_STRATEGY, Session
from wrongcall.session.steps import Finding, NeedsMoreTree, Next, Question
from wrongcall.session.storage import (
    DEFAULT_NAME,
    call_of_test,
    reopen,
    save,
    searched_ahead,
    told_inside,
)
from wrongcall.session.trusting import TrustedNames
from wrongcall.trace.file.lock import DebuggerLock
from wrongcall.trace.read.session_store import delete_session, session_names
from wrongcall.tree.balance import BalancedTree, Balancing
from wrongcall.tree.from_trace import Adoption, ChainScan, chains_of, tree_of
from wrongcall.tree.pretrusted import is_reporting
from wrongcall.tree.states import FOUND_RIGHT, NodeState
from wrongcall.tree.suspects import Suspects
from wrongcall.tree.tree import NOBODY, Tree

POLL_SHARE = 10
"""While a program runs, spend at most 1/POLL_SHARE of the time reading what is new."""
LARGE_TREE_CALLS = 1000
"""A tree with this many calls is not read again until all of them are judged."""
FIRST_OF_KILLED = 3
"""Running calls of a killed run that are asked about, from the inside out, before the strategy takes over."""
_KNOWN = {
    NodeState.RIGHT: Known.RIGHT,
    NodeState.INADMISSIBLE: Known.RIGHT,
    NodeState.WRONG: Known.WRONG,
}
BY_STATEMENT = "asked because the statement that left a wrong state made this call"
BY_LOOP = "it made many calls: if it is wrong, its rounds and statements come next"
BALANCED = 200_000
"""Don't look for chains in a longer trace (in events) while the program runs: it would take too long."""


class Depth(Enum):
    """How far a search goes."""

    CALL = "call"
    STATEMENT = "statement"


@dataclass(frozen=True)
class How:
    """How to search."""

    name: str = DEFAULT_NAME
    """Of the session in the trace's file."""
    strategy: str | None = None
    """None: as before, or the default one."""
    balance: bool = True
    trust: tuple[str, ...] = ()
    """Functions and modules that are right, as globs."""
    fresh: bool = False
    """Forget the session that is there."""
    ask_definitions: bool = False
    """Ask about bodies of modules and classes that ended normally, too."""
    ask_tests: bool = False
    """Ask about tests, fixtures and their helpers, too."""
    oracles: Callable[[Recording], Sequence[Oracle]] = field(
        default=lambda recording: (), compare=False
    )
    """Returns who is asked before the user, in order."""
    dismissed: tuple[str, ...] = ()
    """Oracles whose earlier answers are taken back."""
    to: Depth = Depth.CALL
    """How far to search."""


@dataclass(frozen=True)
class Start:
    """Where to begin."""

    wrong: int = 0
    """A call that is wrong; 0: only the run as a whole is known to be."""
    first: tuple[int, ...] = ()
    """Calls to ask about before the strategy chooses."""
    way: tuple[int, ...] = ()
    """The calls that an exception went through, the innermost first; see `wrongcall.session.leading`."""
    by: str = USER
    """Who says that the call is wrong."""
    note: str = ""
    """Why these calls are asked about first."""
    inside: bool = False
    """Search inside the wrong call at once, whatever the calls are that it made."""


class Search(Closing):
    """A session about a trace."""

    def __init__(
        self,
        recording: Recording,
        how: How | None = None,
        *,
        at_once: int | None = None,
        lock: DebuggerLock | None = None,
        measure: Measure | None = None,
    ) -> None:
        """Continue the search that is saved in the trace, or begin one.

        ``at_once``: in a trace with more events chains are not looked for, see `balance`.
        ``lock``: the trace's, if the caller has it already; it stays the caller's.
        ``measure``: returns how many lines a question takes on the screen.
        """
        self.recording = recording
        self.how = how or How()
        self.first: list[int] = []
        """Calls to ask about before the strategy takes over, see `led`."""
        self.start = Start()
        self.unsaved = ""
        """Why what was told last is not saved; empty if it is."""
        self.is_over = False
        """The run has ended, and all that was recorded of it has been read."""
        self.tells_oracles = True
        """Tell oracles what was judged whenever that is saved; it may take longer than finding the next question."""
        self._at_once = at_once
        self._measure = measure
        self._lock: AbstractContextManager[object] = nullcontext()
        if lock is None:
            self._lock = DebuggerLock(recording.path)
        self.stops_at_call = self.how.to is Depth.CALL
        """Show the buggy call, and don't ask about what happened inside it."""
        self._ahead: dict[int, bool] = {}
        """Whether a call is searched inside before the calls that it made are judged, where that was decided."""
        self._weighed: set[int] = set()
        """Wrong calls below which that was decided."""
        self._inside: dict[int, InsideSession | None] = {}
        self._told_inside: dict[int, list[Entry]] = {}
        self._is_expanded = False
        """Whether groups that were collapsed are expanded, to get to a single call."""
        self._saved: object = None
        self._told: list[Judged] | None = None
        self._lead: tuple[int, ...] = ()
        """The call that an oracle thinks is wrong, to be asked about first."""
        self._looked = 0.0
        self._took = 0.0
        try:
            self._refresh()
            self.resumed = self._prepare()
            self.session = self._open()
        except BaseException:
            self.close()
            raise

    def _prepare(self) -> bool:
        """Return whether there is a session to continue."""
        there = self.how.name in session_names(self.recording.path)
        if there and self.how.fresh:
            delete_session(self.recording.path, self.how.name)
        return there and not self.how.fresh

    def _open(self) -> Session:
        self._known = self._reached()
        self._test = call_of_test(self.recording.path, self.how.name) if self.resumed else 0
        scan = ChainScan(self.recording) if self._finds_chains else None
        # Questions need the indexes, the tree doesn't; chains come from the same events.
        self.recording.prepare(None if scan is None else scan.look)
        tree = self._tree = self._read_tree()
        options: dict[str, Any] = {
            "facts": TraceFacts(self.recording, tree, self._measure),
            "chains": self._chains(tree, scan),
            "oracles": self._oracles(),
            "growing": self._is_growing(tree),
        }
        if self.how.strategy is not None:
            options["strategy"] = self.how.strategy
        if self.resumed:
            session = reopen(self.recording.path, tree, self.how.name, **options)
            self._told_inside = told_inside(self.recording.path, self.how.name)
            self._ahead = searched_ahead(self.recording.path, self.how.name)
            self._saved = self._told_so_far(session)
            for name in self.how.dismissed:
                if any(entry.by == name for entry in session.entries):
                    session.dismiss(name)
            return session
        return Session(tree, **{"strategy": DEFAULT_STRATEGY, **options})

    def _oracles(self) -> tuple[Oracle, ...]:
        trusting = (TrustedNames(self.recording, self.how.trust),) if self.how.trust else ()
        return (*trusting, *self.how.oracles(self.recording))

    @property
    def _finds_chains(self) -> bool:
        most = BALANCED if self.is_running() else self._at_once
        large = most is not None and self.recording.event_count > most
        return self.how.balance and not large

    def _chains(self, tree: Tree, scan: ChainScan | None = None) -> Any:
        return chains_of(self.recording, tree, scan) if self._finds_chains else None

    @property
    def lacks_chains(self) -> bool:
        """Whether chains are wanted, but were not looked for."""
        return self.how.balance and not isinstance(self.session.tree, BalancedTree)

    def balanced(self, chains: npt.ArrayLike) -> Suspects:
        """Return the beginning of a search with the groups of these chains, which the caller has looked for.

        That takes a while in a large tree; another thread may do it, if the program has ended.
        """
        return self.session.grouped(self._tree, chains)

    def balance(self, grouped: Suspects) -> None:
        """Continue with these groups."""
        self.session.use_groups(grouped)

    # -- the program -------------------------------------------------------------------------------

    def is_running(self) -> bool:
        """Return whether the program still runs, or its events are still being written."""
        return is_running(self.recording)

    def _reached(self) -> tuple[object, ...]:
        return self.recording.event_count, self.recording.ended, self.is_over

    def _is_growing(self, tree: Tree) -> bool:
        return not self.is_over or not tree.judgeable.any()

    def _read_tree(self) -> Tree:
        self.recording.calls.columns()  # what is asked about failures is then found in them
        return tree_of(
            self.recording,
            over=self.is_over,
            ask_definitions=self.how.ask_definitions,
            trusted=() if self.how.ask_tests else self._test_functions(),
            adoption=self._adoption(),
        )

    # -- a failed test -----------------------------------------------------------------------------

    def _adoption(self) -> Adoption | None:
        """Return what counts as part of the failed test."""
        failures = failures_of(self.recording) if self._test else []
        failure = next((each for each in failures if each.call == self._test), None)
        return None if failure is None else Adoption(self._test, needed_by(self.recording, failure))

    def _test_functions(self) -> frozenset[int]:
        """Return the functions that are trusted because they belong to tests, if tests failed."""
        has_tests = self.is_over and any(each.is_test for each in failures_of(self.recording))
        return CodeOfTests(self.recording).functions() if has_tests else frozenset()

    def _refresh(self) -> None:
        """Read what is new; if the recorder was gone before, there will be no more."""
        gone = not self.recording.is_recorded
        if (
            self.recording.ended is None
        ):  # then nothing follows, and what prepares indexes need not be waited for
            self.recording.refresh()
        self.is_over = gone or self.recording.ended is not None

    def look(self, *, now: bool = False) -> bool:
        """Read what a running program has added, unless that was done just now; return whether it did."""
        begun = time.monotonic()
        if not now and begun < self._looked + self._took * POLL_SHARE:
            return False
        self._refresh()
        if self._reached() == self._known:
            return False
        self._grow()
        self._known = self._reached()
        self._looked = time.monotonic()
        self._took = self._looked - begun
        return True

    def _grow(self) -> None:
        """Continue with the tree as it is now."""
        tree = self._tree = self._read_tree()
        self.session.facts = TraceFacts(self.recording, tree, self._measure)
        self._inside.clear()
        self._regroup(tree)

    def _regroup(self, tree: Tree) -> None:
        how = Balancing(shrink=not self._is_expanded)
        growing = self._is_growing(tree)
        self.session.grow(tree, chains=self._chains(tree), balancing=how, growing=growing)

    def advance(self) -> tuple[Entry, ...]:
        """Take in what a running program added, and the answers that need no user; save them.

        Return the entries added to the session.
        """
        grows = self.recording.ended is None
        if grows and len(self.session.tree) < LARGE_TREE_CALLS:
            self.look()
        added = self.conclude()
        if grows and isinstance(self.session.step(), NeedsMoreTree) and self.look(now=True):
            added += self.session.advance()
        self.save()
        return added

    def conclude(self) -> tuple[Entry, ...]:
        """Add the answers that need no user; return the entries added to the session."""
        added = self.settle()
        if not self.is_ahead:
            added += self.session.advance()
            if self._expand():
                added += self.session.advance()
            self._descend()
            added += self.settle()
        return added

    def step(self) -> Next:
        """Return the next question, or the result of the search. Changes nothing; see `advance`.

        Inside the buggy call, that is a question about what happened there.
        """
        inside = self.inside
        if inside is None:
            return self.session.step()
        asked, found = inside.step(), inside.found()
        if found is None and not self._is_confirmed:
            return asked
        is_open = self.is_ahead and not self._is_confirmed
        if is_open and (asked_first := self.led()) is not None:
            return asked_first
        whole = self.session.finding_at(inside.call) if is_open else self.session.step()
        return replace(whole, inside=found) if isinstance(whole, Finding) else whole

    # -- inside a call -----------------------------------------------------------------------------

    @property
    def inside(self) -> InsideSession | None:
        """The search inside a call, if that is how far this one has come."""
        if self.stops_at_call:
            return None
        call = self._wrong_call if self.is_ahead else self._found_call()
        return self._inside_of(call) if call else None

    @property
    def current(self) -> Session:
        """The session that has the open question."""
        return self.inside or self.session

    @property
    def _wrong_call(self) -> int:
        """The call that the search has come to, which is wrong; 0: there is none, or it is a group."""
        suspects = self.session.suspects
        is_call = suspects.root != NOBODY and not suspects.tree.is_group(suspects.root)
        return suspects.tree.call(suspects.root) if is_call else 0

    @property
    def is_ahead(self) -> bool:
        """Whether the search is inside a call whose calls are not judged yet, and none of them is known to be wrong."""
        return not self.stops_at_call and self._ahead.get(self._wrong_call, False)

    def _descend(self) -> None:
        """Decide whether to search inside a call before its calls are judged; see `descent`."""
        wrong = self._wrong_call
        is_open = isinstance(self.session.step(), Question) and self.led() is None
        can_tell = self.is_over and not self.lacks_chains
        if self.stops_at_call or not can_tell or not is_open or wrong in self._weighed:
            return
        self._weighed.add(wrong)
        call = crowded_call(self.session)
        found = self._inside_of(call) if call and call not in self._ahead else None
        if found is not None:
            self._ahead[call] = cuts_more_inside(self.session, found.inside, len(found.boundaries))

    def _to_enter(self) -> int:
        """Return the call to search inside before its calls are judged, if it is wrong; 0: there is none."""
        suspects = self.session.suspects
        for call, is_chosen in self._ahead.items():
            is_open = is_chosen and self._known_about(call) is Known.OPEN
            if is_open and suspects.can_ask(suspects.tree.node(call)):
                return call
        return 0

    @property
    def _is_confirmed(self) -> bool:
        step = self.session.step()
        return isinstance(step, Finding) and step.confirmed

    def _found_call(self) -> int:
        """Return the call that the bug is in; 0: that is not certain yet."""
        step = self.session.step()
        is_certain = isinstance(step, Finding) and len(step.calls) == 1 and not step.undecided
        return step.calls[0] if is_certain and isinstance(step, Finding) else 0

    def _inside_of(self, call: int) -> InsideSession | None:
        if call not in self._inside:
            told = self._told_inside.get(call, [])
            name = self.session.strategy.name
            self._inside[call] = inside_of(self.recording, call, name, told)
        return self._inside[call]

    def _entries_inside(self) -> dict[int, tuple[Entry, ...]]:
        told = {call: tuple(entries) for call, entries in self._told_inside.items()}
        for call, inside in self._inside.items():
            if inside is not None:
                told[call] = inside.entries if inside.can_undo else ()
        return {call: entries for call, entries in told.items() if entries}

    def _expand(self) -> bool:
        """Look for the one call if the bug is in one of several; return whether there is more to ask."""
        step = self.session.step()
        is_one_of = isinstance(step, Finding) and len(step.calls) > 1 and not step.undecided
        if self.stops_at_call or self._is_expanded or not is_one_of:
            return False
        self._is_expanded = True
        self._regroup(self._tree)
        return True

    def has_inside(self, call: int) -> bool:
        """Return whether anything that ran inside a call can be told apart."""
        return self._inside_of(call) is not None

    def go_inside(self, call: int) -> None:
        """Search inside a call, which is wrong, before the calls that it made are judged."""
        if not self.has_inside(call):
            raise SessionError(f"nothing that ran inside call #{call} can be told apart")
        if self._found_call() != call:
            self.tell(lambda session: session.judge(call, Verdict.WRONG, replace=True))
            self._ahead[call] = True
        self.stops_at_call = False

    def leave_inside(self) -> None:
        """Ask about the calls that the call made, if they are not judged yet; else show the call."""
        if self.is_ahead:
            self._ahead[self._wrong_call] = False
            self.save()
        else:
            self.stops_at_call = True

    def _calls_to_judge(self) -> list[int]:
        """Return the calls that the statement made which was found inside a call before its calls were judged."""
        inside = self.inside if self.is_ahead else None
        found = inside.found() if inside is not None else None
        return [] if inside is None or found is None else inside.calls_at(found.boundary)

    def settle(self) -> tuple[Entry, ...]:
        """Let the oracles answer about the first calls; return the entries added to the session."""
        before = len(self.session.entries)
        while (led := self.led()) is not None:
            if self.session.consult(led.calls[0]) is None:
                break
        return self.session.entries[before:]

    def led(self) -> Question | None:
        """Return the question about the next of the first calls; None: go on with `step`."""
        if self.inside is not None and not self.is_ahead:
            return None
        for call in self._calls_to_judge():
            if self._known_about(call) is Known.OPEN:
                return replace(self.question_about(call), note=BY_STATEMENT)
        if self.is_ahead:
            return None
        for call in (*self._lead, *self.first):
            known = self._known_about(call)
            if known is Known.OPEN:
                return self.question_about(call) if call in self._lead else self._led_to(call)
            if known is Known.WRONG:
                return None  # the bug is below it
        way = self.start.way
        place = next_on_the_way([self._known_about(call) for call in way])
        if place is not None:
            return self._led_to(way[place])
        call = 0 if self.stops_at_call else self._to_enter()
        return replace(self.question_about(call), note=BY_LOOP) if call else None

    def _known_about(self, call: int) -> Known:
        suspects = self.session.suspects
        node = suspects.tree.node(call)
        state = suspects.state_of(node)
        is_open = state in (NodeState.UNDEFINED, NodeState.HIDDEN)
        is_open |= state is NodeState.TRUSTED and suspects.tree.is_pretrusted(node)
        if any(suspects.state_of(above) in FOUND_RIGHT for above in suspects.tree.ancestors(node)):
            return Known.RIGHT  # with the call that made it
        if suspects.tree.judgeable[node] and is_open:
            thought = self.session.opinions((call,))
            return Known.PASSED if any(a.verdict is Verdict.RIGHT for a in thought) else Known.OPEN
        return _KNOWN.get(state, Known.PASSED)

    def _led_to(self, call: int) -> Question:
        return replace(self.question_about(call), note=self.start.note)

    def question_about(self, call: int) -> Question:
        """Return the question about any call."""
        function = self.recording.call(call).function.id
        opinions = self.session.opinions((call,))
        node = self.session.tree.node(call)
        return Question(node, (call,), function, ((function, 1),), opinions=opinions)

    # -- telling -----------------------------------------------------------------------------------

    def begin(self, start: Start) -> None:
        """Begin at a start; earlier answers stay."""
        self.start = start
        if start.by == BY_TEST:
            self._begin_test(start)
        else:
            self.assume_wrong()
            if start.wrong:
                self.tell(lambda session: session.judge(start.wrong, Verdict.WRONG, replace=True))
                if start.inside:
                    self._ahead[start.wrong] = True
        is_led = start.wrong or start.way
        self.first = list(start.first) or ([] if is_led else self._running_at_the_end())
        if self.is_over and not self.resumed:
            self._follow_leads()

    def _follow_leads(self) -> None:
        """Let oracles say what they noticed by themselves."""
        for call in self.session.panel.leads():
            with suppress(TreeError):  # it is not in the tree that is searched, or has not ended
                said = self.session.consult(call)
                if said is not None and said.is_likely and said.verdict is Verdict.WRONG:
                    self._lead = (said.calls[0],)
        suspects = self.session.suspects
        self._lead = tuple(call for call in self._lead if self._can_lead(suspects, call))

    def _can_lead(self, suspects: Suspects, call: int) -> bool:
        """Return whether a call can be asked about, by itself or as a member of a collapsed group."""
        node = suspects.tree.node(call)
        is_hidden = suspects.state_of(node) is NodeState.HIDDEN
        return suspects.can_ask(int(suspects.tree.parent[node]) if is_hidden else node)

    def _begin_test(self, start: Start) -> None:
        """Begin with a failed test, which is wrong by its own word; what it needs is part of it."""
        if start.wrong and self._test != start.wrong:
            self._test = start.wrong
            self._grow()
        said = any(isinstance(e, Answer) and e.by == BY_TEST for e in self.session.entries)
        if start.wrong and not said:
            self.tell(lambda session: session.judge(start.wrong, Verdict.WRONG, by=BY_TEST))

    def _running_at_the_end(self) -> list[int]:
        """Return the calls that a killed run was in: one may be endless.

        Those of other threads come first, as the main one often waits for them; then the one that may be endless, and
        those that wait for it.
        """
        if not self.is_over or self.recording.ended == "exit":
            return []
        running = [call for call in self.recording.calls.roots() if call.exit < 0]
        if not running:
            return []
        main, *others = sorted(running, key=lambda call: (call.thread, -call.entry))
        chain = self._waiting(main.id)
        ends = [self._waiting(call.id)[-1] for call in others[: FIRST_OF_KILLED - 1]]
        way = tuple(reversed(chain))
        if not has_crashed(self.recording):
            way = perhaps_endless(self.recording, way)
        return [*ends, *way[: FIRST_OF_KILLED - len(ends)]]

    def _waiting(self, call: int) -> list[int]:
        """Return a call that had not ended, the one it was waiting for, and so on."""
        chain = [call]
        while (
            stopped := self.recording.execution.stopped(chain[-1])
        ) is not None and stopped.inner:
            chain.append(stopped.inner)
        return chain

    def assume_wrong(self) -> None:
        """Assume that the whole run is wrong, if it is a single call that has ended."""
        roots = [call for call in self.recording.calls.roots() if not is_reporting(call)]
        over = self.session.tree.over
        if len(roots) == 1 and (over or roots[0].exit >= 0) and not self.session.entries:
            self.session.judge(roots[0].id, Verdict.WRONG, by=ASSUMED)
            self.save()

    def tell(self, change: Callable[[Session], None]) -> None:
        """Change the session about calls, and save it."""
        change(self.session)
        self.save()

    def answer(self, asked: Question, verdict: str | Verdict, **more: Any) -> None:
        """Answer the open question, about calls or about what happened inside one; see `Session.answer`."""
        self.current.answer(verdict, question=asked, **more)
        self.save()

    def use(self, strategy: str) -> None:
        """Change the strategy."""
        self.session.use(strategy)
        self._told_inside = {call: list(told) for call, told in self._entries_inside().items()}
        self._inside.clear()
        self.save()

    @property
    def can_undo(self) -> bool:
        """Whether the user has answered anything."""
        return self.current.can_undo or self.session.can_undo

    def undo(self) -> None:
        """Undo the last thing the user said, about calls or inside one."""
        inside = self.inside
        if inside is None or not inside.can_undo or self.session.told_at > inside.told_at:
            self.session.undo()
        else:
            inside.undo()
        self.save()

    def confirm(self) -> None:
        """Confirm that the finding is the bug."""
        self.session.confirm(at=self._found_ahead())
        self.save()

    def go_on(self) -> None:
        """Search for another bug."""
        self.session.go_on(at=self._found_ahead())
        self.save()

    def _found_ahead(self) -> int:
        """Return the call inside which the bug was found before its calls were judged; 0: it is not so."""
        inside = self.inside if self.is_ahead and not self._is_confirmed else None
        return inside.call if inside is not None and inside.found() is not None else 0

    def reject(self) -> None:
        """Reject the finding: ask again about the answer that is most likely mistaken."""
        inside = self.inside
        if inside is None or inside.found() is None:
            self.session.reject()
        else:
            try:
                inside.reject()
            except SessionError:  # every answer about it was given twice
                self.session.reject()
        self.save()

    def entries(self) -> tuple[object, ...]:
        """Return everything that was told so far, inside calls, too."""
        inside = tuple(self._entries_inside().items())
        return self.session.entries, inside, self.stops_at_call, tuple(self._ahead.items())

    @property
    def troubles(self) -> dict[str, str]:
        """What is the matter with which oracles, in words."""
        panel = self.session.panel
        known = self.session.dismissed() & panel.names
        told = {e.oracle for e in self.session.entries if isinstance(e, Decision) and e.oracle}
        why = {name: "you chose that" if name in told else "you contradicted it" for name in known}
        silent = {**why, **panel.excused}
        found = {name: f"not asked any more in this session: {why}" for name, why in silent.items()}
        found.update({name: f"can't keep your answers: {why}" for name, why in panel.deaf.items()})
        return found

    def tell_oracles(self) -> None:
        """Let oracles learn from what the user said, and from what the user took back."""
        judged = self.session.judged()
        if judged != self._told:
            self.session.panel.tell(judged)
            self._told = judged

    def _told_so_far(self, session: Session) -> tuple[Any, ...]:
        inside = self._entries_inside()
        return session.entries, session.strategy.name, inside, dict(self._ahead)

    def save(self) -> None:
        """Save the session in the trace, if there is anything new; see `unsaved`."""
        if self.tells_oracles:
            self.tell_oracles()
        state = self._told_so_far(self.session)
        if state == self._saved:
            return
        try:
            save(self.session, self.recording.path, self.how.name, state[2], self._ahead)
        except TraceError as error:  # it is not lost as long as we run
            self.unsaved = str(error)
        else:
            self.unsaved = ""
            self._saved = state

    @property
    def has_found(self) -> bool:
        """Whether a bug was found and not rejected: a call, whether or not its inside was searched, or a statement."""
        chosen = (Choice.CONFIRM, Choice.GO_ON)
        told = any(isinstance(e, Decision) and e.choice in chosen for e in self.session.entries)
        return told or any(isinstance(s, Finding) for s in (self.session.step(), self.step()))

    # -- the end -----------------------------------------------------------------------------------

    def close(self) -> None:
        """Release the trace for other debuggers."""
        self._lock.__exit__(None, None, None)


def is_running(recording: Recording) -> bool:
    """Return whether a trace's program still runs, or its events are still being written."""
    return recording.ended is None and recording.is_recorded
