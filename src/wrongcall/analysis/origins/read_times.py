"""When the parts of an expression were read.

An expression is evaluated from left to right. If it makes calls, what it reads may change while it is evaluated: a
part is read after the calls before it, and before those behind it or around it. The events at the sites of an
expression show where in time these are.
"""

from __future__ import annotations

from collections.abc import Iterator

from wrongcall.analysis.flow.call_events import call_events
from wrongcall.analysis.provenance.model import Given
from wrongcall.analysis.provenance.run import Run
from wrongcall.events import SiteKind
from wrongcall.languages.expressions import Node
from wrongcall.trace.format.program_tables import Site, Span, site_span

_WINDOW = 1 << 12
"""Events of the trace to begin with; more are read if the statement began earlier."""
_ENDS = (SiteKind.WRITE, SiteKind.ITEM, SiteKind.ATTR, SiteKind.RETURN, SiteKind.PARAM)


class ReadTimes:
    """Finds when parts of expressions were read."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def of(self, given: Given, node: Node, first: int = 0) -> int:
        """Return the time whose state a part of an expression found.

        ``first``: the evaluation began after this time.
        """
        source = self._run.source(given.call)
        if not source.calls_in(given.node):
            return given.time
        span = source.span(node)
        time = given.time
        for happened, site in self._backwards(given, first):
            if not _comes_before(site_span(site), span):
                time = happened - 1
        return time

    def begin(self, given: Given, first: int = 0) -> int:
        """Return the time before the evaluation of an expression began."""
        time = given.time
        for happened, _ in self._backwards(given, first):
            time = happened - 1
        return time

    def _backwards(self, given: Given, first: int) -> Iterator[tuple[int, Site]]:
        """Iterate over the events of the evaluation of an expression, the last one first."""
        whole = self._run.source(given.call).evaluation_span(given.node)
        call, sites = given.call.id, self._run.store.program.sites
        begin = max(given.call.entry, first + 1)
        stop, window = given.time, _WINDOW
        while stop >= begin:
            start = max(stop - window, begin)
            found = call_events(self._run.store, self._run.calls, call, (start, stop))
            numbers = zip(found.time[::-1].tolist(), found.site[::-1].tolist(), strict=True)
            for time, number in numbers:
                site = sites.get(number)
                if site is None or not _within(site_span(site), whole):
                    return
                if site.kind in _ENDS and not _is_inside(site_span(site), whole):
                    return  # an earlier execution of the same statement
                if time > given.time:
                    continue
                yield time, site
            stop, window = start - 1, window * 8


def _within(span: Span, whole: Span) -> bool:
    return whole[:2] <= span[:2] and span[2:] <= whole[2:]


def _is_inside(span: Span, whole: Span) -> bool:
    return _within(span, whole) and span != whole


def _comes_before(span: Span, part: Span) -> bool:
    """Return whether what happened at a span happened before a part was read: it is to its left, or inside of it."""
    return span[2:] <= part[:2] or (_within(span, part) and span != part)
