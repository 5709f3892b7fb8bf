"""Where values came from: the history of a place, and the origin of a value."""

from __future__ import annotations

from wrongcall.present.json_shapes import origin_missing, origin_viewer, version_source
from wrongcall.present.lines import Line
from wrongcall.present.pairs import value_line
from wrongcall.present.text import columns, safe, source_line
from wrongcall.present.values import Viewer
from wrongcall.recording import UNSET, EndKind, Link, Origin, Recording, Version, Versions

_ENDS = {
    EndKind.LITERAL: "written in the source as",
    EndKind.EXPRESSION: "computed by",
    EndKind.CALL: "made by",
}
_TIME = 9
"""Columns of a time."""


def history_lines(
    recording: Recording,
    place: str,
    versions: Versions,
    width: int,
    *,
    most: int | None = None,
    times: bool = False,
) -> list[Line]:
    """Return every value that a place had; with ``most``, the first one and the last ones.

    ``times``: each with its time, for commands that take one.
    """
    count = "1 value" if len(versions) == 1 else f"{len(versions):,} values"
    lines: list[Line] = [((safe(place), "heading"), (f"  {count}", "quiet"))]
    left_out = 0 if most is None else max(len(versions) - most, 0)
    shown = versions[:] if not left_out else [versions[0], *versions[left_out + 1 :]]
    for i, version in enumerate(shown):
        if i == 1 and left_out:
            hint = "wrongcall history shows all"
            lines.append(((f"  … {left_out:,} more ({hint})", "quiet"),))
        lines.append((*_time(version.time, times), *_version(recording, version, width)))
    return lines


def _version(recording: Recording, version: Version, width: int) -> Line:
    removed = version.new is UNSET
    viewer = Viewer(recording, version.time)
    value = "(removed)" if removed else value_line(viewer, version.new, width // 3)
    how = " (first seen)" if version.seen else ""
    source = version_source(recording, version)
    function = safe(version.function.qualname) if version.function else "?"
    where = f"  line {version.line:<4} {function} #{version.call}{how}"
    padding = " " * max(12 - columns(value), 0)
    style = "old" if removed else "new"
    return (value, style), padding, (where, "name"), (f"  {source}", "quiet")


def origin_lines(
    recording: Recording, place: str, origin: Origin, width: int, *, times: bool = False
) -> list[Line]:
    """Return where a value came from, the newest link first; ``times``: each with its time."""
    value = value_line(Viewer(recording, origin.time), origin.value, width - len(place) - 4)
    lines: list[Line] = [((f"{safe(place)} = {value}", "heading"),)]
    lines += [(*_time(link.time, times), *_link(recording, link)) for link in origin.links]
    indent = " " * (_TIME if times else 2)
    if origin.end is EndKind.UNKNOWN:
        text = (
            origin_missing(recording, origin) or "the trail ends here: the source doesn't say more"
        )
        return [*lines, ((f"{indent}{text}", "quiet"),)]
    function = safe(recording.call(origin.call).function.qualname)
    where = f" at line {origin.line} in {function} #{origin.call}"
    end = (f"{indent}{_ENDS[origin.end]} ", "quiet")
    lines.append((end, (safe(origin.text), "marked"), (where, "quiet")))
    viewer = origin_viewer(recording, origin)
    for operand in origin.operands:
        value = viewer.line(operand.value, width)
        lines.append((f"{indent}  ", (safe(operand.text), "name"), f" = {value}"))
    return lines


def _link(recording: Recording, link: Link) -> Line:
    function = recording.call(link.call).function if link.call else None
    who = safe(function.qualname) if function else "?"
    came = f" from {safe(link.source)}" if link.source else ""
    text = f"line {link.line:<4} {who} #{link.call}: {safe(link.place)} {link.kind.value}{came}"
    source = recording.sources.of_function(function).line(link.line) if function else ""
    return text, (f"  {source_line(source).strip()}", "quiet")


def _time(time: int, shown: bool) -> Line:
    return ((f"{time:>{_TIME - 1}} ", "number"),) if shown else ("  ",)
