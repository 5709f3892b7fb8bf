"""Where two runs part."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

import wrongcall.recording
from tests.recorder.conftest import run_recorded, write_program
from wrongcall.oracles.run_diff import RunDiff, Sameness, diff_of, sketch

Diff = Callable[..., RunDiff]
SOURCE = """
    import sys

    class Item:
        def __init__(self, price):
            self.price = price

    def rate(kind):
        return {"tea": 20, "cup": 0}[kind]

    def taxed(item, kind):
        return item.price + item.price * rate(kind) // 100

    def total(kinds):
        return sum(taxed(Item(100), kind) for kind in kinds)

    def main():
        total(["tea"])
        total(["cup"])
        total(["tea", "cup"])

    main()
    """


@pytest.fixture
def diff(tmp_path: Path) -> Iterator[Diff]:
    with ExitStack() as opened:

        def diff(wrong: str = "", right: str = "", source: str = SOURCE) -> RunDiff:
            runs = []
            for name, text in (("one", source), ("two", source.replace(wrong, right))):
                folder = tmp_path / name
                write_program(folder, text)
                run_recorded(["prog.py"], folder)
                runs.append(
                    opened.enter_context(wrongcall.recording.open(folder / "trace.wrongcall"))
                )
            names.update(
                {n: runs[1].call(n).function.name for n in runs[1].calls.columns().id.tolist()}
            )
            return diff_of(*runs)

        names: dict[int, str] = {}
        diff.names = names  # type: ignore[attr-defined]
        yield diff


def test_equal_runs_are_the_same(diff: Diff) -> None:
    found = diff()
    assert not found.parts
    assert set(found.counts) <= {Sameness.SAME, Sameness.UNKNOWN}
    assert found.counts[Sameness.SAME] >= 12


def test_the_innermost_call_with_another_outcome_is_named(diff: Diff) -> None:
    found = diff('"tea": 20', '"tea": 30')
    names = diff.names  # type: ignore[attr-defined]
    assert [names[each.second] for each in found.parts] == ["rate", "rate"]
    assert found.parts[0].second < found.parts[1].second
    outcomes = [each for each in found.compared if each.sameness is Sameness.OUTCOME]
    assert {names[each.second] for each in outcomes} >= {"rate", "taxed", "total"}


def test_calls_that_only_one_run_made(diff: Diff) -> None:
    found = diff('total(["cup"])', 'rate("cup"); total(["cup"])')
    names = diff.names  # type: ignore[attr-defined]
    assert [names[call] for call in found.alignment.only_second] == ["rate"]
    assert not found.alignment.only_first


def test_another_input_is_not_blamed_on_the_call(diff: Diff) -> None:
    found = diff('total(["tea"])', 'total(["cup"])')
    assert not found.parts
    assert found.counts[Sameness.INPUT] >= 1


def test_what_cannot_be_compared_is_not_called_the_same(diff: Diff) -> None:
    source = """
        def f(lines):
            return 1

        f(n for n in [1])
        """
    found = diff("", "", source)
    assert found.counts[Sameness.SAME] == 0
    assert found.counts[Sameness.UNKNOWN] >= 2


def test_a_sketch_tells_plain_values_apart(tmp_path: Path) -> None:
    write_program(tmp_path, "def f(a, b):\n    return a\n\nf(1, [])\nf(True, [])\nf(1, [2])\n")
    run_recorded(["prog.py"], tmp_path)
    with wrongcall.recording.open(tmp_path / "trace.wrongcall") as recording:
        one, other, third = (sketch(recording, call) for call in (2, 3, 4))
    assert one != other
    assert one == third  # objects are not looked into
