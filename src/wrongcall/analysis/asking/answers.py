"""Evaluate expressions at times of a recording.

An *answer* is what an expression was at a time: a value, an error that Python would have raised, or not known, with
the reason. Values of the program are descriptions (`Value`); containers that the expression made hold descriptions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from wrongcall.analysis.asking.executions import Executions
from wrongcall.analysis.asking.names import NamesAt
from wrongcall.analysis.asking.natures import Natures
from wrongcall.analysis.asking.snapshot import RecordedObject, Snapshot
from wrongcall.errors import NotKnownError
from wrongcall.languages.python.asked.class_methods import ClassMethods
from wrongcall.languages.python.asked.expression import ERRORS, Expression
from wrongcall.languages.python.asked.recorded import Recorded, Unread
from wrongcall.languages.python.sources import Sources
from wrongcall.replay.elements import Slot
from wrongcall.replay.heap import Heap
from wrongcall.replay.moving_heap import MovingHeap
from wrongcall.replay.variables import Variables
from wrongcall.trace.format.program_tables import Function
from wrongcall.trace.read.gc_pause import uncollected
from wrongcall.trace.read.store import Store
from wrongcall.trace.read.values import UNKNOWN, Ref, Values

_TOGETHER = 20_000
"""Executions whose variables are read together."""


class Answer(NamedTuple):
    """What an expression was at a time."""

    value: Any = None
    error: str = ""
    """What Python would have raised."""
    unknown: str = ""
    """Why it is not known."""

    @property
    def is_known(self) -> bool:
        """Whether there is a value."""
        return not self.error and not self.unknown


class Answered(NamedTuple):
    """One execution of a line, with what the expressions were."""

    call: int
    round: int
    time: int
    """When the line began."""
    state: int
    """The time whose state it found: values of the program are those of this time."""
    answers: tuple[Answer, ...]
    is_undecided: bool = False
    """The condition could not be evaluated here."""


class _AtExecution:
    """What names mean at the executions of a line, one after the other."""

    def __init__(self, snapshot: Snapshot, columns: dict[str, list[Slot | None]]) -> None:
        self._snapshot = snapshot
        self._columns = columns
        self.row = 0

    def lookup(self, name: str) -> object:
        """Return the value of a variable of the program."""
        slot = self._columns[name][self.row]
        if slot is None:
            raise KeyError(name)
        return self._snapshot.slot(slot)


class Answers:
    """Evaluates expressions."""

    def __init__(
        self, store: Store, values: Values, heap: Heap, variables: Variables, sources: Sources
    ) -> None:
        self._store = store
        self._values = values
        self._heap = heap
        self._variables = variables
        self._natures = Natures(ClassMethods(store.program, sources))

    def at(
        self,
        function: Function,
        found: Executions,
        expressions: Sequence[Expression],
        condition: Expression | None = None,
    ) -> Iterator[Answered]:
        """Iterate over executions of a line with what the expressions were, in ascending order of time.

        ``condition``: leave out executions at which it was false; where it is not known, the row is undecided.
        """
        snapshot = self.snapshot()
        asked = [*expressions, *([condition] if condition else [])]
        for scope, execution in self._scopes(function, found, asked, snapshot):
            call, time, state, round, _ = execution
            if condition is not None:
                holds = _truth(condition, scope)
                if holds is False:
                    continue
                if holds is None:
                    yield Answered(call, round, time, state, (), is_undecided=True)
                    continue
            answers = tuple(_answer(each, scope) for each in expressions)
            yield Answered(call, round, time, state, answers)

    def snapshot(self) -> Snapshot:
        """Return the program's objects, at a time that ascends from here on."""
        return Snapshot(
            self._store.program,
            self._values,
            MovingHeap(self._store, self._heap),
            self._natures,
            self._variables.module,
        )

    def truths(
        self, function: Function, found: Executions, condition: Expression
    ) -> Iterator[bool | None]:
        """Iterate over whether a condition holds at executions; None where that is not known, or it raises."""
        for scope, _ in self._scopes(function, found, [condition], self.snapshot()):
            yield _truth(condition, scope)

    def _scopes(
        self,
        function: Function,
        found: Executions,
        expressions: Sequence[Expression],
        snapshot: Snapshot,
    ) -> Iterator[tuple[_AtExecution, tuple[int, ...]]]:
        """Iterate over executions, with what names mean at each; many are prepared together."""
        names = sorted({name for each in expressions for name in each.names})
        look = NamesAt(self._store, self._heap, self._variables, function, found)
        for first in range(0, len(found.time), _TOGETHER):
            part = slice(first, first + _TOGETHER)
            with uncollected():
                scope = _AtExecution(snapshot, {name: look.slots(name, part) for name in names})
            rows = zip(*(column.tolist() for column in found.chosen(part)), strict=True)
            for scope.row, execution in enumerate(rows):
                snapshot.move(execution[2])
                yield scope, execution


def _truth(condition: Expression, scope: _AtExecution) -> bool | None:
    """Return whether a condition holds; None if that is not known, or if it raises."""
    try:
        return bool(condition.value(scope))
    except (NotKnownError, *ERRORS):
        return None


def _answer(expression: Expression, scope: _AtExecution) -> Answer:
    try:
        return Answer(described(expression.value(scope)))
    except NotKnownError as exc:
        return Answer(unknown=str(exc))
    except ERRORS as exc:
        text = str(exc).replace(RecordedObject.__name__, "object")  # what stands for it here
        return Answer(error=f"{type(exc).__name__}: {text}")


def described(value: object) -> Any:
    """Return a value of an expression as a description, with containers that it made around descriptions."""
    if type(value) in _ATOMS:
        return value
    if isinstance(value, Unread):
        return UNKNOWN if value.value is None else value.value
    if isinstance(value, Recorded):
        return Ref(value.oid)
    if isinstance(value, list | tuple | set | frozenset):
        return (
            type(value)(described(each) for each in value)
            if type(value) in _PLAIN
            else list(map(described, value))
        )
    if isinstance(value, dict):
        return {described(key): described(each) for key, each in value.items()}
    return value


_ATOMS = frozenset({int, float, str, bool, bytes, complex, type(None)})
_PLAIN = (list, tuple, set, frozenset)
