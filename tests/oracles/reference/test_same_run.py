"""The same run with other code: calls that began before the two parted."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from tests.oracles.reference.random_programs import Witness, pair_of
from tests.oracles.reference.two_runs import judged, same_run
from wrongcall.session import Verdict

LATER = "don't know: it began after changed code had run"
PROGRAMS = 8


@pytest.mark.parametrize("seed", range(10, 12))
def test_no_verdict_contradicts_a_run_that_switches_to_the_original(
    tmp_path: Path, seed: int
) -> None:
    random, seen = Random(seed), Counter[str]()
    for number in range(PROGRAMS):
        pair = pair_of(random)
        folder = tmp_path / f"p{number}"
        folder.mkdir()
        witness = Witness(pair)
        with same_run(folder, pair.mutant + "\n\nmain()\n", pair.original + "\n\nmain()\n") as made:
            recording, rule = made
            functions = [
                function.id
                for function in recording.program.functions.values()
                if function.qualname[0] in "fg" and function.qualname[1:].isdigit()
            ]
            calls = list(recording.calls.of_functions(functions))
            assert [recording.call(c).function.name for c in calls] == witness.names
            for place, call in enumerate(calls):
                verdict = rule.judgement((call,)).verdict
                if verdict is not Verdict.DONT_KNOW:
                    assert witness.differs(place) == (verdict is Verdict.WRONG), (place, pair)
                    seen[verdict.value] += 1
    # The test would say nothing if nothing was decided.
    assert seen["right"] > 0, seen
    assert seen["wrong"] > 2, seen


def test_calls_that_hold_a_lock_are_compared(tmp_path: Path) -> None:
    source = """
        import io
        import threading

        LOCK = threading.Lock()

        def taxed(n, out):
            out.write("x")
            return n * 2

        def write(out, lock):
            with lock:
                out.write(str(taxed(3, out)))

        def report():
            out = io.StringIO()
            write(out, LOCK)
            return out.getvalue()

        def kept():
            with LOCK:
                return taxed(1, io.StringIO()) > 0

        report()
        kept()
        """
    found = judged(tmp_path, source, ("n * 2", "n * 3"))
    assert found["taxed"] == ["wrong: result is 9, not 6", LATER]
    assert found["report"] == ["wrong: result is 'x9', not 'x6'"]
    assert found["kept"] == [LATER]


def test_a_call_whose_outcome_the_change_does_not_reach_is_right(tmp_path: Path) -> None:
    source = """
        import threading

        def low(lock):
            with lock:
                return 1

        def high(lock):
            return low(lock) > 0

        high(threading.Lock())
        """
    found = judged(tmp_path, source, ("return 1", "return 2"))
    assert found["low"] == ["wrong: result is 2, not 1"]
    assert found["high"] == ["right: "]


def test_what_differs_by_chance_is_not_wrong(tmp_path: Path) -> None:
    source = """
        import random

        def low():
            return random.random()

        def high():
            return low()

        high()
        """
    found = judged(tmp_path, source, ("return random", "return 0 + random"))
    assert found["low"] == found["high"] == ["don't know: the runs differ by chance"]


def test_runs_that_differ_before_changed_code_ran_are_not_compared(tmp_path: Path) -> None:
    source = """
        import time

        def low(n):
            return 1

        def high():
            now = time.time()
            return low(now)

        high()
        """
    found = judged(tmp_path, source, ("return 1", "return 2"))
    text = "don't know: the runs differ before changed code ran"
    assert found["low"] == found["high"] == [text]


def test_a_run_with_other_definitions_or_a_failed_one_says_nothing(tmp_path: Path) -> None:
    source = "class A:\n    x = 1\n\ndef f():\n    return 1\n\nf()\n"
    found = judged(tmp_path, source, ("x = 1", "x = 2"), ("return 1", "return 2"))
    assert found["f"] == [LATER]
    (tmp_path / "more").mkdir()
    found = judged(tmp_path / "more", source, ("return 1", "import os; os._exit(3)"))
    assert found["f"] == ["don't know: it did not end in both runs"]


def test_groups_are_not_compared(tmp_path: Path) -> None:
    text = "def f(n):\n    return n\n\nf(1)\nf(2)\n"
    with same_run(tmp_path, text, text.replace("return n", "return -n")) as (recording, rule):
        calls = tuple(recording.calls.columns().id.tolist())
        assert rule.judgement(calls[1:]).verdict is Verdict.DONT_KNOW
        assert rule.judgement(calls[1:2]).verdict is Verdict.WRONG
