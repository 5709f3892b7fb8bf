"""The steps of a call, one at a time: the line, what happened, the variables as they were then."""

from __future__ import annotations

import numpy as np

from wrongcall.cli.ask.keys import Command
from wrongcall.errors import UsageError
from wrongcall.present import Viewer, excerpt, key_map
from wrongcall.present.answers import answer_text, style_of
from wrongcall.present.key_map import keys_at
from wrongcall.present.lines import EMPTY, Line, cut
from wrongcall.present.pairs import Pairs, value_line
from wrongcall.present.questions import title
from wrongcall.present.screens.question import Size
from wrongcall.present.screens.source import source_lines
from wrongcall.present.screens.steps import step_line
from wrongcall.present.text import columns, safe
from wrongcall.recording import CallStep, Recording, StepKind

_PAGE = 10
_FRAME = 9
"""Columns beside the name and the values of a variable: ``  x = 1 -> 2``."""
_MOST_ASKED = 5
_SHARE = 3
"""The source gets 1/_SHARE of the screen, half of it on either side of the line."""
_MOVES = {
    "next": 1, "right": 1, "down": 1, "enter": 1, "page": 1, "redraw": 0,
    "previous": -1, "left": -1, "up": -1, "page-down": _PAGE, "page-up": -_PAGE,
}  # fmt: skip


class StepsView:
    """A place among the steps of a call."""

    prompt = "arrows (or , and .) step, ? for help"
    keys = keys_at(key_map.STEPS)

    def __init__(self, recording: Recording, call: int) -> None:
        self._recording = recording
        self._call = call
        self._steps = recording.execution.steps(call)
        self._entry = recording.call(call).entry
        self._at = 0
        self._asked: list[str] = []
        """Expressions that are shown at every step."""

    @property
    def call(self) -> int:
        """The call whose steps these are."""
        return self._call

    @property
    def time(self) -> int | None:
        """The time of the current step."""
        return self._steps[self._at].time if self._steps else None

    def move(self, command: Command) -> bool:
        """Go to another step."""
        if command.name in _MOVES:
            self._go(self._at + _MOVES[command.name])
        elif command.name in ("home", "end"):
            self._go(0 if command.name == "home" else len(self._steps))
        elif command.name == "go" and command.argument.isdecimal():
            self._go(int(command.argument) - 1)
        elif command.name in ("line", "previous-line") and command.argument.isdecimal():
            self._to_line(int(command.argument), command.name == "previous-line")
        elif command.name in _SEARCHES and command.argument and self._steps:
            search, is_back = _SEARCHES[command.name]
            search(self, command.argument, is_back)
        elif command.name == "evaluate" and command.argument and self._steps:
            self._ask(command.argument)
        else:
            return False
        return True

    def _ask(self, expression: str) -> None:
        """Show an expression at every step, or no longer."""
        self._recording.asking.eval(expression, self._call, self._entry)  # or say what is wrong
        if expression in self._asked:
            self._asked.remove(expression)
        else:
            self._asked = [*self._asked, expression][-_MOST_ASKED:]

    def _to_change(self, place: str, is_back: bool) -> None:
        """Go to the step that changes a place next, or that changed it before."""
        time = self._steps.state_time(self._at, self._entry)
        places = self._recording.places
        look = places.previous_write if is_back else places.next_write
        found = look(self._call, place, time)
        last = self._recording.call(self._call).last
        if found is None or not self._entry <= found <= last:
            when = "earlier" if is_back else "later"
            raise UsageError(f"{place} does not change {when} in this call; h shows its history")
        # A change inside a call that this one made belongs to the step that made it.
        times = self._steps.columns.time
        at = int(np.searchsorted(times, found, "right")) - 1
        self._go(at)

    def _to_condition(self, condition: str, is_back: bool) -> None:
        """Go to where a condition becomes true next, or became true before."""
        states = self._steps.state_times(self._entry)
        truths = self._recording.asking.truths(condition, self._call, states)
        held = np.array([truth is True for truth in truths])
        became = np.flatnonzero(held & ~np.append(False, held[:-1]))
        at = int(np.searchsorted(became, self._at, "left" if is_back else "right")) - is_back
        if not 0 <= at < len(became):
            when = "earlier" if is_back else "later"
            raise UsageError(f"{condition} does not become true {when} in this call")
        self._go(int(became[at]))

    def _go(self, to: int) -> None:
        self._at = min(max(to, 0), max(len(self._steps) - 1, 0))

    def _to_line(self, line: int, is_back: bool) -> None:
        """Go to the next or previous time a line ran; after the last time, start from the other end."""
        look = self._steps.previous_line if is_back else self._steps.next_line
        found = look(self._at, line)
        self._at = self._at if found is None else found

    def lines(self, size: Size) -> list[Line]:
        """Return the line, the step and the variables."""
        call = self._recording.call(self._call)
        name = title(self._recording, call, width=size.width - 20)
        where = f"  step {self._at + 1} of {len(self._steps)}"
        head: list[Line] = [((name, "heading"), (where, "quiet")), EMPTY]
        if not self._steps:
            return [*head, ("nothing was recorded inside this call",)]
        step = self._steps[self._at]
        around = max(size.height // _SHARE // 2, 1)
        seen = self._steps.first(self._at + 1)
        line = seen.known_line()
        source = excerpt(self._recording, self._call, marked=line, around=around, steps=seen)
        shown_step = ("  ", *self._step(step, size.width - 4))
        shown = [
            *head,
            *source_lines(source, size.width),
            EMPTY,
            cut(shown_step, size.width),
            *self._answers(size),
            EMPTY,
        ]
        return [*shown, *self._variables(step, size, size.height - len(shown) - 2)]

    def _answers(self, size: Size) -> list[Line]:
        """Return the expressions that were asked for, as they are at this step."""
        time = self._steps.state_time(self._at, self._entry)
        lines: list[Line] = []
        for text in self._asked:
            answer = self._recording.asking.eval(text, self._call, time)
            value = answer_text(
                self._recording, answer, time, max(size.width - columns(text) - 6, 8)
            )
            shown: Line = ("  ", (safe(text), "key"), ": ", (value, style_of(answer)))
            lines.append(cut(shown, size.width))
        return lines

    def _step(self, step: CallStep, width: int) -> Line:
        if step.kind is StepKind.LINE:
            return ((f"line {step.line} is about to run", "quiet"),)
        if step.kind is StepKind.GIVEN:
            return ("given ", "quiet"), *step_line(self._recording, step, width)
        return step_line(self._recording, step, width)

    def _variables(self, step: CallStep, size: Size, room: int) -> list[Line]:
        """Return the variables as they are, those that have just changed with what they were."""
        time = self._steps.state_time(self._at, self._entry)
        before = self._steps.state_time(self._at - 1, self._entry) if self._at else None
        values = self._shown(time, size)
        old = self._shown(before, size) if before is not None else {}
        changed = [name for name in values if name in old and old[name] != values[name]]
        for name in changed:
            old[name], values[name] = self._pair(name, before or 0, time, size)
        new = [name for name in values if name not in old]
        lines: list[Line] = []
        for name in dict.fromkeys([*changed, *new, *values]):
            was: Line = ()
            if name in changed:
                was = ((old[name], "old"), " -> ")
            style = "new" if name in changed or (name in new and self._at) else ""
            lines.append(
                cut(("  ", (safe(name), "name"), " = ", *was, (values[name], style)), size.width)
            )
        if len(lines) > max(room, 3):
            more = len(lines) - max(room, 3) + 1
            lines = [*lines[: max(room, 3) - 1], ((f"  … {more} more", "quiet"),)]
        return lines

    def _pair(self, name: str, before: int, time: int, size: Size) -> tuple[str, str]:
        """Return what a variable was and what it is, on one line, with what differs."""
        pairs = Pairs(
            self._recording, Viewer(self._recording, before), Viewer(self._recording, time)
        )
        old, new = (
            self._recording.states.locals(self._call, when)[name] for when in (before, time)
        )
        return pairs.texts(old, new, max(size.width - columns(name) - _FRAME, 16))

    def _shown(self, time: int, size: Size) -> dict[str, str]:
        viewer = Viewer(self._recording, time)
        found = self._recording.states.locals(self._call, time)
        return {
            name: value_line(viewer, value, max(size.width - columns(name) - _FRAME, 8))
            for name, value in found.items()
        }


_SEARCHES = {
    "next-change": (StepsView._to_change, False),
    "previous-change": (StepsView._to_change, True),
    "condition": (StepsView._to_condition, False),
    "previous-condition": (StepsView._to_condition, True),
}
"""What goes to another step, and whether backwards."""
