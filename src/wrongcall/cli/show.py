"""``wrongcall show``: one call, what it was given and what came of it; or its state at a time."""

from __future__ import annotations

import argparse

from wrongcall.cli.output import Output
from wrongcall.cli.reading import Commands, add_call, add_command, number
from wrongcall.present import (
    DiffLine,
    Excerpt,
    Question,
    ValueNode,
    Viewer,
    as_json,
    excerpt,
    question,
    title,
)
from wrongcall.present.lines import Part
from wrongcall.present.lookup import check_time, find_call
from wrongcall.present.text import columns
from wrongcall.trace import Call, ChangeKind, Trace

DEPTH = 1
CHANGES = 60
_AROUND = 5
_VALUES = 20
"""At least so many columns are for the values beside a line, however long it is."""


def add_parser(commands: Commands[argparse.ArgumentParser]) -> None:
    """Describe the command to argparse."""
    parser = add_command(commands, "show", "show a call: given, produced, changed, printed", show)
    add_call(parser)
    parser.add_argument(
        "--at", type=number, metavar="TIME", help="show its variables at this time instead"
    )
    parser.add_argument(
        "--depth", type=number, default=DEPTH, metavar="N", help=f"unfold values so deep ({DEPTH})"
    )
    parser.add_argument(
        "--all", action="store_true", help="show what is inside library objects, too"
    )


def show(trace: Trace, args: argparse.Namespace, output: Output) -> None:
    """Show the call."""
    call = find_call(trace, args.call)
    if args.at is not None:
        _show_moment(trace, call, args, output)
        return
    asked = question(trace, call.id, depth=args.depth, width=output.width - 20, everything=args.all)
    source = excerpt(trace, call.id)
    if args.json:
        output.json({**as_json(asked), "source": as_json(source)})
        return
    _show_question(asked, output)
    output.line()
    show_source(source, output)


def _show_question(asked: Question, output: Output) -> None:
    where = asked.where
    output.line((f"#{asked.call} ", "number"), (asked.title, "heading"))
    called = f"called at line {where.caller_line} by #{where.caller}, " if where.caller else ""
    facts = [f"{where.file}:{where.line}", f"{called}time {asked.entry} to {asked.exit}"]
    together = ", ".join(facts)
    for line in [together] if columns(together) <= output.width else facts:
        output.line((line, "quiet"))
    _section("given", asked.given, output)
    _section("read", asked.read, output)
    produced = (asked.produced,) if asked.produced is not None else ()
    _section(asked.outcome, produced, output, always=True)
    _section("yielded", asked.yielded, output)
    _show_changes("changed", asked.changed, output)
    if asked.inside:
        places = "1 place" if asked.inside == 1 else f"{asked.inside:,} places"
        output.line((f"  … and {places} inside library objects (--all)", "quiet"))
    _show_changes("own variables", asked.variables, output)
    if asked.printed:
        output.line(("printed", "heading"))
        for text in asked.printed.rstrip("\n").split("\n"):
            output.line("  ", text)


def _show_changes(name: str, changes: tuple[DiffLine, ...], output: Output) -> None:
    if changes:
        output.line((name, "heading"))
    for line in changes[:CHANGES]:
        output.line("  ", *_change(line))
    if len(changes) > CHANGES:
        output.line((f"  … {len(changes) - CHANGES:,} more", "quiet"))


def _section(name: str, nodes: tuple[ValueNode, ...], output: Output, always: bool = False) -> None:
    if nodes or always:
        output.line((name, "heading"))
    for node in nodes:
        show_value(node, 1, output)


def show_value(node: ValueNode, level: int, output: Output) -> None:
    """Show a value and its unfolded parts."""
    label = f"{node.label} = " if node.label else ""
    mark = f"  #{node.object}" if node.object else ""
    again = " (shown above)" if node.repeated else ""
    again += "  (bookkeeping)" if node.bookkeeping else ""
    output.line("  " * level, (label, "name"), node.summary, (mark + again, "quiet"))
    plain = all(part.object == 0 for part in node.parts)
    if plain and not node.summary.endswith(("…]", "…)", "…}")):
        return  # the line above says it all
    for part in node.parts:
        show_value(part, level + 1, output)
    if node.parts and node.size > len(node.parts):
        output.line("  " * (level + 1), (f"… {node.size - len(node.parts):,} more", "quiet"))


def _change(line: DiffLine) -> list[Part]:
    if line.kind is ChangeKind.MOVED:
        return [(line.place, "name"), f" = {line.new}", (f"  moved from {line.origin}", "quiet")]
    if line.kind is ChangeKind.ADDED:
        return [(line.place, "name"), " = ", (line.new, "new"), ("  added", "quiet")]
    if line.kind is ChangeKind.REMOVED:
        return [(line.place, "name"), " was ", (line.old, "old"), ("  removed", "quiet")]
    return [(line.place, "name"), ": ", (line.old, "old"), " -> ", (line.new, "new")]


def show_source(source: Excerpt, output: Output) -> None:
    """Show source: executed lines with a dot, the marked one with an arrow, values at the side."""
    widest = max((len(line.text) for line in source.lines), default=0)
    edge = min(widest, output.width // 2)
    for line in source.lines:
        mark = ("> ", "marked") if line.marked else ("· ", "executed") if line.executed else "  "
        code = line.text if not line.marked else (line.text, "marked")
        start = max(edge, columns(line.text))
        rows = _wrapped(line.values, max(output.width - 12 - start, _VALUES))
        gap = " " * (start - columns(line.text)) if rows else ""
        values = f"  # {rows[0]}" if rows else ""
        output.line((f"{line.number:5} ", "number"), mark, code, gap, (values, "quiet"))
        for row in rows[1:]:
            output.line(" " * (8 + start), (f"  # {row}", "quiet"))


def _wrapped(values: tuple[str, ...], width: int) -> list[str]:
    """Return values side by side, in as many rows as they need: none of them is left out."""
    rows: list[str] = []
    for value in values:
        if rows and columns(rows[-1]) + columns(value) + 2 <= width:
            rows[-1] += f", {value}"
        else:
            rows.append(value)
    return rows


def _show_moment(trace: Trace, call: Call, args: argparse.Namespace, output: Output) -> None:
    """Show the variables of a call at a time, and the line it was at."""
    time = check_time(call, args.at)
    assert time is not None
    viewer = Viewer(trace, time, everything=args.all)
    steps = trace.steps(call.id).until(time)
    line = steps.last_line() or call.function.line
    nodes = tuple(
        viewer.tree(value, name, depth=args.depth, width=output.width - 20)
        for name, value in trace.locals(call.id, time).items()
    )
    source = excerpt(trace, call.id, marked=line, around=_AROUND, steps=steps)
    if args.json:
        data = {"call": call.id, "time": time, "line": line, "variables": as_json(nodes)}
        output.json({**data, "source": as_json(source)})
        return
    output.line((f"#{call.id} ", "number"), (title(trace, call), "heading"))
    output.line((f"at time {time}, line {line}", "quiet"))
    _section("variables", nodes, output)
    output.line()
    show_source(source, output)
