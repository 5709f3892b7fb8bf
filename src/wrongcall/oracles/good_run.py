"""A run that is known to be good, as an oracle: what it did for the same input is likely right.

A call with the same input and outcome as one of the good run is likely right. One with the same input and another
outcome is likely wrong. Neither is certain: the good run's calls were not judged one by one.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from pathlib import Path

import wrongcall.recording
from wrongcall.closing import Closing
from wrongcall.oracles.function_names import portable_name
from wrongcall.oracles.run_diff import MAX_KEY_EVENTS, Sketch, sketch
from wrongcall.recording import Recording
from wrongcall.session.answers import Confidence, Verdict
from wrongcall.session.oracles import Opinion, Oracle

MAX_CALLS = 2000
"""Calls of one function that are looked at, the first ones."""
MAX_KEYS = 20
"""Calls with the same plain arguments of which keys are made."""
MAX_MEMBERS = 32
"""Members of larger groups are not compared."""


class GoodRun(Oracle, Closing):
    """Compares calls with those of another run."""

    name = "good-run"

    def __init__(self, recording: Recording, path: Path) -> None:
        self._recording = recording
        self._good = wrongcall.recording.open(path)
        self._label = path.name
        self._functions: dict[str, list[int]] = {}
        for number in self._good.program.functions:
            self._functions.setdefault(portable_name(self._good, number), []).append(number)
        self._sketches: dict[str, dict[Hashable, list[tuple[int, Sketch]]]] = {}

    def opinion(self, calls: tuple[int, ...]) -> Opinion | None:
        """Return what the good run suggests about a call, or about one of a group that differs."""
        if len(calls) > MAX_MEMBERS:
            return None
        found = [self._about(call) for call in calls]
        for call, opinion in zip(calls, found, strict=True):
            if opinion is not None and opinion.verdict is Verdict.WRONG:
                where = call if len(calls) > 1 else 0
                return Opinion(Verdict.WRONG, Confidence.LIKELY, opinion.reason, where)
        return found[0] if all(found) else None

    def _about(self, call: int) -> Opinion | None:
        view = self._recording.call(call)
        name = portable_name(self._recording, view.function.id)
        if not name or view.exit < 0 or view.exit - view.entry > MAX_KEY_EVENTS:
            return None
        given, came = sketch(self._recording, call)
        alike = self._of_function(name).get(given, ())
        if not alike:
            return None
        key, whole = self._recording.questions.portable_keys(call)
        return None if key is None else self._compared(alike[:MAX_KEYS], key, whole, came)

    def _compared(
        self,
        alike: Sequence[tuple[int, Sketch]],
        key: bytes,
        whole: bytes | None,
        came: Hashable,
    ) -> Opinion | None:
        other: int = 0
        for number, (_, good_came) in alike:
            good_key, good_whole = self._good.questions.portable_keys(number)
            if good_key != key:
                continue
            if whole is not None and good_whole == whole:
                return self._thinks(Verdict.RIGHT, f"did the same in call #{number}")
            if good_came != came or (whole is not None and good_whole is not None):
                other = other or number
        if not other:
            return None
        return self._thinks(Verdict.WRONG, f"had another outcome for this input, in call #{other}")

    def _thinks(self, verdict: Verdict, what: str) -> Opinion:
        return Opinion(verdict, Confidence.LIKELY, f"{self._label} {what}")

    def _of_function(self, name: str) -> dict[Hashable, list[tuple[int, Sketch]]]:
        """Return the good run's calls of a function, by their plain arguments."""
        if name not in self._sketches:
            found = self._sketches[name] = {}
            calls = self._good.calls.of_functions(self._functions.get(name, []))
            for number in [int(call) for call in calls][:MAX_CALLS]:
                view = self._good.call(number)
                if 0 <= view.exit <= view.entry + MAX_KEY_EVENTS:
                    known = sketch(self._good, number)
                    found.setdefault(known[0], []).append((number, known))
        return self._sketches[name]

    def close(self) -> None:
        """Close the good run."""
        self._good.close()
