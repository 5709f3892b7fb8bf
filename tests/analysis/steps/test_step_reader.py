from __future__ import annotations

from collections.abc import Iterable

from tests.trace.conftest import Record, Recorded
from wrongcall.recording import UNSET, CallStep, StepKind

PROGRAM = """
def work(n, out):
    total = 0
    for i in range(n):
        if i % 2:
            total += helper(i)
        else:
            out.append(i)
    while total > 3:
        total -= 2
        break
    return total

def helper(i):
    return i * 10

work(3, [])
"""


def told(run: Recorded, steps: Iterable[CallStep]) -> list[str]:
    """Each step in a few words."""
    found = []
    for step in steps:
        words = [step.kind.value, str(step.line), step.place]
        if step.value is not UNSET:
            words.append(f"= {run.picture(step.value, step.time)}")
        if step.taken is not None:
            words.append(str(step.taken))
        if step.child:
            words.append(run.recording.call(step.child).function.name)
        found.append(" ".join(word for word in words if word))
    return found


def test_lines_branches_writes_and_calls_in_order(record: Record) -> None:
    run = record(PROGRAM)
    steps = run.recording.execution.steps(run.call("work").id)
    assert [step.time for step in steps] == sorted(step.time for step in steps)
    found = told(run, steps)
    assert found[0] == "given 2 n = 3"
    assert [text for text in found if not text.startswith("given")] == [
        "line 3",
        "write 3 total = 0",
        "line 4",
        "branch 4 True",
        "write 4 i = 0",
        "line 5",
        "branch 5 False",
        "line 8",
        "write 8 out[0] = 0",
        "line 4",
        "branch 4 True",
        "write 4 i = 1",
        "line 5",
        "branch 5 True",
        "line 6",
        "call 6 helper",
        "write 6 total = 10",
        "line 4",
        "branch 4 True",
        "write 4 i = 2",
        "line 5",
        "branch 5 False",
        "line 8",
        "write 8 out[1] = 2",
        "line 4",
        "branch 4 False",
        "line 9",
        "branch 9 True",
        "line 10",
        "write 10 total = 8",
        "line 11",
        "line 12",
        "return 12 = 8",
    ]


ENDS = """
def skip(n):
    if n > 3:
        return 1

def count(n):
    while n:
        n -= 1

def choose(n):
    if n:
        return n
    elif n is None:
        n = 2

def stop(n):
    for i in range(n):
        if i == 1:
            break

def fail(n):
    try:
        for i in range(n):
            1 / i
    except ZeroDivisionError:
        pass

def nest(n):
    for i in range(n):
        for j in range(1):
            n += j

def forever(n):
    while True:
        n += 1
        if n > 1:
            return

skip(1); count(1); choose(0); stop(3); fail(2); nest(1); forever(0)
"""


def test_a_test_at_the_end_of_a_body_or_function_is_a_step(record: Record) -> None:
    run = record(ENDS)
    branches = {
        call.function.name: [
            (step.line, step.taken)
            for step in run.recording.execution.steps(call.id)
            if step.kind is StepKind.BRANCH
        ]
        for call in map(run.recording.call, range(2, run.recording.calls.count + 1))
    }
    assert branches == {
        "skip": [(3, False)],
        "count": [(7, True), (7, False)],
        "choose": [(11, False), (13, False)],
        "stop": [(17, True), (18, False), (17, True), (18, True)],
        "fail": [(23, True)],  # an exception left the loop
        "nest": [(29, True), (30, True), (30, False), (29, False)],
        "forever": [(34, True), (36, False), (34, True), (36, True)],
    }


def test_the_state_between_two_events(record: Record) -> None:
    run = record(PROGRAM)
    call = run.call("work").id
    steps = run.recording.execution.steps(call)
    written = [s for s in steps if s.kind is StepKind.WRITE and s.place == "total"]
    for step, total in zip(written, [0, 10, 8], strict=True):
        assert run.recording.states.locals(call, step.time)["total"] == total
        before = run.recording.states.locals(call, step.time - 1).get("total", UNSET)
        assert before != total


def test_exceptions_deletions_and_yields(record: Record) -> None:
    run = record(
        """
        def risky(table):
            try:
                del table["gone"]
                table["missing"]
            except KeyError as error:
                del table
            yield 5
            raise ValueError("end")

        for n in risky({"gone": 1}):
            pass
        """,
        status=1,
    )
    found = told(run, run.recording.execution.steps(run.call("risky").id))
    for text in ("delete 4 table['gone']", "yield 8 = 5", "delete 7 table"):
        assert text in found
    assert any(text.startswith("caught 5") for text in found)
    assert any(text.startswith("raise 9") for text in found)


def test_changes_by_a_library_function_are_named_after_its_argument(record: Record) -> None:
    run = record(
        """\
        import heapq
        def work(heap):
            heapq.heappush(heap, 1)
            heap.append(2)
        work([3])
        """
    )
    steps = run.recording.execution.steps(run.call("work").id)
    written = [(s.line, s.place) for s in steps if s.kind is StepKind.WRITE]
    assert written == [(3, "heap[1]"), (3, "heap[0]"), (4, "heap[2]")]


def test_statements_before_a_loop_whose_test_is_a_call_run_once(record: Record) -> None:
    run = record(
        """\
        def more(n):
            return n < 3
        def count():
            n = 0
            while more(n):
                n += 1
            return n
        count()
        """
    )
    steps = run.recording.execution.steps(run.call("count").id)
    assert steps.line_counts() == {4: 1, 5: 4, 6: 3, 7: 1}
    tests = [(step.line, step.taken) for step in steps if step.kind is StepKind.BRANCH]
    assert tests == [(5, True), (5, True), (5, True), (5, False)]


def test_an_iterator_that_raises_after_a_round_leaves_the_round_as_it_was(record: Record) -> None:
    run = record(
        """\
        def numbers():
            yield 1
            raise ValueError
        def total(out):
            for n in numbers():
                out.append(n)
                out.append(-n)
        total([])
        """,
        status=1,
    )
    found = told(run, run.recording.execution.steps(run.call("total").id))
    assert [text.partition(" = (")[0] for text in found if not text.startswith("given")] == [
        "line 5",
        "call 5 numbers",
        "branch 5 True",
        "write 5 n = 1",
        "line 6",
        "write 6 out[0] = 1",
        "line 7",
        "write 7 out[1] = -1",
        "line 5",
        "raise 5",
    ]


def test_an_if_that_follows_a_generator_expression_does_not_run_it_again(record: Record) -> None:
    run = record(
        """\
        def f(xs):
            lazy = (x + 1 for x in xs)
            if xs:
                found = list(lazy)
            return found
        f([1, 2])
        """
    )
    assert run.recording.execution.steps(run.call("f").id).line_counts() == {2: 1, 3: 1, 4: 1, 5: 1}
