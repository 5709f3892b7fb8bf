"""The last writes on each line of a call, without examining all of its writes one by one.

A site writes to one variable, or to places of objects, each with a key of its own. So the last write to a place is
found by taking the last write of a site, dropping all with the same key, and so on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from wrongcall.analysis.expressions.target_names import Naming
from wrongcall.analysis.steps.steps import CallStep, StepColumns
from wrongcall.events import Kind, Scope, Tag
from wrongcall.replay.object_replay import rows_of
from wrongcall.trace.format.columns import Column
from wrongcall.trace.format.event_records import Ints, distinct, obj_ids
from wrongcall.trace.read.store import Store
from wrongcall.trace.read.values import UNSET

_FEW = 16
"""Up to this many writes of a site are examined one by one."""
_TRIED = 100
"""Keys to try at most: several may have the same text."""


class LatestWrites:
    """Finds the last writes on lines."""

    def __init__(
        self, store: Store, naming: Naming, make: Callable[[StepColumns], list[CallStep]]
    ) -> None:
        self._store = store
        self._naming = naming
        self._make = make

    def of(self, written: StepColumns, most: int) -> dict[int, list[CallStep]]:
        """Return, by line, the last write to each of the ``most`` places that were written to last."""
        sites, kinds, tags = self._fields(written.time, "site", "kind", "vtag")
        told = np.flatnonzero(tags != Tag.UNSET)
        chosen = [np.empty(0, np.int64)]
        for site, group in _by_site(sites[told]):
            where = told[group]
            chosen.append(self._last_of_site(site, written.time[where], kinds[where], most, where))
        steps = self._make(written[np.sort(np.concatenate(chosen))])
        return _by_line(steps, most)

    def _fields(self, times: Ints, *names: str) -> list[Column]:
        """Return fields of events in any order."""
        if (times[1:] >= times[:-1]).all():
            return self._store.segments.columns_at(times, *names)
        order = np.argsort(times, kind="stable")
        back = np.empty_like(order)
        back[order] = np.arange(len(order))
        return [column[back] for column in self._store.segments.columns_at(times[order], *names)]

    def _last_of_site(
        self, number: int, times: Ints, kinds: Column, most: int, where: Ints
    ) -> Ints:
        """Return the positions of a site's writes that may be the last to their places."""
        site = self._store.program.sites.get(number)
        if site is not None and site.scope == Scope.GLOBAL and site.name:
            return where[-1:]
        if (kinds == Kind.LOCAL).all():
            return where[-1:]
        if len(where) <= _FEW:
            return where
        named = self._naming.is_exact(site)
        found: dict[str, int] = {}
        for tried, last in enumerate(self._last_of_keys(times, kinds, named)):
            if len(found) == most or tried == _TRIED:
                break
            at = self._store.segments.at(times[last : last + 1])
            place = self._naming.place(rows_of(at)[0], int(obj_ids(at.events)[0]))
            found.setdefault(place, last)
        return where[list(found.values())]

    def _last_of_keys(self, times: Ints, kinds: Column, named: bool) -> Iterator[int]:
        """Iterate over the last write with each key, latest first; named objects count as one."""
        tags, keys, low, high = self._fields(times, "ktag", "key", "obj", "hi")
        left = np.arange(len(times))
        while len(left):
            last = int(left[-1])
            yield last
            same = (keys[left] == keys[last]) & (tags[left] == tags[last])
            same &= kinds[left] == kinds[last]
            if not named:
                same &= (low[left] == low[last]) & (high[left] == high[last])
            left = left[~same]


def _by_site(sites: Column) -> Iterator[tuple[int, Ints]]:
    """Iterate over the distinct sites, with the positions of each."""
    known = distinct(sites.astype(np.int64))
    numbers = np.searchsorted(np.array(known, dtype=np.int64), sites)
    if len(known) < 1 << 16:
        numbers = numbers.astype(np.uint16)  # numpy sorts these by counting
    order = np.argsort(numbers, kind="stable")
    ends = np.cumsum(np.bincount(numbers, minlength=len(known))).tolist()
    for site, begin, end in zip(known, [0, *ends], ends, strict=False):
        yield site, order[begin:end]


def _by_line(steps: list[CallStep], most: int) -> dict[int, list[CallStep]]:
    latest: dict[int, dict[str, CallStep]] = {}
    for step in steps:
        if step.value is not UNSET:
            places = latest.setdefault(step.line, {})
            places.pop(step.place, None)
            places[step.place] = step
    return {line: list(places.values())[-most:] for line, places in latest.items()}
