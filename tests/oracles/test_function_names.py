"""Names by which functions are known in every run."""

from __future__ import annotations

from tests.trace.conftest import Record
from wrongcall.oracles.function_names import portable_name

PROGRAM = """
class Cart:
    def add(self):
        return lambda: 1, lambda: 2, lambda:  2

[each() for each in Cart().add()]
"""


def test_functions_are_named_by_file_and_qualname(record: Record) -> None:
    run = record(PROGRAM)
    functions = run.recording.program.functions
    named = [portable_name(run.recording, number) for number in functions]
    assert "prog:Cart.add" in named
    # Bodies of modules and classes have no name that is valid elsewhere.
    kinds = {
        function.kind for n, function in functions.items() if not portable_name(run.recording, n)
    }
    assert kinds <= {"module", "class"}


def test_lambdas_are_told_apart_by_their_text(record: Record) -> None:
    run = record(PROGRAM)
    functions = run.recording.program.functions.items()
    one, two, same = (portable_name(run.recording, n) for n, f in functions if f.name == "<lambda>")
    assert one != two
    assert one.startswith("prog:Cart.add.<locals>.<lambda> ")
    moved = record("# moved\n\n" + PROGRAM)
    again = [
        portable_name(moved.recording, n)
        for n, f in moved.recording.program.functions.items()
        if f.name == "<lambda>"
    ]
    assert again[:2] == [one, two]
    assert same
