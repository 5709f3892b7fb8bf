"""A program and the same program with other code, both recorded, as the reference's run is."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import wrongcall.recording
from tests.recorder.conftest import run_recorded, write_program
from wrongcall.oracles.reference.changes import changes_of
from wrongcall.oracles.reference.same_run import SameRun
from wrongcall.oracles.reference.version import Version
from wrongcall.recording import Recording


def recorded(folder: Path, source: str) -> Recording:
    """Record a program in a folder."""
    folder.mkdir(exist_ok=True)
    write_program(folder, source)
    done = run_recorded(["prog.py"], folder)
    assert (folder / "trace.wrongcall").exists(), done.stderr
    return wrongcall.recording.open(folder / "trace.wrongcall")


@contextmanager
def same_run(folder: Path, mutant: str, original: str) -> Iterator[tuple[Recording, SameRun]]:
    """Record a program, and provide the rule for another version of it."""
    with ExitStack() as opened:
        recording = opened.enter_context(recorded(folder / "mutant", mutant))
        (folder / "original").mkdir(exist_ok=True)
        write_program(folder / "original", original)
        changes = changes_of(recording, Version(folder / "original", "v1"))

        def again() -> Recording | None:
            return opened.enter_context(recorded(folder / "original", original))

        yield recording, SameRun(recording, changes, again)


def judged(folder: Path, source: str, *changes: tuple[str, str]) -> dict[str, list[str]]:
    """Return what is said about the calls of each function of a program, if the original is a changed one."""
    text = textwrap.dedent(source)
    original = text
    for wrong, right in changes:
        assert original.count(wrong) == 1, wrong
        original = original.replace(wrong, right)
    found: dict[str, list[str]] = {}
    with same_run(folder, text, original) as (recording, rule):
        for number in recording.calls.columns().id.tolist():
            said = rule.judgement((number,))
            name = recording.call(number).function.qualname
            found.setdefault(name, []).append(f"{said.verdict.value}: {said.reason}")
    return found
