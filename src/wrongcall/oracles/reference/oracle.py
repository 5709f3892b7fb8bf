"""The reference as an oracle: certain about calls that can be judged, and silent about all others.

A call is right if no changed code ran in it (`unchanged`). If the whole run was made again with the reference's code,
the calls that began before the two parted are compared (`same_run`). Any other call is repeated: it is right if the
reference does the same. Before a call is called wrong, it is repeated twice more: once while
reading the clock, chance and the environment is watched for, and once in a process whose sets have another order. Only
if the outcome is the same each time, the difference is due to the code.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

from wrongcall.closing import Closing
from wrongcall.errors import OracleError
from wrongcall.oracles.reference.causes import Cause, Judgement
from wrongcall.oracles.reference.changes import changes_of
from wrongcall.oracles.reference.same_run import Again, SameRun
from wrongcall.oracles.reference.unchanged import Unchanged
from wrongcall.oracles.reference.version import Version
from wrongcall.oracles.reference.worker_process import Allowed, WorkerProcess
from wrongcall.recording import Recording
from wrongcall.session.answers import Confidence, Verdict
from wrongcall.session.oracles import Opinion, Oracle

MAX_MEMBERS = 100
"""Larger groups are not repeated."""
MAX_BAD_CALLS = 5
"""After so many calls that crashed or took too long, the oracle gives up."""
_BAD = (Cause.LIMIT, Cause.CRASH)
_ADDRESS = re.compile(r"0x[0-9a-f]{6,}")


class Reference(Oracle, Closing):
    """Repeats calls in another version of the program."""

    name = "reference"

    def __init__(
        self,
        recording: Recording,
        reference: Version | Path,
        allowed: Allowed = Allowed(),  # noqa: B008 - frozen
        again: Again | None = None,
    ) -> None:
        """``reference``: a version, or its folder or file; ``again``: runs what was recorded with its code."""
        self._recording = recording
        if isinstance(reference, Path):
            reference = Version(reference, reference.name)
        self._version = reference
        self._reference = reference.path
        self._label = reference.label
        self._compared: tuple[int, Unchanged] | None = None
        self._again = again
        self._same_run: SameRun | None = None
        self._allowed = allowed
        self._workers: dict[int, WorkerProcess] = {}
        self._bad = 0
        self.judgements: dict[tuple[int, ...], Judgement] = {}
        """What came of each question."""

    def opinion(self, calls: tuple[int, ...]) -> Opinion | None:
        """Return whether calls did what the reference does; None: that can't be told."""
        found = self.judgement(calls)
        if found.verdict is Verdict.DONT_KNOW:
            return None
        if found.is_same_code:
            code = "the same code for everything that ran in"
            reason = f"{self._label} has {code} {'this call' if len(calls) == 1 else 'these calls'}"
        elif found.verdict is Verdict.RIGHT:
            reason = f"{self._label} does the same"
        else:
            reason = f"in {self._label}, {found.reason}"
        return Opinion(found.verdict, Confidence.CERTAIN, reason)

    def judgement(self, calls: tuple[int, ...]) -> Judgement:
        """Return what came of repeating calls."""
        if calls not in self.judgements:
            self.judgements[calls] = self._judged(calls)
        return self.judgements[calls]

    @property
    def undecided(self) -> Counter[Cause]:
        """How many questions could not be decided, by cause."""
        return Counter(found.cause for found in self.judgements.values() if found.cause)

    @property
    def unloaded(self) -> dict[str, str]:
        """The modules that the reference can't load, and why."""
        return self._worker(0).failed

    @property
    def same_run_trouble(self) -> str:
        """Why the run that was made with the reference's code can't be compared; empty: it can, or there was none."""
        return "" if self._same_run is None else self._same_run.trouble

    @property
    def unchanged(self) -> Unchanged:
        """Which calls ran nothing but code that the reference has, too."""
        count = self._recording.event_count
        if self._compared is None or self._compared[0] != count:
            changes = changes_of(self._recording, self._version)
            self._compared = count, Unchanged(self._recording, changes)
            if self._again is not None:
                self._same_run = SameRun(self._recording, changes, self._again)
        return self._compared[1]

    def _judged(self, calls: tuple[int, ...]) -> Judgement:
        if not self.unchanged.why_not(calls):
            return Judgement(Verdict.RIGHT, is_same_code=True)
        if self._same_run is not None:
            found = self._same_run.judgement(calls)
            if found.verdict is not Verdict.DONT_KNOW:
                return found
        if len(calls) > MAX_MEMBERS:
            return Judgement(Verdict.DONT_KNOW, f"more than {MAX_MEMBERS} calls", Cause.LIMIT)
        first = self._asked(calls)
        if first.verdict is not Verdict.WRONG:
            return self._counted(first)
        for watch, seed in ((True, 0), (False, 1)):
            second = self._asked(calls, watch=watch, seed=seed)
            if second.verdict is Verdict.DONT_KNOW:
                return self._counted(second)
            if _plain(second) != _plain(first):
                text = "repeating it gives another outcome each time"
                return Judgement(Verdict.DONT_KNOW, text, Cause.UNSTABLE)
        return first

    def _counted(self, found: Judgement) -> Judgement:
        """Give up after too many crashes and time-outs."""
        self._bad += found.cause in _BAD
        if self._bad >= MAX_BAD_CALLS:
            raise OracleError(
                f"{self._bad} calls crashed or took too long; the last: {found.reason}"
            )
        return found

    def _asked(self, calls: tuple[int, ...], *, watch: bool = False, seed: int = 0) -> Judgement:
        return _judgement(self._worker(seed).ask(calls, watch=watch))

    def _worker(self, seed: int) -> WorkerProcess:
        if seed not in self._workers:
            self._workers[seed] = WorkerProcess(
                self._recording, self._reference, self._allowed, seed=seed
            )
        return self._workers[seed]

    def close(self) -> None:
        """End its processes."""
        for worker in self._workers.values():
            worker.close()
        self._workers.clear()


def _judgement(reply: dict[str, Any]) -> Judgement:
    """Read a reply, which may be anything."""
    try:
        cause = reply.get("cause")
        return Judgement(
            Verdict(reply["verdict"]),
            str(reply.get("reason", "")),
            None if cause is None else Cause(cause),
        )
    except (KeyError, ValueError) as exc:
        raise OracleError(f"the reference's process said {str(reply)[:80]}") from exc


def _plain(found: Judgement) -> tuple[Verdict, str]:
    return found.verdict, _ADDRESS.sub("0x", found.reason)
