"""What the user tells a session: verdicts about questions, and decisions about findings.

A session is a fold over a list of these *entries*, numbered from 1. They name calls by the numbers
of the trace, never by nodes, so they stay valid when the tree grows or is balanced; and they are
plain data, so they can be stored and read again.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import Enum
from typing import Any

from wrongcall.errors import SessionError
from wrongcall.languages.paths import RETURNED

USER = "user"
ASSUMED = "the debugger was started"
"""Who says that the whole run is wrong: users debug runs that went wrong."""
BY_TEST = "by the test"
"""Who says that a failed test is wrong."""
_RESULT = re.compile(r"^result\b")


class Verdict(Enum):
    """What an oracle says about a question."""

    RIGHT = "right"
    WRONG = "wrong"
    DONT_KNOW = "don't know"
    TRUST_FUNCTION = "trust function"
    TRUST_MODULE = "trust module"
    INADMISSIBLE = "inadmissible"
    WRONG_PART = "this part is wrong"

    @classmethod
    def of(cls, name: str | Verdict) -> Verdict:
        """Return the verdict of this name."""
        try:
            return cls(name)
        except ValueError:
            known = ", ".join(repr(each.value) for each in cls)
            raise SessionError(f"there is no verdict {name!r}; there are {known}") from None


class Confidence(Enum):
    """How sure an oracle is."""

    CERTAIN = "certain"
    LIKELY = "likely"


class Where(Enum):
    """Which side of a question a part belongs to."""

    INPUT = "input"
    OUTCOME = "outcome"
    EFFECT = "effect"


@dataclass(frozen=True)
class Part:
    """A place in what a question shows, such as ``result[2]`` in the outcome."""

    where: Where
    path: str

    @property
    def place(self) -> str:
        """The path as it can be resolved: in an outcome, ``result`` is no variable of that name."""
        if self.where is not Where.OUTCOME:
            return self.path
        return _RESULT.sub(RETURNED, self.path, count=1)


@dataclass(frozen=True)
class Answer:
    """A verdict about a question."""

    calls: tuple[int, int]
    """The first and the last call that it is about; the same for a question about one call."""
    verdict: Verdict
    by: str = USER
    at: float = 0.0
    """When it was given, in seconds since 1970."""
    part: Part | None = None
    origin: int | None = None
    """The call that made the wrong part, if that is known."""
    expected: str | None = None
    """What the outcome should have been, for use as a test later."""
    because: int | None = None
    """The number of the earlier answer that this one repeats."""
    again: bool = False
    """The question was asked a second time."""
    revokes: tuple[int, ...] = ()
    """The numbers of the answers that it takes the place of."""
    confidence: Confidence = Confidence.CERTAIN
    """Likely answers change no states, only the order of the questions."""
    reason: str = ""
    """Why an oracle says so."""

    @property
    def is_likely(self) -> bool:
        """Whether it is no more than likely."""
        return self.confidence is Confidence.LIKELY

    @property
    def is_about_one_call(self) -> bool:
        """Whether the question was about a single call."""
        return self.calls[0] == self.calls[1]

    def __str__(self) -> str:
        first, last = self.calls
        what = f"call {first}" if first == last else f"calls {first} to {last}"
        who = "your answer" if self.by == USER else self.by
        why = f": {self.reason}" if self.reason else ""
        likely = "likely " if self.is_likely else ""
        return f"{what}: {likely}{self.verdict.value} ({who}{why})"


class Choice(Enum):
    """What the user makes of a finding."""

    CONFIRM = "confirm"
    REJECT = "reject"
    GO_ON = "go on"
    SINGLY = "one by one"
    """Not about a finding: calls that are likely right are not all right, or not known to be; ask about each."""
    DISMISS = "dismiss"
    """Not about a finding: an oracle is not to be asked any more."""


@dataclass(frozen=True)
class Decision:
    """What the user made of a finding."""

    choice: Choice
    calls: tuple[int, int]
    """The first and the last call of the finding."""
    by: str = USER
    at: float = 0.0
    revokes: tuple[int, ...] = ()
    """The number of the answer to be given again."""
    again: tuple[int, int] | None = None
    """The first and the last call of the question to be asked again."""
    oracle: str | None = None
    """The oracle that is dismissed."""

    def __str__(self) -> str:
        return f"{self.choice.value} {self.oracle or f'call {self.calls[0]}'}"


Entry = Answer | Decision


def revoked(entries: Sequence[Entry]) -> frozenset[int]:
    """Return the numbers of the entries that no longer count."""
    gone: set[int] = set()
    for number in range(len(entries), 0, -1):
        if number not in gone:
            gone.update(entries[number - 1].revokes)
    for number, entry in enumerate(entries, 1):
        if isinstance(entry, Answer) and entry.because in gone:
            gone.add(number)
    return frozenset(gone)


def standing(entries: Sequence[Entry]) -> list[tuple[int, Answer]]:
    """Return the answers that still count, each with its number."""
    gone = revoked(entries)
    return [
        (number, entry)
        for number, entry in enumerate(entries, 1)
        if isinstance(entry, Answer) and number not in gone
    ]


def to_plain(entry: Entry) -> dict[str, Any]:
    """Return an entry as data that JSON can hold."""
    plain = asdict(entry)
    plain["calls"] = list(entry.calls)
    plain["revokes"] = list(entry.revokes)
    if isinstance(entry, Decision):
        again = list(entry.again) if entry.again else None
        return {**plain, "choice": entry.choice.value, "again": again}
    part = {"where": entry.part.where.value, "path": entry.part.path} if entry.part else None
    confidence = entry.confidence.value
    return {**plain, "verdict": entry.verdict.value, "part": part, "confidence": confidence}


def from_plain(plain: dict[str, Any]) -> Entry:
    """Return the entry that `to_plain` made this of."""
    try:
        fields = dict(plain)
        fields["calls"] = (int(plain["calls"][0]), int(plain["calls"][1]))
        fields["revokes"] = tuple(plain.get("revokes", ()))
        if "choice" in fields:
            again = tuple(fields["again"]) if fields.get("again") else None
            return Decision(**{**fields, "choice": Choice(fields["choice"]), "again": again})
        fields["verdict"] = Verdict(fields["verdict"])
        fields["confidence"] = Confidence(fields.get("confidence", Confidence.CERTAIN.value))
        if fields.get("part"):
            fields["part"] = Part(Where(fields["part"]["where"]), fields["part"]["path"])
        return Answer(**fields)
    except (KeyError, TypeError, ValueError, IndexError) as exc:
        raise SessionError(f"not an answer: {plain!r}") from exc
