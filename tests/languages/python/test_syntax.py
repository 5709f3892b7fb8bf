from __future__ import annotations

from pathlib import Path

import pytest

from tests.trace.conftest import Record
from tests.trace.emitter import Emitter
from wrongcall.languages.python.syntax import Source
from wrongcall.recording import Recording


def test_lines_are_those_of_python() -> None:
    source = Source("a = 1\r\nb = '\x0c'\rc = 3\n")
    assert [source.line(n) for n in range(5)] == ["", "a = 1", "b = '\x0c'", "c = 3", ""]
    assert source.line(99) == ""


@pytest.mark.parametrize("text", ["def f(:", "x = 'a\0b'", "(" * 10_000])
def test_what_cannot_be_parsed_has_no_nodes(text: str) -> None:
    source = Source(text)
    assert source.tree is None
    assert source.parents == {}


def test_reads_are_what_a_function_does_not_own(record: Record) -> None:
    run = record(
        """
        import os
        base = 1

        def outer(a, b=base):
            own = a
            def inner(c=own):
                return c + b + top + len(os.sep)
            return inner

        top = 2
        outer(1)()
        """
    )
    found = {
        f.qualname: {(read.name, read.attr, read.line) for read in run.trace.sources.reads(f)}
        for f in run.trace.program.functions.values()
    }
    assert found["<module>"] == set()
    # The default of b is read where outer is defined, that of c inside outer.
    assert found["outer"] == set()
    assert found["outer.<locals>.inner"] == {
        ("b", "", 8),
        ("top", "", 8),
        ("len", "", 8),
        ("os", "sep", 8),
    }


def test_source_of_a_trace_without_any(tmp_path: Path) -> None:
    emitter = Emitter()
    emitter.file([{"qualname": "f"}], [])
    with emitter.open(tmp_path / "t.wrongcall") as trace:
        assert isinstance(trace, Recording)
        function = trace.program.functions[1]
        assert trace.sources.reads(function) == ()
