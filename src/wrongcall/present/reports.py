"""A finding as a file for an issue tracker: Markdown, HTML or JSON; or SARIF, for code scanning.

Whatever the program's values are, they stay text: in Markdown they are in fenced code, in HTML
they are escaped, and no report refers to anything outside itself.
"""

from __future__ import annotations

import html
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from wrongcall.errors import UsageError
from wrongcall.present.annotations import as_sarif
from wrongcall.present.failures import failed_text
from wrongcall.present.findings import FindingView
from wrongcall.present.inside_reports import PlaceReport
from wrongcall.present.lines import Line, text_of
from wrongcall.present.models import as_json
from wrongcall.present.screens.finding import reason_line
from wrongcall.present.screens.inside import statement_lines
from wrongcall.present.screens.question import Head, Size, group_lines, question_lines
from wrongcall.present.screens.source import source_lines
from wrongcall.present.styles import STYLES
from wrongcall.present.text import safe
from wrongcall.recording import Recording
from wrongcall.session import Answer, Session
from wrongcall.session.answers import BY_TEST, USER
from wrongcall.session.failures import failures_of
from wrongcall.session.inside import InsideSession

FORMATS = (".md", ".html", ".json", ".sarif")
SIZE = Size(width=100, height=60)
"""A finding is shown for a report as on a screen of this size."""


@dataclass(frozen=True)
class Report:
    """What is reported."""

    program: str
    python: str
    trace: str
    questions: int
    """How many answers people gave, about calls and inside the buggy one."""
    finding: FindingView
    test: str = ""
    """The failed test that the search began with, and what it said; empty: it did not begin with one."""
    example: str = ""
    """Its failing example: of a property test as a decorator, of a doctest its source."""


def report_of(
    recording: Recording,
    session: Session,
    finding: FindingView,
    inside: InsideSession | None = None,
) -> Report:
    """Return the report of a finding; ``inside``: the search inside the buggy call, if there was one."""
    told = (*session.entries, *(inside.entries if inside is not None else ()))
    questions = sum(isinstance(entry, Answer) and entry.by == USER for entry in told)
    words = recording.meta.get("program", [])
    program = safe(" ".join(map(str, words))) if isinstance(words, list) else "?"
    python = safe(str(recording.meta.get("python", "?")).split(" ")[0])
    facts = (program, python, safe(recording.path.name), questions, finding)
    tests = {each.call: each for each in failures_of(recording) if each.is_test}
    said = [e.calls[0] for e in session.entries if isinstance(e, Answer) and e.by == BY_TEST]
    failed = tests.get(said[-1]) if said else None
    if failed is None:
        return Report(*facts)
    return Report(*facts, failed_text(recording, failed), safe(failed.example))


def report_text(report: Report, ending: str) -> str:
    """Return a report in the format of this ending."""
    writers = {
        ".md": as_markdown,
        ".html": as_html,
        ".json": as_text_json,
        ".sarif": _as_sarif,
    }
    if ending not in writers:
        raise UsageError(f"unknown report format {ending!r}; use {', '.join(FORMATS)}")
    return writers[ending](report)


def write_report(path: Path, report: Report) -> None:
    """Write a report, in the format that the name of the file says."""
    write_text(path, report_text(report, path.suffix))


def write_text(path: Path, text: str) -> None:
    """Write the text of a report."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as exc:
        raise UsageError(f"{path}: can't write the report: {exc.strerror}") from exc


def as_text_json(report: Report) -> str:
    """Return a report as JSON (docs/reference/json.md); only ASCII."""
    return json.dumps(as_json(report), indent=2) + "\n"


def _as_sarif(report: Report) -> str:
    return as_sarif(report.finding)


def _title(report: Report) -> str:
    found = report.finding
    return f"{found.headline} ({found.place})" if found.place else found.headline


def _parts(report: Report) -> list[tuple[str, str, list[Line]]]:
    """Return the parts of a report: heading, a sentence, and lines of text."""
    found, head = report.finding, Head(0, "")
    call: list[Line] = []
    if found.question is not None:
        call = question_lines(found.question, head, SIZE)[1:]
    elif found.group is not None:
        call = group_lines(found.group, found.function, head, SIZE)[1:]
    parts = [("The call", "", call)]
    if found.statement is not None:
        parts.insert(0, ("The statement", "", statement_lines(found.statement, SIZE)))
    if report.test:
        example: list[Line] = [(line,) for line in report.example.splitlines()]
        parts.insert(0, ("The test", report.test, example))
    if found.expected:
        parts.append(("Expected", "", [(found.expected,)]))
    parts.append(("Why", found.summary, [reason_line(reason) for reason in found.reasons]))
    for name, members in (
        ("Invalid calls", found.inadmissible),
        ("Undecided calls", found.undecided),
    ):
        if members:
            parts.append((name, "", [(f"#{m.call} {m.title} {m.outcome}",) for m in members]))
    if found.source is not None:
        said = "Executed lines have a dot; the values are the last ones written on each line."
        parts.append(("Source", said, source_lines(found.source, SIZE.width)))
    return parts


def _facts(report: Report) -> str:
    asked = "1 answer" if report.questions == 1 else f"{report.questions} answers"
    return f"Found by wrongcall in a run of {report.program} (Python {report.python}) with {asked}."


def as_markdown(report: Report) -> str:
    """Return a report as Markdown."""
    lines = [f"# {_plain(_title(report))}", "", _plain(_facts(report))]
    for name, sentence, shown in _parts(report):
        lines += ["", f"## {name}", ""]
        lines += [_plain(sentence), ""] if sentence else []
        if shown:
            text = [text_of(line).rstrip() for line in shown]
            fence = "`" * max(3, 1 + max(_longest_run(line) for line in text))
            lines += [f"{fence}text", *text, fence]
    return "\n".join(lines) + "\n"


def _plain(text: str) -> str:
    """Return text without what Markdown would act upon."""
    return "".join(f"\\{c}" if c in "\\`*_[]<>#|" else c for c in text)


def _longest_run(text: str) -> int:
    longest = now = 0
    for character in text:
        now = now + 1 if character == "`" else 0
        longest = max(longest, now)
    return longest


_PAGE_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; }
pre { background: #f4f4f4; color: #222; padding: 0.8em; overflow-x: auto; line-height: 1.35; }
details { border-top: 1px solid #ddd; padding: 0.4em 0; }
summary { cursor: pointer; font-weight: 600; }
h3 { font-size: 0.9em; margin: 0.8em 0 0; }
@media print { pre { white-space: pre-wrap; } details { break-inside: avoid; } }
"""
_INSIDE = (
    "The values at the statement that was found, or at the end of the call; everything that each place held before; "
    "and what its value came from."
)
_COLOURS = {"red": "#a40000", "green": "#1a6b1a", "yellow": "#6b5300", "cyan": "#00509a"}
_DIM = "#595959"


def _css() -> str:
    rules = []
    for role, style in STYLES.items():
        colour = _COLOURS.get(style.colour, _DIM if style.dim else "")
        rule = f"color: {colour}; " * bool(colour) + "font-weight: bold; " * style.bold
        rules.append(f".{role} {{ {rule}}}\n")
    return _PAGE_STYLE + "".join(rules)


def as_html(report: Report, inside: Sequence[PlaceReport] = ()) -> str:
    """Return a report as a page that stands by itself; ``inside``: with the values inside the buggy call."""
    title = html.escape(_title(report))
    body = [f"<h1>{title}</h1>", f"<p>{html.escape(_facts(report))}</p>"]
    for name, sentence, shown in _parts(report):
        body.append(f"<h2>{html.escape(name)}</h2>")
        if sentence:
            body.append(f"<p>{html.escape(sentence)}</p>")
        if shown:
            body.append("<pre>" + "\n".join(map(_html_line, shown)) + "</pre>")
    if inside:
        body += ["<h2>Inside the call</h2>", f"<p>{html.escape(_INSIDE)}</p>"]
        body += [_html_place(each, is_open=number == 0) for number, each in enumerate(inside)]
    head = f'<meta charset="utf-8"><title>{title}</title><style>{_css()}</style>'
    text = "\n".join(body)
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head>\n<body>\n{text}\n</body></html>\n'


def _html_place(each: PlaceReport, *, is_open: bool) -> str:
    parts = [("Value", each.value), ("History", each.history), ("Origin", each.origin)]
    shown = [
        f"<h3>{name}</h3><pre>" + "\n".join(map(_html_line, lines)) + "</pre>"
        for name, lines in parts
        if lines
    ]
    opened = " open" if is_open else ""
    summary = f"<summary><code>{html.escape(each.place)}</code></summary>"
    return f"<details{opened}>{summary}{''.join(shown)}</details>"


def _html_line(line: Line) -> str:
    found = []
    for part in line:
        text, style = (part, "") if isinstance(part, str) else part
        escaped = html.escape(text)
        found.append(f'<span class="{style}">{escaped}</span>' if style else escaped)
    return "".join(found).rstrip()
