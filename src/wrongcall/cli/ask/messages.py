"""Screens of words: help, why a question is asked, where things came from."""

from __future__ import annotations

from wrongcall.present.estimates import why_text
from wrongcall.present.key_map import Key, name_of
from wrongcall.present.lines import Line, paragraph
from wrongcall.present.pairs import value_line
from wrongcall.present.text import fit, safe, source_line
from wrongcall.present.values import Viewer
from wrongcall.recording import UNSET, EndKind, Link, Origin, Recording, Versions
from wrongcall.session.steps import Why
from wrongcall.session.strategies import strategies

INTRODUCTION = (
    "wrongcall asks about calls that your program made. Is the result correct for these arguments? Answer "
    "y or n. You don't need to know how the code works. Press ? for the other keys."
)
MAX_VERSIONS = 200
_ENDS = {
    EndKind.LITERAL: "written in the source as",
    EndKind.EXPRESSION: "computed by",
    EndKind.CALL: "made by",
}


def help_lines(keys: tuple[Key, ...], width: int) -> list[Line]:
    """Return what the keys do."""
    named = [(name_of(key.key), key.help) for key in keys]
    return [((f"  {name:<5} ", "key"), fit(help, width - 8)) for name, help in named]


def introduction_lines(width: int) -> list[Line]:
    """Return what somebody needs to know who has never done this."""
    return paragraph(INTRODUCTION, width, "quiet")


def why_lines(why: Why, width: int) -> list[Line]:
    """Return why a question is asked."""
    note = [*paragraph(why.note, width, "quiet")] if why.note else []
    return [*paragraph(why_text(why), width), *note]


def strategy_lines(now: str, width: int) -> list[Line]:
    """Return the strategies, the present one marked."""
    found: list[Line] = []
    for name, kind in sorted(strategies().items()):
        mark = ("> ", "marked") if name == now else "  "
        about = (kind.__doc__ or "").partition("\n")[0]
        found.append((mark, (f"{name:18}", "name"), fit(about, width - 20)))
    return found


def history_lines(trace: Recording, place: str, versions: Versions, width: int) -> list[Line]:
    """Return every value that a place had; of very many the first one and the last ones."""
    count = "1 value" if len(versions) == 1 else f"{len(versions):,} values"
    lines: list[Line] = [((safe(place), "heading"), (f"  {count}", "quiet"))]
    left_out = len(versions) - MAX_VERSIONS
    shown = versions[:] if left_out <= 0 else [versions[0], *versions[left_out + 1 :]]
    for i, version in enumerate(shown):
        if i == 1 and left_out > 0:
            hint = "wrongcall history shows all"
            lines.append(((f"  … {left_out:,} more ({hint})", "quiet"),))
        viewer = Viewer(trace, version.time)
        value = "(removed)" if version.new is UNSET else value_line(viewer, version.new, width // 3)
        style = "old" if version.new is UNSET else "new"
        who = safe(version.function.qualname) if version.function else "?"
        how = " (first seen)" if version.seen else ""
        source = _line_of(trace, version.call, version.line)
        where = f"  line {version.line:<4} {who} #{version.call}{how}"
        lines.append(("  ", (f"{value:12}", style), (where, "name"), (f"  {source}", "quiet")))
    return lines


def origin_lines(trace: Recording, place: str, origin: Origin, width: int) -> list[Line]:
    """Return where a value came from, the newest link first."""
    value = value_line(Viewer(trace, origin.time), origin.value, width - len(place) - 4)
    lines: list[Line] = [((f"{safe(place)} = {value}", "heading"),)]
    lines += [_link(trace, link) for link in origin.links]
    if origin.end is EndKind.UNKNOWN:
        lines.append((("  the trail ends here: the source does not say more", "quiet"),))
        return lines
    who = safe(trace.call(origin.call).function.qualname)
    where = f" at line {origin.line} in {who} #{origin.call}"
    lines.append(
        ((f"  {_ENDS[origin.end]} ", "quiet"), (safe(origin.text), "marked"), (where, "quiet"))
    )
    viewer = Viewer(trace, origin.links[-1].time if origin.links else origin.time)
    for operand in origin.operands:
        lines.append(
            ("    ", (safe(operand.text), "name"), f" = {viewer.line(operand.value, width)}")
        )
    return lines


def _link(trace: Recording, link: Link) -> Line:
    who = safe(trace.call(link.call).function.qualname) if link.call else "?"
    came = f" from {safe(link.source)}" if link.source else ""
    source = _line_of(trace, link.call, link.line)
    words = f"  line {link.line:<4} {who} #{link.call}: {safe(link.place)} {link.kind.value}{came}"
    return (words, ""), (f"  {source}", "quiet")


def _line_of(trace: Recording, call: int, line: int) -> str:
    if not call:
        return ""
    source = trace.sources.of_function(trace.call(call).function)
    return source_line(source.line(line)).strip()
