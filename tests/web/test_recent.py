"""What the last few requests found."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from wrongcall.web.recent import Recent


def test_the_last_results_are_kept_until_the_trace_grows() -> None:
    recording = cast(Any, SimpleNamespace(event_count=5))
    made: list[str] = []
    recent = Recent(2)

    def ask(name: str) -> str:
        def make() -> str:
            made.append(name)
            return name

        return recent.get(recording, make, name)

    assert [ask(name) for name in "aabab"] == list("aabab")
    assert made == ["a", "b"]
    ask("c")  # the oldest one, a, has to go
    ask("b")
    ask("a")
    assert made == ["a", "b", "c", "a"]
    recording.event_count = 6
    ask("a")
    assert made == ["a", "b", "c", "a", "a"]
