"""The finding as a text to keep: Markdown, for an issue tracker."""

from __future__ import annotations

from wrongcall.errors import UsageError
from wrongcall.present import DiffLine, Excerpt, Question, ValueNode
from wrongcall.present.findings import Reason, finding_view
from wrongcall.session import Finding
from wrongcall.web.desk import Desk


def report(desk: Desk) -> str:
    """Return the finding of a session as Markdown."""
    found = desk.step()
    if not isinstance(found, Finding) or not found.calls:
        raise UsageError("nothing was found yet: answer the questions first")
    view = finding_view(desk.trace, desk.session, found)
    parts = [
        f"# Wrong: `{_code(view.function or 'one of several functions')}`",
        f"{_code(view.place)}. Found by wrongcall: {_code(view.summary)}",
    ]
    if view.question is not None:
        parts.append(_fenced(_call_text(view.question)))
    parts += ["## Evidence", "\n".join(map(_evidence, view.reasons))]
    if view.source is not None:
        said = "Executed lines are marked with `>`, values are the last ones written on a line."
        parts += ["## Source", said, _fenced(_source_text(view.source))]
    return "\n\n".join(parts) + "\n"


def _code(text: str) -> str:
    return text.replace("`", "'")


def _fenced(text: str) -> str:
    """Return a block of code: the fence is longer than any inside."""
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}\n{text}\n{fence}"


def _call_text(asked: Question) -> str:
    lines = [asked.title]
    lines += [f"  given    {_value(node)}" for node in asked.given]
    lines += [f"  read     {_value(node)}" for node in asked.read]
    lines.append(f"  {asked.outcome:8} {asked.produced.summary if asked.produced else ''}".rstrip())
    lines += [f"  yielded  {_value(node)}" for node in asked.yielded]
    lines += [f"  changed  {_change(line)}" for line in asked.changed]
    lines += [f"  printed  {text}" for text in asked.printed.rstrip("\n").split("\n") if text]
    return "\n".join(lines)


def _value(node: ValueNode) -> str:
    return f"{node.label} = {node.summary}"


def _change(line: DiffLine) -> str:
    return f"{line.place}: {line.old or 'nothing'} -> {line.new or 'nothing'}"


def _evidence(reason: Reason) -> str:
    shown = f"{reason.title} {reason.outcome}"
    return f"- `{_code(shown)}`: {reason.verdict} ({reason.by})"


def _source_text(source: Excerpt) -> str:
    return "\n".join(
        f"{line.number:5} {'>' if line.executed else ' '} {line.text}"
        + (f"    # {', '.join(line.values)}" if line.values else "")
        for line in source.lines
    )
