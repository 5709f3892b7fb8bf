from __future__ import annotations

from tests.analysis.provenance.trails import trail
from tests.trace.conftest import Record
from wrongcall.recording import EndKind, LinkKind


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
