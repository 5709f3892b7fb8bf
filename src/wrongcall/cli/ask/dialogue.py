"""The dialogue: shows what the session asks or has found, reads keys, tells the session.

Everything that is told is saved before anything else is shown, so nothing is lost that was answered.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from wrongcall.cli.ask import keys
from wrongcall.cli.ask.keys import Command, Key
from wrongcall.cli.ask.looking import Looking
from wrongcall.cli.ask.parts import chosen, part_of, place_lines, places
from wrongcall.cli.ask.prompting import QUIT, Prompter
from wrongcall.cli.ask.sources import Source
from wrongcall.cli.ask.stage import Stage
from wrongcall.cli.ask.views import View
from wrongcall.cli.ask.views.moments import Moments
from wrongcall.cli.ask.views.tree import TreeView
from wrongcall.cli.ask.words import (
    help_lines,
    introduction_lines,
    left_words,
    strategy_lines,
    why_lines,
)
from wrongcall.cli.running import Program
from wrongcall.errors import ContradictionError, WrongcallError
from wrongcall.present.findings import FindingView, finding_view
from wrongcall.present.groups import group, member
from wrongcall.present.lines import EMPTY, Line, paragraph
from wrongcall.present.lists import call_list
from wrongcall.present.questions import question
from wrongcall.present.reports import report_of, write_report
from wrongcall.present.screens.finding import finding_lines
from wrongcall.present.screens.lists import list_lines
from wrongcall.present.screens.question import (
    Head,
    Size,
    group_lines,
    member_lines,
    question_lines,
)
from wrongcall.present.text import safe
from wrongcall.session import (
    Answer,
    Contradiction,
    Finding,
    NeedsMoreTree,
    NoBug,
    Question,
    Session,
    Step,
    Verdict,
)
from wrongcall.session.answers import USER
from wrongcall.session.search import Search
from wrongcall.session.storage import DEFAULT_NAME

_VERDICTS = {
    "y": Verdict.RIGHT,
    "n": Verdict.WRONG,
    "d": Verdict.DONT_KNOW,
    "t": Verdict.TRUST_FUNCTION,
    "T": Verdict.TRUST_MODULE,
    "i": Verdict.INADMISSIBLE,
}
_DEEPEST = 5
_UNDECIDED = 8
_PRINTED = 10
"""So many lines of what a running program printed are shown between two questions."""
_NAP = 0.1

Change = Callable[[Session, bool], None]
"""Tells a session something; the flag: in place of what contradicts it."""


class Dialogue:
    """A conversation about a search."""

    def __init__(
        self,
        search: Search,
        stage: Stage,
        source: Source,
        *,
        program: Program | None = None,
        report: Path | None = None,
    ) -> None:
        """``program``: it still runs."""
        self.search = search
        self.stage = stage
        self.source = source
        self.prompter = Prompter(stage, source)
        self.looking = Looking(search.trace, stage, source)
        self._program = program
        self._report = report
        self._unsaved = ""
        self._detail = 0
        self._quit = False

    @property
    def _size(self) -> Size:
        return replace(self.stage.size, detail=self._detail)

    def run(self) -> bool:
        """Ask until a bug is found and confirmed, or somebody quits; tell whether one was found."""
        try:
            self._introduce()
            while not self._quit:
                self._go_on()
        except KeyboardInterrupt:
            self.stage.write("\n")
        self.search.save()
        found = self.search.has_found
        self._tell_unsaved()
        if not found and not self.search.unsaved:
            # Never cut or broken: it is there to be copied.
            self.stage.write(f"Saved. To go on: {self._command()}\n")
        return found

    def _command(self) -> str:
        """Return the command that goes on with this session."""
        words = ["wrongcall", "debug", str(self.search.trace.path)]
        if self.search.how.name != DEFAULT_NAME:
            words[2:2] = ["--session", self.search.how.name]
        return safe(shlex.join(words))

    def _tell_unsaved(self) -> None:
        """Say that the answers are not saved, once for each reason."""
        if self.search.unsaved != self._unsaved:
            self._unsaved = self.search.unsaved
            if self._unsaved:
                self.prompter.say(f"The answers are not saved: {safe(self._unsaved)}")

    def _introduce(self) -> None:
        if not self.search.resumed:
            self.stage.show(introduction_lines(self.stage.size.width))
            return
        told = len(self._told())
        if not told:
            return
        count = "1 answer" if told == 1 else f"{told:,} answers"
        self.prompter.say(f"Going on after {count} (--restart forgets them).", "quiet")

    def _told(self) -> list[Answer]:
        entries = self.search.session.entries
        return [e for e in entries if isinstance(e, Answer) and e.by == USER]

    def _go_on(self) -> None:
        self._detail = 0
        self._tell_unsaved()
        self._show_printed()
        self.stage.show([EMPTY])
        led = self.search.led()
        if led is not None:
            self._ask(led, led=True)
        else:
            self._take(self.search.step())

    def _take(self, step: Step) -> None:
        match step:
            case Question():
                self._ask(step)
            case Finding():
                self._found(step)
            case NoBug():
                text = "There is no bug among the calls that have ended, if the answers are right."
                self._ended(text, step.undecided)
            case NeedsMoreTree():
                self._wait(step)
            case Contradiction():
                self._ended(str(step), ())

    # -- questions ---------------------------------------------------------------------------------

    def _ask(self, asked: Question, *, led: bool = False) -> None:
        """Show a question until something is told; ``led``: it is not the session that asks."""
        session = self.search.session
        before = (session.entries, session.strategy.name)
        shows = True
        while not self._quit and (session.entries, session.strategy.name) == before:
            if shows:
                self.stage.show([*self._question_lines(asked, led), EMPTY])
            command = self.prompter.read(_prompt(asked), keys.QUESTION)
            shows = command.key in ("redraw", "+", "-", "b", "m")
            self._on_question(asked, command, led)

    def _on_question(self, asked: Question, command: Command, led: bool) -> None:
        if command.key in _VERDICTS:
            self._tell(self._verdict(asked, _VERDICTS[command.key], led))
        elif command.key == "e":
            self._tell(self._verdict(asked, Verdict.WRONG, led, expected=command.argument))
        elif command.key == "p":
            self._wrong_part(asked, command.argument, led)
        elif command.key == "w" and not led:
            self.stage.show(why_lines(self.search.session.why(), self.stage.size.width))
        elif command.key == "w":
            self.prompter.say("Because you asked to begin here.", "quiet")
        elif command.key == "s":
            self._change_strategy(command.argument)
        else:
            self._anywhere(command, asked.calls[0], keys.QUESTION)

    def _verdict(self, asked: Question, verdict: Verdict, led: bool, **more: object) -> Change:
        calls = (asked.calls[0], asked.calls[-1])

        def change(session: Session, replaces: bool) -> None:
            if led:
                session.judge(calls, verdict, replace=replaces, **more)  # type: ignore[arg-type]
            else:
                session.answer(verdict, question=asked, replace=replaces, **more)  # type: ignore[arg-type]

        return change

    def _wrong_part(self, asked: Question, text: str, led: bool) -> None:
        if asked.is_list:
            self._wrong_member(asked, text)
            return
        if asked.is_group:
            self.prompter.say("Which call has the wrong part? Choose one with b, then p there.")
            return
        width = self.stage.size.line_width
        view = question(self.search.trace, asked.calls[0], width=width)
        found = places(view)
        if not text:
            text = self.prompter.pick(place_lines(found, width), "which part? number or path")
        if text:
            part = part_of(view, chosen(found, text))
            self._tell(self._verdict(asked, Verdict.WRONG_PART, led, part=part))

    def _wrong_member(self, asked: Question, text: str) -> None:
        """Judge one call of a list."""
        number = (text or self.prompter.ask("which call? its number: ")).strip().lstrip("#")
        if not number:
            return
        if not number.isdecimal() or int(number) not in asked.calls:
            self.prompter.say(f"There is no call #{safe(number)} in this list.")
            return
        chosen = self.search.question_about(int(number))
        self._tell(self._verdict(chosen, Verdict.WRONG, led=True))

    def _call_lines(self, call: int) -> list[Line]:
        """Return a call that somebody looks at."""
        asked = self.search.question_about(call)
        return self._lines(asked, replace(self._head(asked, led=True), number=0))

    def _question_lines(self, asked: Question, led: bool) -> list[Line]:
        return self._lines(asked, self._head(asked, led))

    def _lines(self, asked: Question, head: Head) -> list[Line]:
        size, trace = self._size, self.search.trace
        if asked.is_list:
            shown_list = call_list(
                trace,
                asked.calls,
                depth=size.detail,
                width=size.value_width,
                line_width=size.line_width,
                everything=size.detail > 0,
            )
            return list_lines(shown_list, self._names(asked), head, size)
        if asked.is_group:
            shown = group(
                trace, asked.calls, width=size.line_width + 10, shown=8 + 40 * size.detail
            )
            return group_lines(shown, self._names(asked), head, size)
        view = question(
            trace,
            asked.calls[0],
            depth=1 + size.detail,
            width=size.value_width,
            line_width=size.line_width,
            everything=size.detail > 0,
        )
        return question_lines(view, head, size)

    def _names(self, asked: Question) -> str:
        functions = self.search.trace.functions
        names = {safe(functions[number].qualname) for number, _ in asked.counts}
        return " and ".join(sorted(names)) if len(names) < 3 else f"{len(names)} functions"

    def _head(self, asked: Question, led: bool) -> Head:
        call = self.search.trace.call(asked.calls[0])
        at = f" at line {call.caller_line}" if call.caller_line else ""
        called = f"by {safe(call.parent.function.qualname)}{at}" if call.parent else ""
        left = "" if led else left_words(self.search.session.why())
        return Head(len(self._told()) + 1, left, called, asked.again, asked.note)

    # -- telling -----------------------------------------------------------------------------------

    def _tell(self, change: Change) -> bool:
        """Tell the session something; what it does not take is said."""
        try:
            self.search.tell(lambda session: change(session, False))
        except ContradictionError as error:
            self.prompter.say(f"{str(error)[:1].upper()}{str(error)[1:]}.")
            command = self.prompter.read("Does the new answer count? y n", keys.CONFLICT)
            if command.key != "y":
                return False
            self.search.tell(lambda session: change(session, True))
        except WrongcallError as error:
            self.prompter.say(str(error))
            return False
        return True

    def _change_strategy(self, name: str) -> None:
        """Use another strategy."""
        if not name:
            now = self.search.session.strategy.name
            lines = strategy_lines(now, self.stage.size.width)
            name = self.prompter.pick(lines, "which strategy?") if self.source.interactive else ""
            if not self.source.interactive:
                self.stage.show(lines)
        if name:
            self._tell(lambda session, replaces: session.use(name))

    # -- keys that mean the same everywhere --------------------------------------------------------

    def _anywhere(self, command: Command, call: int, known: tuple[Key, ...]) -> None:
        match command.key:
            case "q":
                self._quit = True
            case "?":
                self.stage.show(help_lines(known, self.stage.size.width))
            case "u":
                self._tell(lambda session, replaces: session.undo())
            case "+" | "-":
                by = 1 if command.key == "+" else -1
                self._detail = min(max(self._detail + by, 0), _DEEPEST)
            case "m" if call:
                self._move(Moments(self.search.trace, call))
            case "b":
                self._move(TreeView(self.search, call or 1))
            case _ if call and self.looking.handles(command):
                self.looking.show(command, call)

    def _move(self, view: View) -> None:
        """Move in a view until it is left, or something was told."""
        before = self.search.session.entries
        with self.stage.whole():
            shows = True
            while self.search.session.entries == before or isinstance(view, TreeView):
                if shows:
                    self.stage.show([*view.lines(self.stage.size), EMPTY])
                command = self.prompter.read(view.prompt, view.keys, moving=True)
                if command.key == "q":
                    return
                shows = self._on_view(view, command)

    def _on_view(self, view: View, command: Command) -> bool:
        """Do what a key says in a view; tell whether it is to be shown again."""
        try:
            if view.move(command):
                return True
        except WrongcallError as error:
            self.prompter.say(str(error))
            return False
        if command.key in _VERDICTS and view.call:
            asked = self.search.question_about(view.call)
            return self._tell(self._verdict(asked, _VERDICTS[command.key], led=True))
        if command.key == "a" and view.call:
            self.stage.show(self._call_lines(view.call))
        else:
            self._anywhere(command, view.call, view.keys)
        return command.key in ("u", "m")

    # -- what came of it ---------------------------------------------------------------------------

    def _found(self, found: Finding) -> None:
        session = self.search.session
        view = self._view(found)
        self.stage.show([*finding_lines(view, self._size), EMPTY])
        self._write_report(view, self._report)
        before = session.entries
        while not self._quit and session.entries == before:
            command = self.prompter.read("Is that the bug? y n g, ? for help", keys.FINDING)
            if command.key in ("redraw", "+", "-"):
                self._anywhere(command, 0, keys.FINDING)
                self.stage.show([*finding_lines(self._view(found), self._size), EMPTY])
            self._on_finding(found, command)

    def _view(self, found: Finding) -> FindingView:
        size = self._size
        return finding_view(
            self.search.trace,
            self.search.session,
            found,
            width=size.value_width,
            line_width=size.line_width,
            depth=1 + size.detail,
        )

    def _on_finding(self, found: Finding, command: Command) -> None:
        match command.key:
            case "y":
                self._tell(lambda session, replaces: session.confirm())
                self._write_report(self._view(replace(found, confirmed=True)), self._report)
                self._quit = True
            case "n":
                self._tell(lambda session, replaces: session.reject())
            case "g":
                self._tell(lambda session, replaces: session.go_on())
            case "r":
                self._write_report(self._view(found), Path(command.argument))
            case "+" | "-":
                pass
            case _:
                self._anywhere(command, (*found.calls, *found.undecided, 0)[0], keys.FINDING)

    def _write_report(self, view: FindingView, path: Path | None) -> None:
        if path is None:
            return
        try:
            write_report(path, report_of(self.search.trace, self.search.session, view))
        except WrongcallError as error:
            self.prompter.say(str(error))
            return
        self.prompter.say(f"Written to {safe(str(path))}.", "quiet")

    def _ended(self, text: str, undecided: tuple[int, ...]) -> None:
        """Nothing can be asked any more: the user can look, take back, or leave."""
        self.prompter.say(text)
        self._show_undecided(undecided)
        session = self.search.session
        before = session.entries
        while not self._quit and session.entries == before:
            prompt = "u takes an answer back, b browses, q quits, ? for help"
            self._anywhere(self.prompter.read(prompt, keys.ENDED), 0, keys.ENDED)

    def _show_undecided(self, undecided: tuple[int, ...]) -> None:
        if not undecided:
            return
        size = self.stage.size
        shown = tuple(
            member(self.search.trace, c, size.line_width + 10) for c in undecided[:_UNDECIDED]
        )
        more = f" ({len(undecided):,} in all)" if len(undecided) > _UNDECIDED else ""
        self.stage.show(paragraph(f"Nobody could judge these calls{more}:", size.width, "quiet"))
        self.stage.show([("  ", *line) for line in member_lines(shown, 0, size)])

    # -- a program that still runs -----------------------------------------------------------------

    def _wait(self, step: NeedsMoreTree) -> None:
        """Wait until there is more to ask about, or the program has ended."""
        if not self.search.is_running():
            self._ended("No call has ended: there is nothing to ask about.", step.undecided)
            return
        begun = "All calls that have ended are judged" if self._told() else "No call has ended yet"
        self.prompter.say(f"{begun}; waiting for more (q quits).", "quiet")
        while not self._quit and isinstance(self.search.session.step(), NeedsMoreTree):
            if self.source.waits(_NAP):
                command = self.source.command(keys.ENDED) or QUIT
                # Keys for a question that is not there yet are meant for nobody.
                quits = command.key in ("q", "quit", "escape")
                self._anywhere(QUIT if quits else command, 0, keys.ENDED)
                return
            self._show_printed()
            self.search.look(now=True)
            if not self.search.is_running():
                self.search.look(now=True)
                return

    def _show_printed(self) -> None:
        """Show the end of what the program printed since the last question."""
        if self._program is None or self._program.held is None:
            return
        lines, lost = self._program.held.take()
        left_out = lost + max(len(lines) - _PRINTED, 0)
        shown: list[Line] = [(("| ", "quiet"), safe(line)) for line in lines[-_PRINTED:]]
        if left_out:
            shown.insert(0, ((f"| … {left_out:,} lines before", "quiet"),))
        self.stage.show(shown)


def _prompt(asked: Question) -> str:
    if asked.is_list:
        return "Are all of them right? y n d, p the wrong one, ? for help"
    return f"{'Are they right?' if asked.is_group else 'Is that right?'} y n d, ? for help"
