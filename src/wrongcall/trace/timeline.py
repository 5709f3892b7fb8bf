"""The events of one call in order, as a person would tell them.

Blocks of lines, not lines, are recorded (see `execution`): a line of a block that has no event of
its own is told at the time of the next one, in the order of the source. A *branch* is told where
entering a block shows how a test came out.
"""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from wrongcall.events import Kind, Scope, SiteKind
from wrongcall.trace.call import Call
from wrongcall.trace.calls import CallTable
from wrongcall.trace.execution import BlockEntry, Execution
from wrongcall.trace.flow import Flow
from wrongcall.trace.heap import Heap
from wrongcall.trace.paths import Member, key_text, plain, step_text
from wrongcall.trace.program import Function, Site
from wrongcall.trace.replay import Attr, Entry, Item, Row, kind_of, rows_of
from wrongcall.trace.source import Sources
from wrongcall.trace.store import Store
from wrongcall.trace.values import UNSET, Value, Values


class StepKind(Enum):
    """What happened."""

    LINE = "line"
    BRANCH = "branch"
    GIVEN = "given"  # a parameter got its argument
    WRITE = "write"
    DELETE = "delete"
    CALL = "call"
    CAUGHT = "caught"
    YIELD = "yield"
    RESUME = "resume"
    PRINT = "print"
    RETURN = "return"
    RAISE = "raise"
    DROP = "dropped"


@dataclass(frozen=True)
class CallStep:
    """One thing that happened in a call."""

    time: int
    kind: StepKind
    line: int
    place: str = ""
    """What was written to, as the function calls it."""
    value: Value = UNSET
    child: int = 0
    """The call that was made."""
    taken: bool | None = None
    """How a branch came out."""


_OWN = {
    Kind.CAUGHT: StepKind.CAUGHT,
    Kind.YIELD: StepKind.YIELD,
    Kind.RESUME: StepKind.RESUME,
    Kind.PRINT: StepKind.PRINT,
    Kind.RETURN: StepKind.RETURN,
    Kind.RAISE: StepKind.RAISE,
    Kind.DROP: StepKind.DROP,
}
DELETIONS = frozenset(
    {Kind.LOCAL_DEL, Kind.ATTR_DEL, Kind.ENTRY_DEL, Kind.MEMBER_DEL, Kind.REMOVE, Kind.CLEAR}
)


class Timeline:
    """Tells what happened in calls."""

    def __init__(
        self,
        store: Store,
        values: Values,
        heap: Heap,
        calls: CallTable,
        execution: Execution,
        sources: Sources,
        flow: Flow,
    ) -> None:
        self._store = store
        self._values = values
        self._heap = heap
        self._calls = calls
        self._execution = execution
        self._sources = sources
        self._flow = flow

    def of(self, call: Call) -> list[CallStep]:
        """Return what happened in a call, in order; lines come before what they did."""
        happened = [step for step in self._happened(call) if step is not None]
        happened += list(self._made(call))
        happened.sort(key=lambda step: step.time)
        given = [step for step in happened if step.kind is StepKind.GIVEN]
        others = [step for step in happened if step.kind is not StepKind.GIVEN]
        return [*given, *self._told(call, others)]

    # -- what has events ---------------------------------------------------------------------------

    def _happened(self, call: Call) -> Iterator[CallStep | None]:
        sites = self._store.program.sites
        found = call.events()
        objects = found.events["obj"].tolist()
        for row, obj in zip(rows_of(found), objects, strict=True):
            site = sites.get(row.site)
            line = self._store.program.line(row.site)
            kind = kind_of(row)
            if kind in _OWN:
                if kind == Kind.RAISE or kind == Kind.CAUGHT:
                    line = row.key or line
                yield CallStep(row.time, _OWN[kind], line, value=self._value(row))
            elif Kind.LOCAL <= kind <= Kind.FILL and kind == row.kind:
                yield self._write(row, kind, site, obj)

    def _write(self, row: Row, kind: Kind, site: Site | None, obj: int) -> CallStep:
        how = StepKind.DELETE if kind in DELETIONS else StepKind.WRITE
        if site is not None and site.kind == SiteKind.PARAM:
            how = StepKind.GIVEN
        line = self._store.program.line(row.site)
        value = UNSET if how == StepKind.DELETE else self._value(row)
        return CallStep(row.time, how, line, self._place(row, kind, site, obj), value)

    def _value(self, row: Row) -> Value:
        return self._values.read(row.vtag, row.value)

    def _place(self, row: Row, kind: Kind, site: Site | None, obj: int) -> str:
        if kind in (Kind.LOCAL, Kind.LOCAL_DEL):
            return plain(site.name or "?") if site else "?"
        if site is not None and site.scope == Scope.GLOBAL and site.name:
            return plain(site.name)
        return self._base(site, obj, row.time) + self._step(row, kind)

    def _step(self, row: Row, kind: Kind) -> str:
        if kind in (Kind.CLEAR, Kind.FILL):
            return "[:]"
        if kind in (Kind.PATCH, Kind.SPLICE):
            return f"[{row.key}:]"
        key = self._values.read(row.ktag, row.key)
        if kind in (Kind.ATTR, Kind.ATTR_DEL):
            return step_text(Attr(str(key)))
        if kind in (Kind.ENTRY, Kind.ENTRY_DEL):
            return step_text(Entry(key))
        if kind in (Kind.MEMBER, Kind.MEMBER_DEL):
            return step_text(Member(key))
        if kind == Kind.REMOVE and row.value != 1:
            return f"[{row.key}:{row.key + row.value}]"
        return step_text(Item(row.key)) if isinstance(key, int) else f"[{key_text(key)}]"

    def _base(self, site: Site | None, obj: int, time: int) -> str:
        """Return how the source calls the object that is written to."""
        source = self._sources.of_site(site) if site else None
        for node in self._sources.at(site) if site else ():
            base = _written_base(node, source.modules) if source else None
            if source and base is not None:
                return source.text_of(base)
        return f"{plain(self._heap.object(obj, time).type.qualname)} #{obj}"

    def _made(self, call: Call) -> Iterator[CallStep]:
        for child in call.children:
            yield CallStep(child.entry, StepKind.CALL, child.caller_line, child=child.id)

    # -- lines and branches ------------------------------------------------------------------------

    def _told(self, call: Call, happened: list[CallStep]) -> Iterator[CallStep]:
        """Tell what happened block by block, each line before what happened on it."""
        function = call.function
        entries = self._execution.blocks(call.id)
        times = [step.time for step in happened]
        previous, done = -1, 0
        for i, entry in enumerate(entries):
            begin = bisect_right(times, entry.time - 1)
            yield from happened[done:begin]
            yield from self._branches(function, entries[i - 1 : i], previous, entry)
            previous = entry.block
            end = entries[i + 1].time if i + 1 < len(entries) else call.last + 1
            done = bisect_right(times, end - 1)
            known = entry.block < len(function.blocks)
            lines = function.blocks[entry.block] if known else ()
            ran = [number for number in lines if not entry.cut or number <= entry.cut]
            yield from told_block(ran, happened[begin:done], end - 1)
        yield from happened[done:]

    def _branches(
        self, function: Function, before: list[BlockEntry], previous: int, entry: BlockEntry
    ) -> Iterator[CallStep]:
        """Tell how the tests came out that led from one block to the next."""
        if before and before[0].cut:  # an exception led there
            test = self._flow.test(function, previous, entry.block)
            tests = [] if test is None else [test]
        else:
            tests = self._flow.tests(function, previous, entry.block)
        for line, taken in tests:
            yield CallStep(entry.time, StepKind.BRANCH, line, taken=taken)


def told_block(lines: list[int], inside: list[CallStep], last: int) -> Iterator[CallStep]:
    """Tell the lines of a block with their events; a line without any has the next one's time."""
    lines = list(dict.fromkeys(lines))
    done = 0
    for i, line in enumerate(lines):
        time = inside[done].time if done < len(inside) else last
        yield CallStep(time, StepKind.LINE, line)
        later = set(lines[i + 1 :])
        while done < len(inside) and inside[done].line not in later:
            yield inside[done]
            done += 1
    yield from inside[done:]


def _written_base(node: ast.AST, modules: frozenset[str]) -> ast.expr | None:
    """Return what stands for the object that a store or a call changes; None: it cannot be told."""
    if isinstance(node, ast.Subscript | ast.Attribute):
        return node.value
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    receiver = node.func.value
    if not isinstance(receiver, ast.Name) or receiver.id not in modules:
        return receiver
    # A function of a module, as in heapq.heappush(heap, x): by custom the first argument.
    first = node.args[0] if node.args else None
    return first if isinstance(first, ast.Name | ast.Attribute | ast.Subscript) else None
