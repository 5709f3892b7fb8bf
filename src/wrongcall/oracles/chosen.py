"""Which oracles are asked, in which order, and how they are made."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from wrongcall.oracles.agents import Agents
from wrongcall.oracles.answer_store import FILE, AnswerStore
from wrongcall.oracles.contracts import Contracts
from wrongcall.oracles.good_run import GoodRun
from wrongcall.oracles.memory import Describe, Memory
from wrongcall.oracles.model import Model, Texts
from wrongcall.oracles.model_client import ModelSettings
from wrongcall.oracles.passing_tests import PassingTests
from wrongcall.oracles.reference.oracle import Reference
from wrongcall.oracles.reference.same_run import Again
from wrongcall.oracles.reference.version import Version
from wrongcall.oracles.reference.worker_process import Allowed
from wrongcall.recording import Recording
from wrongcall.session.answers import Confidence
from wrongcall.session.oracles import Oracle

FOLDER = ".wrongcall"
"""The folder of a project in which oracles keep their files."""
NAMES = ("memory", "reference", "contracts", "good-run", "tests", "agents", "model")
DEFAULT = ("memory", "contracts", "tests", "agents")
NONE = "none"


def check_names(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names of oracles in the same order, each once."""
    for name in names:
        if name not in NAMES:
            raise ValueError(f"the oracles are {', '.join(NAMES)}")
    return tuple(dict.fromkeys(names))


def parsed_names(text: str) -> tuple[str, ...]:
    """Return the oracles in a text such as ``memory,contracts``; ``none`` and an empty text mean none."""
    words = [word.strip() for word in text.split(",") if word.strip()]
    return () if words == [NONE] else check_names(words)


def store_of(root: Path) -> AnswerStore:
    """Return the answers of a project."""
    return AnswerStore(root / FOLDER / FILE)


@dataclass(frozen=True)
class Chosen:
    """Which oracles are asked, and what they need to know."""

    names: tuple[str, ...]
    root: Path | None
    """The folder of the project; None: it is not here, so that nothing is known about it."""
    describe: Describe
    contracts: Confidence = Confidence.LIKELY
    model: ModelSettings | None = None
    texts: Texts | None = None
    """Returns a call as text for a model."""
    reference: Version | None = None
    """The version of the program that repeats calls."""
    allowed: Allowed = field(default_factory=Allowed)
    """What repeated calls may do."""
    good_run: Path | None = None
    """The trace of a run that is known to be good."""
    again: Again | None = None
    """Runs what was recorded once more, with the reference's code."""

    def oracles(self, recording: Recording) -> Sequence[Oracle]:
        """Return the oracles for a run."""
        made = (self._make(name, recording) for name in self.names)
        return [oracle for oracle in made if oracle is not None]

    def _make(self, name: str, recording: Recording) -> Oracle | None:
        if name == "memory" and self.root is not None:
            return Memory(recording, self.root, store_of(self.root), self.describe)
        if name == "tests" and self.root is not None:
            return PassingTests(recording, store_of(self.root))
        if name == "model" and self.root is not None and self.model and self.texts:
            return Model(recording, self.root / FOLDER, self.model, self.texts)
        if name == "agents":
            return Agents(recording)
        if name == "reference" and self.reference is not None:
            return Reference(recording, self.reference, self.allowed, self.again)
        if name == "good-run" and self.good_run is not None:
            return GoodRun(recording, self.good_run)
        if name == "contracts":
            return Contracts(recording, self.contracts)
        return None
