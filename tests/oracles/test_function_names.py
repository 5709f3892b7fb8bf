"""Names by which functions are known in every run."""

from __future__ import annotations

from tests.trace.conftest import Record
from wrongcall.oracles.function_names import portable_name

PROGRAM = """
class Cart:
    def add(self):
        return lambda: 1

Cart().add()()
"""


def test_functions_are_named_by_file_and_qualname(record: Record) -> None:
    run = record(PROGRAM)
    named = {
        f.qualname: portable_name(run.recording, n)
        for n, f in run.recording.program.functions.items()
    }
    stem = (
        next(iter(run.recording.program.files.values())).path.rpartition("/")[2].removesuffix(".py")
    )
    assert named["Cart.add"].endswith(f"{stem}:Cart.add")
    assert [name for name in named.values() if "lambda" in name or "<" in name] == []
