"""The finding as a text to keep: Markdown, for an issue tracker."""

from __future__ import annotations

from wrongcall.errors import UsageError
from wrongcall.present import DiffLine, Excerpt, Question, ValueNode, excerpt, question
from wrongcall.present.questions import outcome_line, title
from wrongcall.present.text import safe
from wrongcall.session import Answer, Finding
from wrongcall.web.desk import Desk

PROOF = "Found by wrongcall: this call is wrong, and every call that it made is right."


def report(desk: Desk) -> str:
    """Return the finding of a session as Markdown."""
    found = desk.step()
    if not isinstance(found, Finding) or not found.calls:
        raise UsageError("nothing was found yet: answer the questions first")
    asked = question(desk.trace, found.calls[0])
    parts = [
        f"# Wrong: `{_code(asked.where.function)}`",
        f"{_code(asked.where.file)}, line {asked.where.line}. {PROOF}",
        _fenced(_call_text(asked)),
        "## Evidence",
        "\n".join(_evidence(desk, found)),
        "## Source",
        "Executed lines are marked with `>`, values are the last ones written on a line.",
        _fenced(_source_text(excerpt(desk.trace, found.calls[0]))),
    ]
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


def _evidence(desk: Desk, found: Finding) -> list[str]:
    lines = []
    for number in found.evidence:
        entry = desk.session.entries[number - 1]
        if isinstance(entry, Answer):
            call = desk.trace.call(entry.calls[0])
            shown = f"{title(desk.trace, call)} {outcome_line(desk.trace, call)}"
            lines.append(f"- `{_code(shown)}`: {entry.verdict.value} (said by {safe(entry.by)})")
    return lines


def _source_text(source: Excerpt) -> str:
    return "\n".join(
        f"{line.number:5} {'>' if line.executed else ' '} {line.text}"
        + (f"    # {', '.join(line.values)}" if line.values else "")
        for line in source.lines
    )
