"""Memory: every answer that a user gave about this project, in any run.

A call that was judged before, with the same input and the same outcome, need not be judged again, whatever the code
looks like now: the answer was about what the function should do. If people disagree, the newest answer is no more than
likely.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from hashlib import blake2b
from pathlib import Path

from wrongcall.oracles.answer_store import AnswerStore, KeptAnswer
from wrongcall.oracles.authorship import author, commit
from wrongcall.oracles.function_names import portable_name
from wrongcall.oracles.rebuilding import arguments_of, result_of
from wrongcall.recording import Recording
from wrongcall.session.answers import Confidence, Verdict
from wrongcall.session.oracles import Judged, Opinion, Oracle

MAX_MEMBERS = 64
"""Members of larger groups are not looked up."""

Describe = Callable[[Recording, int], tuple[str, str]]
"""Returns a call as it is shown, and its outcome."""


@dataclass(frozen=True)
class _Asked:
    """What a call is remembered by."""

    function: str
    key: bytes


class Memory(Oracle):
    """Remembers what users said."""

    name = "memory"

    def __init__(
        self, recording: Recording, root: Path, store: AnswerStore, describe: Describe
    ) -> None:
        """``root``: the folder of the project."""
        self._recording = recording
        self._root = root
        self._store = store
        self._describe = describe
        self._kept: dict[str, dict[bytes, list[KeptAnswer]]] = {}
        self._asked: dict[int, _Asked | None] = {}
        self._mine: dict[Judged, str] = {}
        """The answers of this session that are in the store."""

    @cached_property
    def _author(self) -> str:
        return author(self._root)

    @cached_property
    def _functions(self) -> frozenset[str]:
        return self._store.functions()

    # -- answering ---------------------------------------------------------------------------------

    def opinion(self, calls: tuple[int, ...]) -> Opinion | None:
        """Return what was said about an equal call; a list is right if each of its members is known to be."""
        if len(calls) > MAX_MEMBERS:
            return None
        known = self._about(calls)
        if known is not None or len(calls) == 1:
            return known
        found = {call: self._about((call,)) for call in calls}
        for call, opinion in found.items():
            if opinion is not None and opinion.verdict is Verdict.WRONG:
                return Opinion(opinion.verdict, opinion.confidence, opinion.reason, call)
        right = [each for each in found.values() if each is not None and _is_surely_right(each)]
        return right[-1] if len(right) == len(calls) else None

    def _about(self, calls: tuple[int, ...]) -> Opinion | None:
        name = portable_name(self._recording, self._recording.call(calls[0]).function.id)
        if name not in self._functions:  # what a call did takes a while to compare
            return None
        asked = self._look(calls)
        kept = self._of_function(name).get(asked.key, []) if asked else []
        if not kept:
            return None
        newest = kept[-1]
        said = {answer.verdict for answer in kept}
        confidence = Confidence.CERTAIN if len(said) == 1 else Confidence.LIKELY
        return Opinion(Verdict(newest.verdict), confidence, self._reason(kept))

    def _reason(self, kept: list[KeptAnswer]) -> str:
        newest = kept[-1]
        who = "you" if newest.author == self._author else newest.author
        day = datetime.fromtimestamp(newest.at).strftime("%Y-%m-%d")
        at = f", at commit {newest.commit}" if newest.commit else ""
        others = [a for a in kept if a.verdict != newest.verdict]
        but = f"; but {others[-1].author} said {others[-1].verdict}" if others else ""
        return f"{who} said so on {day}{at}{but}"

    def _of_function(self, name: str) -> dict[bytes, list[KeptAnswer]]:
        if name not in self._kept:
            found: dict[bytes, list[KeptAnswer]] = {}
            for answer in self._store.about(name):
                found.setdefault(answer.key, []).append(answer)
            self._kept[name] = found
        return self._kept[name]

    def _look(self, calls: tuple[int, ...]) -> _Asked | None:
        """Return what a call, or a group of calls, is remembered by; None: it can't be compared with other runs."""
        if len(calls) > 1:
            members = [self._look((call,)) for call in calls]
            known = [each for each in members if each is not None]
            return _joined(known) if len(known) == len(members) else None
        (call,) = calls
        if call not in self._asked:
            view = self._recording.call(call)
            name = portable_name(self._recording, view.function.id)
            key = None
            if name and view.exit >= 0:
                key = self._recording.questions.portable_key(call)
            self._asked[call] = None if key is None else _Asked(name, key)
        return self._asked[call]

    # -- remembering -------------------------------------------------------------------------------

    def told(self, judged: Sequence[Judged]) -> None:
        """Keep new answers, and revoke those that the user took back."""
        gone = [self._mine.pop(each) for each in list(self._mine) if each not in judged]
        if gone:
            self._store.revoke(gone, time.time())
        new = {
            each: answer
            for each in judged
            if each not in self._mine and (answer := self._answer(each)) is not None
        }
        if new:
            self._store.add(new.values())
        self._mine.update({each: answer.id for each, answer in new.items()})

    def _answer(self, judged: Judged) -> KeptAnswer | None:
        asked = self._look(judged.calls) if len(judged.calls) <= MAX_MEMBERS else None
        if asked is None:
            return None
        call = judged.calls[0]
        title, outcome = self._describe(self._recording, call)
        is_one = len(judged.calls) == 1
        return KeptAnswer(
            asked.function,
            asked.key,
            judged.verdict.value,
            self._author,
            judged.at,
            commit(self._root),
            title if is_one else f"{title} and {len(judged.calls) - 1} more in a row",
            outcome if is_one else "",
            judged.expected or "",
            arguments_of(self._recording, call) if is_one else "",
            result_of(self._recording, call) if is_one else "",
        )


def _joined(members: list[_Asked]) -> _Asked:
    """Return what a group is remembered by: its members in order."""
    told = "".join(f"{each.function} {each.key.hex()}\0" for each in members)
    return _Asked(members[0].function, blake2b(told.encode(), digest_size=16).digest())


def _is_surely_right(opinion: Opinion) -> bool:
    return opinion.verdict is Verdict.RIGHT and opinion.confidence is Confidence.CERTAIN
