"""Plays searches of the examples with oracles; the corrected programs answer for the user."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from tests.examples.examples import MOST, Example, Player, recorded
from wrongcall.oracles.answer_store import AnswerStore
from wrongcall.oracles.contracts import Contracts
from wrongcall.oracles.memory import Memory
from wrongcall.recording import Recording
from wrongcall.session import Finding, Next, Question
from wrongcall.session.oracles import Oracle
from wrongcall.session.search import How, Search

Make = Callable[[Recording], Sequence[Oracle]]


def memory(store: AnswerStore) -> Make:
    """Return what makes a memory for a run."""
    root = store.path.parent
    return lambda run: [Memory(run, root, store, lambda _, call: (f"#{call}", ""))]


def contracts(recording: Recording) -> Sequence[Oracle]:
    """Return contracts as likely as by default."""
    return [Contracts(recording)]


def _advanced(search: Search) -> Next:
    search.advance()
    return search.step()


def played(example: Example, folder: Path, make: Make) -> tuple[int, str]:
    """Record an example and search it; return how many questions the user got, and the function found."""
    folder.mkdir()
    with recorded(example, folder) as recording:
        player = Player(example, recording)
        with Search(recording, How(oracles=make)) as search:
            search.assume_wrong()
            search.begin(search.start)
            count = 0
            while isinstance(step := _advanced(search), Question):
                assert count < MOST
                count += 1
                reply, asked = player.reply(step), step
                search.tell(lambda s, r=reply, q=asked: s.answer(r, question=q))  # type: ignore[misc]
            assert search.troubles == {}
        assert isinstance(step, Finding), step
        function = step.function
        name = recording.program.functions[function].qualname if function is not None else ""
        return count, name
