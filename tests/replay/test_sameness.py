"""Equal before and after is no change of value."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import wrongcall.recording
from tests.recorder.conftest import run_recorded
from tests.trace.conftest import Record, Recorded
from wrongcall.present import question


def changed(run: Recorded, function: str) -> list[tuple[str, str, str]]:
    asked = question(run.recording, run.call(function).id, width=200)
    return [(line.place, line.old, line.new) for line in (*asked.changed, *asked.variables)]


def test_values_replaced_by_equal_ones_are_unchanged(record: Record) -> None:
    run = record(
        """
        import sys

        def intern_not(*parts):
            return tuple(parts)

        class H:
            def __init__(self):
                self.pairs = [("Connection", "keep-alive"), (1, (2, frozenset({3})))]
                self.rows = []
                self.nested = {"a": [1, {(2, 3)}]}
                self.same = self.rows

            def fixed(self):
                pair = intern_not("Connection", "keep-alive")
                self.pairs[0] = pair
                self.pairs[1] = intern_not(1, intern_not(2, frozenset([3])))

            def shifted(self):
                self.pairs.pop(0)
                self.pairs.insert(0, intern_not("Connection", "keep-alive"))

            def mutable(self):
                self.rows = []
                self.nested = {"a": [1, {intern_not(2, 3)}]}

            def other(self):
                self.rows = [1]
                self.pairs[0] = (1.0, 2)
                self.pairs[0] = intern_not(1, 2)

        def local(pair, rows):
            pair = intern_not(*pair)
            rows = list(rows)

        h = H()
        h.fixed()
        h.shifted()
        h.mutable()
        h.other()
        local((1, 2), [1])
        """
    )
    assert changed(run, "H.fixed") == [("pair", "", "('Connection', 'keep-alive')")]
    assert changed(run, "H.shifted") == []
    assert changed(run, "H.mutable") == [
        ("self.rows", "[]", "[] (equal, but another object)"),
        ("self.nested", "{'a': [1, {(2, 3)}]}", "{'a': [1, {(2, 3)}]} (equal, but another object)"),
    ]
    assert [(place, new) for place, _, new in changed(run, "H.other")] == [
        ("self.rows", "[1]"),
        ("self.pairs[0]", "(1, 2)"),
    ]
    assert changed(run, "local") == [("rows", "[1]", "[1] (equal, but another object)")]


def test_objects_that_contain_themselves(record: Record) -> None:
    run = record(
        """
        class N:
            pass

        def ring(length):
            first = last = N()
            for _ in range(length - 1):
                last.next = N()
                last = last.next
            last.next = first
            return first

        def replace(box):
            box.a = ring(2)
            box.b = ring(3)

        box = N()
        box.a, box.b = ring(2), ring(2)
        replace(box)
        """
    )
    effect = run.recording.questions.effect(run.call("replace").id)
    ((a, b),) = [one.changes for one in effect.objects]
    assert (a.equal, b.equal) == (True, False)


Values = st.recursive(
    st.one_of(st.integers(0, 2), st.booleans(), st.none(), st.sampled_from([0.0, 1.0, "", "a"])),
    lambda inner: st.one_of(
        st.lists(inner, max_size=2),
        st.tuples(inner, inner),
        st.dictionaries(st.sampled_from(["a", "b"]), inner, max_size=2),
    ),
    max_leaves=5,
)


def exactly(one: Any, other: Any) -> bool:
    """Compare plain values by type and in order; the witness."""
    return repr(one) == repr(other)


def has_mutable(value: Any) -> bool:
    if isinstance(value, tuple):
        return any(map(has_mutable, value))
    return isinstance(value, list | dict)


@settings(
    max_examples=6,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
)
@given(st.lists(st.tuples(Values, Values | st.none()), min_size=30, max_size=60))
def test_reported_changes_are_those_that_a_witness_sees(drawn: list[tuple[Any, Any]]) -> None:
    pairs = [(old, old if new is None else new) for old, new in drawn]
    program = "import copy\n\ndef put(box, new):\n    box[0] = new\n\n"
    for old, new in pairs:
        # Made anew each time: constants of one file would be one object.
        program += f"put([eval({repr(old)!r})], eval({repr(new)!r}))\n"
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "prog.py").write_text(program)
        done = run_recorded(["prog.py"], Path(folder))
        assert done.returncode == 0, done.stderr
        with wrongcall.recording.open(Path(folder, "trace.wrongcall")) as recording:
            functions = [f.id for f in recording.program.functions.values() if f.name == "put"]
            for (old, new), call in zip(
                pairs, recording.calls.of_functions(functions), strict=True
            ):
                lines = question(recording, call).changed
                equal = [line.new.endswith("(equal, but another object)") for line in lines]
                if not exactly(old, new):
                    assert equal == [False], (old, new, lines)
                else:
                    assert equal == [True] * has_mutable(old), (old, new, lines)


@settings(
    max_examples=5,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
)
@given(st.lists(st.tuples(Values, Values | st.none()), min_size=30, max_size=60))
def test_values_of_two_calls_compare_as_a_witness_says(drawn: list[tuple[Any, Any]]) -> None:
    pairs = [(old, old if new is None else new) for old, new in drawn]
    program = "def take(value):\n    pass\n\nbox = [None]\ndef keep(box):\n    pass\n\n"
    for pair in pairs:
        for value in pair:
            program += f"take(eval({repr(value)!r}))\nbox[0] = eval({repr(value)!r})\nkeep(box)\n"
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "prog.py").write_text(program)
        done = run_recorded(["prog.py"], Path(folder))
        assert done.returncode == 0, done.stderr
        with wrongcall.recording.open(Path(folder, "trace.wrongcall")) as recording:
            functions = recording.program.functions.values()
            for name in ("take", "keep"):  # other objects, and the same one at other times
                number = next(f.id for f in functions if f.name == name)
                calls = [recording.call(n) for n in recording.calls.of_functions({number})]
                given = [(call.args[0].value, call.entered_with(call.args)) for call in calls]
                for (old, new), one, other in zip(pairs, given[::2], given[1::2], strict=True):
                    same = recording.states.sameness.compare(*one, *other)
                    assert same == in_any_order(old, new), (name, old, new)


def in_any_order(one: Any, other: Any) -> bool:
    """Compare plain values by type and value; dicts in any order: the witness."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(in_any_order(one[k], other[k]) for k in one)
    if isinstance(one, list | tuple):
        pairs = zip(one, other, strict=False)
        return len(one) == len(other) and all(in_any_order(*pair) for pair in pairs)
    return bool(one == other)
