"""Holds a trace against what `tests.recorder.heap_witness` wrote down in the same run.

Vocabulary: a *snapshot* is one call of the program's ``mark(label, obj)``; its time is the one at
which the call had its arguments. A *difference* is a line of text: where, and what each side has.

Program and trace agree if there is one assignment of object ids to the witness's nodes under
which everything is equal: so aliasing and cycles are compared too, not only contents.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import wrongcall.recording
from tests.recorder import heap_witness as witness
from tests.recorder.conftest import Recorded, run_python, run_recorded, write_program
from wrongcall.events import SEEN, Kind
from wrongcall.recording import Attr, Call, Entry, Item, ObjectState, Place, Recording, Ref, Value
from wrongcall.trace.format.event_records import OBJECT_KINDS

MARK = """
import heap_witness


def mark(label, obj):
    heap_witness.show(label)


def probe(label):
    heap_witness.show_locals(label)
"""
EXCLUDE = ["--exclude", "heap_witness", "--exclude", "foreign"]


@dataclass
class Snapshot:
    """What the witness wrote down."""

    label: str
    nodes: list[dict[str, Any]]
    root: list[Any] | None = None
    locals: dict[str, list[Any]] = field(default_factory=dict)


@dataclass
class Mapping:
    """Which object of the trace each node of the witness is."""

    oids: dict[int, int] = field(default_factory=dict)
    nodes: dict[int, int] = field(default_factory=dict)

    def copy(self) -> Mapping:
        return Mapping(dict(self.oids), dict(self.nodes))

    def take(self, other: Mapping) -> None:
        self.oids, self.nodes = other.oids, other.nodes


_WITH_PARTS = frozenset(
    [
        "builtins",
        "itertools",
        "collections",
        "_collections",
        "_io",
        "_thread",
        "_asyncio",
        "_queue",
        "_socket",
        "_csv",
        "_struct",
        "_hashlib",
        "_blake2",
        "_contextvars",
        "weakref",
        "threading",
        "queue",
        "asyncio.locks",
        "asyncio.queues",
        "subprocess",
        "socket",
        "concurrent.futures._base",
    ]
)
"""The modules of types whose parts the recorder reads from C."""
_PARTS = frozenset(
    [
        "alive",
        "beginning",
        "changed",
        "closed",
        "content",
        "coroutine",
        "count",
        "dropping",
        "element",
        "encoding",
        "end",
        "exception",
        "exhausted",
        "family",
        "fd",
        "first",
        "format",
        "fourth",
        "function",
        "left",
        "line_num",
        "locked",
        "mode",
        "name",
        "next",
        "of",
        "position",
        "result",
        "second",
        "selectors",
        "size",
        "state",
        "step",
        "stop",
        "taken",
        "then",
        "third",
        "thread",
        "to",
        "total",
        "type",
        "until",
    ]
)


class Comparison:
    """Compares one snapshot."""

    def __init__(self, recording: Recording, nodes: list[dict[str, Any]], time: int) -> None:
        self.recording = recording
        self.nodes = nodes
        self.time = time
        self.mapping = Mapping()

    def value(self, path: str, want: list[Any], have: Value) -> Iterator[str]:
        """The differences between a value of the witness and one of the trace."""
        if want[0] != "ref":
            found = witness.atom(have)
            if found != want:
                yield f"{path}: the program had {_short(want)}, the trace has {have!r}"
            return
        if not isinstance(have, Ref):
            kind = self.nodes[want[1]]["type"]
            yield f"{path}: the program had a {kind}, the trace has {have!r}"
            return
        oid, node = have.oid, want[1]
        if node in self.mapping.oids or oid in self.mapping.nodes:
            if self.mapping.oids.get(node) != oid:
                yield f"{path}: node {node} is not object {oid}: another one is"
            return
        self.mapping.oids[node] = oid
        self.mapping.nodes[oid] = node
        yield from self.contents(
            path, self.nodes[node], self.recording.states.state(oid, self.time)
        )

    def contents(self, path: str, want: dict[str, Any], have: ObjectState) -> Iterator[str]:
        if have.type.qualname != want["type"]:
            yield f"{path}: the program had a {want['type']}, the trace a {have.type.qualname}"
            return
        if not have.explored:
            yield f"{path}: a {want['type']} was not explored"
            return
        if want.get("items") is not None:
            yield from self.items(path, want, have)
        if "entries" in want:
            yield from self.entries(path, want["entries"], have)
        if "members" in want:
            yield from self.members(path, want["members"], list(have.members))
        if "attrs" in want:
            yield from self.attrs(path, want, have)
        for name, value in want.get("told", {}).items():
            known = have.attrs.get(name, wrongcall.recording.UNSET)
            yield from self.value(f"{path}.{name}", value, known)
        if "shape" in want:
            yield from self.value(f"{path}.dtype", want["dtype"], have.attrs["dtype"])
            yield from self.shape(path, want["shape"], have.attrs["shape"])

    def shape(self, path: str, want: list[Any], have: Value) -> Iterator[str]:
        assert isinstance(have, Ref)
        items = self.recording.states.state(have.oid, self.time).items
        found = [witness.atom(item) for item in items]
        if found != want:
            yield f"{path}.shape: the program had {want}, the trace {found}"

    def items(self, path: str, node: dict[str, Any], have: ObjectState) -> Iterator[str]:
        want = node["items"]
        length = node.get("length", len(want))
        if len(have.items) != len(want) or have.length != length:
            sizes = f"{len(have.items)} (length {have.length})"
            yield f"{path}: the program had {len(want)} items of {length}, the trace {sizes}"
            return
        for i, (one, other) in enumerate(zip(want, have.items, strict=True)):
            yield from self.value(f"{path}[{i}]", one, other)

    def entries(self, path: str, want: list[Any], have: ObjectState) -> Iterator[str]:
        if len(have.entries) != len(want):
            keys = [key for key, _ in have.entries]
            yield f"{path}: the program had {len(want)} entries, the trace {len(keys)}: {keys}"
            return
        for (key, value), (other_key, other) in zip(want, have.entries, strict=True):
            yield from self.value(f"key of {path}", key, other_key)
            yield from self.value(f"{path}[{_short(key)}]", value, other)

    def members(self, path: str, want: list[Any], have: list[Value]) -> Iterator[str]:
        """Members have no order: each must have one partner."""
        if len(want) != len(have):
            yield f"{path}: the program had {len(want)} members, the trace {len(have)}: {have}"
            return
        atoms = [member for member in want if member[0] != "ref"]
        others = [member for member in have if witness.atom(member) is None]
        found = [witness.atom(member) for member in have if witness.atom(member) is not None]
        if sorted(atoms) != sorted(map(list, found)):  # type: ignore[arg-type]
            yield f"{path}: the program had the members {atoms}, the trace {found}"
            return
        if not self.pair([m for m in want if m[0] == "ref"], others):
            yield f"{path}: the members that are objects do not match"

    def pair(self, want: list[list[Any]], have: list[Value]) -> bool:
        if not want:
            return not have
        for i, candidate in enumerate(have):
            before = self.mapping.copy()
            equal = not any(self.value("", want[0], candidate))
            if equal and self.pair(want[1:], have[:i] + have[i + 1 :]):
                return True
            self.mapping.take(before)
        return False

    def attrs(self, path: str, want: dict[str, Any], have: ObjectState) -> Iterator[str]:
        apart = {*want.get("told", ()), *want.get("others", ())}
        known = {k: v for k, v in have.attrs.items() if k not in apart and not _is_special(k)}
        names = set(want["attrs"])
        if have.type.module in _WITH_PARTS:  # what C keeps: see test_values_stateful
            known = {k: v for k, v in known.items() if k in names or k not in _PARTS}
        if set(known) != names:
            missing, extra = sorted(names - set(known)), sorted(set(known) - names)
            yield f"{path}: attributes missing in the trace: {missing}, only there: {extra}"
            return
        for name, value in want["attrs"].items():
            yield from self.value(f"{path}.{name}", value, known[name])


def _is_special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def _short(value: Any) -> str:
    text = repr(value[1] if isinstance(value, list) else value)
    return text if len(text) < 60 else text[:60] + "..."


@dataclass
class Witnessed:
    """A recorded run with its snapshots."""

    recorded: Recorded
    snapshots: dict[str, Snapshot]
    source: str
    _calls: dict[str, list[Call]] = field(default_factory=dict)
    _marks: dict[str, Call] = field(default_factory=dict)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.recording.close()

    @property
    def recording(self) -> Recording:
        return self.recorded.recording

    def mark(self, label: str) -> Call:
        """The call of ``mark`` or ``probe`` with this label."""
        if not self._marks:
            for call in self.calls("mark") + self.calls("probe"):
                self._marks[str(call.args[0].value)] = call
        return self._marks[label]

    def calls(self, qualname: str) -> list[Call]:
        """The calls of a function, in order."""
        if not self._calls:
            for number in self.recording.calls.columns().id:
                call = self.recording.call(int(number))
                self._calls.setdefault(call.function.qualname, []).append(call)
        return self._calls.get(qualname, [])

    def call(self, qualname: str) -> Call:
        """The only call of a function."""
        (found,) = self.calls(qualname)
        return found

    def time(self, label: str) -> int:
        """When a snapshot was."""
        return self.mark(label).entered

    def obj(self, label: str) -> Value:
        """The object that was marked."""
        return self.mark(label).args[1].value

    def oid(self, label: str) -> int:
        """The same, by its id."""
        value = self.obj(label)
        assert isinstance(value, Ref)
        return value.oid

    def differences(self, label: str, time: int | None = None) -> list[str]:
        """How the trace differs from the program at a snapshot."""
        snapshot = self.snapshots[label]
        comparison = Comparison(
            self.recording, snapshot.nodes, self.time(label) if time is None else time
        )
        assert snapshot.root is not None
        return list(comparison.value("obj", snapshot.root, self.obj(label)))

    def agree(self, label: str, time: int | None = None) -> None:
        """Fail if the trace differs from the program at a snapshot."""
        found = self.differences(label, time)
        assert not found, f"at {label!r}: " + "; ".join(found[:5])

    def locals_agree(self, label: str) -> None:
        """Fail if the variables of the function that called ``probe(label)`` differ."""
        found = self.local_differences(label)
        assert not found, f"at {label!r}: " + "; ".join(found[:5])

    def local_differences(self, label: str) -> list[str]:
        """How the variables of the function that called ``probe(label)`` differ."""
        return local_differences(self.recording, self.snapshots[label], self.mark(label))

    def line(self, text: str) -> int:
        """The only line of the program that contains a text."""
        (found,) = [i for i, line in enumerate(self.source.splitlines(), 1) if text in line]
        return found


def local_differences(recording: Recording, snapshot: Snapshot, call: Call) -> list[str]:
    """How the variables of the function that made a call of ``probe`` differ."""
    assert call.parent is not None
    function = call.parent.function
    have = recording.states.locals(call.parent.id, call.entered)
    if function.kind == "module":
        names = recording.states.globals(
            recording.program.files[function.file].module, call.entered
        )
        have = {k: v for k, v in names.items() if not k.startswith("__")}
    if call.parent.function.kind == "class":  # the namespace has its own names only
        # A name that is not bound there yet, or no longer, is that of the function around.
        around = set(call.parent.function.free) - (
            set(call.parent.function.locals) & set(snapshot.locals)
        )
        have = {k: v for k, v in have.items() if k not in around}
    if set(have) != set(snapshot.locals):
        return [
            f"the program had the variables {sorted(snapshot.locals)}, the trace {sorted(have)}"
        ]
    comparison = Comparison(recording, snapshot.nodes, call.entered)
    return [
        difference
        for name, value in snapshot.locals.items()
        for difference in comparison.value(name, value, have[name])
    ]


def read_snapshots(folder: Path) -> dict[str, Snapshot]:
    """What the witness wrote down, by label."""
    lines = (folder / "witness.jsonl").read_text().splitlines()
    snapshots = [Snapshot(**json.loads(line)) for line in lines]
    assert len({m.label for m in snapshots}) == len(snapshots), "a label was used twice"
    return {m.label: m for m in snapshots}


def has_unordered(snapshot: Snapshot) -> bool:
    """Is there a set of several objects, whose order follows from their addresses?"""
    sets = [node["members"] for node in snapshot.nodes if "members" in node]
    return any(sum(member[0] == "ref" for member in members) > 1 for members in sets)


def run_witnessed(folder: Path, source: str, timeout: float = 120) -> Witnessed:
    """Run a program plainly, then recorded; both must show the same."""
    path = write_program(folder, MARK + "\n" + source)
    shutil.copy(Path(witness.__file__), folder / "heap_witness.py")
    plain = run_python(["prog.py"], folder, timeout=timeout)
    assert plain.returncode == 0, plain.stderr
    expected = read_snapshots(folder)
    done = run_recorded(["prog.py"], folder, EXCLUDE, timeout=timeout)
    assert done.returncode == 0, f"status {done.returncode}: {done.stderr}"
    assert done.stdout == plain.stdout
    snapshots = read_snapshots(folder)
    for label, snapshot in expected.items():
        if not has_unordered(snapshot):
            assert snapshots[label] == snapshot, f"{label}: recording changed what happens"
    assert list(snapshots) == list(expected)
    recording = wrongcall.recording.open(folder / "trace.wrongcall")
    recorded = Recorded(recording, done.stdout, done.stderr, 0, recording.path)
    return Witnessed(recorded, snapshots, path.read_text())


# -- many operations in one program ----------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """One operation: ``x`` is made, then changed by the function that ``op`` is the body of."""

    make: str
    op: str
    number: int

    @property
    def name(self) -> str:
        return f"{self.make} | {self.op}".replace("\n", "; ").replace("    ", "")


def cases(*groups: tuple[str, Iterable[str]]) -> list[Case]:
    """One case for each operation of each group (how to make x, operations)."""
    pairs = [(make, op) for make, ops in groups for op in ops]
    return [Case(make, op, number) for number, (make, op) in enumerate(pairs)]


def case_program(prelude: str, chosen: list[Case]) -> str:
    """The program that runs all cases; each between two marks."""
    parts = [prelude]
    for case in chosen:
        body = "\n".join("    " + line for line in case.op.splitlines())
        parts += [
            f"def op_{case.number}(x):",
            body,
            f"def case_{case.number}():",
            f"    x = {case.make}",
            f"    mark('{case.number} before', x)",
            f"    op_{case.number}(x)",
            f"    mark('{case.number} after', x)",
            f"case_{case.number}()",
        ]
    return "\n".join(parts) + "\n"


def check_case(run: Witnessed, case: Case, changes: bool | None = True) -> None:
    """The states before and after are right; each change tells its line, call, old and new value.

    changes: must there be any, must there be none, or None: does it not matter?
    """
    before, after = f"{case.number} before", f"{case.number} after"
    run.agree(before)
    run.agree(after)
    assert run.obj(before) == run.obj(after), "the same object is told as another one"
    check_changes(run, case, changes)


def check_changes(run: Witnessed, case: Case, changes: bool | None) -> None:
    """Every change between the two marks belongs to the operation."""
    recording = run.recording
    begin, end = run.time(f"{case.number} before"), run.time(f"{case.number} after")
    call = run.call(f"op_{case.number}")
    first = run.line(f"def op_{case.number}(x):") + 1
    lines = range(first, first + len(case.op.splitlines()))
    reached = reachable(recording, run.oid(f"{case.number} before"), begin)
    inside = descendants(call)
    changed = False
    for oid in reached:
        for write in object_writes(recording, oid, begin, end):
            changed = True
            assert write[0] in inside, f"a change is told of call {write[0]}, not of op"
            if write[0] == call.id:
                assert write[1] in lines, f"a change is told of line {write[1]}, not of {lines}"
        check_history(recording, oid, begin, end)
    if changes is not None:
        assert changed == changes, "no change was recorded" if changes else "a change was made up"


def descendants(call: Call) -> set[int]:
    """A call, and all that it led to."""
    found = {call.id}
    for child in call.children:
        found |= descendants(child)
    return found


def object_writes(recording: Recording, oid: int, begin: int, end: int) -> list[tuple[int, int]]:
    """The changes of an object after one time up to another: (call, line)."""
    kinds = [kind for kind in OBJECT_KINDS if not kind & SEEN]
    first_sight = {Kind.OBJ, Kind.EXPLORED, Kind.ALIAS, Kind.CELL, Kind.ACTIVATION, Kind.KEY}
    found = recording.events.select(
        set(kinds) - first_sight, obj=oid, first=begin + 1, last=end + 1
    )
    result = []
    for event in found.events:
        site = int(event["site"])
        result.append((int(event["call"]), recording.program.line(site)))
    return result


def places(state: ObjectState) -> dict[Place, Value]:
    """All that a state holds, by place."""
    found: dict[Place, Value] = {Item(i): value for i, value in enumerate(state.items)}
    found.update({Entry(key): value for key, value in state.entries})
    found.update({Attr(name): value for name, value in state.attrs.items()})
    return found


def check_history(recording: Recording, oid: int, begin: int, end: int) -> None:
    """Where something else is now, the history says what was there and what came."""
    old, new = places(recording.states.state(oid, begin)), places(recording.states.state(oid, end))
    unset = wrongcall.recording.UNSET
    changed = [p for p in {**old, **new} if not _same(old.get(p, unset), new.get(p, unset))]
    # Each history replays the object: of very many places, some are enough.
    for place in changed[:: len(changed) // 40 + 1]:
        check_place(
            recording, oid, place, (old.get(place, unset), new.get(place, unset)), (begin, end)
        )


def check_place(
    recording: Recording, oid: int, place: Place, values: tuple[Value, Value], span: tuple[int, int]
) -> None:
    """The history of a place that changed: it begins with the old value and ends with the new."""
    was, now = values
    assert not _is_made_up(place), f"{place}: the program did not change it"
    writes = [w for w in recording.places.writes(oid, place) if span[0] < w.time <= span[1]]
    assert writes, f"{place}: {was!r} became {now!r}, but the history has no write"
    assert _same(writes[0].old, was), f"{place}: {writes[0]} should tell the old value {was!r}"
    assert _same(writes[-1].new, now), f"{place}: {writes[-1]} should tell the new value {now!r}"
    assert not any(w.seen for w in writes), f"{place}: a change is told as first sight"


def _is_made_up(place: Place) -> bool:
    """Is this an attribute that no program here changes, such as __module__?"""
    told = ("__value__", "__cause__", "__context__", "__wrapped__")
    return isinstance(place, Attr) and _is_special(place.name) and place.name not in told


def _same(one: Value, other: Value) -> bool:
    return (type(one) is type(other) and one == other) or (
        witness.atom(one) is not None and witness.atom(one) == witness.atom(other)
    )


def reachable(recording: Recording, oid: int, time: int) -> set[int]:
    """An object, and all that it leads to."""
    found: set[int] = set()
    todo = [oid]
    while todo:
        oid = todo.pop()
        if oid in found:
            continue
        found.add(oid)
        todo += [
            value.oid for value in held(recording.states.state(oid, time)) if isinstance(value, Ref)
        ]
    return found


def held(state: ObjectState) -> Iterator[Value]:
    """The values that an object holds."""
    yield from state.items
    yield from state.members
    yield from state.attrs.values()
    for pair in state.entries:
        yield from pair
