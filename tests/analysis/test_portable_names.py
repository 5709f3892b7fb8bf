"""Objects that modules hold have names that are valid in other runs."""

from __future__ import annotations

from pathlib import Path

import wrongcall.recording
from tests.recorder.conftest import run_recorded, write_program

SOURCE = """
    MISSING = object()
    other = MISSING

    class Item:
        pass

    def twice(n):
        return 2 * n

    def use(function, kind, default=MISSING, *more):
        return default is MISSING

    FILLER
    use(twice, Item)
    use(len, Item, MISSING)
    use(lambda n: n, Item)
    use(twice, Item, object())
    """


def keys(folder: Path, source: str) -> list[bytes | None]:
    write_program(folder, source)
    run_recorded(["prog.py"], folder)
    with wrongcall.recording.open(folder / "trace.wrongcall") as recording:
        calls = recording.calls.columns().id.tolist()
        return [
            recording.questions.portable_key(call)
            for call in calls
            if recording.call(call).function.name == "use"
        ]


def test_calls_that_are_given_them_can_be_compared_between_runs(tmp_path: Path) -> None:
    one = keys(tmp_path / "one", SOURCE.replace("FILLER", "pass"))
    # Other numbers, the same names.
    two = keys(tmp_path / "two", SOURCE.replace("FILLER", "filler = [[] for _ in range(9)]"))
    assert one[0] is not None
    assert one[1] is not None
    assert one == two
    assert one[0] != one[1]
    # Nothing names a lambda, or an object that no module holds.
    assert one[2:] == [None, None]


def test_another_function_is_another_question(tmp_path: Path) -> None:
    source = SOURCE.replace("FILLER", "def thrice(n):\n        return 3 * n")
    one = keys(tmp_path / "one", source)
    two = keys(tmp_path / "two", source.replace("use(twice, Item)\n", "use(thrice, Item)\n"))
    assert one[0] != two[0]
    assert one[1] == two[1]
