"""Source that this Python can't parse, in words: a program may be newer than the Python that reads its trace."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import PurePosixPath

from wrongcall.present.text import safe
from wrongcall.recording import Recording


def unparsed_words(recording: Recording, files: Iterable[int]) -> str:
    """Say why the syntax of files is not known; empty if it is."""
    problems = [
        f"{PurePosixPath(recording.program.files[file].path).name} ({problem})"
        for file in sorted(files)
        if (problem := recording.sources.of_file(file).problem)
    ]
    if not problems:
        return ""
    own, recorded = "{}.{}".format(*sys.version_info), recorded_version(recording)
    newer = f"; read the trace with Python {recorded}" if recorded not in ("", own) else ""
    return safe(f"Python {own} can't parse {', '.join(problems)}{newer}")


def recorded_version(recording: Recording) -> str:
    """Return the minor version of the Python that ran the program; empty if it is not known."""
    words = str(recording.meta.get("python") or "").split()
    return ".".join(words[0].split(".")[:2]) if words else ""
