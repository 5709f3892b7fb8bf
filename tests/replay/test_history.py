from __future__ import annotations

from pathlib import Path

import pytest

import wrongcall.recording
from tests.recorder.conftest import run_recorded
from tests.trace.conftest import Record
from wrongcall.errors import UsageError
from wrongcall.recording import UNSET, Recording

EXAMPLE = Path(__file__).parents[2] / "examples" / "paper_mergesort.py"


def line_of(text: str, nth: int = 0) -> int:
    lines = EXAMPLE.read_text().splitlines()
    return [i for i, line in enumerate(lines, 1) if line.strip() == text][nth]


@pytest.fixture
def paper(tmp_path: Path) -> Recording:
    """Record the merge sort of the JHyde paper."""
    done = run_recorded([str(EXAMPLE)], tmp_path)
    assert done.stdout == "[1, 4, 9, 7]\n"
    return wrongcall.recording.open(tmp_path / "trace.wrongcall")


def test_the_history_matches_the_example_of_the_paper(paper: Recording) -> None:
    """Section 4: c[2] changed four times; 7 was right, and the last one wrote 9."""
    with paper:
        merges = list(paper.calls.of_functions(paper.program.functions))
        last = max(n for n in merges if paper.call(n).function.name == "merge")
        found = [
            (v.new, v.line, v.call == last, v.seen) for v in paper.places.history(last, "c[2]")
        ]
        assert found == [
            (1, line_of("a = [4, 9, 1, 7]"), False, True),
            (1, line_of("c[lc] = a[la]"), False, False),
            (7, line_of("c[lc] = b[lb]", 0), True, False),
            (9, line_of("c[lb] = a[la]"), True, False),
        ]


def test_a_variable_a_slot_an_entry_and_a_global(record: Record) -> None:
    run = record(
        """
        total = 0

        class Tree:
            def __init__(self):
                self.root = None
                self.config = {}

        def work(tree):
            global total
            for i in range(3):
                total = i * 10
            tree.config["x"] = i
            del tree.config["x"]
            tree.root = "top"

        tree = Tree()
        work(tree)
        tree.root = "other"
        """
    )
    call = run.call("work").id

    def values(place: str, **more: int) -> list[object]:
        return [version.new for version in run.recording.places.history(call, place, **more)]

    assert values("i") == [0, 1, 2]
    assert values("total") == [0, 0, 10, 20]
    # Over the whole run, before and after the call; `tree` is a variable of the call.
    assert values("tree.root") == [None, "top", "other"]
    written = run.recording.places.history(call, "tree.root")[1]
    at = run.recording.execution.steps(call)[-1].time
    assert written.function is not None
    assert (written.function.qualname, written.line) == ("work", 15)
    before_deletion = next(
        s.time for s in run.recording.execution.steps(call) if s.place.endswith("['x']")
    )
    assert values('tree.config["x"]', time=before_deletion) == [2, UNSET]
    with pytest.raises(UsageError, match="without the key 'x': it is empty"):
        run.recording.places.history(call, 'tree.config["x"]', at)


def test_the_first_sight_of_a_value_has_the_line_that_led_to_it(record: Record) -> None:
    run = record(
        """
        def main():
            pair = [1, 2]
            pair[0] = 3
        main()
        """
    )
    first, second = run.recording.places.history(run.call("main").id, "pair[0]")
    assert (first.new, first.line, first.seen) == (1, 3, True)
    assert (second.new, second.line, second.seen) == (3, 4, False)
    assert first.call == second.call == run.call("main").id


MISTAKES = {
    "nothing": "work .call 2. has no variable 'nothing' at time .*; it has tree, n, result",
    "tree.leaf": "tree is a Tree without an attribute 'leaf': it has size, rows",
    "tree.rows[5]": "tree.rows is a list with 2 elements: there is no index 5",
    "tree.rows['a']": "list has no key 'a'",
    "n.x": "n is not an object at time .*: it has no attribute 'x'",
    "n[0]": "n is not an object",
    "result.x": "result is None",
}


@pytest.mark.parametrize("place", MISTAKES)
def test_a_missing_place_is_answered_with_what_exists(record: Record, place: str) -> None:
    run = record(
        """
        class Tree:
            pass

        def work(tree, n):
            tree.size = n
            tree.rows = [1, 2]

        work(Tree(), 5)
        """
    )
    call = run.call("work").id
    with pytest.raises(UsageError, match=MISTAKES[place].replace("call 2", f"call {call}")):
        run.recording.places.history(call, place)
    with pytest.raises(UsageError, match="there is no time 10000000: the trace has 0 to"):
        run.recording.places.history(call, "n", 10_000_000)
