"""``wrongcall eval``: expressions at a time, with the variables of the call that was running."""

from __future__ import annotations

import argparse

from wrongcall.cli.output import Output
from wrongcall.cli.reading import Commands, add_command, number
from wrongcall.present.answers import answer_data, answer_text
from wrongcall.present.lines import paragraph
from wrongcall.present.lookup import find_call
from wrongcall.present.questions import title
from wrongcall.present.text import columns, safe
from wrongcall.recording import Recording


def add_parser(commands: Commands[argparse.ArgumentParser]) -> None:
    """Describe the command to argparse."""
    parser = add_command(commands, "eval", "evaluate expressions at a time", show)
    parser.add_argument(
        "time", metavar="TIME", type=number, help="a time shown by print, events or history"
    )
    parser.add_argument(
        "expressions", nargs="+", metavar="EXPR", help="for example x, 'len(items)' or 'a[i] - b'"
    )
    parser.add_argument(
        "--call",
        type=number,
        metavar="CALL",
        help="use the variables of this call (default: the call that was running)",
    )


def show(recording: Recording, args: argparse.Namespace, output: Output) -> None:
    """Show the values."""
    at = recording.at(args.time, find_call(recording, args.call).id if args.call else 0)
    answers = [(text, at.eval(text)) for text in args.expressions]
    if args.json:
        found = [
            {"expression": text, **answer_data(recording, answer, at.time)}
            for text, answer in answers
        ]
        output.json({"call": at.call.id, "time": at.time, "line": at.line, "answers": found})
        return
    where = f" at time {at.time}" + (f", line {at.line}" if at.line else "")
    name = title(recording, at.call, width=output.width - len(where) - 10)
    output.line((f"#{at.call.id} ", "number"), (name, "heading"), (where, "quiet"))
    for text, answer in answers:
        if not answer.is_known:
            reason = answer.error or f"not known: {answer.unknown}"
            said = paragraph(f"{safe(text)}: {safe(reason)}", output.width - 2, "quiet", 2)
            output.lines(("  ", *line) for line in said)
            continue
        room = max(output.width - columns(safe(text)) - 5, 20)
        value = answer_text(recording, answer, at.time, room)
        output.line("  ", (safe(text), "name"), " = ", value)
