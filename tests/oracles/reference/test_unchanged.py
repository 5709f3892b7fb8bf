"""Calls in which no changed code ran: never called right if the original would have done something else."""

from __future__ import annotations

import textwrap
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from tests.oracles.reference.random_programs import Witness, pair_of
from tests.recorder.conftest import Record, Recorded
from wrongcall.oracles.reference.changes import changes_of
from wrongcall.oracles.reference.unchanged import MAX_MEMBERS, Unchanged
from wrongcall.oracles.reference.version import Version
from wrongcall.recording import Recording

PROGRAMS = 25


def unchanged(recording: Recording, folder: Path) -> Unchanged:
    """Return the rule for a reference."""
    return Unchanged(recording, changes_of(recording, Version(folder, "v1")))


def compared(
    record: Record, folder: Path, source: str, *changes: tuple[str, str], **options: object
) -> tuple[Recorded, dict[str, list[str]]]:
    """Record a program; return for each function why each of its calls may differ in another version."""
    recorded = record(source, **options)
    good = folder / "good"
    good.mkdir()
    text = textwrap.dedent(source)
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    (good / "prog.py").write_text(text)
    rule = unchanged(recorded.recording, good)
    found: dict[str, list[str]] = {}
    for number in recorded.recording.calls.columns().id.tolist():
        name = recorded.recording.call(number).function.qualname
        found.setdefault(name, []).append(rule.why_not((number,)))
    return recorded, found


@pytest.mark.parametrize("seed", range(3))
def test_no_call_is_right_that_the_original_would_have_done_otherwise(
    record: Record, tmp_path: Path, seed: int
) -> None:
    random = Random(seed)
    pairs = [pair_of(random) for _ in range(PROGRAMS)]
    good = tmp_path / "good"
    good.mkdir()
    for number, pair in enumerate(pairs):
        (tmp_path / f"p{number}.py").write_text(pair.mutant)
        (good / f"p{number}.py").write_text(pair.original)
    modules = ", ".join(f"p{number}" for number in range(PROGRAMS))
    main = f"import {modules}\n\nfor each in ({modules}):\n    each.main()\n"
    (good / "prog.py").write_text(main)
    recording = record(main).recording
    rule = unchanged(recording, good)
    seen: Counter[str] = Counter()
    for number, pair in enumerate(pairs):
        witness = Witness(pair)
        functions = [
            function.id
            for function in recording.program.functions.values()
            if recording.program.files[function.file].module == f"p{number}"
            and function.qualname[0] in "fg"
            and function.qualname[1:].isdigit()
        ]
        calls = list(recording.calls.of_functions(functions))
        assert [recording.call(c).function.name for c in calls] == witness.names
        for place, call in enumerate(calls):
            differs = witness.differs(place)
            if not rule.why_not((call,)):
                assert not differs, (number, recording.call(call).function.name, pair)
                seen["right"] += 1
            else:
                seen["differs" if differs else "silent"] += 1
    # The test would say nothing if the rule, or the change, never mattered.
    assert seen["right"] > 100, seen
    assert seen["differs"] > 20, seen


# -- what runs in a call ---------------------------------------------------------------------------


def test_callers_of_a_changed_function_are_not_right_and_all_others_are(
    record: Record, tmp_path: Path
) -> None:
    source = """
        import io
        import threading

        def low(n):
            return n + 1

        def other(lock, out):
            with lock:
                out.write("x")

        def high(n):
            return low(n)

        high(1)
        other(threading.Lock(), io.StringIO())
        """
    _, why = compared(record, tmp_path, source, ("n + 1", "n + 2"))
    assert why["other"] == [""]
    assert why["high"] == why["low"] == ["low ran in it, and has changed"]


def test_a_changed_generator_counts_where_it_is_resumed(record: Record, tmp_path: Path) -> None:
    source = """
        def numbers():
            for n in range(3):
                yield n + 1

        def first(it):
            return next(it)

        def nothing(it):
            return 0

        it = numbers()
        first(it)
        nothing(it)
        first(it)
        """
    _, why = compared(record, tmp_path, source, ("n + 1", "n + 2"))
    assert why["nothing"] == [""]
    assert why["first"] == ["numbers ran in it, and has changed"] * 2


def test_a_generator_expression_counts_where_it_goes_on(record: Record, tmp_path: Path) -> None:
    source = """
        def numbers():
            return (n + 1 for n in range(3))

        def total(it):
            return sum(it)

        it = numbers()
        total(range(3))
        total(it)
        """
    _, why = compared(record, tmp_path, source, ("n + 1", "n + 2"))
    assert why["total"] == ["", "a generator expression of a changed function ran in it"]


def test_a_generator_is_not_right_if_its_changed_caller_ran_meanwhile(
    record: Record, tmp_path: Path
) -> None:
    source = """
        SEEN = []

        def numbers():
            for n in range(3):
                yield n + len(SEEN)

        def caller():
            for n in numbers():
                SEEN.append(n)

        caller()
        list(numbers())
        """
    _, why = compared(record, tmp_path, source, ("SEEN.append(n)", "SEEN.append(n) or 1"))
    assert why["numbers"] == ["caller ran in it, and has changed", ""]


def test_callbacks_of_libraries_count(record: Record, tmp_path: Path) -> None:
    source = """
        from functools import reduce

        def plus(a, b):
            return a + b

        def total(numbers, how):
            return reduce(how, numbers)

        total([1, 2], plus)
        total([1, 2], max)
        """
    _, why = compared(record, tmp_path, source, ("a + b", "a - b"))
    assert why["total"] == ["plus ran in it, and has changed", ""]


def test_changed_code_in_another_thread_counts_while_it_is_alive(
    record: Record, tmp_path: Path
) -> None:
    source = """
        import threading

        def worker(begun, go):
            begun.set()
            go.wait()
            return 1

        def alone():
            return 2

        begun, go = threading.Event(), threading.Event()
        thread = threading.Thread(target=worker, args=(begun, go))
        alone()
        thread.start()
        begun.wait()
        alone()
        go.set()
        thread.join()
        alone()
        """
    _, why = compared(record, tmp_path, source, ("return 1", "return 3"))
    assert why["alone"] == ["", "worker may have run in another thread, and has changed", ""]


def test_unrecorded_processes_count_until_they_were_waited_for(
    record: Record, tmp_path: Path
) -> None:
    source = """
        import subprocess

        def start():
            return subprocess.Popen(["/bin/cat"], stdin=subprocess.PIPE)

        def alone():
            return 2

        def changed():
            return 3

        alone()
        with start() as process:
            alone()
            process.communicate()
        alone()
        changed()
        """
    _, why = compared(record, tmp_path, source, ("return 3", "return 4"))
    text = "a process ran during it that was not recorded"
    assert why["alone"] == ["", text, ""]
    assert why["start"] == [text]


def test_a_call_that_has_not_ended_is_not_right(record: Record, tmp_path: Path) -> None:
    source = """
        import os

        def leave():
            os._exit(0)

        leave()
        """
    _, why = compared(record, tmp_path, source)
    assert why["leave"] == ["it had not ended"]


def test_members_of_a_group_must_all_be_right(record: Record, tmp_path: Path) -> None:
    source = """
        def step(n):
            return low(n) if n > 1 else n

        def low(n):
            return -n

        for n in range(3):
            step(n)
        """
    recorded, _ = compared(record, tmp_path, source, ("return -n", "return +n"))
    rule = unchanged(recorded.recording, tmp_path / "good")
    calls = tuple(call.id for call in recorded.calls("step"))
    assert not rule.why_not(calls[:2])
    assert rule.why_not(calls) == "low ran in it, and has changed"
    assert "more than" in rule.why_not(calls[:1] * (MAX_MEMBERS + 1))


def test_from_a_module_on_that_defines_something_else_nothing_is_right(
    record: Record, tmp_path: Path
) -> None:
    """No changed code has an event: the class of the reference compares objects by other means."""
    source = """
        def before():
            return 1

        before()
        from dataclasses import dataclass

        @dataclass
        class Point:
            x: int

        def equal():
            return Point(1) == Point(1)

        equal()
        """
    _, why = compared(record, tmp_path, source, ("@dataclass\n", "@dataclass(eq=False)\n"))
    assert why["equal"] == ["__main__ defines something else"]
    assert why["before"] == ["__main__ defines something else"]  # its module is the same one
