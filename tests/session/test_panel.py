"""The panel: an oracle that fails is named and asked no more."""

from __future__ import annotations

from collections.abc import Sequence

from wrongcall.errors import OracleError
from wrongcall.session.answers import Verdict
from wrongcall.session.oracles import Judged, Opinion, Oracle, Suspicion
from wrongcall.session.panel import Panel


class Right(Oracle):
    name = "right"

    def opinion(self, calls: tuple[int, ...]) -> Opinion | None:
        return Opinion(Verdict.RIGHT)

    def leads(self) -> Sequence[int]:
        return [3, 4]

    def suspicion(self) -> Suspicion:
        return Suspicion({1: 2.0, 2: 0.5})


class Silent(Oracle):
    name = "silent"

    def opinion(self, calls: tuple[int, ...]) -> Opinion | None:
        return None


class Broken(Right):
    name = "broken"
    asked = 0

    def opinion(self, calls: tuple[int, ...]) -> Opinion | None:
        self.asked += 1
        raise OracleError("the line is dead")


class Deaf(Right):
    name = "deaf"
    heard = 0

    def told(self, judged: Sequence[Judged]) -> None:
        self.heard += 1
        raise OSError("no paper")


def test_oracles_are_asked_in_order() -> None:
    assert [name for name, _ in Panel([Right(), Deaf()]).opinions((1,))] == ["right", "deaf"]
    assert [name for name, _ in Panel([Deaf(), Right()]).opinions((1,), {"deaf"})] == ["right"]
    assert list(Panel([Right()]).opinions((1,), trusting=True)) == []


def test_one_that_fails_is_named_and_asked_no_more() -> None:
    broken = Broken()
    panel = Panel([broken, Right()])
    for _ in range(3):
        assert [name for name, _ in panel.opinions((1,))] == ["right"]
    assert broken.asked == 1
    assert panel.excused == {"broken": "the line is dead"}


def test_one_that_cannot_take_notes_is_still_asked() -> None:
    deaf = Deaf()
    panel = Panel([deaf])
    panel.tell([])
    panel.tell([])
    assert (deaf.heard, panel.deaf, panel.excused) == (1, {"deaf": "no paper"}, {})
    assert [name for name, _ in panel.opinions((1,))] == ["deaf"]


def test_leads_and_suspicions_are_put_together() -> None:
    panel = Panel([Right(), Deaf()])
    assert panel.leads() == [3, 4]
    assert [each.functions for each in panel.suspicions()] == [{1: 2.0, 2: 0.5}] * 2
    assert Panel([Silent()]).suspicions() == []
