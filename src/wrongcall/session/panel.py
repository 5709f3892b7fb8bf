"""The panel: the oracles of a session, in the order in which they are asked, and those that are asked no more.

An oracle may be wrong in many ways: a damaged database, a service that hangs, a guess that is mistaken. If
one fails or contradicts what is known, it is *excused*: named, with the reason, and asked no more in this session. What
it said before stays.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from typing import TypeVar

from wrongcall.session.answers import USER, Answer, Decision, Entry
from wrongcall.session.oracles import Judged, Opinion, Oracle, Suspicion
from wrongcall.tree.states import FOUND_RIGHT, NodeState

Result = TypeVar("Result")
Effect = Callable[[Answer], NodeState | None]
"""Returns the state that an answer gives to its node."""


class Panel:
    """The oracles of a session."""

    def __init__(self, oracles: Sequence[Oracle] = ()) -> None:
        self.oracles = tuple(oracles)
        self.excused: dict[str, str] = {}
        """The oracles that are asked no more, and why."""
        self.deaf: dict[str, str] = {}
        """The oracles that can't take note of answers any more, and why; they are asked all the same."""

    @property
    def names(self) -> frozenset[str]:
        """The names of all oracles."""
        return frozenset(oracle.name for oracle in self.oracles)

    def opinions(
        self, calls: tuple[int, ...], dismissed: Collection[str] = (), *, trusting: bool = False
    ) -> Iterator[tuple[str, Opinion]]:
        """Iterate over what oracles think of some calls, in order, each asked when it is its turn.

        ``dismissed``: don't ask these. ``trusting``: only those that trust functions.
        """
        for oracle in self.oracles:
            if oracle.name in dismissed or (trusting and not oracle.trusts_functions):
                continue
            opinion = self._guarded(oracle, partial(oracle.opinion, calls))
            if opinion is not None:
                yield oracle.name, opinion

    def leads(self, dismissed: Collection[str] = ()) -> list[int]:
        """Return the calls that oracles want to be asked about first, the most telling one last."""
        found: dict[int, None] = {}
        for oracle in reversed(self.oracles):
            if oracle.name not in dismissed:
                found.update(dict.fromkeys(self._guarded(oracle, oracle.leads) or ()))
        return list(found)

    def suspicions(self) -> list[Suspicion]:
        """Return how suspicious functions and calls are, by each oracle that knows something."""
        told = (self._guarded(oracle, oracle.suspicion) for oracle in self.oracles)
        return [each for each in told if each]

    def tell(self, judged: Sequence[Judged]) -> None:
        """Let the oracles know what the user has judged, also those that are not asked any more."""
        for oracle in self.oracles:
            if oracle.name not in self.deaf:
                self._guarded(oracle, partial(oracle.told, judged), self.deaf)

    def excuse(self, name: str, why: str) -> None:
        """Ask an oracle no more."""
        self.excused.setdefault(name, why)

    def _guarded(
        self, oracle: Oracle, ask: Callable[[], Result], failed: dict[str, str] | None = None
    ) -> Result | None:
        """Ask an oracle something; if it fails, note why, so that it is not asked again."""
        failed = self.excused if failed is None else failed
        if oracle.name in failed:
            return None
        try:
            return ask()
        except Exception as exc:  # noqa: BLE001 - whatever is the matter with it, the search goes on
            failed[oracle.name] = str(exc) or type(exc).__name__
            return None


def answer_of(name: str, opinion: Opinion, calls: tuple[int, ...], at: float) -> Answer:
    """Return an oracle's opinion about some calls as an answer."""
    first, last = (opinion.call, opinion.call) if opinion.call else (calls[0], calls[-1])
    confidence, reason = opinion.confidence, opinion.reason
    return Answer((first, last), opinion.verdict, name, at, confidence=confidence, reason=reason)


def is_noted(answer: Answer, entries: Iterable[Entry]) -> bool:
    """Return whether the same oracle has said already that something about these calls is likely."""
    return any(
        isinstance(entry, Answer)
        and entry.is_likely
        and (entry.by, entry.calls) == (answer.by, answer.calls)
        for entry in entries
    )


def opinions_about(answers: Iterable[Answer], calls: tuple[int, ...]) -> tuple[Answer, ...]:
    """Return the likely answers about a call, or about a group and its members."""
    first, last = calls[0], calls[-1]
    return tuple(
        answer
        for answer in answers
        if answer.is_likely and first <= answer.calls[0] and answer.calls[1] <= last
    )


def dismissed_by(
    entries: Sequence[Entry], answers: Sequence[Answer], names: Collection[str], effect: Effect
) -> frozenset[str]:
    """Return the oracles that the user dismissed, or contradicted.

    ``answers``: those among the entries that were not replaced.
    """
    found = {entry.oracle for entry in entries if isinstance(entry, Decision) and entry.oracle}
    for entry in entries:
        if entry.revokes and entry.by not in names:
            found.update({entries[number - 1].by for number in entry.revokes} & set(names))
    told = {a.calls: effect(a) for a in answers if a.by == USER}
    for answer in answers:
        if answer.is_likely and _differ(told.get(answer.calls), effect(answer)):
            found.add(answer.by)
    return frozenset(found)


def _differ(one: NodeState | None, other: NodeState | None) -> bool:
    """Return whether of two states one is wrong and the other right."""
    states = {one, other}
    return NodeState.WRONG in states and not states.isdisjoint(FOUND_RIGHT)
