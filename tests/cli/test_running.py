"""The program of ``wrongcall run``: started, waited for, ended; and its output held back."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import pytest

from wrongcall.cli import running
from wrongcall.cli.running import Held, Program, _children
from wrongcall.errors import UsageError

PATIENCE = 60.0


@pytest.fixture(autouse=True)
def _no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)


# -- output that is held ---------------------------------------------------------------------------


def held(*parts: bytes) -> tuple[list[str], int]:
    """Return what is taken of a program that wrote these parts and ended."""
    reading, writing = os.pipe()
    kept = Held(reading)
    for part in parts:
        os.write(writing, part)
    os.close(writing)
    kept._thread.join(PATIENCE)
    os.close(reading)
    return kept.take()


@pytest.mark.parametrize(
    "data,lines",
    [
        (b"", []),
        (b"a\nb\n", ["a", "b"]),
        (b"a\r\nb", ["a", "b"]),
        (b"\xff\xc3\xa9\n", ["\ufffd\u00e9"]),
        (b"\n\n", ["", ""]),
    ],
)
def test_lines_are_kept_as_they_were_written(data: bytes, lines: list[str]) -> None:
    assert held(data) == (lines, 0)


def test_a_character_written_in_two_parts_is_decoded() -> None:
    assert held(b"\xc3", b"\xa9\n") == (["\u00e9"], 0)


def test_long_output_keeps_its_end_and_counts_the_rest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(running, "_MOST_HELD", 20)
    lines, dropped = held(*(f"line {i:03}\n".encode() for i in range(100)))
    assert lines[-2:] == ["line 098", "line 099"]
    # Part of a line may be left of those that are lost.
    assert dropped + len(lines) == 100


def test_held_output_is_taken_once() -> None:
    reading, writing = os.pipe()
    kept = Held(reading)
    os.write(writing, b"a\n")
    until = time.monotonic() + PATIENCE
    while (first := kept.take())[0] == []:
        assert time.monotonic() < until
    assert first == (["a"], 0)
    assert kept.take() == ([], 0)
    os.close(writing)
    kept.drained()
    os.close(reading)


# -- the program -----------------------------------------------------------------------------------


def started(folder: Path, code: str, **how: object) -> Program:
    script = folder / "prog.py"
    script.write_text(code)
    trace = folder / "t.wrongcall"
    options: dict[str, object] = {"live": False, "stdin": None, **how}
    return Program(["-o", str(trace), "--", str(script)], trace, **options)  # type: ignore[arg-type]


def waited(program: Program) -> None:
    program.wait(lambda: False)
    assert not program.running


def test_a_program_without_a_terminal_has_no_input(tmp_path: Path) -> None:
    code = f"import sys\nopen({str(tmp_path / 'read')!r}, 'w').write(repr(sys.stdin.read()))\n"
    with started(tmp_path, code) as program:
        waited(program)
    assert (tmp_path / "read").read_text() == "''"
    assert program.trace.exists()


def test_a_program_reads_the_file_it_is_given(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("hello")
    code = f"import sys\nopen({str(tmp_path / 'read')!r}, 'w').write(sys.stdin.read())\n"
    with started(tmp_path, code, stdin=tmp_path / "in.txt") as program:
        waited(program)
    assert (tmp_path / "read").read_text() == "hello"


def test_input_that_cannot_be_read_is_refused_before_anything_runs(tmp_path: Path) -> None:
    missing = tmp_path / "missing.txt"
    code = f"open({str(tmp_path / 'ran')!r}, 'w')\n"
    with pytest.raises(UsageError, match=f"^{missing}: No such file or directory$"):
        started(tmp_path, code, stdin=missing)
    assert not (tmp_path / "ran").exists()


def test_what_a_live_program_prints_is_held_in_order(tmp_path: Path) -> None:
    code = "import sys\nprint('out', flush=True)\nprint('err', file=sys.stderr)\n"
    with started(tmp_path, code, live=True) as program:
        waited(program)
        assert program.held is not None
        assert program.held.take() == (["out", "err"], 0)


def test_waiting_ends_when_something_else_is_the_case(tmp_path: Path) -> None:
    with started(tmp_path, "import time\ntime.sleep(600)\n", live=True) as program:
        program.wait(lambda: True)
        assert program.running
    assert not program.running


STUBBORN = """
import pathlib, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
pathlib.Path({!r}).touch()
time.sleep(600)
"""


def test_a_program_that_does_not_listen_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "GRACE", 0.5)
    ready = tmp_path / "ready"
    program = started(tmp_path, STUBBORN.format(str(ready)), live=True)
    until = time.monotonic() + PATIENCE
    program.wait(lambda: ready.exists() or time.monotonic() > until)
    (child, *_) = _children(program._process.pid)
    program.end()
    assert not program.running
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)


def test_a_signal_is_passed_on_and_ending_twice_is_no_error(tmp_path: Path) -> None:
    program = started(tmp_path, "import time\ntime.sleep(600)\n", live=True)
    program.send(signal.SIGTERM)
    waited(program)
    program.end()


def test_a_process_that_is_gone_has_no_children() -> None:
    assert _children(2**22 + 1) == []
