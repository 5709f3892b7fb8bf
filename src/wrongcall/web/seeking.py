"""A search for calls by their values: each call is read, so it takes long, and is done piece by piece."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from wrongcall.web.calls import line_data
from wrongcall.web.desk import Desk
from wrongcall.web.listing import Wanted, Window, candidates
from wrongcall.web.rows import Flat

PIECE = 0.25
"""Seconds until what was found so far is told; whoever wants more asks again."""


@dataclass
class _Search:
    of: object
    wanted: Wanted
    candidates: npt.NDArray[np.intp]
    looked: int = 0
    found: list[int] = field(default_factory=list)


class Seeking:
    """Searches calls by their values; it goes on where it was when the same is asked again."""

    def __init__(self) -> None:
        self._search: _Search | None = None

    def data(self, desk: Desk, wanted: Wanted, window: Window) -> dict[str, Any]:
        """Search on for a while; some rows of what was found."""
        glance = desk.glance()
        of, search = wanted.stays(glance), self._search
        if search is None or search.of != of or search.wanted != wanted:
            search = self._search = _Search(of, wanted, candidates(glance, wanted))
        self._search_on(desk, search)
        rows = window.of(glance, Flat(np.array(search.found, dtype=np.intp)))
        return {**rows, "looked": search.looked, "candidates": len(search.candidates)}

    def _search_on(self, desk: Desk, search: _Search) -> None:
        tree, text, until = desk.session.tree, search.wanted.value, time.monotonic() + PIECE
        while search.looked < len(search.candidates) and time.monotonic() < until:
            node = int(search.candidates[search.looked])
            search.looked += 1
            line = line_data(desk.trace, tree.call(node))
            if text in line["title"] or text in line["outcome"]:
                search.found.append(node)
