"""The tools, as an agent calls them: each opens a trace, asks, masks secrets, and cuts the answer to its budget.

Nothing here knows the protocol: `server` describes these methods to the SDK, and tests call them directly.
"""

from __future__ import annotations

from collections.abc import Iterable
from threading import Event, Lock
from typing import TypeVar

from wrongcall.cli import config
from wrongcall.cli.reading import place_of
from wrongcall.closing import Closing
from wrongcall.errors import UsageError
from wrongcall.mcp import lookups, recorded_runs, searches
from wrongcall.mcp.pages import page_of
from wrongcall.mcp.permissions import Permissions
from wrongcall.mcp.replies import (
    CallReply,
    CompareReply,
    FoundReply,
    RecordReply,
    Reply,
    SearchStateReply,
    TextReply,
)
from wrongcall.mcp.traces import Traces
from wrongcall.oracles.masking import Masking
from wrongcall.present.failures import message_of
from wrongcall.present.reports import report_of, report_text
from wrongcall.present.text import safe
from wrongcall.recording import Recording
from wrongcall.session import Finding
from wrongcall.session.failures import Failure, failures_of

R = TypeVar("R", bound=Reply)
ACTIONS = ("next", "answer", "undo")
DEFAULT_AGENT = "agent"


class Tools(Closing):
    """What agents can do with the recordings of one project."""

    def __init__(self, permissions: Permissions) -> None:
        self.permissions = permissions
        self.traces = Traces(permissions)
        self._stopping = Event()
        self._recording = Lock()
        model = config.read(permissions.root).model
        self._masking = Masking(model.mask if model is not None else ())

    def close(self) -> None:
        """End the program that is being recorded, if there is one, and close the traces."""
        self._stopping.set()
        with self._recording:  # wait until the program has ended
            self.traces.close()

    # -- recording ---------------------------------------------------------------------------------

    def record(self, wanted: recorded_runs.Wanted, budget: int) -> RecordReply:
        """Record a run."""
        with self._recording:
            run = recorded_runs.record(wanted, self.permissions, self._stopping)
        name = self.permissions.shown(run.trace)
        with self.traces.use(name) as recording:
            failures = [self._failure(recording, each) for each in failures_of(recording)]
            counts = f"{recording.calls.count:,} calls, {recording.event_count:,} events"
        lines = [f"Recorded {name}: {counts}; {run.ended}.", *failures]
        if run.output.strip():
            lines += ["", "The end of its output:", *safe_lines(run.output)]
        reply = RecordReply(
            text="",
            next=f"diagnose(trace={name!r})" + _one_of(failures_of_tests(failures)),
            trace=name,
            ended=run.ended,
            failures=[self._masking.mask(each) for each in failures],
        )
        return self._paged(reply, lines, budget)

    def _failure(self, recording: Recording, failure: Failure) -> str:
        message = message_of(recording, failure)
        what = safe(failure.test) if failure.is_test else "the program"
        return f"{what} failed: {message}"

    # -- searching ---------------------------------------------------------------------------------

    def diagnose(
        self,
        trace: str,
        beginning: searches.Beginning,
        agent: str = DEFAULT_AGENT,
        *,
        restart: bool = False,
        budget: int,
        cursor: str = "",
    ) -> SearchStateReply:
        """Search as far as it goes without anybody's answers; say what is left."""
        with (
            self.traces.use(trace) as recording,
            searches.searching(recording, agent, beginning, restart=restart) as (search, begins),
        ):
            facts, lines = searches.state_of(search, begins)
        return self._paged(facts, lines, budget, cursor)

    def question(
        self,
        trace: str,
        action: str,
        said: searches.Said,
        agent: str = DEFAULT_AGENT,
        *,
        budget: int,
        cursor: str = "",
    ) -> SearchStateReply:
        """Return the next question; take an answer, or take one back."""
        if action not in ACTIONS:
            raise UsageError(f"unknown action {action!r}; use {', '.join(ACTIONS)}")
        with (
            self.traces.use(trace) as recording,
            searches.searching(recording, agent, searches.Beginning()) as (search, _),
        ):
            if action == "answer":
                searches.answer(search, agent, said)
            elif action == "undo":
                searches.undo(search)
            facts, lines = searches.state_of(search, [])
        return self._paged(facts, lines, budget, cursor)

    # -- looking up --------------------------------------------------------------------------------

    def call(self, trace: str, call: int, depth: int, budget: int, cursor: str = "") -> CallReply:
        """Return one call's whole life."""
        with self.traces.use(trace) as recording:
            function, place, lines = lookups.call_text(recording, call, depth=depth)
        reply = CallReply(text="", next=_AFTER_CALL, call=call, function=function, place=place)
        return self._paged(reply, lines, budget, cursor)

    def search(
        self, trace: str, text: str, budget: int, cursor: str = "", *, newest: bool = False
    ) -> FoundReply:
        """Return the calls and writes that match."""
        with self.traces.use(trace) as recording:
            calls, more, lines = lookups.search_text(recording, text, newest=newest)
        reply = FoundReply(text="", next=_AFTER_SEARCH, calls=calls, more=more)
        return self._paged(reply, lines, budget, cursor)

    def origin(
        self, trace: str, call: int, place: str, at: int, budget: int, cursor: str = ""
    ) -> TextReply:
        """Return where a value came from."""
        with self.traces.use(trace) as recording:
            lines = lookups.origin_text(recording, call, place, at)
        return self._paged(TextReply(text="", next=_AFTER_ORIGIN), lines, budget, cursor)

    def print_after(
        self, trace: str, printed: lookups.Printed, budget: int, cursor: str = ""
    ) -> TextReply:
        """Return expressions at every execution of a line."""
        with self.traces.use(trace) as recording:
            lines = lookups.printed_text(recording, printed)
        return self._paged(TextReply(text="", next=_AFTER_PRINT), lines, budget, cursor)

    def compare(self, good: str, bad: str, budget: int, cursor: str = "") -> CompareReply:
        """Return where two runs part."""
        with self.traces.use(good) as first, self.traces.use(bad) as second:
            view = lookups.compared(first, second)
            lines = list(view.lines(searches.WIDTH))
            reply = CompareReply(text="", next=_SAME_RUNS, differs=view.differs)
            where = view.where
            if where is not None:
                function = second.call(where.second).function
                reply.function, reply.place = safe(function.qualname), place_of(second, function)
                reply.good_call, reply.bad_call = where.first, where.second
            if view.differs:
                reply.next = _after_compare(bad, reply.bad_call)
        return self._paged(reply, lines, budget, cursor)

    # -- resources ---------------------------------------------------------------------------------

    def source(self, trace: str, file: str) -> str:
        """Return a recorded file, as it was when the program ran."""
        with self.traces.use(trace) as recording:
            return self._masking.mask(lookups.source_text(recording, file))

    def report(self, trace: str, agent: str = DEFAULT_AGENT) -> str:
        """Return the report about the finding of an agent's session."""
        with (
            self.traces.use(trace) as recording,
            searches.searching(recording, agent, searches.Beginning()) as (search, _),
        ):
            found = searches.next_of(search)
            if not isinstance(found, Finding) or not found.calls:
                raise UsageError("nothing found yet; answer the questions first")
            view = searches.finding_of(search, found)
            text = report_text(report_of(recording, search.session, view), ".md")
        return self._masking.mask(text)

    def _paged(self, reply: R, lines: Iterable[str], budget: int, cursor: str = "") -> R:
        page = page_of([self._masking.mask("\n".join(lines))], budget, cursor)
        reply.text, reply.cursor = page.text, page.cursor
        if page.cursor:
            reply.next = f"the same call with cursor={page.cursor!r} to read on; or {reply.next}"
        return reply


def safe_lines(text: str) -> list[str]:
    """Return the lines of what a program printed, without anything that acts upon a terminal."""
    return [safe(line) for line in text.splitlines()]


def failures_of_tests(failures: list[str]) -> list[str]:
    """Return the failures, if there are several to choose from."""
    return failures if len(failures) > 1 else []


def _one_of(failures: list[str]) -> str:
    return ", with the name of one failed test as `test`" if failures else ""


_AFTER_CALL = "origin(call, place) for a value that looks wrong; call for one of the calls it made"
_AFTER_SEARCH = "call for one of the numbers (#N)"
_AFTER_ORIGIN = (
    "call for the first call in which the value is wrong; then judge that call with question"
)
_AFTER_PRINT = "origin for a value that looks wrong, or call for the call of its row"
_SAME_RUNS = "diagnose, if the result is wrong all the same: the bug is in what both runs do"


def _after_compare(bad: str, call: int) -> str:
    if not call:
        return f"call(trace={bad!r}) for one of the calls that only one run made (#N)"
    return f"call(trace={bad!r}, call={call}); then judge that call with question"
