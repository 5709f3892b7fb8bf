"""Search the whole run from one box: functions, files, printed text, exceptions, values, conditions.

    total                 functions and files with that name, printed text
    KeyError              the same, and exceptions
    =4                    values that were written or returned
    total > 100           where a condition becomes true
    raised, printed /x/   as ``wrongcall find`` has them

What has to be read from the trace is searched in slices: the same request again continues, so that other requests can
come in between.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from wrongcall.errors import WrongcallError
from wrongcall.present.matches import match_data
from wrongcall.present.questions import short_path
from wrongcall.present.text import safe, source_line
from wrongcall.recording import FindStep, Match, Recording
from wrongcall.web import contract
from wrongcall.web.workspace import Workspace

SLICE_S = 0.1
"""Seconds of searching per request; the page asks again for more."""
MAX_MATCHES = 200
"""The most matches that are kept; the search ends there."""
MAX_NAMED = 20
"""The most functions, and files, that are listed."""
_CONDITION = re.compile(r"[<>]|[=!]=|\b(?:in|is|not|and|or)\b|\w\(")
_EXCEPTION = re.compile(r"[A-Z]\w*")
_COMMAND = re.compile(r"raised\b|printed\s*/")


@dataclass
class _Search:
    of: tuple[str, int]
    """The text, and how long the trace was."""
    left: Iterator[FindStep]
    found: list[contract.SearchMatch] = field(default_factory=list)
    progress: float = 0.0
    """The share of the run that has been searched, from 0 to 1."""
    done: bool = False
    trouble: str = ""

    def advance(self, recording: Recording) -> None:
        """Take a step, unless everything is found or enough is."""
        try:
            step = next(self.left, None)
        except WrongcallError as error:
            self.trouble, step = str(error), None
        if step is None:
            self.done = True
            return
        self.progress = step.done
        for match in step.found[: MAX_MATCHES + 1 - len(self.found)]:
            self.found.append(_match(recording, match))
        self.done = len(self.found) > MAX_MATCHES


def searches(text: str) -> list[str]:
    """Return what to search the trace for, as ``wrongcall find`` takes it."""
    text = text.strip()
    if text.startswith("="):
        return [f"value == {text[1:].strip()}"] if text[1:].strip() else []
    if _COMMAND.match(text) or _CONDITION.search(text):
        return [text]
    raised = [f"raised {text}"] if _EXCEPTION.fullmatch(text) else []
    return [*raised, f"printed /{re.escape(text)}/"]


class RunSearch:
    """Searches the run; the same text again continues its search."""

    def __init__(self) -> None:
        self._search: _Search | None = None

    def data(self, workspace: Workspace, text: str) -> contract.SearchResults:
        """Continue a search for a slice of time; return everything that was found so far."""
        recording = workspace.recording
        of = (text, recording.event_count)
        if self._search is None or self._search.of != of:
            self._search = _Search(of, _all(recording, searches(text)))
        search, until = self._search, time.monotonic() + SLICE_S
        while not search.done and time.monotonic() < until:
            search.advance(recording)
        plain = searches(text) != [text.strip()] and not text.strip().startswith("=")
        return {
            "search": safe(text),
            "done": search.done,
            "complete": search.done and len(search.found) <= MAX_MATCHES,
            "progress": 1.0 if search.done else search.progress,
            "trouble": search.trouble,
            "functions": _functions(recording, text) if plain else [],
            "files": _files(recording, text) if plain else [],
            "matches": search.found[:MAX_MATCHES],
        }


def _all(recording: Recording, texts: Sequence[str]) -> Iterator[FindStep]:
    """Search for one text after the other, in small steps."""
    for number, each in enumerate(texts):
        for step in recording.asking.find_steps(each):
            yield step._replace(done=(number + step.done) / len(texts))


def _match(recording: Recording, match: Match) -> contract.SearchMatch:
    source = ""
    if match.call and match.line:
        lines = recording.sources.of_function(recording.call(match.call).function)
        source = source_line(lines.line(match.line)).strip()
    return {**match_data(recording, match), "source": source}


def _functions(recording: Recording, text: str) -> list[contract.FoundFunction]:
    """Return the functions whose names contain a text, those with the most calls first."""
    low, functions = text.strip().lower(), recording.program.functions
    chosen = [number for number, f in functions.items() if low in f.qualname.lower()]
    columns = recording.calls.columns()
    found: list[contract.FoundFunction] = []
    for number in chosen[:MAX_NAMED]:
        calls = np.flatnonzero(columns.function == number)
        if len(calls):
            found.append(
                {
                    "function": safe(functions[number].qualname),
                    "calls": len(calls),
                    "first": int(columns.id[calls[0]]),
                }
            )
    return sorted(found, key=lambda each: -each["calls"])


def _files(recording: Recording, text: str) -> list[contract.FoundFile]:
    """Return the files whose paths contain a text, with the call of each one's module."""
    low, columns = text.strip().lower(), recording.calls.columns()
    modules = {f.file: n for n, f in recording.program.functions.items() if f.kind == "module"}
    found: list[contract.FoundFile] = []
    for file in recording.program.files.values():
        path = short_path(recording, file.path)
        if low in path.lower() and len(found) < MAX_NAMED:
            calls = np.flatnonzero(columns.function == modules.get(file.id, -1))
            found.append({"path": path, "call": int(columns.id[calls[0]]) if len(calls) else 0})
    return found
