"""Forms of streams: StringIO and BytesIO with what they hold, files by name and mode."""

from __future__ import annotations

from wrongcall.events import Layout
from wrongcall.present.forms.form import Form, Sight, type_name
from wrongcall.recording import UNSET, Clipped, Value
from wrongcall.replay.heap import Peek

_BUFFERS = frozenset({"StringIO", "BytesIO"})
_END = 20
"""Characters at the end of a long buffer that are shown."""
_FILES = {
    "TextIOWrapper": "text file",
    "BufferedReader": "binary file",
    "BufferedWriter": "binary file",
    "BufferedRandom": "binary file",
    "FileIO": "raw file",
}


def stream(peek: Peek, _sight: Sight) -> Form | None:
    """Write a buffer by its position and content, a file by its name, mode and position."""
    if peek.layout != Layout.INSTANCE or peek.type.module not in ("_io", "io"):
        return None
    name = peek.type.qualname
    if name in _BUFFERS:
        return _buffer(peek)
    return _file(peek) if name in _FILES else None


def _buffer(peek: Peek) -> Form:
    kind = type_name(peek)
    if peek.attr("closed") is not False:
        return Form(f"<{kind}: closed>" if peek.attr("closed") is True else f"<{kind}>")
    position, size = peek.attr("position"), peek.attr("size")
    beginning, end = peek.attr("beginning"), peek.attr("end")
    opening = f"<{kind}: position {position:,}" if isinstance(position, int) else f"<{kind}"
    if (
        isinstance(size, int)
        and isinstance(beginning, str | bytes)
        and isinstance(end, str | bytes)
    ):
        long = Clipped(beginning, size, 0)
        return _with_parts(opening, [("", long), ("ends with ", end[-_END:])])
    if isinstance(size, int):  # in too many pieces to be read
        opening += f" of {size:,}"
    return _with_parts(opening, [("", peek.attr("content"))])


def _file(peek: Peek) -> Form:
    facts = []
    position = peek.attr("position")
    if peek.attr("closed") is True:
        facts.append("closed")
    if isinstance(position, int):
        facts.append(f"position {position:,}")
    opening = f"<{_FILES[peek.type.qualname]}"
    if facts:
        opening += f": {', '.join(facts)}"
    return _with_parts(opening, [("", peek.attr("name")), ("mode ", peek.attr("mode"))])


def _with_parts(opening: str, parts: list[tuple[str, Value]]) -> Form:
    parts = [(prefix, value) for prefix, value in parts if value is not UNSET]
    return Form(opening + (", " if parts else ""), ">", parts, len(parts))
