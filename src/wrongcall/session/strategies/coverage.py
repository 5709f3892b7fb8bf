"""Divide and query by coverage (JHyde): suspects weigh what they covered and was not found right."""

from __future__ import annotations

from typing import ClassVar

from wrongcall.errors import SessionError
from wrongcall.session.strategies.base import Strategy
from wrongcall.tree import _kernels
from wrongcall.tree.coverage import CoverageWeights
from wrongcall.tree.suspects import Suspects


class CoverageStrategy(Strategy):
    """What both kinds of coverage share."""

    kind: ClassVar[str]
    default_p: ClassVar[float]

    def __init__(self, p: float | None = None, whole_subtree: bool = True) -> None:
        """``p``: what an entity weighs after one more call that covers it was found right."""
        self.p = self.default_p if p is None else p
        self.whole_subtree = whole_subtree

    def weights(self, suspects: Suspects) -> CoverageWeights:
        """Return the individual weights."""
        coverage = suspects.coverage.get(self.kind)
        if coverage is None:
            raise SessionError(f"there is no {self.kind} coverage for these calls")
        return CoverageWeights(suspects.tree, coverage, self.p, self.whole_subtree)

    def choose(self, suspects: Suspects) -> int:
        """Return the node to ask."""
        return _kernels.choose_nearest(*suspects.weigh(self.weights(suspects)))


class EdgeCoverage(CoverageStrategy):
    """Halves the ways from one line to the next that are still suspect."""

    name = "coverage-edges"
    kind = needs_coverage = "edges"
    default_p = 0.5


class DefUseCoverage(CoverageStrategy):
    """Halves the pairs of a write and a later read that are still suspect."""

    name = "coverage-def-use"
    kind = needs_coverage = "def-use"
    default_p = 0.6
