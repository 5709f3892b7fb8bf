"""A user who knows the corrected program, and answers what is right inside a call.

The corrected function is run on what the recorded call was given, with hooks in its source that take down the state at
every boundary (`execution_witness`). Each execution of the recorded call has its *twin*: the one of the same statement
in the same rounds, lines counted as in the recorded program. A boundary is right if it and everything before it has a
twin, with the same variables and all they hold after it, and the same outcome of a condition. Where calls cannot be
repeated, a recorded run of the corrected program has the twins.
"""

from __future__ import annotations

import contextlib
import difflib
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from tests.analysis.inside.execution_witness import HOOK, Log, Logs, instrumented
from tests.examples.twin import Twin as CallTwins
from tests.oracles.reference.here import Here
from wrongcall.analysis.inside.inside import Inside
from wrongcall.events import Layout
from wrongcall.languages.python.outline import PartKind
from wrongcall.oracles.reference.compare import Difference
from wrongcall.oracles.reference.program import LIVE_MAIN, MAIN, Program
from wrongcall.oracles.reference.repetition import Repetition
from wrongcall.present.inside_questions import outcome_of
from wrongcall.recording import Outcome, Recording, Ref, Value
from wrongcall.session import Verdict
from wrongcall.session.inside import InsideSession

Path_ = tuple[tuple[str, int, int], ...]
"""Kind, line and round of an execution and of those around it."""
_HELD = (Layout.LIST, Layout.TUPLE, Layout.DEQUE)
_SETS = (Layout.SET, Layout.FROZENSET)


class Twin(NamedTuple):
    """What an execution of the corrected function left behind."""

    after: Any
    taken: bool | None


# -- pictures of states ----------------------------------------------------------------------------


def live_picture(variables: dict[str, Any]) -> Any:
    """Return variables and all they hold as plain data."""
    seen: dict[int, int] = {}
    return {name: _live(variables[name], seen) for name in sorted(variables)}


def _live(value: Any, seen: dict[int, int]) -> Any:
    if isinstance(value, bool | int | float | str | bytes | complex | None.__class__):
        return repr(value)
    kind = type(value)
    if kind is tuple:
        return ["tuple", [_live(each, seen) for each in value]]
    if isinstance(value, list | deque | dict | set | frozenset) or _has_attributes(value):
        if id(value) in seen:
            return ["again", seen[id(value)]]
        seen[id(value)] = len(seen)
    if isinstance(value, list | deque):
        return [kind.__qualname__, [_live(each, seen) for each in value]]
    if isinstance(value, dict):
        return [
            kind.__qualname__,
            [[_live(k, seen), _live(v, seen)] for k, v in value.items()],
        ]
    if isinstance(value, set | frozenset):
        return [kind.__qualname__, sorted(str(_live(each, seen)) for each in value)]
    if _has_attributes(value):
        return [kind.__qualname__, {n: _live(v, seen) for n, v in sorted(vars(value).items())}]
    return kind.__qualname__


def _has_attributes(value: Any) -> bool:
    return hasattr(value, "__dict__") and type(value).__module__ == LIVE_MAIN


class RecordedPicture:
    """The same of recorded variables at a time."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self._own = {file.module for file in recording.program.files.values()}

    def of(self, variables: dict[str, Value], time: int) -> Any:
        seen: dict[int, int] = {}
        return {name: self._value(variables[name], time, seen) for name in sorted(variables)}

    def _value(self, value: Value, time: int, seen: dict[int, int]) -> Any:
        if not isinstance(value, Ref):
            return repr(value)
        states = self._recording.states
        state = states.state(value.oid, states.heap.known_by(value.oid, time))
        name = state.type.qualname
        if state.layout == Layout.TUPLE and name == "tuple":
            return ["tuple", [self._value(each, time, seen) for each in state.items]]
        is_own = state.layout == Layout.INSTANCE and state.type.module in self._own
        if state.layout in (*_HELD, *_SETS, Layout.DICT) or is_own:
            if value.oid in seen:
                return ["again", seen[value.oid]]
            seen[value.oid] = len(seen)
        if state.layout in _HELD:
            return [name, [self._value(each, time, seen) for each in state.items]]
        if state.layout == Layout.DICT:
            entries = [
                [self._value(k, time, seen), self._value(v, time, seen)] for k, v in state.entries
            ]
            return [name, entries]
        if state.layout in _SETS:
            return [name, sorted(str(self._value(each, time, seen)) for each in state.members)]
        if is_own:
            attrs = {n: self._value(v, time, seen) for n, v in sorted(state.attrs.items())}
            return [name, attrs]
        return name


# -- the corrected run -----------------------------------------------------------------------------


class Hooked(Program):
    """The corrected program, which is one file, with hooks in one function."""

    def __init__(self, path: Path, function: str) -> None:
        super().__init__({MAIN: path})
        self.logs = Logs(live_picture)
        tree = instrumented(path.read_text(), lambda name: name == function)
        self._compiled[MAIN] = compile(tree, str(path), "exec")

    def execute(self, name: str, module: ModuleType) -> None:
        """Execute the body of a module in a namespace that has the hooks."""
        module.__dict__[HOOK] = self.logs
        super().execute(name, module)


def repeated(recording: Recording, call: int, fixed: Path) -> Log:
    """Return what the corrected function does with what a call was given."""
    view = recording.call(call)
    program = Hooked(fixed, view.function.qualname)
    program.module(MAIN)
    program.logs.all.clear()
    repetition = Repetition(recording, program)
    with contextlib.suppress(Difference):  # the call is wrong
        repetition.repeat([view])
    if not program.logs.all:
        raise AssertionError("the corrected function was not called")
    return program.logs.all[0]


def twins_of_log(log: Log) -> dict[Path_, Twin]:
    """Return the executions of a log by their paths."""
    found: dict[Path_, Twin] = {}
    stack: list[tuple[str, int, int]] = []
    for at, (depth, kind, line, number, _) in enumerate(log.executions):
        stack[depth:] = [(kind, line, number)]
        later = (e[-1] for e in log.executions[at + 1 :] if e[0] <= depth and e[-1] is not None)
        found[tuple(stack)] = Twin(next(later, log.end), at in log.true)
    return found


def twins_of_call(recording: Recording, call: int) -> dict[Path_, Twin]:
    """Return the executions inside a recorded call of the corrected program by their paths."""
    inside = recording.inside.of(call)
    assert inside is not None
    picture = RecordedPicture(recording)
    return {
        path: Twin(
            picture.of(recording.inside.variables(call, after), after),
            bool(outcome_of(recording, inside, node)),
        )
        for node, path in paths(inside, lambda line: line)
        for after in [int(inside.after[node])]
    }


def paths(inside: Inside, line_of: Callable[[int], int]) -> Iterator[tuple[int, Path_]]:
    """Iterate over the executions of statements inside a call, with their paths."""
    found: dict[int, Path_] = {-1: ()}
    for node in range(len(inside)):
        part = inside.part_of(node)
        if inside.is_call(node) or part.is_comprehension:
            continue
        key = (part.kind.value, line_of(part.line), inside.round(node)[0])
        found[node] = (*found[int(inside.parent[node])], key)
        yield node, found[node]


# -- the user --------------------------------------------------------------------------------------


class InsideUser:
    """Answers questions inside one call."""

    def __init__(
        self,
        recording: Recording,
        session: InsideSession,
        twins: dict[Path_, Twin],
        lines: dict[int, int],
    ) -> None:
        """``lines``: those of the corrected program, by those of the recorded one."""
        self._recording = recording
        self._session = session
        self._picture = RecordedPicture(recording)
        self._twins = twins
        self._paths = dict(paths(session.inside, lambda line: lines.get(line, -1)))
        self.first_wrong = self._first_wrong()

    def verdict(self, boundary: int) -> Verdict:
        """Return whether all is right up to a boundary."""
        return Verdict.WRONG if boundary <= self.first_wrong else Verdict.RIGHT

    def _first_wrong(self) -> int:
        for boundary in range(len(self._session.boundaries) - 1, 0, -1):
            if not self._is_right(self._session.node(boundary)):
                return boundary
        return 0

    def _is_right(self, node: int) -> bool:
        inside = self._session.inside
        if inside.part_of(node).is_comprehension:
            return True  # only the whole statement is compared
        twin = self._twins.get(self._paths[node])
        if twin is None:
            return False
        after = int(inside.after[node])
        mine = self._picture.of(self._recording.inside.variables(inside.call, after), after)
        if mine != twin.after:
            return False
        return self._has_outcome_of(twin, node) and not self._returns(node)

    def _has_outcome_of(self, twin: Twin, node: int) -> bool:
        inside = self._session.inside
        above = inside.part_of(max(int(inside.parent[node]), 0))
        if inside.kind(node) is not PartKind.CONDITION or above.kind is not PartKind.BRANCH:
            return True
        return bool(outcome_of(self._recording, inside, node)) == bool(twin.taken)

    def _returns(self, node: int) -> bool:
        """Return whether a statement ends the call: then its outcome is wrong, as all before was right."""
        inside = self._session.inside
        call = self._recording.call(inside.call)
        text = inside.part_of(node).text
        is_last = int(inside.after[node]) == call.last and call.outcome != Outcome.NONE
        return is_last and text.startswith(("return", "raise", "yield"))


def line_map(wrong: Path, right: Path) -> dict[int, int]:
    """Return the lines of the corrected program by those of the wrong one; changed lines correspond one to one."""
    old, new = (path.read_text().splitlines() for path in (wrong, right))
    found: dict[int, int] = {}
    for _, first, last, first_new, last_new in difflib.SequenceMatcher(
        a=old, b=new, autojunk=False
    ).get_opcodes():
        pairs = zip(range(first, last), range(first_new, last_new), strict=False)
        found |= {line + 1: other + 1 for line, other in pairs}
    return found


def user_of(
    recording: Recording, corrected: Here | CallTwins, fixed: Path, session: InsideSession
) -> InsideUser:
    """Return the user who answers inside a call of a program whose corrected version is known."""
    if isinstance(corrected, CallTwins):
        twins = twins_of_call(corrected.corrected, corrected.twin(session.call))
    else:
        twins = twins_of_log(repeated(recording, session.call, fixed))
    function = recording.call(session.call).function
    wrong = Path(recording.program.files[function.file].path)
    return InsideUser(recording, session, twins, line_map(wrong, fixed))
