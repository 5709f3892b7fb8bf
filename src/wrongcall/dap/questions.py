"""The search for the wrong call, as a client sees it: the next question, the answer, the finding.

These requests are no part of the protocol: ``wrongcall/question``, ``wrongcall/answer``, ``wrongcall/finding``.
"""

from __future__ import annotations

from typing import Any

from wrongcall.dap.arguments import Arguments
from wrongcall.dap.debuggee import Debuggee
from wrongcall.errors import UsageError
from wrongcall.present.authors import opinion_text
from wrongcall.present.estimates import left_words
from wrongcall.present.key_map import FINDING, QUESTION, USUAL_VERDICTS, VERDICTS, keys_at
from wrongcall.present.lines import Line, text_of
from wrongcall.present.screens.drawing import Drawing
from wrongcall.present.screens.question import Head, Size
from wrongcall.session import Contradiction, Finding, NeedsMoreTree, Next, NoBug, Question, Verdict
from wrongcall.session.answers import USER, Answer, Part, Where
from wrongcall.session.inside import told_by_user

_SIZE = Size(width=100, height=60)
_INSIDE = (*USUAL_VERDICTS, "found")
"""What can be said at a question about what happened inside a call."""
_DECISIONS = {"yes": "confirm", "no": "reject", "another": "another"}


class Questions:
    """Asks and tells the search of a debuggee."""

    def __init__(self, debuggee: Debuggee, size: Size = _SIZE) -> None:
        """``size`` is that of the texts."""
        self._debuggee = debuggee
        self._size = size
        self._led: Question | None = None

    def next(self) -> dict[str, Any]:
        """Return the next question, or the result of the search."""
        return {**self._described(self._step()), "unsaved": self._debuggee.search.unsaved}

    def _step(self) -> Next:
        search = self._debuggee.search
        search.settle()
        self._led = search.led()
        if self._led is None:
            search.advance()
            self._led = search.led()
        search.save()
        return self._led or search.step()

    def answer(self, arguments: Arguments) -> dict[str, Any]:
        """Take an answer, save it, and return what comes next."""
        verdict = arguments.text("verdict")
        search, step = self._debuggee.search, self._step()
        if verdict == "undo":
            search.undo()
        elif verdict == "found":
            search.leave_inside()
        elif verdict == "inside":
            self._go_inside(step, arguments)
        elif isinstance(step, Finding):
            self._decide(verdict)
        elif not isinstance(step, Question):
            raise UsageError("there is no question to answer")
        else:
            self._judge(step, verdict, arguments)
        return self.next()

    def _go_inside(self, step: Next, arguments: Arguments) -> None:
        """Search inside a call, which is wrong: that of the question or finding, or another one."""
        call = arguments.number("call", 0)
        calls = step.calls if isinstance(step, Question | Finding) else ()
        if not call and len(calls) != 1:
            raise UsageError("pass the call to search in")
        self._debuggee.search.go_inside(call or calls[0])

    def _judge(self, asked: Question, verdict: str, arguments: Arguments) -> None:
        meant = VERDICTS.get(verdict) or Verdict.of(verdict)
        expected = arguments.text("expected", "") or None
        replaces = arguments.flag("replace")
        call = arguments.number("call", 0)
        search = self._debuggee.search
        if asked.inside and not call:
            self._judge_inside(asked, meant, arguments)
        elif call or self._led is not None:
            about = (call, call) if call else (asked.calls[0], asked.calls[-1])
            search.tell(
                lambda session: session.judge(about, meant, expected=expected, replace=replaces)
            )
        else:
            search.tell(
                lambda session: session.answer(
                    meant, question=asked, expected=expected, replace=replaces
                )
            )

    def _judge_inside(self, asked: Question, verdict: Verdict, arguments: Arguments) -> None:
        """Answer a question about what happened inside a call."""
        path = arguments.text("part", "")
        if path:
            verdict = Verdict.WRONG_PART
        self._debuggee.search.answer(
            asked,
            verdict,
            part=Part(Where.EFFECT, path) if path else None,
            expected=arguments.text("expected", "") or None,
            replace=arguments.flag("replace"),
        )

    def _decide(self, decision: str) -> None:
        search = self._debuggee.search
        chosen = _DECISIONS.get(decision, decision)
        if chosen == "confirm":
            search.confirm()
        elif chosen == "reject":
            search.reject()
        elif chosen == "another":
            search.go_on()
        else:
            raise UsageError(
                f"a finding is answered with confirm, reject or another, not {decision!r}"
            )

    def finding(self) -> dict[str, Any]:
        """Return what was found; an error if nothing is found yet."""
        step = self._step()
        if not isinstance(step, Finding):
            raise UsageError("nothing is found yet: answer the questions first")
        return self._described(step)

    # -- descriptions ------------------------------------------------------------------------------

    def _described(self, step: Next) -> dict[str, Any]:
        match step:
            case Question():
                return self._question(step)
            case Finding():
                return self._finding(step)
            case NoBug():
                text = "If the answers are right, none of the recorded calls has a bug."
                return _said("no bug", text)
            case NeedsMoreTree():
                return _said(
                    "needs more", "All completed calls are judged; the program still runs."
                )
            case Contradiction():
                return _said("contradiction", str(step))

    def _question(self, asked: Question) -> dict[str, Any]:
        search = self._debuggee.search
        told = [e for e in search.session.entries if isinstance(e, Answer) and e.by == USER]
        inside = search.inside if asked.inside else None
        told += told_by_user(inside) if inside is not None else []
        left = "" if self._led is not None else left_words(search.current.why())
        opinions = tuple(map(opinion_text, asked.opinions))
        head = Head(len(told) + 1, left, asked.again, asked.note, opinions)
        return {
            **_said("question", *_texts(Drawing(search).question(asked, head, self._size))),
            "number": head.number,
            "left": left,
            "calls": [asked.inside] if asked.inside else list(asked.calls),
            "answers": _answers(QUESTION, _INSIDE if asked.inside else tuple(VERDICTS)),
            "place": self._place_inside(asked) if asked.inside else self.place(asked.calls[0]),
        }

    def _place_inside(self, asked: Question) -> dict[str, Any]:
        """Return where in a call a question is, and when that was."""
        view = Drawing(self._debuggee.search).inside_view(asked, self._size)
        whole = self.place(asked.inside)
        return {**whole, "line": view.line, "endLine": view.line, "time": view.time}

    def _finding(self, found: Finding) -> dict[str, Any]:
        search = self._debuggee.search
        view = Drawing(search).view(found, self._size)
        told: dict[str, Any] = {
            **_said("finding", *_texts(Drawing(search).finding(found, self._size))),
            "headline": view.headline,
            "calls": list(found.calls),
            "confirmed": found.confirmed,
            "answers": _answers(FINDING, tuple(_DECISIONS)),
        }
        if found.calls:
            told["place"] = self.place(found.calls[0])
        if view.statement is not None:
            line, time = view.statement.line, view.statement.time
            told["place"] |= {"line": line, "endLine": line, "time": time}
        return told

    def place(self, call: int) -> dict[str, Any]:
        """Return where the function of a call is, and when the call ran."""
        recording = self._debuggee.recording
        view = recording.call(call)
        file = recording.program.files[view.function.file]
        return {
            "path": file.path,
            "line": view.function.line,
            "endLine": view.function.end_line,
            "entry": view.entry,
            "exit": view.last,
        }


def _said(kind: str, *lines: str) -> dict[str, Any]:
    return {"kind": kind, "text": "\n".join(lines)}


def _texts(lines: list[Line]) -> list[str]:
    return [text_of(line).rstrip() for line in lines]


def _answers(place: str, wanted: tuple[str, ...]) -> list[dict[str, str]]:
    """Return the answers that need nothing but a click."""
    keys = keys_at(place)
    return [
        {"verdict": key.command, "label": key.label, "help": key.help}
        for key in keys
        if key.command in wanted
    ]
