"""Build trees from traces: the only module of this layer that knows what a trace is.

The *subject* of a call is its first argument, if that is an object: the receiver of a method, the container that a
function works on. Two neighbouring siblings are in one chain if the second one has the subject of the first, or what
the first returned, and nothing but local variables was written between the exit of the first and the entry of the
second. Then the second finds the state as the first left it, and whatever is wrong after both is the fault of one of
them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from wrongcall.events import Kind, SiteKind
from wrongcall.tree import _kernels
from wrongcall.tree.balance import Keys
from wrongcall.tree.pretrusted import ProgramTables, calls_of, pretrusted_calls
from wrongcall.tree.reading import Reading
from wrongcall.tree.tree import NOBODY, Flags, Tree

Ints = npt.NDArray[np.int64]

PART_EVENTS = 65_536
"""How many events to read at once."""
MOST_PARAMETERS = 8
MOST_SPAN = 1 << 16
PART_CALLS = 65_536
"""How many calls to look at at once: what is computed on the way stays in the processor's cache."""
BRIEF_PARAMETERS = 2
BRIEF_SPAN = 4
"""A call with at most this many parameters, and at most two to this power events, counts as brief."""
_LOG2 = np.log2(np.arange(MOST_SPAN + 1).clip(1)).astype(np.uint8)
"""Of every span, the whole number below its logarithm."""
LINES_ALONE = 4
"""What every question has: a heading, the call, its outcome, and its caller."""


def _meanings() -> bytes:
    """Return what each kind of event says about chains; ``native/chains.c`` has the same numbers."""
    begins, ends, binds, writes = 1, 2, 4, 8
    table = bytearray(256)
    table[Kind.ATTR : Kind.FILL + 1] = [writes] * (Kind.FILL + 1 - Kind.ATTR)
    table[Kind.LOCAL] = binds
    table[Kind.ENTER] = table[Kind.CREATE] = begins
    table[Kind.RETURN] = table[Kind.RAISE] = table[Kind.DROP] = ends
    return bytes(table)


_MEANINGS = _meanings()


class CallColumns(Protocol):
    """The calls of a trace by rising id; a parent of 0 or an exit of -1 means none."""

    @property
    def id(self) -> Ints: ...
    @property
    def parent(self) -> Ints: ...
    @property
    def function(self) -> npt.NDArray[np.int32]: ...
    @property
    def entry(self) -> Ints: ...
    @property
    def exit(self) -> Ints: ...
    @property
    def outcome(self) -> npt.NDArray[np.uint8]: ...


class CallSource(Protocol):
    """The source of the calls."""

    def columns(self) -> CallColumns:
        """Return all calls as columns."""


class EventSource(Protocol):
    """The source of the events."""

    @property
    def count(self) -> int:
        """How many events there are."""

    def records(
        self, wanted: Flags | None = None, first: int = 0
    ) -> Iterator[tuple[int, npt.NDArray[np.void]]]:
        """Iterate over the events from a time on in parts of `PART_EVENTS`: the time of the first, and the events.

        ``wanted``: a flag for each part that should be read. ``first``: where a part begins.
        """


class SiteKinds(Protocol):
    """What is known about sites, as arrays."""

    @property
    def kind(self) -> npt.NDArray[Any]:
        """Their kinds."""


class SiteTables(ProgramTables, Protocol):
    """The source of the program, as the trace describes it."""

    @property
    def columns(self) -> SiteKinds:
        """The places in the source at which events happen."""


class RecordedCalls(Protocol):
    """The part of a recording that trees are made from."""

    @property
    def calls(self) -> CallSource:
        """The calls."""

    @property
    def events(self) -> EventSource:
        """The events."""

    @property
    def program(self) -> SiteTables:
        """The functions, files and sites."""

    def prepared(self) -> None:
        """Wait for the other thread that is shown the events, if there is one."""


@dataclass(frozen=True)
class Adoption:
    """Calls without a caller that count as made by another one: what a test needs is part of the test."""

    call: int
    made: tuple[int, ...]


def tree_of(
    recording: RecordedCalls,
    *,
    over: bool = False,
    ask_definitions: bool = False,
    trusted: Iterable[int] = (),
    adoption: Adoption | None = None,
) -> Tree:
    """Return the tree of a trace, as far as it has arrived.

    ``over``: the run has ended. ``ask_definitions``: module and class bodies are not trusted from the start.
    ``trusted``: functions that are.
    """
    calls = recording.calls.columns()
    rows, head = _rows(calls), NOBODY
    if adoption is not None:
        head, *made = np.searchsorted(calls.id, [adoption.call, *adoption.made]).tolist()
        rows[made] = head
        rows[head] = NOBODY  # the main module that ran the tests is no part of the test
    columns = (rows, calls.function, calls.exit >= 0, calls.id)
    tree = Tree.from_parents(*columns, over=over, head=head)
    chosen = pretrusted_calls(recording.program, calls, definitions=not ask_definitions)
    tree.pretrust(chosen | calls_of(trusted, calls.function))
    tree.reading = reading_of(recording, tree)
    return tree


def reading_of(recording: RecordedCalls, tree: Tree) -> Reading:
    """Estimate how long questions about the calls are, from what is known about all of them at once.

    That is the number of parameters of their functions, and the number of events until they ended: a call that does
    more changes more. Lines are whole numbers, and limited: the screen is not larger.
    """
    calls = recording.calls.columns()
    function = calls.function
    params = np.zeros(int(function.max(initial=0)) + 1, dtype=np.uint8)
    for number, known in recording.program.functions.items():
        if number < len(params):
            params[number] = min(len(known.params), MOST_PARAMETERS)
    given = params[function]
    done = np.empty(len(function), dtype=np.uint8)
    for first in range(0, len(function), PART_CALLS):
        part = slice(first, first + PART_CALLS)
        done[part] = _LOG2[np.clip(calls.exit[part] - calls.entry[part], 1, MOST_SPAN)]
    rows = slice(None) if tree.rows is None else tree.rows
    return Reading(
        alone=(LINES_ALONE + given + done // 2)[rows],
        member=(1 + given // 2 + done // 4)[rows],
        brief=((given <= BRIEF_PARAMETERS) & (done <= BRIEF_SPAN))[rows],
    )


def _rows(calls: CallColumns) -> npt.NDArray[np.int32]:
    """Return the rows of the parents."""
    ids = calls.id
    if len(ids) and ids[0] == 1 and ids[-1] == len(ids):
        # Numbered without gaps from 1: a parent of 0 becomes -1.
        rows = np.empty(len(ids), dtype=np.int32)
        np.subtract(calls.parent, 1, out=rows, casting="same_kind")
        return rows
    found = np.searchsorted(ids, calls.parent).astype(np.int32)
    found[calls.parent == 0] = -1
    return found


def chains_of(recording: RecordedCalls, tree: Tree, scan: ChainScan | None = None) -> Keys:
    """Return a chain key for each node of the trace's tree: -1, or the same for a whole chain.

    ``scan``: one that may have begun.
    """
    calls = recording.calls.columns()
    keys = np.full(len(tree), -1, dtype=np.int64)
    forest = (tree.parent, tree.end, tree.completed, tree.rows, calls.entry, calls.exit)
    wanted = _parts_to_scan(forest, recording.events.count)
    if wanted.any():
        scan = scan or ChainScan(recording)
        _kernels.link_chains(forest, scan.finished(wanted), keys)
    return keys


def _parts_to_scan(forest: tuple[Any, ...], count: int) -> Flags:
    """Return which parts of the trace matter for pairs of neighbouring siblings.

    Those are where each begins and gets its arguments, and what lies between the two. The inside of a long call does
    not matter. Arguments may be in the part after the one where a call begins.
    """
    last = count // PART_EVENTS
    changes = np.zeros(last + 3, dtype=np.int64)
    _kernels.parts_of_chains(forest, PART_EVENTS, changes)
    wanted: Flags = np.cumsum(changes)[: last + 1] > 0
    return wanted


class _Noted(NamedTuple):
    """What is known about calls, one array for each fact."""

    subject: Ints
    """0: none; -1: the call has got no argument yet."""
    returned: Ints
    """The object that the call returned or raised; -1: none."""
    written: Ints
    """The time of the last lasting write before it began, as far as the events were scanned."""


class ChainScan:
    """A scan of the events for what chains are made of.

    Whoever unpacks the events anyway shows them to it (`look`): in order, from the beginning, as far as they get. It
    reads the others itself.
    """

    def __init__(self, recording: RecordedCalls) -> None:
        self._recording = recording
        self._calls = recording.calls.columns()
        self._is_param = recording.program.columns.kind == SiteKind.PARAM
        self._begun: _Noted | None = None
        self._end = 0
        self._last = -1
        """The time of the last lasting write so far."""

    def look(self, first: int, events: npt.NDArray[np.void]) -> None:
        """Note what the events from a time on say: a whole part, or the last one."""
        known = (self._calls.id, self._calls.entry, self._calls.exit)
        meaning = (_MEANINGS, self._is_param)
        self._last = _kernels.note_chains(
            events, first, PART_EVENTS, *meaning, known, self._noted, self._last
        )
        self._end = first + len(events)

    @property
    def _noted(self) -> _Noted:
        """What was noted so far; memory is taken when there is something to note."""
        if self._begun is None:
            count = len(self._calls.id)
            self._begun = _Noted(*(np.full(count, -1, dtype=np.int64) for _ in _Noted._fields))
        return self._begun

    def finished(self, wanted: Flags) -> _Noted:
        """Return what all events of some parts say."""
        self._recording.prepared()
        parts = -(-self._end // PART_EVENTS)
        for first, events in self._recording.events.records(wanted, parts * PART_EVENTS):
            self.look(first, events)
        return self._noted
