"""Searches that go on inside the buggy call end at the statement that is wrong, or at the branch that lacks one.

That is so for all examples and all planted bugs; the corrected program answers.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.examples.examples import Example, examples, oracle_of, recorded
from tests.examples.inside_user import InsideUser, user_of
from tests.examples.planted import Planted, planted
from tests.examples.twin import Twin
from tests.oracles.reference.here import Here
from wrongcall.present.inside_questions import statement_view
from wrongcall.recording import Recording
from wrongcall.session import Finding, Question, Verdict
from wrongcall.session.inside import InsideSession
from wrongcall.session.search import Depth, How, Search, Start

pytestmark = pytest.mark.once

PROGRAMS: dict[str, Example | Planted] = {**examples(), **planted()}
MOST = 300
"""No search asks so much."""
NAMED = {"matrix_chain", "trie"}
"""The calls of these can't be repeated: a function with a cache can't be rebuilt, and of a generator that hands on what
others yield not everything is known. The search begins inside the first call of the function that has the bug, and a
run of the corrected program answers."""


@dataclass
class Played:
    """A search that was played to its end."""

    found: Finding
    session: InsideSession
    questions: int
    """Questions inside the buggy call."""


def oracle(recording: Recording, program: Example | Planted) -> Here | Twin:
    if program.name in NAMED:
        return Twin(recording, recorded(program, recording.path.parent, fixed=True))
    if isinstance(program, Example):
        return oracle_of(program, recording)
    return Here.of(recording, program.fixed)


def start(recording: Recording, program: Example | Planted) -> Start:
    if program.name not in NAMED:
        return Start()
    name = program.function.rpartition(".")[2]
    calls = map(recording.call, recording.calls.columns().id.tolist())
    return Start(next(call.id for call in calls if call.function.name == name), inside=True)


def reply(corrected: Here | Twin, asked: Question) -> Verdict:
    """Return what the corrected program says about calls; of a list, about each of them."""
    if not asked.is_list:
        return corrected.verdict(asked.calls)
    each = {corrected.verdict((call,)) for call in asked.calls}
    wanted = (Verdict.WRONG, Verdict.DONT_KNOW, Verdict.RIGHT)
    return next(verdict for verdict in wanted if verdict in each)


def play(recording: Recording, program: Example | Planted) -> Played:
    """Search for the bug of a program, from the whole run to the statement."""
    corrected = oracle(recording, program)
    users: dict[int, InsideUser] = {}
    with Search(recording, How(to=Depth.STATEMENT)) as search:
        search.begin(start(recording, program))
        for _ in range(MOST):
            search.advance()
            step = search.led() or search.step()
            inside = search.inside
            if isinstance(step, Finding):
                assert inside is not None
                asked = sum(entry.by == "user" for entry in inside.entries)
                return Played(step, inside, asked)
            assert isinstance(step, Question)
            if not step.inside:
                about = (step.calls[0], step.calls[-1])
                search.session.judge(about, reply(corrected, step))
                continue
            assert inside is not None
            if step.inside not in users:
                users[step.inside] = user_of(recording, corrected, program.fixed, inside)
            search.answer(step, users[step.inside].verdict(step.calls[0]))
    raise AssertionError("the search does not end")


def is_missing(program: Example | Planted) -> bool:
    wrong, right = (len(path.read_text().splitlines()) for path in (program.path, program.fixed))
    return wrong < right


def block_of(session: InsideSession, node: int) -> tuple[int, int]:
    """Return the lines of the block that a statement is in."""
    part = session.inside.part_of(node)
    around = session.inside.outline.parts[max(part.parent, 0)]
    return around.line, around.end_line


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_search_ends_at_the_bug(name: str, tmp_path: Path) -> None:
    program = PROGRAMS[name]
    with recorded(program, tmp_path) as recording:
        played = play(recording, program)
        found = played.found.inside
        assert found is not None
        assert not found.undecided
        view = statement_view(recording, played.session, found)
        function = recording.call(found.call).function.qualname
        # It may be in a function inside of it.
        assert f"{function}.".replace(".<locals>", "").startswith(f"{program.function}.")
        part = played.session.inside.part_of(found.node)
        if not is_missing(program):
            assert not found.is_missing
            assert part.line <= program.line <= part.end_line, view.headline
        elif found.is_missing:
            # A planted program names the header of the block, an example the line before the missing one.
            assert view.line == program.line or (
                isinstance(program, Example) and part.line <= program.line <= part.end_line
            ), view.headline
        else:
            # The statement before which one is missing: it is in the same block.
            first, last = block_of(played.session, found.node)
            assert first <= program.line <= last, view.headline
