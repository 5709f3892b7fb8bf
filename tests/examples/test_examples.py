"""The examples: what they print, where their bugs are, and that every strategy finds them."""

from __future__ import annotations

import ast
import difflib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import wrongcall.recording
from tests.examples.examples import FOLDER, ROOT, Example, Player, examples, oracle_of, recorded
from tests.session.truth import advanced
from wrongcall.session import Finding, Session, Verdict
from wrongcall.session.oracles import Opinion, Oracle
from wrongcall.session.strategies import strategies

pytestmark = pytest.mark.once

NAMES = sorted(examples())
README = (FOLDER / "README.md").read_text()
MOST_LINES = 200
MOST_CHANGED = 2


@pytest.fixture
def example(request: pytest.FixtureRequest) -> Example:
    return examples()[request.param]


@pytest.fixture(scope="module")
def players(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Player]]:
    """Every example, recorded once."""
    folder = tmp_path_factory.mktemp("examples")
    found = {name: Player(each, recorded(each, folder)) for name, each in examples().items()}
    yield found
    for player in found.values():
        player.recording.close()


def output(path: Path, seed: int = 0) -> str:
    env = {**os.environ, "PYTHONHASHSEED": str(seed)}
    command = [sys.executable, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, env=env, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


# -- the programs ----------------------------------------------------------------------------------


def test_every_program_is_described() -> None:
    programs = {path.stem for path in FOLDER.glob("*.py")}
    assert programs == {path.stem for path in (FOLDER / "fixed").glob("*.py")} == set(NAMES)
    assert {name for name in NAMES if f": `{name}.py`\n" in README} == programs


@pytest.mark.parametrize("example", NAMES, indirect=True)
def test_the_readme_tells_what_is_printed(example: Example) -> None:
    section = README.split(f": `{example.name}.py`\n")[1].split("\n#")[0]
    blocks = re.findall(r"^(?:    .*\n)+", section + "\n", re.MULTILINE)
    expected = [re.sub(r"^    ", "", block, flags=re.MULTILINE) for block in blocks]
    assert [output(example.fixed), output(example.path)] == expected
    assert expected[0] != expected[1]


@pytest.mark.parametrize("example", NAMES, indirect=True)
def test_the_output_is_always_the_same(example: Example) -> None:
    assert output(example.path, seed=1) == output(example.path, seed=2)


@pytest.mark.parametrize("example", NAMES, indirect=True)
def test_the_corrected_program_differs_in_a_line_or_two(example: Example) -> None:
    wrong, right = (path.read_text().splitlines() for path in (example.path, example.fixed))
    assert len(wrong) <= MOST_LINES
    changes = [
        (first, last, first_right, last_right)
        for kind, first, last, first_right, last_right in difflib.SequenceMatcher(
            a=wrong, b=right, autojunk=False
        ).get_opcodes()
        if kind != "equal"
    ]
    ((first, last, first_right, last_right),) = changes
    assert max(last - first, last_right - first_right) <= MOST_CHANGED
    # Lines count from 1; of a missing line it is the one before.
    assert example.line == (first + 1 if last > first else first)


@pytest.mark.parametrize("example", NAMES, indirect=True)
def test_the_bug_is_in_the_function_that_is_said_to_have_it(example: Example) -> None:
    *outer, name = example.function.split(".")
    node: ast.AST = ast.parse(example.path.read_text())
    for part in (*outer, name):
        node = next(n for n in ast.iter_child_nodes(node) if getattr(n, "name", None) == part)
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    assert node.lineno < example.line <= (node.end_lineno or 0)


# -- the oracle ------------------------------------------------------------------------------------


@pytest.mark.parametrize("example", NAMES, indirect=True)
def test_whatever_is_wrong_is_wrong_because_of_the_bug(
    example: Example, players: dict[str, Player]
) -> None:
    """Nothing is unknown; a call that is wrong without a wrong callee is one of the bug's function."""
    player = players[example.name]
    verdicts = {
        number: player.verdict((number,)) for number in player.recording.calls.columns().id.tolist()
    }
    assert set(verdicts.values()) == {Verdict.RIGHT, Verdict.WRONG}
    assert verdicts[1] is Verdict.WRONG
    buggy = [
        player.recording.call(number)
        for number, verdict in verdicts.items()
        if verdict is Verdict.WRONG
        and all(verdicts[c.id] is Verdict.RIGHT for c in player.recording.call(number).children)
    ]
    assert {call.function.qualname for call in buggy} == {example.function}
    assert all(example.line in player.recording.execution.lines(call.id) for call in buggy)


@pytest.mark.parametrize("name", NAMES)
def test_the_corrected_program_finds_no_fault_with_itself(name: str, tmp_path: Path) -> None:
    example = examples()[name]
    (tmp_path / "fixed").mkdir()
    with recorded(example, tmp_path / "fixed", fixed=True) as recording:
        shutil.copy(recording.path, tmp_path / "once.wrongcall")
    with wrongcall.recording.open(tmp_path / "once.wrongcall") as recording:
        reference = oracle_of(example, recording)
        verdicts = {
            reference.verdict((number,)) for number in recording.calls.columns().id.tolist()
        }
    assert verdicts == {Verdict.RIGHT}, reference.why


# -- the search ------------------------------------------------------------------------------------


@pytest.mark.parametrize("example", NAMES, indirect=True)
def test_every_strategy_finds_the_bug(example: Example, players: dict[str, Player]) -> None:
    player = players[example.name]
    played = player.sessions
    assert len(played) == 2 * len(strategies()) >= 24
    for (name, balanced), each in played.items():
        assert player.found(each) == example.function, (name, balanced)
        assert not each.finding.undecided
        assert any(
            example.line in player.recording.execution.lines(call) for call in each.finding.calls
        )
        if example.wrong:
            assert example.line in lines_of_origin(player, each.finding.calls, example.wrong)


@pytest.mark.parametrize("example", NAMES, indirect=True)
def test_a_session_can_ask_the_oracle_by_itself(
    example: Example, players: dict[str, Player]
) -> None:
    player = players[example.name]

    class Corrected(Oracle):
        name = "corrected"

        def opinion(self, calls: tuple[int, ...]) -> Opinion | None:
            return Opinion(player.reference.verdict(calls))

    session = Session(player.tree, player.facts, oracles=[Corrected()])
    step = advanced(session)
    assert isinstance(step, Finding)
    assert step.function is not None
    assert player.recording.program.functions[step.function].qualname == example.function


def lines_of_origin(player: Player, calls: tuple[int, ...], path: str) -> set[int]:
    """Return the lines of these calls that a value went over or came from."""
    found = set()
    for call in calls:
        origin = player.recording.places.origin(call, path)
        found |= {link.line for link in origin.links if link.call == call}
        found |= {origin.line} if origin.call == call else set()
    return found


def test_the_page_has_the_numbers_of_questions(players: dict[str, Player]) -> None:
    page = (ROOT / "docs" / "explanation" / "examples.md").read_text()
    blocks = re.findall(r"^(?:\| .*\n)+", page, re.MULTILINE)
    shown: dict[tuple[str, str], str] = {}
    for block in blocks:
        header, _, *rows = (line.strip("| ").split(" | ") for line in block.splitlines())
        shown |= {
            (row[0], column): cell
            for row in rows
            for column, cell in zip(header[1:], row[1:], strict=True)
        }
    counted: dict[tuple[str, str], str] = {}
    for name, player in players.items():
        played = player.sessions
        for each in ("lookahead", "least-reading"):
            counted[name, f"{each}, questions"] = str(played[each, True].questions)
            counted[name, f"{each}, lines"] = str(played[each, True].lines)
        counted[name, "calls"] = str(len(player.tree))
        for strategy in strategies():
            both = (played[strategy, False].questions, played[strategy, True].questions)
            counted[name, strategy] = "{} / {}".format(*both)
    assert shown == counted
