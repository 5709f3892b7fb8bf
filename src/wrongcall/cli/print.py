"""``wrongcall print``: expressions at every execution of a line, after the fact."""

from __future__ import annotations

import argparse
import csv
import io

from wrongcall.cli.output import Output
from wrongcall.cli.reading import Commands, add_command, number
from wrongcall.errors import UsageError
from wrongcall.present.answers import answer_cell, answer_data
from wrongcall.present.lookup import find_call
from wrongcall.present.questions import short_path
from wrongcall.present.screens.answers import printed_lines
from wrongcall.present.text import safe
from wrongcall.recording import PrintedLine, Recording

MOST_ROWS = 1000
"""Rows of a table unless --first or --last says otherwise; JSON and CSV have all."""


def add_parser(commands: Commands[argparse.ArgumentParser]) -> None:
    """Describe the command to argparse."""
    parser = add_command(
        commands,
        "print",
        "show expressions at every execution of a line, as print would have",
        show,
    )
    parser.add_argument("line", metavar="FILE:LINE", help="for example prog.py:12")
    parser.add_argument(
        "expressions", nargs="+", metavar="EXPR", help="for example x, 'len(items)' or 'a[i] - b'"
    )
    parser.add_argument("--where", metavar="COND", help="only where this expression is true")
    parser.add_argument("--first", type=number, metavar="N", help="only the first N executions")
    parser.add_argument("--last", type=number, metavar="N", help="only the last N executions")
    parser.add_argument(
        "--below", type=number, metavar="CALL", help="only in this call and the calls below it"
    )
    parser.add_argument("--csv", action="store_true", help="print CSV")


def show(recording: Recording, args: argparse.Namespace, output: Output) -> None:
    """Show the table."""
    if args.first is not None and args.last is not None:
        raise UsageError("use --first or --last, not both")
    first = args.first
    if first is None and args.last is None and not (args.json or args.csv):
        first = MOST_ROWS
    printed = recording.print(
        args.line,
        *args.expressions,
        where=args.where or "",
        first=first,
        last=args.last,
        below=find_call(recording, args.below).id if args.below else 0,
    )
    if args.csv:
        output.line(csv_text(recording, printed).rstrip("\n"))
    elif args.json:
        output.json(_data(recording, printed))
    else:
        output.lines(printed_lines(recording, printed, output.width))


def csv_text(recording: Recording, printed: PrintedLine) -> str:
    """Return the table as CSV; nothing in it can act upon a terminal."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["call", "round", "time", *map(safe, printed.expressions)])
    for row in printed.rows:
        cells = [safe(answer_cell(recording, each, row.state)) for each in row.answers]
        writer.writerow([row.call, row.round or "", row.time, *cells])
    return text.getvalue()


def _data(recording: Recording, printed: PrintedLine) -> dict[str, object]:
    rows = [
        {
            "call": row.call,
            "round": row.round or None,
            "time": row.time,
            "state": row.state,
            "answers": [answer_data(recording, each, row.state) for each in row.answers],
        }
        for row in printed.rows
    ]
    return {
        "file": short_path(recording, printed.location.file.path),
        "line": printed.location.line,
        "expressions": list(printed.expressions),
        "executions": printed.total,
        "undecided": printed.undecided,
        "left_out": printed.left_out,
        "rows": rows,
    }
