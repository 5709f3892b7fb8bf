from __future__ import annotations

from tests.present.conftest import Record
from wrongcall.present.findings import finding_view
from wrongcall.session import Finding, Question, Verdict
from wrongcall.session.search import Search

PROGRAM = """
class Box:
    def get(self):
        return 1

def total(box):
    found = box.get() + box.get()
    box.seen = found
    return found + box.get() + 7

def main():
    return total(Box())

main()
"""


def test_what_was_trusted_in_a_group_counts_as_trusted(record: Record) -> None:
    run = record(PROGRAM)
    groups = 0
    with Search(run.trace) as search:
        search.assume_wrong()
        while isinstance(step := search.step(), Question):
            about = {run.trace.call(call).function.qualname for call in step.calls}
            groups += len(step.calls) > 1
            verdict = Verdict.TRUST_FUNCTION if about == {"Box.get"} else Verdict.WRONG
            search.session.answer(verdict, question=step)
        assert isinstance(step, Finding)
        view = finding_view(run.trace, search.session, step)
    assert groups == 1  # two of the three calls
    assert (view.function, view.summary) == (
        "total",
        "It is wrong, and all 3 calls it made are trusted.",
    )
