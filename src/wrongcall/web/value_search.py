"""Search calls by their values, in slices: every call has to be read, which takes long."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from wrongcall.web.call_json import line_data
from wrongcall.web.contract import Rows
from wrongcall.web.outline import Flat
from wrongcall.web.tree_rows import Wanted, Window, candidates
from wrongcall.web.workspace import Workspace

SLICE_S = 0.25
"""Seconds of searching per request; the page asks again for more."""


@dataclass
class _Search:
    of: object
    wanted: Wanted
    candidates: npt.NDArray[np.intp]
    looked: int = 0
    found: list[int] = field(default_factory=list)


class ValueSearch:
    """Search calls by their values; the same request again continues the search."""

    def __init__(self) -> None:
        self._search: _Search | None = None

    def data(self, workspace: Workspace, wanted: Wanted, window: Window) -> Rows:
        """Continue the search for a slice of time; return some rows of what was found so far."""
        snapshot = workspace.snapshot()
        of, search = wanted.stays(snapshot), self._search
        if search is None or search.of != of or search.wanted != wanted:
            search = self._search = _Search(of, wanted, candidates(snapshot, wanted))
        self._search_on(workspace, search)
        rows = window.of(snapshot, Flat(np.array(search.found, dtype=np.intp)))
        rows["looked"], rows["candidates"] = search.looked, len(search.candidates)
        return rows

    def _search_on(self, workspace: Workspace, search: _Search) -> None:
        """Read calls until the slice is over: at least one, so that every request makes progress."""
        tree, text, until = workspace.session.tree, search.wanted.value, time.monotonic() + SLICE_S
        for node in search.candidates[search.looked :].tolist():
            search.looked += 1
            line = line_data(workspace.recording, tree.call(node))
            if text in line.title or text in line.outcome:
                search.found.append(node)
            if time.monotonic() >= until:
                break
