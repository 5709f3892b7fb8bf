"""How long questions about calls are: the lines on the screen, estimated for every call.

`Reading` is an estimate from columns, for any number of calls: for each call, the lines of a question about it alone,
and the lines it takes as a member of a list. A call that is *brief* may take one line there, so that a list can have
many of them. `wrongcall.tree.costs` turns that into the lines of every node, groups included. Measured questions
improve the estimate: measuring one call of a function scales the estimate for all of them, and the length of a measured
call is known exactly; see `wrongcall.session.looking`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Lines = npt.NDArray[np.uint8]


class Sample(NamedTuple):
    """A measured call of a function: its real lines."""

    node: int
    alone: int
    member: int


@dataclass(frozen=True)
class Reading:
    """Lines to read, in the order of the nodes of a tree without groups."""

    alone: Lines
    member: Lines
    brief: npt.NDArray[np.bool_]
    """Which calls probably take a single line in a list."""

    def scaled(self, functions: npt.NDArray[np.int32], samples: Mapping[int, Sample]) -> Reading:
        """Return the estimate on the assumption that calls are as long as the sample of their function.

        ``functions``: one per call. ``samples``: by function; functions without a sample are scaled like the others.
        """
        if not samples:
            return self
        count = int(functions.max(initial=0)) + 1
        ratios = np.ones((2, count))
        for row, estimate in enumerate((self.alone, self.member)):
            known = {f: s[1 + row] / int(estimate[s.node]) for f, s in samples.items() if f < count}
            ratios[row] = float(np.mean([*known.values()]))
            ratios[row, list(known)] = list(known.values())
        lines = [
            np.clip(np.rint(column * ratio[functions]), 1, 255).astype(np.uint8)
            for column, ratio in zip((self.alone, self.member), ratios, strict=True)
        ]
        brief = self.brief.copy()
        for function, sample in samples.items():
            brief[functions == function] = sample.member == 1
        return Reading(lines[0], lines[1], brief)
