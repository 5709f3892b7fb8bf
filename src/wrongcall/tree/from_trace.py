"""Build trees from traces: the only module of this layer that knows what a trace is.

The *subject* of a call is its first argument, if that is an object: the receiver of a method, the container that a
function works on. Two neighbouring siblings are in one chain if the second one has the subject of the first, or what
the first returned, and nothing but local variables was written between the exit of the first and the entry of the
second. Then the second finds the state as the first left it, and whatever is wrong after both is the fault of one of
them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from wrongcall.events import Kind, SiteKind, Tag
from wrongcall.tree.balance import Keys
from wrongcall.tree.pretrusted import ProgramTables, calls_of, pretrusted_calls
from wrongcall.tree.reading import Reading
from wrongcall.tree.tree import NOBODY, Flags, Tree

Ints = npt.NDArray[np.int64]

PART_EVENTS = 65_536
"""How many events to read at once."""
MOST_PARAMETERS = 8
MOST_SPAN = 1 << 16
BRIEF_PARAMETERS = 2
BRIEF_SPAN = 4
"""A call with at most this many parameters, and at most two to this power events, counts as brief."""
LINES_ALONE = 4
"""What every question has: a heading, the call, its outcome, and its caller."""
_COLUMNS = ("kind", "site", "call", "hi", "vtag", "value")
_FIRST_WRITE, _LAST_WRITE = int(Kind.ATTR), int(Kind.FILL)


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

    def parts(
        self, names: Sequence[str], wanted: Flags | None = None
    ) -> Iterator[tuple[int, Mapping[str, npt.NDArray[Any]]]]:
        """Iterate over columns of all events in parts of `PART_EVENTS`: the time of the first, and the columns.

        ``wanted``: a flag for each part that should be read.
        """


class SiteTables(ProgramTables, Protocol):
    """The source of the program, as the trace describes it."""

    @property
    def sites(self) -> Mapping[int, Any]:
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
    span = np.clip(calls.exit - calls.entry, 1, MOST_SPAN).astype(np.float32)
    done = np.log2(span).astype(np.uint8)
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
        return (calls.parent - 1).astype(np.int32)
    found = np.searchsorted(ids, calls.parent).astype(np.int32)
    found[calls.parent == 0] = -1
    return found


def chains_of(recording: RecordedCalls, tree: Tree) -> Keys:
    """Return a chain key for each node of the trace's tree: -1, or the same for a whole chain."""
    calls = recording.calls.columns()
    keys = np.full(len(tree), -1, dtype=np.int64)
    first, second = _neighbours(tree)
    chosen = slice(None) if tree.rows is None else tree.rows
    entry, exit = calls.entry[chosen], calls.exit[chosen]
    follows = tree.completed[first] & tree.completed[second] & (exit[first] < entry[second])
    first, second = first[follows], second[follows]
    if not len(first):
        return keys
    wanted = _parts_to_scan(entry[first], exit[first], entry[second], recording.events.count)
    subjects, returned, writes = _scan(recording, calls, wanted)
    subject, returned = subjects[chosen], returned[chosen]
    continues = (subject[second] != 0) & (
        (subject[second] == subject[first]) | (subject[second] == returned[first])
    )
    first, second = first[continues], second[continues]
    between = np.searchsorted(writes, entry[second]) - np.searchsorted(writes, exit[first])
    first, second = first[between == 0], second[between == 0]
    return _named_chains(keys, first, second)


def _named_chains(keys: Keys, first: npt.NDArray[Any], second: npt.NDArray[Any]) -> Keys:
    """Name each chain after its first node, given the pairs that are linked."""
    before = np.arange(len(keys), dtype=np.int32)
    before[second] = first
    # Each round jumps twice as far back.
    while not np.array_equal(further := before[before], before):
        before = further
    keys[first], keys[second] = before[first], before[second]
    return keys


def _parts_to_scan(first: Ints, exit: Ints, second: Ints, count: int) -> Flags:
    """Return which parts of the trace matter for pairs of calls.

    Those are where each begins and gets its arguments, and what lies between the two. The inside of a long call does
    not matter.
    """
    last = count // PART_EVENTS
    ends = [(first, first), (exit, second), (second, second)]
    changes = np.zeros(last + 3, dtype=np.int64)
    for begin, end in ends:
        np.add.at(changes, begin // PART_EVENTS, 1)
        # The arguments may be in the next part.
        np.add.at(changes, np.minimum(end // PART_EVENTS + 2, last + 2), -1)
    wanted: Flags = np.cumsum(changes)[: last + 1] > 0
    return wanted


def _neighbours(tree: Tree) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Return all pairs of neighbouring siblings."""
    nodes = np.arange(len(tree), dtype=np.int32)
    inside = nodes[tree.end < len(tree)]
    following = tree.end[inside]
    siblings = tree.parent[following] == tree.parent[inside]
    return inside[siblings], following[siblings]


def _scan(recording: RecordedCalls, calls: CallColumns, wanted: Flags) -> tuple[Ints, Ints, Ints]:
    """Return the subjects of calls (0: none), the objects they returned (-1: none), and the times of lasting writes."""
    search = _Scan(recording.program.sites, calls)
    times = [np.empty(0, dtype=np.int64)]
    for start, columns in recording.events.parts(_COLUMNS, wanted):
        kind = columns["kind"]
        times.append(np.flatnonzero((kind >= _FIRST_WRITE) & (kind <= _LAST_WRITE)) + start)
        search.note_parameters(columns)
        search.note_returned(start, columns)
    return search.subjects, search.returned, np.concatenate(times)


class _Scan:
    """What is known about the calls so far."""

    def __init__(self, sites: Mapping[int, Any], calls: CallColumns) -> None:
        self._ids = calls.id
        self._last = max(sites, default=0)
        self._is_param = np.zeros(self._last + 1, dtype=np.bool_)
        params = [number for number, site in sites.items() if site.kind == SiteKind.PARAM]
        self._is_param[params] = True
        self._by_exit = np.argsort(calls.exit, kind="stable")
        self._exits = calls.exit[self._by_exit]
        self.subjects = np.zeros(len(self._ids), dtype=np.int64)
        self.returned = np.full(len(self._ids), -1, dtype=np.int64)
        self._seen = np.zeros(len(self._ids), dtype=np.bool_)

    def note_parameters(self, columns: Mapping[str, npt.NDArray[Any]]) -> None:
        """Note the first parameter of each call, if it is an object."""
        params = np.flatnonzero(columns["kind"] == Kind.LOCAL)
        params = params[self._is_param[np.minimum(columns["site"][params], self._last)]]
        calls = columns["call"][params].astype(np.int64)
        calls |= (columns["hi"][params].astype(np.int64) & 0x0F) << 32
        rows = np.searchsorted(self._ids, calls)
        known = rows < len(self._ids)
        # Backwards, so that of several parameters the first one stays.
        rows, params = rows[known][::-1], params[known][::-1]
        value = np.where(columns["vtag"][params] == Tag.OBJ, columns["value"][params], 0)
        new = ~self._seen[rows]
        self.subjects[rows[new]] = value[new]
        self._seen[rows] = True

    def note_returned(self, start: int, columns: Mapping[str, npt.NDArray[Any]]) -> None:
        """Note which objects the calls returned (or raised) that ended in a part."""
        ends = np.array([start, start + len(columns["kind"])])
        begin, end = np.searchsorted(self._exits, ends)
        rows, where = self._by_exit[begin:end], self._exits[begin:end] - start
        value = np.where(columns["vtag"][where] == Tag.OBJ, columns["value"][where], -1)
        self.returned[rows] = value
