from __future__ import annotations

from tests.trace.conftest import Record
from wrongcall.analysis.provenance.model import At, EndKind, LinkKind
from wrongcall.replay.resolve import Variable


def test_places_are_equal_if_they_are_the_same_place_at_the_same_time() -> None:
    one = At(Variable(3, "x"), 10, "x")
    assert one == At(Variable(3, "x"), 10, "x")
    assert one != At(Variable(3, "x"), 11, "x")
    assert len({one, At(Variable(3, "x"), 10, "x"), At(Variable(4, "x"), 10, "x")}) == 2


def test_links_say_how_the_value_arrived(record: Record) -> None:
    run = record("def f(x):\n    y = x\n    return y\n\nf(1)\n")
    with run.recording as recording:
        origin = recording.places.origin(run.calls("f")[0].id, "result")
        kinds = [link.kind for link in origin.links]
        assert kinds == [LinkKind.RETURNED, LinkKind.WRITTEN, LinkKind.PASSED]
        assert origin.end is EndKind.LITERAL
