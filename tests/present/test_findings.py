from __future__ import annotations

from tests.present.conftest import Record
from tests.session.truth import advanced
from wrongcall.present.findings import FindingView, finding_view
from wrongcall.session import Finding, Part, Question, Verdict, Where
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


def test_calls_trusted_in_a_group_count_as_trusted(record: Record) -> None:
    run = record(PROGRAM)
    groups = 0
    with Search(run.recording) as search:
        search.assume_wrong()
        while isinstance(step := advanced(search), Question):
            about = {run.recording.call(call).function.qualname for call in step.calls}
            groups += len(step.calls) > 1
            verdict = Verdict.TRUST_FUNCTION if about == {"Box.get"} else Verdict.WRONG
            search.session.answer(verdict, question=step)
        assert isinstance(step, Finding)
        view = finding_view(run.recording, search.session, step)
    assert groups == 1  # two of the three calls
    assert (view.function, view.summary) == (
        "total",
        "It is wrong, and all 3 calls it made are trusted.",
    )


LOOP = """
def square(x):
    return x * x

def main():
    return [square(n) for n in range(4)]

main()
"""


def judged(record: Record, program: str, verdicts: dict[str, Verdict]) -> FindingView:
    """Return the finding when the calls of these functions are judged so, alone or in groups."""
    run = record(program)
    with Search(run.recording) as search:
        search.assume_wrong()
        while isinstance(step := advanced(search), Question):
            name = run.recording.call(step.calls[0]).function.qualname
            search.session.answer(verdicts[name], question=step)
        assert isinstance(step, Finding)
        return finding_view(run.recording, search.session, step)


def test_a_finding_does_not_claim_what_was_not_judged(record: Record) -> None:
    verdicts = {"main": Verdict.WRONG, "square": Verdict.DONT_KNOW}
    view = judged(record, LOOP, verdicts)
    assert view.headline == "The bug is in main, or in one of 4 calls that were not judged"
    assert [m.title for m in view.undecided] == [f"square(x={n})" for n in range(4)]
    assert view.undecided_count == 4
    one = judged(record, LOOP.replace("range(4)", "range(1)"), verdicts)
    assert one.headline == "The bug is in main, or in a call that was not judged"
    sure = judged(record, LOOP, {"main": Verdict.WRONG, "square": Verdict.RIGHT})
    assert sure.headline == "The bug is in main"


def test_an_inadmissible_call_is_not_called_right(record: Record) -> None:
    program = LOOP.replace("range(4)", "range(1)")
    view = judged(record, program, {"main": Verdict.WRONG, "square": Verdict.INADMISSIBLE})
    assert view.headline == "The bug is in main"
    assert view.summary == (
        "It is wrong, and its only call is invalid."
    )  # fmt: skip


FILLED = """
def fill(items):
    items.append(1)
    items.append(2)
    items[0] = items[1] + 5
    items.append(3)

def main():
    fill([])

main()
"""


def test_the_line_that_made_a_wrong_part_is_marked(record: Record) -> None:
    run = record(FILLED)
    with Search(run.recording) as search:
        search.assume_wrong()
        fill = next(
            run.recording.calls.of_functions(
                [f.id for f in run.recording.program.functions.values() if f.name == "fill"]
            )
        )
        search.session.judge(fill, Verdict.WRONG_PART, part=Part(Where.EFFECT, "items[0]"))
        step = advanced(search)
        assert isinstance(step, Finding)
        view = finding_view(run.recording, search.session, step)
    assert view.source is not None
    marked = [line.text.strip() for line in view.source.lines if line.marked]
    assert marked == ["items[0] = items[1] + 5"]
