"""Makes recorded calls once more, with the reference's code, and compares what happens.

What a call was given is rebuilt as live objects (`rebuild`), the reference's function is called, and what it does is
compared with what was recorded (`compare`): returned or raised, yielded, printed, and the state of everything that can
be reached from the input at the end. Where others run meanwhile, as during a generator's or coroutine's life, only what
the call itself changed is compared. If they change what a coroutine uses, it is repeated turn by turn: whenever it is
left, things have to be as they were when the recorded one was left, and then what others did to them is done.

The members of a group are called one after the other on the same objects, from the state at the entry of the first one
to that at the exit of the last one. What each of them produced counts, too, since the caller got it.

A call that cannot be repeated (it was given something of which not enough is known) can't be judged. What generators do
to shared state while somebody else asks them is not repeated.
"""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import io
import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import CellType, ModuleType
from typing import Any

from wrongcall.events import Layout
from wrongcall.oracles.reference.anchors import CODE, Anchors, restore
from wrongcall.oracles.reference.causes import Cause, Judgement, UnanswerableError
from wrongcall.oracles.reference.compare import Comparison, Difference, contents, shown
from wrongcall.oracles.reference.effects import Before, same_changes
from wrongcall.oracles.reference.program import MAIN, Program, function_of
from wrongcall.oracles.reference.rebuild import Rebuilt
from wrongcall.recording import Call, Clipped, Input, Missing, Outcome, Recording, Ref, Value
from wrongcall.session.answers import Verdict
from wrongcall.trace.format.event_records import call_ids

_ALONE = ("function", "lambda")
_LIMITS = (MemoryError, RecursionError)
_MAX_IGNORED = 200
"""Objects of modules that may be different from the beginning."""


Around = Callable[[Callable[[], Any]], Any]
"""Runs something of the reference, with whatever has to be done before and after."""


def _just(run: Callable[[], Any]) -> Any:
    return run()


def judge(
    recording: Recording,
    program: Program,
    calls: tuple[int, ...],
    anchors: Anchors | None = None,
    around: Around = _just,
) -> Judgement:
    """Return whether what calls did is what they would have done in the reference.

    The program's modules are used up by this: use a fresh one, or a forked process, for the next calls.
    """
    try:
        repetition = Repetition(recording, program, anchors, around)
        repetition.repeat([recording.call(number) for number in calls])
    except Difference as difference:
        return Judgement(Verdict.WRONG, str(difference))
    except UnanswerableError as why:
        return Judgement(Verdict.DONT_KNOW, str(why), why.cause)
    return Judgement(Verdict.RIGHT)


class Repetition:
    """Calls that are made once more, on one set of live objects."""

    def __init__(
        self,
        recording: Recording,
        program: Program,
        anchors: Anchors | None = None,
        around: Around = _just,
    ) -> None:
        self.recording = recording
        self._around = around
        self.program = program
        self._anchors = anchors
        self._failed: dict[tuple[int, str], str] = {}
        self.roots: list[tuple[str, Value, Any]] = []
        self.printed = {"stdout": "", "stderr": ""}
        self._is_begun = False

    def _prepare(self, call: Call) -> None:
        """Load the module of a call, and pair what it holds with what was recorded."""
        if call.function.kind != "module":
            self.program.module(self._module_of(call))
        if self._anchors is None:
            self._anchors = Anchors(self.recording, self.program)
        objects = {}
        if call.function.kind not in ("module", "class"):  # which make them anew
            self._anchors.add_modules()
            objects = self._anchors.objects()
        self.rebuilt = Rebuilt(self.recording, self.program, objects)
        self.comparison = Comparison(self.rebuilt)
        self.comparison.ignored = self._anchors.opaque() if objects else set()

    def _module_of(self, call: Call) -> str:
        return self.recording.program.files[call.function.file].module

    def repeat(self, calls: list[Call]) -> None:
        """Repeat calls; raises `Difference`, if there is one."""
        if any(call.exit < 0 for call in calls):
            raise UnanswerableError("it had not ended", Cause.KIND)
        self._prepare(calls[0])
        kind = calls[0].function.kind
        if kind == "module":
            self._repeat_program(calls[0])
        elif kind == "class":
            self._repeat_class_body(calls[0])
        else:
            self._failed = restore(self.anchors, calls[0].entered, self.rebuilt)
            for call in calls:
                self._repeat_call(call)
            if kind in _ALONE:
                self._same_state(calls[-1].exit)
        self._same_output(calls)

    @property
    def anchors(self) -> Anchors:
        """What the modules hold."""
        assert self._anchors is not None
        return self._anchors

    # -- modules and classes -----------------------------------------------------------------------

    def _repeat_program(self, call: Call) -> None:
        if self._module_of(call) != MAIN:
            raise UnanswerableError("bodies of modules are not repeated", Cause.KIND)
        module = ModuleType(MAIN)
        self.program.modules[MAIN] = module
        self._run(call, lambda: self.program.execute(MAIN, module))

    def _repeat_class_body(self, call: Call) -> None:
        """Execute a class body; what it binds are its names, but for functions."""
        bound: dict[str, Any] = {}
        code = self.program.code_of(self.recording, call.function)
        if code.co_freevars:
            raise UnanswerableError("bodies of classes in functions are not repeated", Cause.KIND)
        module = self.program.module(self._module_of(call))
        self._run(call, lambda: exec(code, module.__dict__, bound))
        for name, value in self.recording.states.locals(call.id, call.exit).items():
            if not name.startswith("__") and self._is_data(value, call.exit):
                self.comparison.same(value, bound.get(name, Missing.UNSET), call.exit, name)

    # -- calls -------------------------------------------------------------------------------------

    def _check_given(self, given: Input) -> None:
        """Refuse to go on if a global variable that was read could not be given its value."""
        if given.unparsed:
            raise UnanswerableError("what it read is not known")
        for read in given.globals:
            anchor = self.anchors.all.get(_oid(read.value))
            if anchor is not None and anchor.stateful:
                kind = type(anchor.live).__qualname__
                raise UnanswerableError(f"{read.name}: not all of a {kind} is known")
            for known in ((read.oid, read.name), (_oid(read.value), "")):
                if known in self._failed:
                    raise UnanswerableError(f"{read.name}: {self._failed[known]}")

    def _repeat_call(self, call: Call) -> None:
        if not call.args and call.function.params:
            return  # a generator that was never asked: it did nothing
        given = self.recording.questions.input(call.id)
        self._check_given(given)
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
        module = self.program.module(self._module_of(call))
        function = function_of(code, module, known)
        positional, named = _arguments(function, args)
        if not self._is_begun:
            self._check_rebuilt(given.time)
            self._is_begun = True
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
            raise UnanswerableError(f"{call.function.kind}s are not repeated", Cause.KIND)
        if effect is not None:
            same_changes(effect, before, self.comparison)
        self.roots += [
            (name, self.recording.states.local(call.id, name, call.exit), contents(cell))
            for name, cell in known.items()
        ]

    def _check_rebuilt(self, time: int) -> None:
        """Check that everything is as it was when the first call began.

        What modules hold may be different, as long as the arguments are not: it is not compared afterwards either.
        """
        for _ in range(_MAX_IGNORED):
            try:
                self._same_state(time)
            except Difference as difference:
                if difference.oid not in self.rebuilt.anchored:
                    text = f"the input can't be rebuilt exactly: {difference}"
                    raise UnanswerableError(text) from None
                self.comparison.ignored.add(difference.oid)
            else:
                return
        raise UnanswerableError("too much is different in the reference's modules")

    def _cell(self, call: Call, name: str, time: int) -> CellType | None:
        if name not in call.function.free:
            return None  # of the class, or new in the corrected program
        return self.rebuilt.cell(self.recording.states.variables.owner(call.id, name), name, time)

    def _run(self, call: Call, run: Any) -> None:
        """Let the live call happen and compare how it ends."""
        try:
            with self._captured():
                result = self._around(run)
        except (Difference, UnanswerableError):
            raise
        except _LIMITS as raised:
            raise UnanswerableError(f"{type(raised).__name__}", Cause.LIMIT) from None
        except BaseException as raised:  # noqa: BLE001 - whatever the program raises is compared
            if call.outcome != Outcome.RAISED:
                raise Difference(f"raises {shown(raised)}") from None
            self.comparison.same(call.value, raised, call.exit, "raised")
        else:
            if call.outcome != Outcome.RETURNED:
                raise Difference(f"returns {shown(result)} instead of raising")
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
        for anchor in self.anchors.namespaces():
            old, new = (
                self.recording.states.state(anchor.oid, time).attrs for time in (earlier, later)
            )
            for name, value in new.items():
                if value != old.get(name) and not isinstance(value, Missing):
                    setattr(anchor.live, name, self.rebuilt.value(value, later))
                    self.rebuilt.names.add((anchor.oid, name))

    def _run_generator(self, call: Call, live: Any, time: int) -> None:
        with self._captured():
            self._around(lambda: self.comparison.drive("it", call, live, time))

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
        self._same_globals(time)

    def _same_globals(self, time: int) -> None:
        """Compare what modules and classes hold, as far as either run may have changed it."""
        for anchor in self.anchors.changed():
            self.comparison.same(Ref(anchor.oid), anchor.live, time, _title(anchor.live))
        for anchor in self.anchors.unsettled(time):
            if (anchor.oid, "") not in self._failed:
                self.comparison.same(Ref(anchor.oid), anchor.live, time, _title(anchor.live))
        for anchor in self.anchors.namespaces():
            names = self.anchors.other_names(anchor, time, self.rebuilt.objects)
            for name, value in names.items():
                if (anchor.oid, name) in self._failed:
                    continue
                live = vars(anchor.live).get(name, Missing.UNSET)
                try:
                    self.comparison.same(value, live, time, name)
                except Difference as difference:
                    if self._is_begun or difference.oid in self.rebuilt.anchored:
                        raise
                    self._failed[anchor.oid, name] = str(difference)

    def _same_output(self, calls: list[Call]) -> None:
        printed = {"stdout": "", "stderr": ""}
        for call in calls:
            for part in self.recording.questions.printed(call.id):
                printed[part.stream] += _text(part.text)
        for stream, text in printed.items():
            if text != self.printed[stream]:
                raise Difference(f"prints {shown(self.printed[stream])}, not {shown(text)}")

    def _is_data(self, value: Value, time: int) -> bool:
        """Tell whether it is no function, class or descriptor, which a class body defines."""
        if not isinstance(value, Ref):
            return True
        state = self.recording.states.state(value.oid, time)
        is_instance = state.layout in (Layout.INSTANCE, Layout.OPAQUE)
        return state.layout not in CODE and (not is_instance or self.rebuilt.is_own(state.type))


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


def _oid(value: Value) -> int:
    return value.oid if isinstance(value, Ref) else 0


def _title(live: Any) -> str:
    return f"a {type(live).__qualname__} that a module holds"


def _text(text: Value) -> str:
    if isinstance(text, Clipped):
        raise UnanswerableError("only part of what was printed is known", Cause.OUTCOME)
    return text.decode() if isinstance(text, bytes) else str(text)
