"""Facts about sites as arrays, for indexing with a column of sites."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from wrongcall.errors import TraceError
from wrongcall.trace.format.program_tables import Site, Table

_MOST_GAPS = 1 << 20
"""Site numbers that may be unused, in addition to as many as there are sites."""


class SiteColumns:
    """Facts about sites as arrays, for indexing with a column of sites."""

    def __init__(self, sites: Table[Site]) -> None:
        if sites.last > _MOST_GAPS + 2 * len(sites):  # a huge number would allocate as much memory
            raise TraceError(f"damaged trace: {len(sites)} sites, but one has number {sites.last}")
        self.size = sites.last + 1
        numbers = list(sites)
        columns = dict(zip(Site._fields, zip(*sites.values(), strict=True), strict=bool(numbers)))
        names = ("kind", "function", "line", "block", "scope")
        self.kind, self.function, self.line, self.block, self.scope = (
            self._column(numbers, columns.get(name, ())) for name in names
        )

    def _column(self, numbers: list[int], values: Sequence[int]) -> npt.NDArray[np.int32]:
        column = np.zeros(self.size, dtype=np.int32)
        column[numbers] = values
        return column

    def known(self, sites: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return these sites, with those that no file describes replaced by 0."""
        return np.where(sites < self.size, sites, 0)
