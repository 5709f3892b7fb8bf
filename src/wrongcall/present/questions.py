"""A call as it is put to an oracle: what it was given, what it produced, changed and printed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from wrongcall.analysis.effects.effects import Effect
from wrongcall.analysis.inputs import Global, Input
from wrongcall.events import Layout
from wrongcall.present.diffs import (
    DiffLine,
    MeanwhileLine,
    effect_lines,
    meanwhile_lines,
    object_of,
    sides_of,
    text_of,
    value_texts,
)
from wrongcall.present.pairs import value_line
from wrongcall.present.processes import process_name, process_words, started_words
from wrongcall.present.stopping import StoppedView, stopped_view, unfinished_word
from wrongcall.present.text import ELLIPSIS, columns, fit, fit_left, safe, shares
from wrongcall.present.unparsed import unparsed_words
from wrongcall.present.values import CHILDREN, ValueNode, Viewer
from wrongcall.present.what_matters import attributes_of_callees
from wrongcall.recording import (
    UNSET,
    Attr,
    Call,
    Change,
    ChangeKind,
    Clipped,
    Outcome,
    Passed,
    Printed,
    Recording,
    Ref,
    Value,
)
from wrongcall.trace.format.program_tables import FIRST_PROCESS
from wrongcall.trace.read.gc_pause import uncollected
from wrongcall.trace.read.values import identical

TITLE = 100
"""Columns of a title."""
CALLED = 17
"""Columns beside the call that made a call: ``by ... at line 12345``."""
_RECEIVERS = ("self", "cls")
MOST_OPENED = 50
"""Values that a call read and that are shown with their parts; the others are folded."""
_LEAST = 4
_LABEL = 14
"""Columns for the name of a part of a value."""
_READABLE = 16
"""Columns of an argument that is shown at all, or fewer if it is shorter."""
_BESIDE_TABLE = 10
"""Columns that a line of a table has more than that of a value: it has no name before it."""
_PRINTED = 4000
_PROGRAM = frozenset({Layout.FUNCTION, Layout.CLASS, Layout.MODULE})

_OUTCOMES = {
    Outcome.RETURNED: "returned",
    Outcome.RAISED: "raised",
    Outcome.DROPPED: "abandoned",
}


@dataclass(frozen=True)
class Where:
    """The function that was called, and from where."""

    function: str
    file: str
    line: int
    caller: int
    """The call that made this one, 0: none."""
    caller_line: int
    caller_title: str = ""
    """That call with its arguments: ``post(title='x')``."""
    caller_function: str = ""
    """The function which that line is in: not that of the caller, if this is in a generator
    expression that the caller was handed."""


@dataclass(frozen=True)
class QuestionView:
    """Everything there is to judge a call by."""

    call: int
    title: str
    where: Where
    thread: int
    entry: int
    exit: int
    """-1: not completed."""
    time: int
    """When it had its arguments: given values are as of then."""
    given: tuple[ValueNode, ...]
    read: tuple[ValueNode, ...]
    """Globals and variables of enclosing functions that it, or a call below it, read; constants last."""
    outcome: str
    """returned, raised, abandoned; still running, never ended, interrupted; while the run goes on: not completed"""
    produced: ValueNode | None
    yielded: tuple[ValueNode, ...]
    defined: tuple[ValueNode, ...]
    """What the body of a class or of an imported module bound, but for functions and the like."""
    changed: tuple[DiffLine, ...]
    variables: tuple[DiffLine, ...]
    """Its own variables that are different at its exit; invisible to its caller."""
    printed: str
    constants: int = 0
    """How many of `read`, at its end, are constants: bound once in the whole run, to what cannot change."""
    doc: str = ""
    """The docstring of the function, as in the recorded source."""
    meanwhile: tuple[MeanwhileLine, ...] = ()
    """What others changed while it ran; it is not to be judged by that."""
    stopped: StoppedView | None = None
    """Its state when the run stopped, or Ctrl-C ended it; None: it has ended, or the run goes on."""
    started: str = ""
    """Processes that it, or a call below it, started, in words: what they called, or that they were not recorded."""
    unrecorded: str = ""
    """Those among them that were not recorded, in words."""
    process: str = ""
    """The process that it ran in, ``process 2 (pid 1448)``; empty: the program itself."""
    inside: int = 0
    """How many changes inside libraries are not shown."""
    unparsed: str = ""
    """Why what it read, and its docstring, are not known, in words; empty: they are."""
    result_name: str = ""
    """The root of paths into what it produced."""


@uncollected()
def question(
    recording: Recording,
    number: int,
    *,
    depth: int = 1,
    width: int = 80,
    line_width: int | None = None,
    change_width: int | None = None,
    text_lines: int = 0,
    given: Input | None = None,
    effect: Effect | None = None,
    variables: bool = True,
    everything: bool = False,
    by_use: bool = True,
) -> QuestionView:
    """Return the question that a call is.

    A value that fits into ``width`` columns is whole, and so is a text of at most ``text_lines`` lines;
    else it is cut to one line of ``line_width``. A change, with what was there and what is there, has
    ``change_width`` columns, by default those of a line.
    ``variables``: with its own variables, which take as long as all the rest. ``everything``: with
    what is inside libraries. ``by_use``: attributes that the call and its callees read come first.
    """
    line_width = width if line_width is None else line_width
    change_width = line_width if change_width is None else change_width
    call = recording.call(number)
    given = recording.questions.input(number) if given is None else given
    effect = recording.questions.effect(number, given) if effect is None else effect
    loaded = recording.sources.attributes(call.function) if by_use else ()
    below = attributes_of_callees(recording, call) if by_use else ()
    table = line_width + _BESIDE_TABLE
    before = Viewer(recording, given.time, loaded, table, next_ones=below, everything=everything)
    after = Viewer(recording, effect.after, table_width=table, everything=everything)
    view = _View(depth, width, line_width, text_lines)
    produced = None
    stopped = stopped_view(recording, call, lambda inner: title(recording, inner), depth, width)
    if call.outcome in (Outcome.RETURNED, Outcome.RAISED) and stopped is None:
        # What it promised is part of what it did, though it came later.
        end = recording.event_count
        produced = _lazy(recording, view.tree(after, call.value), effect.after, end, width)
    changing, constant = _read(recording, given, before)
    started = recording.questions.processes(number)
    return QuestionView(
        call=number,
        title=title(recording, call, given),
        where=where(recording, call, line_width - CALLED),
        thread=call.thread,
        entry=call.entry,
        exit=call.exit,
        time=given.time,
        given=tuple(
            _lazy(recording, view.tree(before, a.value, a.name), effect.before, effect.after, width)
            for a in given.args
        ),
        read=tuple(_read_trees(view, before, changing, constant)),
        outcome=_outcome(recording, call) if stopped is None else stopped.word,
        produced=produced,
        yielded=_yielded(recording, call.yielded, line_width),
        defined=tuple(_defined(recording, call, after, width)),
        changed=tuple(effect_lines(recording, effect, change_width, everything=everything)),
        variables=tuple(_variables(recording, call, given.time, effect.after, change_width))
        if variables
        else (),
        printed=printed_text(recording.questions.printed(number)),
        constants=len(constant),
        doc="\n".join(
            safe(line) for line in recording.sources.docstring(call.function).split("\n")
        ),
        meanwhile=tuple(meanwhile_lines(recording, effect, change_width)),
        started=started_words(recording, started),
        unrecorded=process_words(started),
        process=process_name(recording, call.process) if call.process != FIRST_PROCESS else "",
        stopped=stopped,
        inside=0 if everything else sum(len(each.changes) for each in effect.inside),
        unparsed=unparsed_words(recording, given.unparsed),
        result_name=recording.places.result_name(number) if produced is not None else "",
    )


def _outcome(recording: Recording, call: Call) -> str:
    return _OUTCOMES.get(call.outcome) or unfinished_word(recording, call)


@dataclass(frozen=True)
class _View:
    """How much of a value is shown."""

    depth: int
    width: int
    line_width: int
    text_lines: int = 0

    def tree(self, viewer: Viewer, value: Value, label: str = "") -> ValueNode:
        """Return a value as a tree; whole, or else cut to one line with its name."""
        node = viewer.tree(value, label, depth=self.depth, width=self.width)
        if isinstance(value, str) and 0 < value.count("\n") < self.text_lines:
            whole = value_line(viewer, value, self.text_lines * self.line_width)
            return node if ELLIPSIS in whole else replace(node, summary=whole)
        if viewer.is_table(value):
            return node
        if self.width > self.line_width and node.parts:
            parts = max(self.line_width - _LABEL, _LEAST)
            node = _cut(node, viewer.tree(value, label, depth=self.depth, width=parts))
        whole = value_line(viewer, value, self.width)
        if ELLIPSIS not in whole:
            return replace(node, summary=whole)
        room = max(self.line_width - columns(label) - (3 if label else 0), _LEAST)
        return replace(node, summary=value_line(viewer, value, room))


def _read_trees(
    view: _View, viewer: Viewer, changing: _Named, constant: _Named
) -> Iterator[ValueNode]:
    """Iterate over what was read; constants are shown side by side, so their texts are cut."""
    beside = replace(view, text_lines=0)
    for i, (name, value) in enumerate((*changing, *constant)):
        shown = view if i < len(changing) else beside
        yield (shown if i < MOST_OPENED else replace(shown, depth=0)).tree(viewer, value, name)


def _cut(whole: ValueNode, short: ValueNode) -> ValueNode:
    """Return a tree in which what is not whole is as in a tree of the same value with shorter lines."""
    parts = tuple(_cut(*pair) for pair in zip(whole.parts, short.parts, strict=True))
    summary = short.summary if ELLIPSIS in whole.summary else whole.summary
    return replace(whole, summary=summary, parts=parts)


def _lazy(recording: Recording, node: ValueNode, first: int, last: int, width: int) -> ValueNode:
    """Return a generator with what it gave in a span of time, a coroutine with what it returned."""
    made = recording.states.heap.peek(node.object, first).activation if node.object else 0
    if not made:
        return node
    maker = recording.call(made)
    name = f"<{node.type} {safe(maker.function.qualname)}, call {made}>"
    got = [y for y in maker.yielded if first < y.time <= last]
    parts = _yielded(recording, got, width)
    if got:
        name += " gave " + ", ".join(part.summary for part in parts)
    elif maker.outcome in (Outcome.RETURNED, Outcome.RAISED) and first < maker.exit <= last:
        value = Viewer(recording, maker.exit).line(maker.value, width)
        name += "" if maker.value is None else f" {_OUTCOMES[maker.outcome]} {value}"
    return replace(node, summary=fit(name, width), size=len(got), parts=parts)


def _yielded(recording: Recording, values: list[Passed], width: int) -> tuple[ValueNode, ...]:
    """Return what was yielded; of very many values the first, and how many more there are."""
    nodes = [
        Viewer(recording, y.time).tree(y.value, f"[{i}]", depth=0, width=width)
        for i, y in enumerate(values[:CHILDREN])
    ]
    if len(values) > CHILDREN:
        more = f"{ELLIPSIS} ({len(values) - CHILDREN:,} more)"
        nodes.append(ValueNode("", more, "", 0, 0, False))
    return tuple(nodes)


def _defined(recording: Recording, call: Call, after: Viewer, width: int) -> Iterator[ValueNode]:
    """Go through what a body bound that is no part of the program itself."""
    kind, module = call.function.kind, recording.program.files[call.function.file].module
    if kind not in ("class", "module") or (kind, module) == ("module", "__main__"):
        return
    time = after.time
    bound = (
        recording.states.locals(call.id, time)
        if kind == "class"
        else recording.states.globals(module, time)
    )
    for name, value in bound.items():
        layout = (
            recording.states.heap.peek(value.oid, time).layout if isinstance(value, Ref) else None
        )
        if not name.startswith("__") and layout not in _PROGRAM:
            yield after.tree(value, name, depth=0, width=width)


def _variables(
    recording: Recording, call: Call, before: int, after: int, width: int
) -> Iterator[DiffLine]:
    """Compare a call's variables at entry and exit."""
    if call.function.kind in ("module", "class"):
        return
    old, new = recording.states.locals(call.id, before), recording.states.locals(call.id, after)
    for name in call.function.free:
        old.pop(name, None)
        new.pop(name, None)
    yield from variable_lines(recording, (old, before), (new, after), width, call.id)


def variable_lines(
    recording: Recording,
    earlier: tuple[dict[str, Value], int],
    later: tuple[dict[str, Value], int],
    width: int,
    call: int,
) -> Iterator[DiffLine]:
    """Compare variables of a call, by name, at two times."""
    (old, before), (new, after) = earlier, later
    for name in dict.fromkeys([*old, *new]):
        was, now = old.get(name, UNSET), new.get(name, UNSET)
        if not identical(was, now):
            kind = ChangeKind.ADDED if was is UNSET else ChangeKind.CHANGED
            kind = ChangeKind.REMOVED if now is UNSET else kind
            equal = UNSET not in (was, now) and recording.states.sameness.equal(
                was, before, now, after
            )
            if equal and recording.states.sameness.is_fixed(now):
                continue
            change = Change(kind, Attr(name), was, now, equal=equal)
            viewers = Viewer(recording, before), Viewer(recording, after)
            texts = value_texts(recording, viewers, change, width - columns(name))
            sides = sides_of(change, viewers, owner=call)
            text = text_of(change, viewers, texts, owner=call)
            yield DiffLine(kind, safe(name), *texts, "", 0, object_of(now), sides=sides, text=text)


def where(recording: Recording, call: Call, width: int = TITLE) -> Where:
    """Return what was called, and from where; ``width``: columns of the call that made it."""
    function, parent = call.function, call.parent
    path = short_path(recording, recording.program.files[function.file].path)
    name = safe(function.qualname)
    if parent is None:
        return Where(name, path, function.line, 0, call.caller_line)
    called_by = title(recording, parent, width=max(width, 20), bare=_receivers(recording, parent))
    written = calling_function(recording, call)
    return Where(name, path, function.line, parent.id, call.caller_line, called_by, written)


def calling_function(recording: Recording, call: Call) -> str:
    """Return the name of the function whose source has the call; empty: it has no caller."""
    if call.parent is None:
        return ""
    site = call.caller
    function = call.parent.function if site is None else recording.program.functions[site.function]
    return safe(function.qualname)


def _receivers(recording: Recording, call: Call) -> int:
    """Return how many arguments of a call are its receiver: 1 for a method, else 0."""
    function = call.function
    outer = recording.program.functions.get(function.outer)
    named = function.params[:1] and function.params[0] in _RECEIVERS
    return int(bool(named and outer is not None and outer.kind == "class"))


def short_path(recording: Recording, path: str) -> str:
    """Return a path as seen from the root of the program's project."""
    root = str(recording.meta.get("root", ""))
    below = path.startswith(root.rstrip("/") + "/") if root else False
    return safe(path[len(root.rstrip("/")) + 1 :] if below else path)


_Named = list[tuple[str, Value]]


def _read(recording: Recording, given: Input, before: Viewer) -> tuple[_Named, _Named]:
    """Return what a call read with its names: what may be different another time, and constants.

    What is a library's can tell the reader little: it comes last.
    """
    changing: _Named = [(read.name, read.value) for read in given.closure]
    constant: _Named = []
    for read in given.globals:
        (constant if _is_constant(recording, read) else changing).append((read.label, read.value))
    changing.sort(key=lambda pair: isinstance(pair[1], Ref) and before.is_closed(pair[1].oid))
    return changing, constant


def _is_constant(recording: Recording, read: Global) -> bool:
    """Return whether a global was bound once in the whole run, to an immutable value."""
    if not recording.states.sameness.is_fixed(read.value):
        return False
    return len(recording.states.heap.write_times(read.oid, Attr(read.name))) <= 1


def title(
    recording: Recording, call: Call, given: Input | None = None, width: int = TITLE, bare: int = 0
) -> str:
    """Return a call as ``merge(a=[4, 9], lb=0)``, on one line of at most ``width`` columns.

    ``bare``: how many arguments show without their values, as in ``put(self, x=1)``.
    """
    name = safe(call.function.qualname)
    if call.function.kind in ("module", "class"):
        kind = "module" if call.function.kind == "module" else "class body"
        named = recording.program.files[call.function.file].module if kind == "module" else name
        return fit(f"<{kind} {safe(named)}>", width)
    args = call.args if given is None else list(given.args)
    name = fit_left(name, max(width // 2 if args else width - 2, 1))
    loaded = recording.sources.attributes(call.function)
    viewer = Viewer(recording, max([call.entry, *(arg.time for arg in args)]), loaded)
    inside = _arguments(viewer, args, width - columns(name) - 2, bare)
    return fit(f"{name}({inside})", width)


def _arguments(viewer: Viewer, args: list[Passed], room: int, bare: int) -> str:
    """Fit arguments into some columns: the long ones share what the short ones leave."""
    labels = [safe(arg.name) + ("" if i < bare else "=") for i, arg in enumerate(args)]
    texts = [
        "" if i < bare else value_line(viewer, arg.value, max(room, _LEAST))
        for i, arg in enumerate(args)
    ]
    shown = _how_many([columns(label) for label in labels], [columns(text) for text in texts], room)
    dropped = shown < len(args)
    left = room - sum(columns(label) + 2 for label in labels[:shown]) + 2 - 3 * dropped
    widths = shares([columns(text) for text in texts[:shown]], left)
    parts = []
    for i, width in enumerate(widths):
        text = texts[i] if columns(texts[i]) <= width else value_line(viewer, args[i].value, width)
        parts.append(labels[i] + text)
    return ", ".join([*parts, ELLIPSIS] if dropped else parts)


def _how_many(labels: list[int], texts: list[int], room: int) -> int:
    """Return how many arguments have room for their names and a little of their values."""
    used = 0
    for i, (label, text) in enumerate(zip(labels, texts, strict=True)):
        used += label + min(text, _READABLE) + (2 if i else 0)
        last = i + 1 == len(labels)
        if used + (0 if last else 3) > room:
            return i
    return len(labels)


def outcome_line(recording: Recording, call: Call, width: int = 60) -> str:
    """Return how a call ended, on one line: ``-> [1, 4]``, ``raised KeyError('x')``."""
    if call.outcome == Outcome.RETURNED:
        return fit("-> " + value_line(Viewer(recording, call.exit), call.value, width - 3), width)
    if call.outcome == Outcome.RAISED:
        return fit(
            "raised " + value_line(Viewer(recording, call.exit), call.value, width - 7), width
        )
    return fit(_outcome(recording, call), width)


def printed_text(parts: list[Printed]) -> str:
    """Return printed text, safe but with its lines; of very much text the beginning."""
    whole = "".join(_text(part) for part in parts)
    shown = "\n".join(safe(line) for line in whole[:_PRINTED].split("\n"))
    return shown if len(whole) <= _PRINTED else f"{shown}{ELLIPSIS} ({len(whole):,} characters)"


def _text(part: Printed) -> str:
    text = part.text.beginning if isinstance(part.text, Clipped) else part.text
    if isinstance(text, bytes):
        return text.decode("utf-8", "replace")
    return text if isinstance(text, str) else ""
