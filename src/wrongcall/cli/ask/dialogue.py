"""The dialogue: show what the session asks or has found, read keys, pass the answers on.

Every answer is saved before anything else is shown, so that none is lost.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from wrongcall.cli.ask.input import Input
from wrongcall.cli.ask.inspect import Inspector
from wrongcall.cli.ask.keys import Command
from wrongcall.cli.ask.messages import (
    INSIDE,
    INSIDE_FIRST,
    help_lines,
    introduction_lines,
    strategy_lines,
    why_lines,
)
from wrongcall.cli.ask.pages import Pages
from wrongcall.cli.ask.prompt import Prompter
from wrongcall.cli.ask.terminal import Terminal
from wrongcall.cli.ask.views import View
from wrongcall.cli.ask.views.pager import Pager
from wrongcall.cli.ask.views.steps import StepsView
from wrongcall.cli.ask.views.tree import TreeView
from wrongcall.cli.ask.wrong_part import chosen, part_of, place_lines, places, state_places
from wrongcall.cli.progress import telling_if_slow
from wrongcall.cli.running import Program
from wrongcall.errors import ContradictionError, WrongcallError
from wrongcall.present import key_map
from wrongcall.present.authors import answered_text, opinion_text
from wrongcall.present.estimates import left_words
from wrongcall.present.findings import found_call
from wrongcall.present.groups import member
from wrongcall.present.key_map import VERDICTS, Key, keys_at
from wrongcall.present.lines import EMPTY, Line, paragraph
from wrongcall.present.questions import question
from wrongcall.present.reports import SIZE, report_of, write_report
from wrongcall.present.screens.drawing import Drawing
from wrongcall.present.screens.question import Head, Size, member_lines
from wrongcall.present.text import safe
from wrongcall.session import (
    Answer,
    Contradiction,
    Finding,
    NeedsMoreTree,
    Next,
    NoBug,
    Part,
    Question,
    Session,
    Verdict,
    Where,
)
from wrongcall.session.answers import USER
from wrongcall.session.inside import told_by_user
from wrongcall.session.search import BY_LOOP, BY_STATEMENT, Search
from wrongcall.session.storage import DEFAULT_NAME

_QUESTION, _FINDING = keys_at(key_map.QUESTION), keys_at(key_map.FINDING)
_ENDED, _CONFLICT = keys_at(key_map.ENDED), keys_at(key_map.CONFLICT)
_UNDECIDED = 8
_QUESTION_TITLE = 2
"""Lines of a question that stay in sight: its number, and the call."""
_FINDING_TITLE = 1
_PRINTED = 10
"""Lines of a running program's output shown between two questions."""
_NAP = 0.1

Change = Callable[[Session, bool], None]
"""Passes an answer to a session; the flag: replace the answers that it contradicts."""


class Dialogue:
    """A conversation about a search."""

    def __init__(
        self,
        search: Search,
        terminal: Terminal,
        source: Input,
        *,
        program: Program | None = None,
        report: Path | None = None,
    ) -> None:
        """``program``: it still runs."""
        self.search = search
        self.terminal = terminal
        self.source = source
        self.prompter = Prompter(terminal, source)
        self.inspector = Inspector(search.recording, terminal, source)
        self._drawing = Drawing(search)
        self._program = program
        self._report = report
        self._unsaved = ""
        self._troubles: dict[str, str] = {}
        self._told_entries = len(search.session.entries) if search.resumed else 0
        self._page = 0
        self._quit = False
        self._told_call = 0
        """The call whose inside was announced last."""
        self._written: Path | None = None

    def run(self) -> bool:
        """Ask until a bug is found and confirmed, or the user quits; return whether one was found."""
        try:
            self._introduce()
            while not self._quit:
                self._go_on()
        except KeyboardInterrupt:
            self.terminal.write("\n")
        self.search.save()
        self._tell_unsaved()
        self._tell_end()
        return self.search.has_found

    def _tell_end(self) -> None:
        """Say in one line what was found and where the report is, or how to continue."""
        # Never cut or broken: it is there to be copied.
        step = self.search.step()
        if isinstance(step, Finding) and step.calls:
            view = self._drawing.view(step, self.terminal.size)
            where = f" ({view.place})" if view.place else ""
            report = safe(str(self._written)) if self._written else self._command("report")
            text = view.headline
            self.terminal.write(f"Found: {text[0].lower()}{text[1:]}{where}; report: {report}\n")
        elif not self.search.unsaved:
            self.terminal.write(f"Saved. To continue: {self._command('debug')}\n")

    def _command(self, command: str) -> str:
        """Return a command about this session."""
        words = ["wrongcall", command, str(self.search.recording.path)]
        if self.search.how.name != DEFAULT_NAME:
            words[2:2] = ["--session", self.search.how.name]
        return safe(shlex.join(words))

    def _tell_unsaved(self) -> None:
        """Say that the answers are not saved, once for each reason."""
        if self.search.unsaved != self._unsaved:
            self._unsaved = self.search.unsaved
            if self._unsaved:
                self.prompter.say(f"Can't save the answers: {safe(self._unsaved)}")

    def _introduce(self) -> None:
        if not self.search.resumed:
            self.terminal.show(introduction_lines(self.terminal.size.width))
            return
        told = len(self._told())
        if not told:
            return
        count = "1 answer" if told == 1 else f"{told:,} answers"
        self.prompter.say(f"Continuing after {count} (--restart discards them).", "quiet")

    def _told(self) -> list[Answer]:
        entries = self.search.session.entries
        return [e for e in entries if isinstance(e, Answer) and e.by == USER]

    def _told_count(self) -> int:
        """Return how many answers the user gave, inside calls, too."""
        inside = self.search.inside
        more = told_by_user(inside) if inside is not None else []
        return len(self._told()) + len(more)

    def _go_on(self) -> None:
        self._page = 0
        self._tell_unsaved()
        self._show_printed()
        with telling_if_slow("choosing a question"):
            self.search.settle()
            led = self.search.led()
            if led is None:
                self.search.advance()
                led = self.search.led()
            step = self.search.step() if led is None else led
        self._tell_oracles()
        self._tell_found_call(step)
        self.terminal.show([EMPTY])
        if led is not None:
            self._ask(led, led=True)
        else:
            self._take(step)

    def _tell_found_call(self, step: Next) -> None:
        """Say once which call has the bug, when the search goes on inside it."""
        if not isinstance(step, Question) or step.inside in (0, self._told_call):
            return
        self._told_call = step.inside
        text = found_call(self.search.recording, self.search.session, step.inside)
        self.prompter.say(f"{text} {INSIDE_FIRST if self.search.is_ahead else INSIDE}", "quiet")

    def _tell_oracles(self) -> None:
        """Say what oracles answered since the last question, and once what is the matter with one."""
        entries = self.search.session.entries
        answered = answered_text(entries[self._told_entries :])
        self._told_entries = len(entries)
        if answered:
            self.prompter.say(f"{answered}.", "quiet")
        for name, trouble in self.search.troubles.items():
            if self._troubles.get(name) != trouble:
                self._troubles[name] = trouble
                self.prompter.say(safe(f"{name}: {trouble}"))

    def _take(self, step: Next) -> None:
        match step:
            case Question():
                self._ask(step)
            case Finding():
                self._found(step)
            case NoBug():
                text = "If the answers are right, none of the recorded calls has a bug."
                self._ended(text, step.undecided)
            case NeedsMoreTree():
                self._wait(step)
            case Contradiction():
                self._ended(str(step), ())

    # -- questions ---------------------------------------------------------------------------------

    def _ask(self, asked: Question, *, led: bool = False) -> None:
        """Show a question until it is answered; ``led``: the user, not the session, chose it."""
        session = self.search.session
        before = (self.search.entries(), session.strategy.name)
        shows = True
        while not self._quit and (self.search.entries(), session.strategy.name) == before:
            if shows:
                with telling_if_slow("reading the call"):
                    head = self._head(asked, led)
                    lines = self._drawing.question(asked, head, self.terminal.size)
                self._show_page(lines, _QUESTION_TITLE)
            command = self.prompter.read(_prompt(asked), _QUESTION)
            shows = command.name in ("redraw", "page", "browse", "steps")
            self._on_question(asked, command, led)

    def _show_page(self, lines: list[Line], title: int) -> None:
        """Show a screen; if it is longer than the terminal, one page of it under its title."""
        height = self.terminal.size.height if self._pages else 0
        self.terminal.show([*Pages(lines, title, height).page(self._page), EMPTY])

    @property
    def _pages(self) -> bool:
        """Whether to show long screens page by page: a pipe gets everything."""
        return self.terminal.is_terminal and self.source.interactive

    def _on_question(self, asked: Question, command: Command, led: bool) -> None:
        if command.name in VERDICTS:
            self._tell(self._verdict(asked, VERDICTS[command.name], led))
        elif command.name == "more":
            head = self._head(asked, led)
            call = 0 if asked.is_group or asked.is_list or asked.inside else asked.calls[0]
            self._open(lambda size: self._drawing.question(asked, head, size), call)
        elif command.name == "expected":
            self._tell(self._verdict(asked, Verdict.WRONG, led, expected=command.argument))
        elif command.name == "part":
            self._wrong_part(asked, command.argument, led)
        elif command.name == "why" and not led:
            word = "place" if asked.inside else "call"
            why = self.search.current.why()
            self.terminal.show(why_lines(why, self.terminal.size.width, word))
        elif command.name == "why":
            thought = "; ".join(map(opinion_text, asked.opinions))
            chosen = asked.note if asked.note in (BY_LOOP, BY_STATEMENT) else ""
            reason = thought or chosen or "because you asked to start here"
            self.prompter.say(f"{reason[:1].upper()}{reason[1:]}.", "quiet")
        elif command.name == "strategy":
            self._change_strategy(command.argument)
        elif command.name == "inside" and not asked.inside:
            self._go_inside(asked)
        elif command.name == "found" and asked.inside:
            self.search.leave_inside()
        else:
            self._anywhere(command, asked.inside or asked.calls[0], _QUESTION)

    def _go_inside(self, asked: Question) -> None:
        """Search inside a call, which is wrong, before those that it made."""
        if asked.is_group:
            self.prompter.say("This is about several calls. Press b and choose one first.")
            return
        try:
            self.search.go_inside(asked.calls[0])
        except WrongcallError as error:
            self.prompter.say(str(error))

    def _verdict(self, asked: Question, verdict: Verdict, led: bool, **more: object) -> Change:
        calls = (asked.calls[0], asked.calls[-1])

        def change(session: Session, replaces: bool) -> None:
            if asked.inside:
                self.search.answer(asked, verdict, replace=replaces, **more)
            elif led:
                session.judge(calls, verdict, replace=replaces, **more)  # type: ignore[arg-type]
            else:
                session.answer(verdict, question=asked, replace=replaces, **more)  # type: ignore[arg-type]

        return change

    def _wrong_part(self, asked: Question, text: str, led: bool) -> None:
        if asked.inside:
            self._wrong_part_inside(asked, text)
            return
        if asked.is_list:
            self._wrong_member(asked, text)
            return
        if asked.is_group:
            self.prompter.say(
                "Which call has the wrong part? Press b, choose the call, then press p."
            )
            return
        width = self.terminal.size.line_width
        view = question(self.search.recording, asked.calls[0], width=width)
        found = places(view)
        if not text:
            text = self.prompter.pick(place_lines(found, width), "which part? number or path")
        if text:
            part = part_of(view, chosen(found, text))
            self._tell(self._verdict(asked, Verdict.WRONG_PART, led, part=part))

    def _wrong_part_inside(self, asked: Question, text: str) -> None:
        view = self._drawing.inside_view(asked, self.terminal.size)
        found = state_places(view)
        if not text:
            width = self.terminal.size.line_width
            text = self.prompter.pick(place_lines(found, width), "which part? number or path")
        if text:
            part = Part(Where.EFFECT, chosen(found, text))
            self._tell(self._verdict(asked, Verdict.WRONG_PART, led=False, part=part))

    def _wrong_member(self, asked: Question, text: str) -> None:
        """Judge one call of a list."""
        number = (text or self.prompter.ask("number of the call: ")).strip().lstrip("#")
        if not number:
            return
        if not number.isdecimal() or int(number) not in asked.calls:
            self.prompter.say(f"Call #{safe(number)} is not in this list.")
            return
        chosen = self.search.question_about(int(number))
        self._tell(self._verdict(chosen, Verdict.WRONG, led=True))

    def _call_lines(self, call: int) -> list[Line]:
        """Return a call that the user is looking at."""
        asked = self.search.question_about(call)
        head = replace(self._head(asked, led=True), number=0)
        return self._drawing.question(asked, head, self.terminal.size)

    def _head(self, asked: Question, led: bool) -> Head:
        left = "" if led else left_words(self.search.current.why())
        opinions = tuple(map(opinion_text, asked.opinions))
        return Head(self._told_count() + 1, left, asked.again, asked.note, opinions)

    def _open(self, draw: Callable[[Size], list[Line]], call: int = 0) -> None:
        """Show everything: in a view to scroll in, or straight to a pipe."""

        def write(size: Size) -> list[Line]:
            return draw(replace(size, detail=1))

        if not self.source.interactive:
            self.terminal.show([*write(self.terminal.size), EMPTY])
        else:
            self._move(Pager(write, title=_QUESTION_TITLE, call=call))

    def _show_text(self, lines: list[Line]) -> None:
        """Show text that was asked for; on a screen of its own if it would push the question out of sight."""
        if (
            self._pages
            and not self.terminal.is_whole
            and len(lines) > self.terminal.size.height // 2
        ):
            self._move(Pager(lambda size: lines))
        else:
            self.terminal.show(lines)

    # -- telling -----------------------------------------------------------------------------------

    def _tell(self, change: Change) -> bool:
        """Pass something on to the session; show its message if it refuses."""
        try:
            self.search.tell(lambda session: change(session, False))
        except ContradictionError as error:
            self.prompter.say(f"{str(error)[:1].upper()}{str(error)[1:]}.")
            command = self.prompter.read("Use the new answer? y n", _CONFLICT)
            if command.name != "yes":
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
            lines = strategy_lines(now, self.terminal.size.width)
            name = self.prompter.pick(lines, "which strategy?") if self.source.interactive else ""
            if not self.source.interactive:
                self.terminal.show(lines)
        if name:
            self._tell(lambda session, replaces: self.search.use(name))

    # -- keys that mean the same everywhere --------------------------------------------------------

    def _anywhere(self, command: Command, call: int, known: tuple[Key, ...]) -> None:
        match command.name:
            case "quit":
                self._quit = True
            case "help":
                self._show_text(help_lines(known, self.terminal.size.width))
            case "undo":
                self._tell(lambda session, replaces: self.search.undo())
            case "page":
                self._page += 1
            case "steps" if call:
                self._move(StepsView(self.search.recording, call))
            case "browse":
                self._move(TreeView(self.search, call or 1))
            case _ if call and self.inspector.handles(command):
                self._show_text(self.inspector.lines(command, call))

    def _move(self, view: View) -> None:
        """Show a view until the user leaves it or answers."""
        before = self.search.entries()
        with self.terminal.whole():
            shows = True
            while self.search.entries() == before or isinstance(view, TreeView):
                if shows:
                    self.terminal.show([*view.lines(self.terminal.size), EMPTY])
                command = self.prompter.read(view.prompt, view.keys, moving=True)
                if command.name in ("quit", "back", "less"):
                    return
                shows = self._on_view(view, command)

    def _on_view(self, view: View, command: Command) -> bool:
        """Run a command in a view; return whether to draw the view again."""
        try:
            if view.move(command):
                return True
        except WrongcallError as error:
            self.prompter.say(str(error))
            return False
        if command.name in VERDICTS and view.call:
            asked = self.search.question_about(view.call)
            return self._tell(self._verdict(asked, VERDICTS[command.name], led=True))
        if command.name == "more" and view.call:
            self.terminal.show(self._call_lines(view.call))
        else:
            self._anywhere(command, view.call, view.keys)
        return command.name in ("undo", "steps")

    # -- results -----------------------------------------------------------------------------------

    def _found(self, found: Finding) -> None:
        self._write_report(found, self._report)
        before, shows = self.search.entries(), True
        while not self._quit and self.search.entries() == before:
            if shows:
                with telling_if_slow("reading the call"):
                    lines = self._drawing.finding(found, self.terminal.size)
                self._show_page(lines, _FINDING_TITLE)
            command = self.prompter.read("Is that the bug? y n a, ? for help", _FINDING)
            shows = command.name in ("redraw", "page")
            self._on_finding(found, command)

    def _on_finding(self, found: Finding, command: Command) -> None:
        match command.name:
            case "yes":
                self._tell(lambda session, replaces: self.search.confirm())
                self._write_report(replace(found, confirmed=True), self._report)
                self._quit = True
            case "no":
                self._tell(lambda session, replaces: self.search.reject())
            case "another":
                self._tell(lambda session, replaces: self.search.go_on())
            case "report":
                self._write_report(found, Path(command.argument), tells=True)
            case "more":
                self._open(lambda size: self._drawing.finding(found, size))
            case _:
                self._anywhere(command, (*found.calls, *found.undecided, 0)[0], _FINDING)

    def _write_report(self, found: Finding, path: Path | None, *, tells: bool = False) -> None:
        if path is None:
            return
        view = self._drawing.view(found, SIZE)
        try:
            report = report_of(self.search.recording, self.search.session, view, self.search.inside)
            write_report(path, report)
        except WrongcallError as error:
            self.prompter.say(str(error))
            return
        self._written = path
        if tells:
            self.prompter.say(f"Report written to {safe(str(path))}.", "quiet")

    def _ended(self, text: str, undecided: tuple[int, ...]) -> None:
        """There are no more questions: let the user look around, undo or quit."""
        self.prompter.say(text)
        self._show_undecided(undecided)
        before = self.search.entries()
        while not self._quit and self.search.entries() == before:
            prompt = "u undo, b browse, q quit, ? for help"
            self._anywhere(self.prompter.read(prompt, _ENDED), 0, _ENDED)

    def _show_undecided(self, undecided: tuple[int, ...]) -> None:
        if not undecided:
            return
        size = self.terminal.size
        shown = tuple(
            member(self.search.recording, c, size.line_width + 10) for c in undecided[:_UNDECIDED]
        )
        more = f" ({len(undecided):,} in total)" if len(undecided) > _UNDECIDED else ""
        self.terminal.show(paragraph(f"These calls are undecided{more}:", size.width, "quiet"))
        self.terminal.show([("  ", *line) for line in member_lines(shown, 0, size)])

    # -- a program that still runs -----------------------------------------------------------------

    def _wait(self, step: NeedsMoreTree) -> None:
        """Wait until there is more to ask about, or the program has ended."""
        if self.search.is_over:
            self._ended("No call was recorded, so there is nothing to ask about.", step.undecided)
            return
        begun = "Every call that finished is judged" if self._told() else "No call has finished yet"
        self.prompter.say(f"{begun}; waiting for more (q: quit).", "quiet")
        while not self._quit and isinstance(self.search.step(), NeedsMoreTree):
            if self.source.waits(_NAP):
                self._press_while_waiting()
                return
            self._show_printed()
            self.search.look(now=True)
            self.search.advance()
            if not self.search.is_running():
                self.search.look(now=True)
                return

    def _press_while_waiting(self) -> None:
        """Do what a key says while there is no question; keys for one are ignored."""
        pressed = self.source.pressed(_ENDED)
        if pressed is None or pressed.key in ("quit", "escape"):
            self._quit = True
            return
        key = next((key for key in _ENDED if key.key == pressed.key), None)
        if key is not None:
            self._anywhere(Command(key.command, pressed.argument), 0, _ENDED)

    def _show_printed(self) -> None:
        """Show the end of what the program printed since the last question."""
        if self._program is None or self._program.held is None:
            return
        lines, lost = self._program.held.take()
        left_out = lost + max(len(lines) - _PRINTED, 0)
        shown: list[Line] = [(("| ", "quiet"), safe(line)) for line in lines[-_PRINTED:]]
        if left_out:
            shown.insert(0, ((f"| … {left_out:,} lines before", "quiet"),))
        self.terminal.show(shown)


def _prompt(asked: Question) -> str:
    if asked.inside:
        return "Is all right up to here? y n d, ? for help"
    if asked.is_list:
        return "Are all of them right? y n d, p to pick the wrong one, ? for help"
    return f"{'Are they right?' if asked.is_group else 'Is that right?'} y n d, ? for help"
