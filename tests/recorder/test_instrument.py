"""One source file, instrumented: its encoding, and what happens if it cannot be."""

from __future__ import annotations

import ast
import io
import json
import tokenize
from pathlib import Path
from typing import Any

import pytest

from wrongcall.recorder import _native, instrument
from wrongcall.recorder.instrument import Made, declared_encoding, decoded
from wrongcall.recorder.nodes import MARK

SOURCES = [
    b"x = 1\n",
    b"# -*- coding: latin-1 -*-\nx = '\xe9'\n",
    b"#!/bin/python\n# vim: set fileencoding=iso-8859-15 :\nx = '\xa4'\n",
    b"\xef\xbb\xbf# coding: utf-8\nx = '\xc3\xa9'\n",
    b"x = 1\n# coding: latin-1\n",
    b"\n\n# coding: latin-1\nx = '\xc3\xa9'\n",
    b"# coding=utf-8-unix\r\nx = 1\r\n",
    b"\x0c# coding: cp1252\nx = '\x80'\n",
]


@pytest.mark.parametrize("source", SOURCES)
def test_source_is_decoded_as_the_interpreter_does(source: bytes) -> None:
    encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
    assert decoded(source) == io.TextIOWrapper(io.BytesIO(source), encoding).read()


@pytest.mark.parametrize("source", SOURCES)
def test_the_declared_encoding_is_the_one_that_tokenize_finds(source: bytes) -> None:
    expected, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
    assert declared_encoding(source) == expected.replace("utf-8-sig", "utf-8")


@pytest.mark.parametrize(
    "source",
    [
        b"#\r# coding: latin-1\rx = '\xe9'\r",
        b"#\r#\r# coding: latin-1\rx = '\xc3\xa9'\r",  # the third line does not count
    ],
)
def test_lines_before_a_declared_encoding_may_end_as_on_old_macs(source: bytes) -> None:
    names: dict[str, Any] = {}
    exec(compile(source, "prog.py", "exec"), names)
    assert names["x"] in decoded(source)


def test_source_that_cannot_be_decoded_is_shown_all_the_same() -> None:
    assert decoded(b"# coding: nonsense\nx = '\xff'\n") == "# coding: nonsense\nx = '\ufffd'\n"


def test_text_has_the_line_ends_of_python() -> None:
    assert decoded("a\r\nb\rc\n") == "a\nb\nc\n"


def test_names_of_imported_modules_are_found_anywhere_in_the_file() -> None:
    source = """
import a.b, c as d
def f():
    import e
    try: pass
    except E: import g
    match x:
        case 1: import h
    return lambda: 1
from i import j
"""
    assert instrument._module_names(ast.parse(source)) == {"a", "d", "e", "g", "h"}


def test_a_module_that_cannot_be_instrumented_runs_plain_and_the_trace_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    sent: list[dict[str, Any]] = []

    def fail(*args: object) -> None:
        raise MemoryError("no more")

    monkeypatch.setattr(_native, "apart", fail)
    monkeypatch.setattr(_native, "meta", lambda text: sent.append(json.loads(text)))
    plain = compile("x = 1", "prog.py", "exec")
    assert instrument.instrument(Made(plain, b"x = 1", None, -1), "prog.py", "prog") is plain
    assert sent == [
        {"unrecorded": {"path": "prog.py", "module": "prog", "reason": "MemoryError: no more"}}
    ]


def test_placeholders_become_hooks_in_all_functions() -> None:
    marks = [f"{MARK}{i}" for i in range(2)]
    source = f"first = {marks[0]!r}\ndef f(): return {marks[1]!r}\n"
    code = instrument.with_hooks(compile(source, "prog.py", "exec"), ["zero", "one"])
    names: dict[str, Any] = {}
    exec(code, names)
    assert (names["first"], names["f"]()) == ("zero", "one")
