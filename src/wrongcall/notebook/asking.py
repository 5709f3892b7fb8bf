"""The questions about a trace, as plain data for a widget."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from wrongcall.cli import config
from wrongcall.dap.arguments import Arguments
from wrongcall.dap.debuggee import Debuggee
from wrongcall.dap.questions import Questions
from wrongcall.errors import WrongcallError
from wrongcall.present.screens.question import Size
from wrongcall.recording import Recording
from wrongcall.session.search import Depth, How, Start

SIZE = Size(width=76, height=60)
"""What fits below a cell without being wrapped."""
UNDO = {"verdict": "undo", "label": "undo", "help": "take the last answer back"}


class Asking:
    """The search for the bug in one trace."""

    def __init__(self, path: Path) -> None:
        self._debuggee = Debuggee(path, _plan)
        self._questions = Questions(self._debuggee, SIZE)

    def view(self) -> dict[str, Any]:
        """Return what to show: the kind, the text, and the answers that can be given."""
        return self._shown(self._questions.next())

    def answer(self, verdict: str) -> dict[str, Any]:
        """Take an answer; return what to show next, with what was wrong with the answer, if anything was."""
        try:
            return self._shown(self._questions.answer(Arguments({"verdict": verdict}, "answer")))
        except WrongcallError as error:
            return {**self.view(), "trouble": str(error)}

    def _shown(self, said: dict[str, Any]) -> dict[str, Any]:
        undo = [UNDO] if self._debuggee.search.can_undo else []
        parts = {key: said.get(key, "") for key in ("kind", "text", "headline", "left")}
        return {
            **parts,
            "answers": [*said.get("answers", []), *undo],
            "trouble": said["unsaved"] or "",
        }

    def close(self) -> None:
        """Release the trace, so that another debugger can use it."""
        self._debuggee.close()


def _plan(recording: Recording) -> tuple[How, Start]:
    """Search as far as the statement, as the project's settings say."""
    settings = config.of_recording(recording)
    how = How(
        strategy=settings.strategy,
        balance=settings.balance,
        trust=settings.trust,
        ask_definitions=settings.ask_definitions,
        to=Depth.STATEMENT,
    )
    return how, Start()
