"""``wrongcall report``: write what a saved session has found."""

from __future__ import annotations

import argparse
from pathlib import Path

import wrongcall.recording
from wrongcall.cli import config
from wrongcall.cli.ask.options import report_path
from wrongcall.cli.output import Output, shown
from wrongcall.errors import UsageError
from wrongcall.present.annotations import as_github
from wrongcall.present.inside_reports import place_reports
from wrongcall.present.reports import (
    FORMATS,
    SIZE,
    Report,
    as_html,
    report_of,
    report_text,
    write_report,
    write_text,
)
from wrongcall.present.screens.drawing import Drawing
from wrongcall.recording import Recording
from wrongcall.session import Finding
from wrongcall.session.search import How, Search
from wrongcall.session.storage import DEFAULT_NAME


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command to argparse."""
    parser = commands.add_parser(
        "report",
        help="write a report of what was found",
        description="Writes a report of what a saved session has found, as Markdown by default.",
    )
    parser.add_argument("trace", metavar="TRACE", help="a file made by run or record")
    parser.add_argument(
        "-o", "--output", metavar="FILE", type=report_path,
        help=f"write to this file; its suffix sets the format: {', '.join(FORMATS)}",
    )  # fmt: skip
    parser.add_argument(
        "--html", action="store_true",
        help="write a page that needs no server, with the inside of the buggy call: values, histories, origins",
    )  # fmt: skip
    parser.add_argument(
        "--github", action="store_true", help="print an annotation for the log of GitHub Actions"
    )
    parser.add_argument(
        "--session", metavar="NAME", default=DEFAULT_NAME, help="the name of the session"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the report."""
    if args.html and args.output is not None and args.output.suffix != ".html":
        raise UsageError(f"{args.output}: --html writes a page; name it .html, or leave out --html")
    with wrongcall.recording.open(args.trace) as recording:
        report = _report(recording, args.session)
        inside = place_reports(recording, report.finding, SIZE) if args.html else ()
    if args.html and args.output is not None:
        write_text(args.output, as_html(report, inside))
    elif args.output is not None:
        write_report(args.output, report)
    if args.github:
        return shown(lambda output: output.line(as_github(report.finding).rstrip("\n")))
    if args.output is not None:
        return 0
    text = as_html(report, inside) if args.html else report_text(report, ".md")
    return shown(lambda output: _print(text, output))


def _report(recording: Recording, session: str) -> Report:
    settings = config.of_recording(recording)
    how = How(name=session, balance=settings.balance, trust=settings.trust)
    with Search(recording, how) as search:
        search.stops_at_call = False
        search.advance()
        found = search.step()
        if not isinstance(found, Finding):  # what is found so far is the call
            search.stops_at_call = True
            found = search.step()
        if not search.resumed or not isinstance(found, Finding):
            name = Path(recording.path).name
            raise UsageError(
                f"nothing found yet; answer the questions first: wrongcall debug {name}"
            )
        view = Drawing(search).view(found, SIZE)
        return report_of(recording, search.session, view, search.inside)


def _print(text: str, output: Output) -> None:
    for line in text.rstrip("\n").split("\n"):
        output.line(line)
