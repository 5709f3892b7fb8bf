"""Oracles other than the user: asked first, in order.

An oracle has an *opinion* about calls it knows about, and none about all others. Its answers are kept like any other,
under its name, with a reason to show. A *certain* opinion decides: it changes the state of a node, as an answer of the
user does. A *likely* one only changes how much suspicion a call gets, and so the order of the questions; a finding
never rests on it alone: the user confirms the calls that the finding needs, several of them with one answer.

Subclass `Oracle`, give it a name and define `opinion`. The other methods are for oracles that learn from the user, know
where to look first, or weigh functions. All of them may raise; the session then names the oracle and asks it no more.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from wrongcall.session.answers import Confidence, Verdict


@dataclass(frozen=True)
class Opinion:
    """What an oracle thinks of a call."""

    verdict: Verdict
    confidence: Confidence = Confidence.CERTAIN
    reason: str = ""
    """Why, to be shown: ``ann said so on 2026-11-02``."""
    call: int = 0
    """The call that it is about, if it was asked about several; 0: all that it was asked about."""


@dataclass(frozen=True, eq=False)
class Suspicion:
    """How suspicious functions and calls are: 1 is as suspicious as any other."""

    functions: Mapping[int, float] = field(default_factory=dict)
    """By their numbers."""
    calls: npt.NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    """Calls about which more is known than about their functions, in ascending order."""
    factors: npt.NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    """Theirs."""

    def __bool__(self) -> bool:
        return bool(self.functions) or bool(len(self.calls))


@dataclass(frozen=True)
class Judged:
    """A call, or a group of calls, that the user judged."""

    calls: tuple[int, ...]
    verdict: Verdict
    """Right, wrong or inadmissible."""
    at: float
    """When, in seconds since 1970."""
    expected: str | None = None


class Oracle(ABC):
    """Something that can judge some calls by itself: a contract, a test, a reference run."""

    name = ""
    """Who says so."""
    trusts_functions = False
    """Whether it may trust functions as such; only those are asked about the members of a list."""

    @abstractmethod
    def opinion(self, calls: tuple[int, ...]) -> Opinion | None:
        """Return what it thinks of a call (or the members of a group); None: nothing."""

    def leads(self) -> Sequence[int]:
        """Return calls to have an opinion about before anything is asked, the most telling one last."""
        return ()

    def suspicion(self) -> Suspicion:
        """Return how suspicious functions and calls are."""
        return Suspicion()

    def told(self, judged: Sequence[Judged]) -> None:  # noqa: B027 - most oracles have nothing to note
        """Take note of all calls that the user has judged, after each change."""
