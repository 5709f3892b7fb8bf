"""A truthful oracle: the corrected version of a recorded program says what is right.

A recorded call is repeated: what it was given is rebuilt as live objects (`rebuild`), the corrected
function is called, and what comes of it is compared with what was recorded (`compare`): returned
or raised, yielded, printed, and the state of everything that can be reached from the input at the end.
Where others run meanwhile, as during a generator's or coroutine's life, only what the call itself
changed is compared. If they change what a coroutine uses, it is repeated turn by turn: whenever it is left, things have
to be as they were when the recorded one was left, and then what others did to them is done.

The members of a group are called one after the other on the same objects, from the state at the entry of
the first one to that at the exit of the last one. What each of them produced counts, too, since the
caller got it.

A call that cannot be repeated (it was given something of which not enough is known) gets "don't
know". What generators do to shared state while somebody else asks them is not repeated.
"""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import io
import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import EnumType
from pathlib import Path
from types import CellType, ModuleType
from typing import Any

from tests.oracle.compare import Comparison, Difference, contents
from tests.oracle.corrected import Corrected, UnanswerableError, function_of, member_of
from tests.oracle.effects import Before, same_changes
from tests.oracle.rebuild import Rebuilt
from wrongcall.events import Layout
from wrongcall.recording import Call, Clipped, Missing, Outcome, Recording, Ref, Value
from wrongcall.session import Verdict
from wrongcall.trace.format.event_records import call_ids

_ALONE = ("function", "lambda")
_PROGRAM = (Layout.CLASS, Layout.FUNCTION, Layout.METHOD, Layout.MODULE)


@dataclass
class Reference:
    """Judges the calls of one trace."""

    recording: Recording
    program: Corrected
    name: str = "the corrected program"
    why: dict[tuple[int, ...], str] = field(default_factory=dict)
    """What was different, or why nothing is known."""

    @classmethod
    def of(cls, recording: Recording, path: Path) -> Reference:
        """Return the oracle that a corrected program is for a trace."""
        return cls(recording, Corrected(path))

    def verdict(self, calls: tuple[int, ...]) -> Verdict:
        """Return whether what calls did is what they would have done in the corrected program."""
        try:
            _Repetition(self.recording, self.program).repeat(
                [self.recording.call(n) for n in calls]
            )
        except Difference as difference:
            self.why[calls] = str(difference)
            return Verdict.WRONG
        except UnanswerableError as reason:
            self.why[calls] = str(reason)
            return Verdict.DONT_KNOW
        return Verdict.RIGHT


class _Repetition:
    """Calls that are made once more, on one set of live objects."""

    def __init__(self, recording: Recording, program: Corrected) -> None:
        self.recording = recording
        self.program = program
        self.module = program.fresh()
        self.rebuilt = Rebuilt(recording, program, self.module)
        self.comparison = Comparison(self.rebuilt)
        self.roots: list[tuple[str, Value, Any]] = []
        self.globals: list[tuple[str, str]] = []
        self.printed = {"stdout": "", "stderr": ""}

    def repeat(self, calls: list[Call]) -> None:
        """Repeat calls; raises `Difference`, if there is one."""
        kind = calls[0].function.kind
        if kind == "module":
            self._repeat_program(calls[0])
        elif kind == "class":
            self._repeat_class_body(calls[0])
        else:
            self._restore_globals(calls[0].entered)
            for call in calls:
                self._repeat_call(call)
            if kind in _ALONE:
                self._same_state(calls[-1].exit)
        self._same_output(calls)

    # -- modules and classes -----------------------------------------------------------------------

    def _repeat_program(self, call: Call) -> None:
        self.module = ModuleType("__main__")
        self.rebuilt.module = self.module
        self._run(call, lambda: exec(self.program.code, self.module.__dict__))

    def _repeat_class_body(self, call: Call) -> None:
        """Execute a class body; what it binds are its names, but for functions."""
        bound: dict[str, Any] = {}
        code = self.program.code_of(self.recording, call.function)
        self._run(call, lambda: exec(code, self.module.__dict__, bound))
        for name, value in self.recording.states.locals(call.id, call.exit).items():
            if not name.startswith("__") and self._is_data(value, call.exit):
                self.comparison.same(value, bound.get(name, Missing.UNSET), call.exit, name)

    # -- calls -------------------------------------------------------------------------------------

    def _restore_globals(self, time: int) -> None:
        """Give the module and its classes the data they had; what cannot be rebuilt stays fresh."""
        for file in self.recording.program.files.values():
            for name, value in self.recording.states.globals(file.module, time).items():
                if name.startswith("__") or not hasattr(self.module, name):
                    continue
                if isinstance(value, Ref) and self._layout(value, time) == Layout.CLASS:
                    self._restore_class(member_of(self.module, name), value, time)
                elif not self._is_program(value, time):
                    with contextlib.suppress(UnanswerableError):
                        setattr(self.module, name, self.rebuilt.value(value, time))
                        self.globals.append((file.module, name))

    def _restore_class(self, kind: Any, value: Ref, time: int) -> None:
        if isinstance(kind, EnumType):
            return  # cannot change
        for name, held in self.rebuilt.state(value.oid, time).attrs.items():
            known = name in vars(kind) and not name.startswith("__")
            if known and not self._is_program(held, time):
                with contextlib.suppress(UnanswerableError):
                    setattr(kind, name, self.rebuilt.value(held, time))

    def _repeat_call(self, call: Call) -> None:
        if not call.args and call.function.params:
            return  # a generator that was never asked: it did nothing
        given = self.recording.questions.input(call.id)
        args = {p.name: self.rebuilt.value(p.value, given.time) for p in given.args}
        code = self.program.code_of(self.recording, call.function)
        if code.co_flags & inspect.CO_VARKEYWORDS:
            # Python makes a new dict of what is passed as **rest.
            rest = given.args[-1].value
            assert isinstance(rest, Ref)
            self.rebuilt.forget(rest.oid)
            given = replace(given, args=given.args[:-1])
        self.roots += [(p.name, p.value, args[p.name]) for p in given.args]
        cells = {name: self._cell(call, name, given.time) for name in code.co_freevars}
        known = {name: cell for name, cell in cells.items() if cell is not None}
        function = function_of(code, self.module, known)
        positional, named = _arguments(function, args)
        before = Before(self.rebuilt)
        effect = (
            self.recording.questions.effect(call.id, given)
            if call.function.kind not in _ALONE
            else None
        )
        if call.function.kind == "coroutine" and effect is not None and effect.meanwhile:
            self._run(call, lambda: self._in_turns(call, function(*positional, **named)))
            self._same_state(call.exit)
            effect = None
        elif call.function.kind == "coroutine":
            self._run(call, lambda: asyncio.run(function(*positional, **named)))
        elif call.function.kind == "generator":
            self._run_generator(call, function(*positional, **named), given.time)
        elif call.function.kind in _ALONE:
            self._run(call, lambda: function(*positional, **named))
        else:
            raise UnanswerableError(f"{call.function.kind}s are not repeated")
        if effect is not None:
            same_changes(effect, before, self.comparison)
        self.roots += [
            (name, self.recording.states.local(call.id, name, call.exit), contents(cell))
            for name, cell in known.items()
        ]

    def _cell(self, call: Call, name: str, time: int) -> CellType | None:
        if name not in call.function.free:
            return None  # of the class, or new in the corrected program
        return self.rebuilt.cell(self.recording.states.variables.owner(call.id, name), name, time)

    def _run(self, call: Call, run: Any) -> None:
        """Let the live call happen and compare how it ends."""
        try:
            with self._captured():
                result = run()
        except (Difference, UnanswerableError):
            raise
        except Exception as raised:  # noqa: BLE001 - whatever the program raises is compared
            if call.outcome != Outcome.RAISED:
                raise Difference(f"raises {raised!r}") from None
            self.comparison.same(call.value, raised, call.exit, "raised")
        else:
            if call.outcome != Outcome.RETURNED:
                raise Difference(f"returns {result!r:.80} instead of raising")
            self.comparison.same(call.value, result, call.exit, "result")

    def _in_turns(self, call: Call, live: Any) -> Any:
        """Let a coroutine run till its end; whenever it is left, others do what they did then."""
        gaps = left_alone(self.recording, call)
        while True:
            try:
                live.send(None)
            except StopIteration as end:
                return end.value
            for left, resumed in itertools.islice(gaps, 1):
                self._same_state(left)
                self.rebuilt.bring_up(left, resumed)
                self._bring_up_globals(left, resumed)

    def _bring_up_globals(self, earlier: int, later: int) -> None:
        for module, name in self.globals:
            old, new = (
                self.recording.states.globals(module, time).get(name) for time in (earlier, later)
            )
            if old != new and new is not None:
                setattr(self.module, name, self.rebuilt.value(new, later))

    def _run_generator(self, call: Call, live: Any, time: int) -> None:
        with self._captured():
            self.comparison.drive("it", call, live, time)

    @contextlib.contextmanager
    def _captured(self) -> Any:
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                yield
            finally:
                self.printed["stdout"] += out.getvalue()
                self.printed["stderr"] += err.getvalue()

    # -- what came of it ---------------------------------------------------------------------------

    def _same_state(self, time: int) -> None:
        for name, value, live in self.roots:
            self.comparison.same(value, live, time, name)
        for module, name in self.globals:
            value = self.recording.states.globals(module, time).get(name, Missing.UNSET)
            live = getattr(self.module, name, Missing.UNSET)
            self.comparison.same(value, live, time, name)

    def _same_output(self, calls: list[Call]) -> None:
        printed = {"stdout": "", "stderr": ""}
        for call in calls:
            for part in self.recording.questions.printed(call.id):
                printed[part.stream] += _text(part.text)
        for stream, text in printed.items():
            if text != self.printed[stream]:
                raise Difference(f"prints {self.printed[stream]!r}, recorded {text!r}")

    def _layout(self, value: Ref, time: int) -> Layout:
        return self.recording.states.heap.contents(value.oid, time).layout

    def _is_data(self, value: Value, time: int) -> bool:
        """Tell whether it is no function, class or descriptor, which a class body defines."""
        if not isinstance(value, Ref):
            return True
        state = self.recording.states.state(value.oid, time)
        is_instance = state.layout in (Layout.INSTANCE, Layout.OPAQUE)
        return state.layout not in _PROGRAM and (not is_instance or self.rebuilt.is_own(state.type))

    def _is_program(self, value: Value, time: int) -> bool:
        return isinstance(value, Ref) and self._layout(value, time) in _PROGRAM


def left_alone(recording: Recording, call: Call) -> Iterator[tuple[int, int]]:
    """Go through the times at which others began to run in the life of a call, and ended."""
    mine, others = call.entered, False
    for time in range(call.entered + 1, call.last + 1):
        (number,) = call_ids(recording.events.between(time, time + 1)).tolist()
        if number and not _is_below(recording, number, call.id):
            others = True
        elif number:
            if others:
                yield mine, time - 1
            mine, others = time, False


def _is_below(recording: Recording, number: int, call: int) -> bool:
    while number > call:
        parent = recording.call(number).parent
        number = parent.id if parent else 0
    return number == call


def _arguments(function: Any, args: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    """Return arguments as they are to be passed, given what the parameters are to be."""
    positional: list[Any] = []
    named: dict[str, Any] = {}
    for name, parameter in inspect.signature(function).parameters.items():
        if name not in args:
            raise UnanswerableError(f"what the parameter {name} was is not known")
        if parameter.kind is parameter.VAR_POSITIONAL:
            positional += args[name]
        elif parameter.kind is parameter.VAR_KEYWORD:
            named |= args[name]
        elif parameter.kind is parameter.KEYWORD_ONLY:
            named[name] = args[name]
        else:
            positional.append(args[name])
    return positional, named


def _text(text: Value) -> str:
    if isinstance(text, Clipped):
        raise UnanswerableError("only part of what was printed is known")
    return text.decode() if isinstance(text, bytes) else str(text)
