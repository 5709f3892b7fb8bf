"""Calls in source notation: what is written can be evaluated to the same values."""

from __future__ import annotations

from tests.trace.conftest import Record
from wrongcall.oracles.rebuilding import arguments_of, result_of


def evaluated(text: str) -> object:
    return eval(text, {"__builtins__": {}, "float": float, "set": set, "frozenset": frozenset})


VALUES = """[
    0, -5, 10**300, True, None, 1.5, float("inf"), "a'b", b"\\x00", [], [1, [2]], (), (1,),
    (1, 2), {}, {"a": [1], (1, 2): 3}, set(), {1, "x"}, frozenset({2}), "ü\\ud800",
]"""


def test_what_is_written_has_the_same_value(record: Record) -> None:
    run = record(f"def same(value):\n    return value\n\nfor value in {VALUES}:\n    same(value)\n")
    values = evaluated(VALUES.replace("10**300", str(10**300)))
    assert isinstance(values, list)
    calls = run.calls("same")
    assert len(calls) == len(values)
    for call, value in zip(calls, values, strict=True):
        text = arguments_of(run.recording, call.id)
        assert text.startswith("value=")
        for found in (
            evaluated(text.removeprefix("value=")),
            evaluated(result_of(run.recording, call.id)),
        ):
            assert (found, type(found)) == (value, type(value))


def test_calls_that_need_or_change_more_than_their_arguments_have_no_source(record: Record) -> None:
    run = record(
        """
        table = {}
        class Cart:
            def add(self, n):
                return n
        def reads(n):
            return table.get(n)
        def writes(items):
            items.append(1)
        def several(*numbers):
            return 1
        def instance(cart):
            return 1
        def nothing():
            return 1
        shared = [1]
        def twice(a, b):
            return a is b
        def fails(n):
            raise ValueError(n)
        Cart().add(1); reads(1); writes([]); several(1); instance(Cart()); nothing(); twice(shared, shared)
        try:
            fails(1)
        except ValueError:
            pass
        """
    )
    texts = {
        call.function.name: arguments_of(run.recording, call.id)
        for name in (
            "Cart.add",
            "reads",
            "writes",
            "several",
            "instance",
            "nothing",
            "twice",
            "fails",
        )
        for call in run.calls(name)
    }
    assert texts == {
        **dict.fromkeys(("add", "reads", "writes", "several", "instance", "twice"), ""),
        "nothing": "()",
        "fails": "n=1",
    }
    (failed,) = run.calls("fails")
    assert result_of(run.recording, failed.id) == ""
