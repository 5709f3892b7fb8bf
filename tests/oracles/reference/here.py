"""The reference in this process, for programs of one file that tests trust: it is loaded again for every question."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from wrongcall.oracles.reference.program import MAIN, Program
from wrongcall.oracles.reference.repetition import judge
from wrongcall.recording import Recording
from wrongcall.session import Verdict


@dataclass
class Here:
    """Judges the calls of one trace."""

    recording: Recording
    program: Program
    name: str = "the corrected program"
    why: dict[tuple[int, ...], str] = field(default_factory=dict)
    """What was different, or why nothing is known."""

    @classmethod
    def of(cls, recording: Recording, path: Path) -> Here:
        """Return the oracle that a corrected program is for a trace."""
        return cls(recording, Program({MAIN: path}))

    def verdict(self, calls: tuple[int, ...]) -> Verdict:
        """Return whether what calls did is what they would have done in the corrected program."""
        found = judge(self.recording, self.program.fresh(), calls)
        self.why[calls] = found.reason
        return found.verdict
