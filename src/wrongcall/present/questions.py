"""A call as it is put to an oracle: what it was given, what it produced, changed and printed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from wrongcall.events import Layout
from wrongcall.present.diffs import DiffLine, effect_lines, new_text, object_of
from wrongcall.present.text import ELLIPSIS, columns, fit, safe
from wrongcall.present.values import CHILDREN, ValueNode, Viewer
from wrongcall.trace import UNSET, Call, ChangeKind, Clipped, Outcome, Passed, Printed, Ref, Trace
from wrongcall.trace.effects import Effect
from wrongcall.trace.inputs import Input
from wrongcall.trace.values import identical

TITLE = 100
"""Columns of a title."""
_ARGUMENT = 30
_PRINTED = 4000
_PROGRAM = frozenset({Layout.FUNCTION, Layout.CLASS, Layout.MODULE})

_OUTCOMES = {
    Outcome.NONE: "not completed",
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


@dataclass(frozen=True)
class Question:
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
    """Globals and variables of enclosing functions that it, or a call below it, read."""
    outcome: str
    """returned, raised, abandoned, not completed"""
    produced: ValueNode | None
    yielded: tuple[ValueNode, ...]
    defined: tuple[ValueNode, ...]
    """What the body of a class or of an imported module bound, but for functions and the like."""
    changed: tuple[DiffLine, ...]
    variables: tuple[DiffLine, ...]
    """Its own variables that are different at its exit; nobody else sees them."""
    printed: str
    inside: int = 0
    """How many changes inside libraries are not shown."""


def question(
    trace: Trace,
    number: int,
    *,
    depth: int = 1,
    width: int = 80,
    line_width: int | None = None,
    effect: Effect | None = None,
    variables: bool = True,
    everything: bool = False,
) -> Question:
    """Return the question that a call is; values have so many columns, changes ``line_width``.

    ``variables``: with its own variables, which take as long as all the rest. ``everything``: with
    what is inside libraries.
    """
    half = max((width if line_width is None else line_width) // 2, 8)
    call, given = trace.call(number), trace.input(number)
    effect = trace.effect(number, given) if effect is None else effect
    loaded = trace.sources.attributes(call.function)
    before = Viewer(trace, given.time, loaded, everything=everything)
    after = Viewer(trace, effect.after, everything=everything)
    view = {"depth": depth, "width": width}
    produced = None
    if call.outcome in (Outcome.RETURNED, Outcome.RAISED):
        # What it promised is part of what it did, though it came later.
        end = trace.event_count
        produced = _lazy(trace, after.tree(call.value, "", **view), effect.after, end, width)
    return Question(
        call=number,
        title=title(trace, call, given),
        where=where(trace, call),
        thread=call.thread,
        entry=call.entry,
        exit=call.exit,
        time=given.time,
        given=tuple(
            _lazy(trace, before.tree(a.value, a.name, **view), effect.before, effect.after, width)
            for a in given.args
        ),
        read=tuple(_read(before, given, depth, width)),
        outcome=_OUTCOMES[call.outcome],
        produced=produced,
        yielded=_yielded(trace, call.yielded, width),
        defined=tuple(_defined(trace, call, after, width)),
        changed=tuple(effect_lines(trace, effect, half, everything=everything)),
        variables=tuple(_variables(trace, call, given.time, effect.after, half))
        if variables
        else (),
        printed=printed_text(trace.printed(number)),
        inside=0 if everything else sum(len(each.changes) for each in effect.inside),
    )


def _lazy(trace: Trace, node: ValueNode, first: int, last: int, width: int) -> ValueNode:
    """Return a generator with what it gave in a span of time, a coroutine with what it returned."""
    made = trace.heap.peek(node.object, first).activation if node.object else 0
    if not made:
        return node
    maker = trace.call(made)
    name = f"<{node.type} {safe(maker.function.qualname)}, call {made}>"
    got = [y for y in maker.yielded if first < y.time <= last]
    parts = _yielded(trace, got, width)
    if got:
        name += " gave " + ", ".join(part.summary for part in parts)
    elif maker.outcome in (Outcome.RETURNED, Outcome.RAISED) and first < maker.exit <= last:
        value = Viewer(trace, maker.exit).line(maker.value, width)
        name += "" if maker.value is None else f" {_OUTCOMES[maker.outcome]} {value}"
    return replace(node, summary=fit(name, width), size=len(got), parts=parts)


def _yielded(trace: Trace, values: list[Passed], width: int) -> tuple[ValueNode, ...]:
    """Return what was yielded; of very many values the first, and how many more there are."""
    nodes = [
        Viewer(trace, y.time).tree(y.value, f"[{i}]", depth=0, width=width)
        for i, y in enumerate(values[:CHILDREN])
    ]
    if len(values) > CHILDREN:
        more = f"{ELLIPSIS} ({len(values) - CHILDREN:,} more)"
        nodes.append(ValueNode("", more, "", 0, 0, False))
    return tuple(nodes)


def _defined(trace: Trace, call: Call, after: Viewer, width: int) -> Iterator[ValueNode]:
    """Go through what a body bound that is no part of the program itself."""
    kind, module = call.function.kind, trace.files[call.function.file].module
    if kind not in ("class", "module") or (kind, module) == ("module", "__main__"):
        return
    time = after.time
    bound = trace.locals(call.id, time) if kind == "class" else trace.globals(module, time)
    for name, value in bound.items():
        layout = trace.heap.peek(value.oid, time).layout if isinstance(value, Ref) else None
        if not name.startswith("__") and layout not in _PROGRAM:
            yield after.tree(value, name, depth=0, width=width)


def _variables(trace: Trace, call: Call, before: int, after: int, width: int) -> Iterator[DiffLine]:
    """Compare a call's variables at entry and exit."""
    if call.function.kind in ("module", "class"):
        return
    old, new = trace.locals(call.id, before), trace.locals(call.id, after)
    for name in dict.fromkeys([*old, *new]):
        was, now = old.get(name, UNSET), new.get(name, UNSET)
        if not identical(was, now) and name not in call.function.free:
            kind = ChangeKind.ADDED if was is UNSET else ChangeKind.CHANGED
            kind = ChangeKind.REMOVED if now is UNSET else kind
            equal = UNSET not in (was, now) and trace.sameness.equal(was, before, now, after)
            if equal and trace.sameness.is_fixed(now):
                continue
            texts = (
                "" if was is UNSET else Viewer(trace, before).line(was, width),
                "" if now is UNSET else new_text(Viewer(trace, after), now, equal, width),
            )
            yield DiffLine(kind, safe(name), *texts, "", 0, object_of(now))


def where(trace: Trace, call: Call) -> Where:
    """Return what was called, and from where."""
    function, parent = call.function, call.parent
    path = short_path(trace, trace.files[function.file].path)
    caller = parent.id if parent else 0
    return Where(safe(function.qualname), path, function.line, caller, call.caller_line)


def short_path(trace: Trace, path: str) -> str:
    """Return a path as seen from the root of the program's project."""
    root = str(trace.meta.get("root", ""))
    below = path.startswith(root.rstrip("/") + "/") if root else False
    return safe(path[len(root.rstrip("/")) + 1 :] if below else path)


def _read(before: Viewer, given: Input, depth: int, width: int) -> list[ValueNode]:
    found = [before.tree(c.value, c.name, depth=depth, width=width) for c in given.closure]
    for read in given.globals:
        label = read.name if read.module == "__main__" else f"{read.module}.{read.name}"
        found.append(before.tree(read.value, label, depth=depth, width=width))
    # What is a library's can tell the reader little: it comes last.
    return sorted(found, key=lambda node: before.is_closed(node.object))


def title(
    trace: Trace, call: Call, given: Input | None = None, width: int = TITLE, bare: int = 0
) -> str:
    """Return a call as ``merge(a=[4, 9], lb=0)``, on one line of at most so many columns.

    ``bare``: so many arguments show without their values, as in ``put(self, x=1)``.
    """
    name = safe(call.function.qualname)
    if call.function.kind in ("module", "class"):
        kind = "module" if call.function.kind == "module" else "class body"
        named = trace.files[call.function.file].module if kind == "module" else name
        return fit(f"<{kind} {safe(named)}>", width)
    args = call.args if given is None else given.args
    loaded = trace.sources.attributes(call.function)
    viewer = Viewer(trace, max([call.entry, *(arg.time for arg in args)]), loaded)
    parts: list[str] = []
    room = width - columns(name) - 2
    for i, arg in enumerate(args):
        if i < bare:
            parts.append(safe(arg.name))
            continue
        label = f"{safe(arg.name)}="
        room_now = room - sum(columns(part) + 2 for part in parts)
        room_left = room_now - columns(label) - 3
        if room_now < 8 or room_left < 1:
            parts.append(ELLIPSIS)
            break
        parts.append(label + viewer.line(arg.value, min(_ARGUMENT, room_left)))
    return fit(f"{name}({', '.join(parts)})", width)


def outcome_line(trace: Trace, call: Call, width: int = 60) -> str:
    """Return how a call ended, on one line: ``-> [1, 4]``, ``raised KeyError('x')``."""
    if call.outcome == Outcome.RETURNED:
        return fit("-> " + Viewer(trace, call.exit).line(call.value, width - 3), width)
    if call.outcome == Outcome.RAISED:
        return fit("raised " + Viewer(trace, call.exit).line(call.value, width - 7), width)
    return fit(_OUTCOMES[call.outcome], width)


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
