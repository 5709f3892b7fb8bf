from __future__ import annotations

from tests.analysis.provenance.trails import trail
from tests.trace.conftest import Record
from wrongcall.recording import EndKind


def test_what_a_call_returned(record: Record) -> None:
    run = record(
        """
        def pick(a, i):
            found = a[i]
            return [found, i]

        pick([5, 6, 7], 1)
        """
    )
    origin = run.recording.places.origin(run.call("pick").id, "result[0]")
    assert (origin.value, origin.end, origin.text) == (6, EndKind.LITERAL, "6")
    # Returned, taken out of the list, and the list was passed as it was made.
    assert [line for _, line, _ in trail(run, origin)] == [4, 3, 2]
    assert (origin.line, origin.call) == (6, run.calls("<module>")[0].id)


def test_made_by_a_builtin_with_its_operands(record: Record) -> None:
    run = record(
        """
        def count(words):
            n = len(words) + words[0]
            m = max(n, 3)
            return m

        count([10, 2])
        """
    )
    origin = run.recording.places.origin(run.call("count").id, "m")
    assert (origin.end, origin.text) == (EndKind.CALL, "max(n, 3)")
    assert [(part.text, part.value) for part in origin.operands] == [("n", 12)]
    origin = run.recording.places.origin(run.call("count").id, "n")
    assert (origin.end, origin.text) == (EndKind.EXPRESSION, "len(words) + words[0]")
    assert ("words[0]", 10) in [(part.text, part.value) for part in origin.operands]
