"""What a program printed, line by line, with the call that printed it."""

from __future__ import annotations

import io
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tests.trace.emitter import Emitter
from wrongcall.events import Kind, SiteKind, Tag
from wrongcall.present.output import OutputLine, output_lines


def printed(folder: Path, *parts: tuple[int, str | bytes], clipped: str = "") -> list[OutputLine]:
    """Print each text to its stream, each by a call of its own; ``clipped``: a long text at the end."""
    emitter = Emitter()
    emitter.file([{}], [(SiteKind.ENTRY, 1, 1), (SiteKind.CALL, 1, 2)])
    for stream, text in parts:
        call = emitter.enter(1)
        value = emitter.value(text)
        emitter.event(Kind.PRINT, site=2, call=call, key=(Tag.INT, stream), value=value)
        emitter.leave(call)
    if clipped:
        value = emitter.content(Tag.STR, clipped.encode(), 5_000_000)
        emitter.event(Kind.PRINT, call=0, key=(Tag.INT, 1), value=value)
    with emitter.open(folder / "t.wrongcall") as recording:
        return list(output_lines(recording))


def test_a_line_belongs_to_the_call_that_printed_its_first_characters(tmp_path: Path) -> None:
    lines = printed(tmp_path, (1, "a"), (1, "b\nc"), (1, "\n"))
    assert [(line.text, line.call) for line in lines] == [("ab", 1), ("c", 2)]


def test_streams_are_kept_apart_and_unfinished_lines_come_last(tmp_path: Path) -> None:
    lines = printed(tmp_path, (1, "out"), (2, "err\n"), (1, " more"), (2, "rest"))
    assert [line.text for line in lines] == ["err", "out more", "rest"]


def test_an_empty_line_is_a_line(tmp_path: Path) -> None:
    assert [line.text for line in printed(tmp_path, (1, "\n"), (1, "\n"))] == ["", ""]


def test_invalid_utf8_is_replaced(tmp_path: Path) -> None:
    assert [line.text for line in printed(tmp_path, (1, b"a\xff\n"))] == ["a\ufffd"]


def test_a_clipped_text_keeps_its_beginning(tmp_path: Path) -> None:
    assert [line.text for line in printed(tmp_path, clipped="x" * 50)] == ["x" * 50]


@given(st.lists(st.text("ab\n\x1b", max_size=5), max_size=8))
def test_the_lines_are_those_of_the_whole_text(parts: list[str]) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        lines = printed(Path(folder), *((1, part) for part in parts if part))
    expected = io.StringIO("".join(parts), newline="\n").read().split("\n")
    assert [line.text for line in lines] == (expected if expected[-1] else expected[:-1])
