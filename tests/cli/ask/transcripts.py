"""Whole sessions about the examples, as files: the command, what is asked, what is answered, what is found.

    python -m tests.cli.ask.transcripts        writes them anew; the corrected programs answer

Whoever writes them anew reads what has changed in them before it is committed.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from tests.cli.ask.talking import ROOT, piped
from tests.examples.examples import MOST, Example, Player, examples, recorded
from tests.examples.inside_user import InsideUser, user_of
from tests.session.truth import advanced
from wrongcall.present.screens.reading import lines_to_read
from wrongcall.session import Question, Verdict
from wrongcall.session.search import Depth, How, Search

FOLDER = ROOT / "tests" / "data" / "transcripts"
LETTERS = {Verdict.RIGHT: "y", Verdict.WRONG: "n", Verdict.DONT_KNOW: "d"}
CONFIRM = "y"
ENVIRONMENT = {"COLUMNS": "80", "WRONGCALL_TO": "statement"}
_ANSWER = re.compile(r"^.*for help > (.*)$", re.MULTILINE)


def answers_of_the_oracle(example: Example, folder: Path) -> list[str]:
    """Return what the corrected program answers, question by question."""
    found: list[str] = []
    how = How(to=Depth.STATEMENT)
    users: dict[int, InsideUser] = {}
    with (
        recorded(example, folder) as recording,
        Search(recording, how, measure=lines_to_read) as search,
    ):
        player = Player(example, recording)
        search.assume_wrong()
        for _ in range(MOST):
            step = advanced(search)
            if not isinstance(step, Question):
                return [*found, CONFIRM]
            inside = search.inside
            if inside is None:
                verdict = player.reply(step)
            else:
                if inside.call not in users:
                    corrected = player.reference
                    users[inside.call] = user_of(recording, corrected, example.fixed, inside)
                verdict = users[inside.call].verdict(step.calls[0])
            search.answer(step, verdict)
            found.append(LETTERS[verdict])
    raise AssertionError(f"{example.name}: the session does not end")


def answers_in(transcript: str) -> list[str]:
    """Return what is answered in a transcript."""
    return _ANSWER.findall(transcript)


def transcript(example: Example, answers: list[str], folder: Path) -> str:
    """Return the transcript of a session through a pipe."""
    trace = str(folder / "session.wrongcall")
    program = f"examples/{example.name}.py"
    done = piped(ROOT, "run", "-o", trace, program, lines=answers, env=ENVIRONMENT)
    # As if it had been left where it is by default.
    shown = done.stdout.replace(trace, f"{example.name}.wrongcall")
    lines = [f"$ wrongcall run {program}", *shown.splitlines(), f"(exit code {done.status})"]
    return "".join(f"{line.rstrip()}\n" for line in lines)


def main() -> None:
    """Write all transcripts."""
    FOLDER.mkdir(exist_ok=True)
    for name, example in examples().items():
        with tempfile.TemporaryDirectory() as folder:
            answers = answers_of_the_oracle(example, Path(folder))
            (FOLDER / f"{name}.txt").write_text(transcript(example, answers, Path(folder)))


if __name__ == "__main__":
    main()
