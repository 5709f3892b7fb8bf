from __future__ import annotations

from pathlib import Path

from tests.replay.test_history import line_of, paper
from tests.trace.conftest import Record
from wrongcall.recording import EndKind, Recording

__all__ = ["paper"]


def test_the_paper_example_finds_where_the_nine_came_from(paper: Recording) -> None:
    """It was copied from the array in main, twice back and forth, and then to the wrong place."""
    with paper:
        last = max(
            paper.calls.of_functions(
                f.id for f in paper.program.functions.values() if f.name == "merge"
            )
        )
        origin = paper.places.origin(last, "c[2]")
        assert (origin.value, origin.end, origin.text) == (9, EndKind.LITERAL, "9")
        names = [paper.call(link.call).function.name for link in origin.links]
        assert names == ["merge", "distribute", "merge", "distribute", "main"]
        assert origin.links[0].line == line_of("c[lb] = a[la]")
        assert origin.links[-1].line == line_of("a = [4, 9, 1, 7]")


def test_augmented_assignment_is_an_expression(record: Record) -> None:
    run = record(
        """
        def add(total, more):
            total += more
            return total

        add(3, 4)
        """
    )
    origin = run.recording.places.origin(run.call("add").id, "total")
    assert (origin.value, origin.end) == (7, EndKind.EXPRESSION)
    assert [(part.text, part.value) for part in origin.operands] == [("total", 3), ("more", 4)]


def test_source_that_cannot_be_parsed_ends_the_trail(record: Record, tmp_path: Path) -> None:
    run = record("x = [1]\\ny = x[0]\\n".replace("\\n", "\n"))
    call = run.calls("<module>")[0]
    assert run.recording.places.origin(call.id, "y").text == "1"
    source = run.recording.sources.of_function(call.function)
    source.__dict__["_parsed"] = (None, "")  # as if it had been written for another Python
    source._found.clear()
    source.__dict__.pop("_by_span", None)
    origin = run.recording.places.origin(call.id, "y")
    assert (origin.end, len(origin.links)) == (EndKind.UNKNOWN, 1)
