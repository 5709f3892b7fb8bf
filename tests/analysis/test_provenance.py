from __future__ import annotations

from pathlib import Path

from tests.replay.test_history import line_of, paper
from tests.trace.conftest import Record, Recorded
from wrongcall.recording import EndKind, LinkKind, Origin, Recording

__all__ = ["paper"]


def trail(run: Recorded, origin: Origin) -> list[tuple[str, int, str]]:
    """The links: function, line, place."""
    names = {link.call: run.recording.call(link.call).function.name for link in origin.links}
    return [(names[link.call], link.line, link.place) for link in origin.links]


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


def test_through_arguments_returns_and_attributes(record: Record) -> None:
    run = record(
        """
        class Box:
            def __init__(self, content):
                self.content = content

            def get(self):
                return self.content

        def make(x):
            return x * 2

        def wrap(thing, *, extra=None):
            return Box(content=thing)

        def main():
            number = make(21)
            box = wrap(number, extra=1)
            result = box.get()
            copies = [0, 0]
            copies[1] = result
            return copies

        main()
        """
    )
    origin = run.recording.places.origin(run.call("main").id, "copies[1]")
    assert origin.value == 42
    assert trail(run, origin) == [
        ("main", 20, "copies[1]"),
        ("main", 18, "result"),
        ("get", 7, "result"),
        ("__init__", 4, "self.content"),
        ("__init__", 3, "content"),
        ("wrap", 12, "thing"),
        ("main", 16, "number"),
        ("make", 10, "result"),
    ]
    kinds = [link.kind for link in origin.links]
    assert kinds.count(LinkKind.PASSED) == 2
    assert kinds.count(LinkKind.RETURNED) == 2
    assert (origin.end, origin.text) == (EndKind.EXPRESSION, "x * 2")
    assert [(part.text, part.value) for part in origin.operands] == [("x", 21)]


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


def test_swaps_read_what_was_there_before(record: Record) -> None:
    run = record(
        """
        def swap():
            a, b = "first", "second"
            a, b = b, a
            return b

        swap()
        """
    )
    for name, text in (("a", "'second'"), ("b", "'first'")):
        text = text.replace("'", '"')
        origin = run.recording.places.origin(run.call("swap").id, name)
        assert (origin.end, origin.text) == (EndKind.LITERAL, text)
        assert [link.line for link in origin.links] == [4, 3]


def test_conditions_walruses_and_containers(record: Record) -> None:
    run = record(
        """
        def choose(flag, table, stack):
            a = table.get("k") or 0
            b = stack.pop()
            c = a if flag else b
            d = (e := c)
            return d

        choose(False, {"k": 1001}, [7, 1002])
        choose(True, {"k": 1001}, [7, 1002])
        """
    )
    no, yes = run.calls("choose")
    assert run.recording.places.origin(no.id, "d").text == "1002"
    origin = run.recording.places.origin(yes.id, "d")
    assert origin.text == "1001"
    assert [link.line for link in origin.links] == [6, 5, 3, 2]
    assert origin.line == 10


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


def test_appended_values(record: Record) -> None:
    run = record(
        """
        def collect(n):
            found = []
            for i in range(n):
                value = i + 100
                found.append(value)
            found.insert(0, n)
            return found

        collect(3)
        """
    )
    origin = run.recording.places.origin(run.call("collect").id, "found[2]")
    assert (origin.value, origin.text) == (101, "i + 100")
    assert [link.line for link in origin.links] == [6, 5]
    assert [(part.text, part.value) for part in origin.operands] == [("i", 1)]
    origin = run.recording.places.origin(run.call("collect").id, "found[0]")
    assert (origin.value, origin.text) == (3, "3")


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
