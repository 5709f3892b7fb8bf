"""``wrongcall show``: one call, what it was given and what came of it; or its state at a time."""

from __future__ import annotations

import argparse

from wrongcall.cli.output import Output
from wrongcall.cli.reading import Commands, add_call, add_command, number
from wrongcall.present import (
    DiffLine,
    Excerpt,
    QuestionView,
    ValueNode,
    Viewer,
    as_json,
    excerpt,
    question,
    title,
)
from wrongcall.present.diffs import MeanwhileLine
from wrongcall.present.lookup import check_time, find_call
from wrongcall.present.screens.question import change_line
from wrongcall.present.text import columns
from wrongcall.recording import Call, Recording

DEPTH = 1
CHANGES = 60
_AROUND = 5
_VALUES = 20
"""At least so many columns are for the values beside a line, however long it is."""


def add_parser(commands: Commands[argparse.ArgumentParser]) -> None:
    """Describe the command to argparse."""
    parser = add_command(commands, "show", "show a call: its arguments and what came of it", show)
    add_call(parser)
    parser.add_argument(
        "--at", type=number, metavar="TIME", help="show its variables at this time instead"
    )
    parser.add_argument(
        "--depth",
        type=number,
        default=DEPTH,
        metavar="N",
        help=f"levels of nesting to expand ({DEPTH})",
    )
    parser.add_argument(
        "--all", action="store_true", help="show what is inside library objects, too"
    )


def show(trace: Recording, args: argparse.Namespace, output: Output) -> None:
    """Show the call."""
    call = find_call(trace, args.call)
    if args.at is not None:
        _show_moment(trace, call, args, output)
        return
    width = output.width - 4
    asked = question(trace, call.id, depth=args.depth, width=width, everything=args.all)
    source = excerpt(trace, call.id)
    if args.json:
        output.json({**as_json(asked), "source": as_json(source)})
        return
    _show_question(asked, output)
    output.line()
    show_source(source, output)


def _show_question(asked: QuestionView, output: Output) -> None:
    where = asked.where
    output.line((f"#{asked.call} ", "number"), (asked.title, "heading"))
    for text in asked.doc.strip().split("\n") if asked.doc.strip() else ():
        output.line((f"  {text}".rstrip(), "quiet"))
    output.line((f"{where.file}:{where.line}, time {asked.entry} to {asked.exit}", "quiet"))
    if where.caller:
        called = f"called by #{where.caller} {where.caller_title} at line {where.caller_line}"
        output.line((called, "quiet"))
    _section("given", asked.given, output)
    produced = (asked.produced,) if asked.produced is not None else ()
    _section(asked.outcome, produced, output, always=True)
    if asked.stopped is not None:
        output.line("  ", (asked.stopped.text, "marked"))
    _section("yielded", asked.yielded, output)
    _section("defined", asked.defined, output)
    _show_changes("changed", asked.changed, output)
    if asked.inside:
        places = "1 place" if asked.inside == 1 else f"{asked.inside:,} places"
        output.line((f"  … and {places} inside library objects (--all)", "quiet"))
    if asked.started:
        output.line(("started", "heading"))
        output.line("  ", asked.started)
    if asked.printed:
        output.line(("printed", "heading"))
        for text in asked.printed.rstrip("\n").split("\n"):
            output.line("  ", text)
    changing = len(asked.read) - asked.constants
    _section("read", asked.read[:changing], output)
    _section("constants", asked.read[changing:], output)
    _show_changes("own variables", asked.variables, output)
    _show_meanwhile(asked.meanwhile, output)


def _show_meanwhile(parts: tuple[MeanwhileLine, ...], output: Output) -> None:
    """Show what others changed while the call ran."""
    if parts:
        output.line(("meanwhile", "heading"))
    for part in parts[:CHANGES]:
        output.line((f"  by {part.by}", "quiet"))
        for line in part.changed:
            output.line("    ", *change_line(line))
        if part.count > len(part.changed):
            output.line((f"    … {part.count - len(part.changed):,} more", "quiet"))
    if len(parts) > CHANGES:
        output.line((f"  … by {len(parts) - CHANGES:,} more", "quiet"))


def _show_changes(name: str, changes: tuple[DiffLine, ...], output: Output) -> None:
    if changes:
        output.line((name, "heading"))
    for line in changes[:CHANGES]:
        output.line("  ", *change_line(line))
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


def _show_moment(trace: Recording, call: Call, args: argparse.Namespace, output: Output) -> None:
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
