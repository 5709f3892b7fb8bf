"""What happened inside a call as it is put to the user: the state at a boundary, and what led there.

A *boundary* is the end of an execution of a statement, a condition, a round or a branch. The question is whether all is
well up to there: the variables, and everything that they hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from wrongcall.analysis.inside.inside import Inside, place_of
from wrongcall.analysis.steps.steps import StepKind, step_table
from wrongcall.errors import UsageError
from wrongcall.events import Layout
from wrongcall.languages.python.outline import Part, PartKind
from wrongcall.present.authors import author_suffix
from wrongcall.present.diffs import DiffLine, effect_lines
from wrongcall.present.groups import Member, member
from wrongcall.present.questions import printed_text, short_path, title, variable_lines
from wrongcall.present.text import fit, safe
from wrongcall.present.values import ValueNode, Viewer
from wrongcall.present.what_matters import attributes_of_callees
from wrongcall.recording import Outcome, Recording, Ref
from wrongcall.session.inside import InsideSession
from wrongcall.session.steps import InsideFinding

_BRANCHES = step_table(StepKind.BRANCH)
_WRITES = step_table(StepKind.WRITE)
_PROGRAM = frozenset({Layout.FUNCTION, Layout.CLASS, Layout.MODULE})
_TEXT = 60
"""Columns of the source of a loop or a condition."""
_ALL_RIGHT = "Every statement that ran there is right, but the result is not"
FEW_VARIABLES = 12
"""Variables that are shown if there is little room."""
_MOST_CALLS = 5
_MOST_READ = 8
_MOST_BOUND = 20
"""Calls of a round, values that a statement read, and bindings of a round that are shown."""


@dataclass(frozen=True)
class InsideView:
    """The state at a boundary inside a call."""

    call: int
    boundary: int
    title: str
    """The call, with its arguments."""
    kind: str
    """What ends there: statement, condition, round, branch, ..."""
    file: str
    line: int
    source: str
    heading: str
    """What has just happened: ``After round 3 of 5 of `for x in xs` (line 4)``."""
    rounds: tuple[str, ...]
    """The rounds that this is in, the innermost first."""
    time: int
    changed: tuple[DiffLine, ...]
    """What this execution changed: variables, and what they hold."""
    variables: tuple[ValueNode, ...]
    """The state after it."""
    bound: tuple[str, ...]
    """Of a round of a comprehension: what it bound."""
    calls: tuple[Member, ...]
    """Of a round of a comprehension: what it called."""
    outcome: str
    """How the call ended, if it ended there."""
    printed: str


@dataclass(frozen=True)
class StatementView:
    """The statement, or the place that lacks one, with everything that speaks for it."""

    call: int
    kind: str
    headline: str
    place: str
    """As in ``prog.py:46``."""
    line: int
    source: str
    rounds: tuple[str, ...]
    what: str
    """What it did, or what is missing, in a sentence."""
    read: tuple[ValueNode, ...]
    """The values that it read."""
    changed: tuple[DiffLine, ...]
    outcome: str
    why: str
    """Why it must be this one, in a sentence."""
    reasons: tuple[str, ...]
    """The answers that it rests on."""
    undecided: tuple[str, ...]
    """Where it may be instead."""
    is_missing: bool
    time: int
    """Of the state after it."""


def inside_view(
    recording: Recording,
    session: InsideSession,
    boundary: int,
    *,
    depth: int = 1,
    width: int = 80,
    change_width: int | None = None,
) -> InsideView:
    """Return the question about a boundary."""
    inside, node = session.inside, session.node(boundary)
    call, part = recording.call(session.call), inside.part_of(node)
    time = int(inside.after[node])
    loaded = recording.sources.attributes(call.function)
    viewer = Viewer(recording, time, loaded, next_ones=attributes_of_callees(recording, call))
    variables = recording.inside.variables(call.id, time)
    before = int(inside.before[_changing(inside, node)])
    is_round = part.is_comprehension
    return InsideView(
        call=call.id,
        boundary=boundary,
        title=title(recording, call),
        kind=part.kind.value,
        file=_file(recording, session.call),
        line=part.line,
        source=safe(part.text),
        heading=heading(recording, inside, node),
        rounds=_rounds(inside, node),
        time=time,
        changed=changes(recording, call.id, before, time, change_width or width),
        variables=tuple(
            viewer.tree(variables[name], name, depth=depth, width=width)
            for name in _nearest_first([*variables], inside.outline.parts, part)
        ),
        bound=tuple(_bound(recording, inside, node, width)) if is_round else (),
        calls=tuple(_called(recording, inside, node, width)) if is_round else (),
        outcome=_outcome(recording, inside, node, width),
        printed=printed_text(recording.inside.printed(before, time)),
    )


def _nearest_first(names: list[str], parts: Sequence[Part], part: Part) -> list[str]:
    """Put the variables that a part mentions before the others, then those of the loop that it is in.

    Few variables stay in their order: all of them are shown.
    """
    if len(names) <= FEW_VARIABLES:
        return names
    here, loop = part.mentioned, part
    while loop.parent >= 0 and loop.kind is not PartKind.LOOP:
        loop = parts[loop.parent]
    around = loop.mentioned
    return sorted(names, key=lambda name: (name not in here, name not in around))


def _changing(inside: Inside, node: int) -> int:
    """Return the execution whose changes are shown: where a loop ends, those of the whole loop."""
    parent = int(inside.parent[node])
    ends_loop = inside.kind(node) is PartKind.CONDITION and inside.kind(parent) is PartKind.LOOP
    return parent if ends_loop else node


def changes(
    recording: Recording, call: int, before: int, after: int, width: int
) -> tuple[DiffLine, ...]:
    """Return what is different between two times inside a call: variables, and what they hold."""
    old, new = (recording.inside.variables(call, time) for time in (before, after))
    lines = list(variable_lines(recording, (old, before), (new, after), width, call))
    effect = recording.inside.changes(call, before, after)
    return (*lines, *effect_lines(recording, effect, width))


def _file(recording: Recording, call: int) -> str:
    function = recording.call(call).function
    return short_path(recording, recording.program.files[function.file].path)


# -- words -----------------------------------------------------------------------------------------


def heading(recording: Recording, inside: Inside, node: int) -> str:
    """Say what has just happened at the end of an execution."""
    part = inside.part_of(node)
    text = _quoted(part)
    match part.kind:
        case PartKind.ROUND:
            return f"After {_round(inside, node)}"
        case PartKind.CONDITION:
            return f"Line {part.line}: {_tested(recording, inside, node)}"
        case PartKind.BRANCH:
            return f"After {text} ({_lines(part)})"
        case PartKind.HANDLER:
            return f"Line {part.line}: {text}"
        case PartKind.BODY:
            return f"At the end of {safe(recording.call(inside.call).function.qualname)}"
        case _:
            return f"After line {part.line}: {text}"


def _quoted(part: Part) -> str:
    return f"`{fit(safe(part.text), _TEXT)}`"


def _lines(part: Part) -> str:
    if part.line == part.end_line:
        return f"line {part.line}"
    return f"lines {part.line} to {part.end_line}"


def _round(inside: Inside, node: int) -> str:
    number, count = inside.round(node)
    part = inside.part_of(node)
    return f"round {number:,} of {count:,} of {_quoted(part)} (line {part.line})"


def _rounds(inside: Inside, node: int) -> tuple[str, ...]:
    """Return the rounds around a node, the innermost first."""
    return tuple(_round(inside, each) for each in inside.around(node)[::-1] if each != node)


def outcome_of(recording: Recording, inside: Inside, node: int) -> bool | None:
    """Return the outcome of a condition; None: it has none, as an exception left it."""
    columns = recording.execution.steps(inside.call).columns
    first, last = int(inside.step[node]), int(inside.end_step[node]) + 1
    # A suite on the line of its condition begins with the outcome.
    found = np.flatnonzero(
        _BRANCHES[columns.kind[first:last]]
        & (columns.line[first:last] == inside.part_of(node).line)
    )
    return bool(columns.taken[first + int(found[0])]) if len(found) else None


def _tested(recording: Recording, inside: Inside, node: int) -> str:
    """Say what a condition was, or what a loop took."""
    part, taken = inside.part_of(node), outcome_of(recording, inside, node)
    parent = int(inside.parent[node])
    above = inside.part_of(parent)
    text = _quoted(part)
    is_for = part.text.startswith(("for ", "async for "))
    if above.kind is PartKind.WITH or (above.kind is PartKind.BRANCH and taken is None):
        return text
    if above.kind is PartKind.LOOP:
        rounds = sum(1 for each in inside.children(parent) if inside.round(each)[0])
        count = "1 round" if rounds == 1 else f"{rounds:,} rounds"
        was = f"the loop {text} ended" if is_for else f"{text} was false, so the loop ended"
        return f"{was} after {count}"
    if is_for:
        return f"{text} took {_taken(recording, inside, node)}"
    return f"{text} was {str(taken).lower()}" if taken is not None else text


def _taken(recording: Recording, inside: Inside, node: int) -> str:
    """Return what the header of a loop bound."""
    bound = list(_bound(recording, inside, node, _TEXT))
    return ", ".join(bound) if bound else "the next element"


def _bound(recording: Recording, inside: Inside, node: int, width: int) -> Iterator[str]:
    """Iterate over what an execution wrote itself, as ``x = 3``."""
    steps = recording.execution.steps(inside.call)
    columns = steps.columns
    first, last = int(inside.step[node]), int(inside.end_step[node])
    part = inside.part_of(node)
    where = first + np.flatnonzero(
        _WRITES[columns.kind[first:last]]
        & (columns.line[first:last] >= part.line)
        & (columns.line[first:last] <= part.end_line)
    )
    for at in where[:_MOST_BOUND].tolist():
        step = steps[at]
        if part.is_comprehension and step.place not in part.names:
            continue  # the statement around it
        value = Viewer(recording, step.time).line(step.value, width)
        yield f"{safe(step.place)} = {value}"


def _called(recording: Recording, inside: Inside, node: int, width: int) -> Iterator[Member]:
    end = place_of(inside.step, int(inside.end_step[node]))
    made = inside.child[node:end]
    for call in made[made > 0][:_MOST_CALLS].tolist():
        yield member(recording, call, width)


def _outcome(recording: Recording, inside: Inside, node: int, width: int) -> str:
    """Say how the call ended, if it ended with an execution."""
    call = recording.call(inside.call)
    if call.exit < 0 or int(inside.after[node]) < call.last:
        return ""
    value = Viewer(recording, call.exit).line(call.value, width - len("returned "))
    if call.outcome == Outcome.RETURNED:
        return f"returned {value}"
    return f"raised {value}" if call.outcome == Outcome.RAISED else ""


# -- the finding -----------------------------------------------------------------------------------


def statement_view(
    recording: Recording, session: InsideSession, found: InsideFinding, *, width: int = 80
) -> StatementView:
    """Return the view of what was found inside a call."""
    inside, node = session.inside, found.node
    part = inside.part_of(node)
    before, after = int(inside.before[node]), int(inside.after[node])
    function = safe(recording.call(session.call).function.qualname)
    line = _line(recording, inside, found)
    return StatementView(
        call=session.call,
        kind=part.kind.value,
        headline=_headline(recording, inside, found, function),
        place=f"{_file(recording, session.call)}:{line}",
        line=line,
        source=safe(part.text),
        rounds=_rounds(inside, node),
        what=_what(recording, inside, found),
        read=() if found.is_missing else tuple(_read(recording, inside, node, width)),
        changed=changes(recording, session.call, before, after, width),
        outcome=_outcome(recording, inside, node, width),
        why=_why(recording, session, found),
        reasons=tuple(_reasons(recording, session, found)),
        undecided=tuple(
            heading(recording, inside, session.node(boundary)) for boundary in found.undecided
        ),
        is_missing=found.is_missing,
        time=after,
    )


def _headline(recording: Recording, inside: Inside, found: InsideFinding, function: str) -> str:
    part = inside.part_of(found.node)
    others = ", or in a place that was not judged" if found.undecided else ""
    if not found.is_missing:
        return f"The bug is in line {part.line} of {function}: {_quoted(part)}{others}"
    if part.kind is PartKind.BODY:
        return f"Something is missing at the end of {function}{others}"
    line = _line(recording, inside, found)
    where = f"in the `else` (line {line}) of {_quoted(part)}"
    if line == part.line:
        where = f"in {_quoted(part)} ({_lines(part)})"
    return f"Something is missing {where} in {function}{others}"


def _line(recording: Recording, inside: Inside, found: InsideFinding) -> int:
    """Return the line of what was found; if something is missing, that of the header of its branch."""
    part, children = inside.part_of(found.node), inside.children(found.node)
    if not found.is_missing or not part.else_line or not children:
        return part.line
    taken = outcome_of(recording, inside, children[0])
    return part.line if taken is not False else part.else_line


def _what(recording: Recording, inside: Inside, found: InsideFinding) -> str:
    """Say what the execution did, or what is missing."""
    part, node = inside.part_of(found.node), found.node
    if not found.is_missing:
        if part.kind in (PartKind.CONDITION, PartKind.ROUND):
            return f"{heading(recording, inside, node)}."
        return ""
    if part.kind is PartKind.ROUND:
        return f"{_ALL_RIGHT}: something is missing in the body of the loop."
    if part.kind is PartKind.BRANCH:
        return f"{_ALL_RIGHT}: {_lacking(recording, inside, node)}."
    return f"{_ALL_RIGHT}: something is missing at the end."


def _lacking(recording: Recording, inside: Inside, node: int) -> str:
    """Say which branch of a statement lacks something."""
    children = inside.children(node)
    taken = outcome_of(recording, inside, children[0]) if children else None
    if taken is None:
        return "something is missing in the branch that was taken"
    if taken:
        return "something is missing in the branch for when the condition is true"
    if len(children) == 1:
        return "the condition was false, no branch was taken, and something should have happened"
    return "something is missing in the branch for when the condition is false"


def _read(recording: Recording, inside: Inside, node: int, width: int) -> Iterator[ValueNode]:
    """Iterate over the values that a statement read, as far as they are in places."""
    call, part = recording.call(inside.call), inside.part_of(node)
    source = recording.sources.of_function(call.function)
    time = int(inside.before[node])
    viewer = Viewer(recording, time)
    texts = [
        source.text_of(operand)
        for expression in source.checked_at(part.line)
        for operand in source.operands(expression)
    ]
    names = sorted(recording.sources.uses(call.function).get(part.line, ()))
    seen = 0
    for text in dict.fromkeys([*texts, *names]):
        try:
            _, value = recording.places.find(call.id, text, time)
        except UsageError:  # a literal, a call, something computed
            continue
        if isinstance(value, Ref) and viewer.peek(value.oid).layout in _PROGRAM:
            continue
        yield viewer.tree(value, safe(text), depth=0, width=width)
        seen += 1
        if seen == _MOST_READ:
            return


def _why(recording: Recording, session: InsideSession, found: InsideFinding) -> str:
    """Say why it must be this execution."""
    right = session.last_right(found.boundary)
    before = "What the call was given is right"
    if right is not None:
        where = heading(recording, session.inside, session.node(right))
        before = f"All was right up to there ({where[0].lower()}{where[1:]})"
    if found.undecided:
        return f"{before}, and it was wrong after this; in between, not everything was judged."
    if found.is_missing:
        return f"{before}, and nothing else ran before the state was wrong."
    return (
        f"{before}, and it was wrong right after this ran: either it is wrong itself, "
        "or something is missing before it."
    )


def _reasons(recording: Recording, session: InsideSession, found: InsideFinding) -> Iterator[str]:
    entries = dict(session.answers())
    right = session.last_right(found.boundary)
    wanted = {found.boundary, right, *found.undecided}
    for number in sorted(entries):
        answer = entries[number]
        if answer.calls[0] in wanted and number > 1:
            where = heading(recording, session.inside, session.node(answer.calls[0]))
            part = f": {safe(answer.part.path)}" if answer.part is not None else ""
            yield f"{where}: {answer.verdict.value}{part}{author_suffix(answer)}"
