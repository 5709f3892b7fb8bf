"""``wrongcall origin``: where a value came from, back to the expression that made it."""

from __future__ import annotations

import argparse

from wrongcall.cli.output import Output
from wrongcall.cli.reading import Commands, add_call, add_command, number
from wrongcall.present.json_shapes import origin_data, origin_viewer
from wrongcall.present.lookup import check_time, find_call
from wrongcall.present.text import safe, source_line
from wrongcall.present.values import Viewer
from wrongcall.recording import EndKind, Link, Origin, Recording

_ENDS = {
    EndKind.LITERAL: "written in the source as",
    EndKind.EXPRESSION: "computed by",
    EndKind.CALL: "made by",
}


def add_parser(commands: Commands[argparse.ArgumentParser]) -> None:
    """Describe the command to argparse."""
    parser = add_command(commands, "origin", "show where a value came from", show)
    add_call(parser)
    parser.add_argument(
        "place", metavar="PLACE", help="as in c[2], self.root.left, result[0] (what it returned)"
    )
    parser.add_argument(
        "--at", type=number, metavar="TIME", help="the value at this time (the call's end)"
    )


def show(trace: Recording, args: argparse.Namespace, output: Output) -> None:
    """Show the trail."""
    call = find_call(trace, args.call)
    origin = trace.origin(call.id, args.place, check_time(call, args.at))
    if args.json:
        output.json({"call": call.id, "place": args.place, **origin_data(trace, origin)})
        return
    value = Viewer(trace, origin.time).line(origin.value, 60)
    output.line((f"{safe(args.place)} = {value}", "heading"))
    for link in origin.links:
        function = trace.call(link.call).function if link.call else None
        who = f"{safe(function.qualname)} #{link.call}" if function else "?"
        output.line(
            (f"{link.time:>8} ", "number"),
            f"line {link.line:<5} ",
            (f"{who:20}", "name"),
            f"  {_link(link)}",
            (f"    {_source(trace, link)}", "quiet"),
        )
    _show_end(trace, origin, output)


def _link(link: Link) -> str:
    came = f" from {safe(link.source)}" if link.source else ""
    return f"{safe(link.place)} {link.kind.value}{came}"


def _source(trace: Recording, link: Link) -> str:
    if not link.call:
        return ""
    source = trace.sources.of_function(trace.call(link.call).function)
    return source_line(source.line(link.line)).strip()


def _show_end(trace: Recording, origin: Origin, output: Output) -> None:
    if origin.end is EndKind.UNKNOWN:
        output.line(("         the trail ends here: the source does not say more", "quiet"))
        return
    function = trace.call(origin.call).function
    output.line(
        (f"         {_ENDS[origin.end]} ", "quiet"),
        (safe(origin.text), "marked"),
        (f" at line {origin.line} in {safe(function.qualname)} #{origin.call}", "quiet"),
    )
    viewer = origin_viewer(trace, origin)
    for operand in origin.operands:
        output.line("           ", (safe(operand.text), "name"), f" = {viewer.line(operand.value)}")
