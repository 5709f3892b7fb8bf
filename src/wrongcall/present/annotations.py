"""A finding where code is reviewed: SARIF for code scanning, and annotations for the log of GitHub Actions.

Whatever the program's values are, they stay text: JSON quotes them, and in an annotation everything that could end it
or begin another one is escaped.
"""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

from wrongcall import __version__
from wrongcall.present.findings import FindingView
from wrongcall.present.text import ELLIPSIS

_RULE = "wrong-call"
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_MAX_MESSAGE = 1000
"""Characters of a message: GitHub cuts longer ones."""


def as_sarif(finding: FindingView) -> str:
    """Return a finding as SARIF 2.1.0; only ASCII."""
    result: dict[str, Any] = {
        "ruleId": _RULE,
        "level": "error",
        "message": {"text": _message(finding)},
    }
    place = _place(finding)
    if place is not None:
        file, line, marked = place
        region = {"startLine": marked or line}
        location: dict[str, Any] = {
            "physicalLocation": {"artifactLocation": {"uri": quote(file)}, "region": region},
            "logicalLocations": [{"fullyQualifiedName": finding.function, "kind": "function"}],
        }
        result["locations"] = [location]
    driver = {
        "name": "wrongcall",
        "version": __version__,
        "rules": [{"id": _RULE, "shortDescription": {"text": "A call that did something wrong"}}],
    }
    run = {"tool": {"driver": driver}, "results": [result]}
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def as_github(finding: FindingView) -> str:
    """Return a finding as a command for GitHub Actions, which shows it beside the line."""
    fields = {"title": f"wrongcall: {finding.headline}"}
    place = _place(finding)
    if place is not None:
        file, line, marked = place
        fields = {"file": file, "line": str(marked or line), **fields}
    told = ",".join(f"{name}={_property(text)}" for name, text in fields.items())
    return f"::error {told}::{_data(_message(finding))}\n"


def _place(finding: FindingView) -> tuple[str, int, int] | None:
    """Return the file, the line of the function, and the marked line (0: none); None: it is not known."""
    file, colon, line = finding.place.rpartition(":")
    if not colon or not line.isdecimal() or not file:
        return None
    lines = finding.source.lines if finding.source is not None else ()
    return file, int(line), next((each.number for each in lines if each.marked), 0)


def _message(finding: FindingView) -> str:
    said = [f"{finding.headline}."]
    if finding.question is not None:
        produced = finding.question.produced
        outcome = f" {produced.summary}" if produced is not None else ""
        said.append(f"{finding.question.title} {finding.question.outcome}{outcome}.")
    if finding.expected:
        said.append(f"Expected: {finding.expected}.")
    text = " ".join([*said, finding.summary])
    return text if len(text) <= _MAX_MESSAGE else text[: _MAX_MESSAGE - 1] + ELLIPSIS


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
