"""Build trees from traces: the only module of this layer that knows what a trace is.

The *subject* of a call is its first argument, if that is an object: the receiver of a method, the container that a
function works on. Two neighbouring siblings are in one chain if the second one has the subject of the first, or what
the first returned, and nothing but local variables was written between the exit of the first and the entry of the
second. Then the second finds the state as the first left it, and whatever is wrong after both is the fault of one of
them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from wrongcall.events import Kind, SiteKind, Tag
from wrongcall.tree.balance import Keys
from wrongcall.tree.pretrusted import ProgramTables, pretrusted_calls
from wrongcall.tree.reading import Reading
from wrongcall.tree.tree import Flags, Tree

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
    def tag(self) -> npt.NDArray[np.uint8]: ...
    @property
    def value(self) -> Ints: ...
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

    def segments(self, wanted: Flags | None = None) -> Iterator[tuple[int, npt.NDArray[np.void]]]:
        """Iterate over all events in parts of `PART_EVENTS`: the time of the first, and the events.

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


def tree_of(trace: RecordedCalls, *, over: bool = False, ask_definitions: bool = False) -> Tree:
    """Return the tree of a trace, as far as it has arrived.

    ``over``: the run has ended. ``ask_definitions``: module and class bodies are not trusted from the start.
    """
    calls = trace.calls.columns()
    columns = (_rows(calls), calls.function, calls.exit >= 0, calls.id)
    tree = Tree.from_parents(*columns, over=over)
    tree.pretrust(pretrusted_calls(trace.program, calls, definitions=not ask_definitions))
    tree.reading = reading_of(trace, tree)
    return tree


def reading_of(trace: RecordedCalls, tree: Tree) -> Reading:
    """Estimate how long questions about the calls are, from what is known about all of them at once.

    That is the number of parameters of their functions, and the number of events until they ended: a call that does
    more changes more. Lines are whole numbers, and limited: the screen is not larger.
    """
    calls = trace.calls.columns()
    function = calls.function
    params = np.zeros(int(function.max(initial=0)) + 1, dtype=np.uint8)
    for number, known in trace.program.functions.items():
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


def chains_of(trace: RecordedCalls, tree: Tree) -> Keys:
    """Return a chain key for each node of the trace's tree: -1, or the same for a whole chain."""
    calls = trace.calls.columns()
    keys = np.full(len(tree), -1, dtype=np.int64)
    first, second = _neighbours(tree)
    chosen = slice(None) if tree.rows is None else tree.rows
    entry, exit = calls.entry[chosen], calls.exit[chosen]
    follows = tree.completed[first] & tree.completed[second] & (exit[first] < entry[second])
    first, second = first[follows], second[follows]
    if not len(first):
        return keys
    wanted = _parts_to_scan(entry[first], exit[first], entry[second], trace.events.count)
    subjects, writes = _scan(trace, len(calls.id), calls.id, wanted)
    subject = subjects[chosen]
    returned = np.where(calls.tag == Tag.OBJ, calls.value, -1)[chosen]
    continues = (subject[second] != 0) & (
        (subject[second] == subject[first]) | (subject[second] == returned[first])
    )
    first, second = first[continues], second[continues]
    between = np.searchsorted(writes, entry[second]) - np.searchsorted(writes, exit[first])
    first, second = first[between == 0], second[between == 0]
    # Pairs are by rising second node; a chain is named after its first call.
    keys[first] = first
    links = dict(zip(second.tolist(), first.tolist(), strict=True))
    for node, before in sorted(links.items()):
        keys[node] = keys[before]
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


def _scan(trace: RecordedCalls, count: int, ids: Ints, wanted: Flags) -> tuple[Ints, Ints]:
    """Return the subjects of calls (0: none), and the times of writes that outlive a call."""
    last = max(trace.program.sites, default=0)
    is_param = np.zeros(last + 1, dtype=np.bool_)
    is_param[
        [number for number, site in trace.program.sites.items() if site.kind == SiteKind.PARAM]
    ] = True
    subjects, seen = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.bool_)
    times = [np.empty(0, dtype=np.int64)]
    for start, events in trace.events.segments(wanted):
        kind = np.ascontiguousarray(events["kind"])
        times.append(np.flatnonzero((kind >= _FIRST_WRITE) & (kind <= _LAST_WRITE)) + start)
        params = np.flatnonzero((kind == Kind.LOCAL) & is_param[np.minimum(events["site"], last)])
        chosen = events[params]
        calls = chosen["call"].astype(np.int64) | (chosen["hi"].astype(np.int64) & 0x0F) << 32
        rows = np.searchsorted(ids, calls)
        known = rows < count
        # Backwards, so that of several parameters the first one stays.
        rows, chosen = rows[known][::-1], chosen[known][::-1]
        value = np.where(chosen["vtag"] == Tag.OBJ, chosen["value"], 0)
        new = ~seen[rows]
        subjects[rows[new]] = value[new]
        seen[rows] = True
    return subjects, np.concatenate(times)
