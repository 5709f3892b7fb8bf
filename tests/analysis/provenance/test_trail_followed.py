"""Origins through loops, comprehensions, generated ``__init__`` methods, generators and coroutines."""

from __future__ import annotations

import pytest

from tests.analysis.provenance.trails import trail
from tests.trace.conftest import Record
from wrongcall.recording import EndKind


def test_the_variable_of_a_comprehension_is_an_element(record: Record) -> None:
    run = record(
        """
        def double(a):
            return a * 2

        def main(x):
            xs = [x, 4, 5]
            return [double(x) for x in xs]

        main(3)
        """
    )
    calls = run.calls("double")
    for call, text in zip(calls, ["3", "4", "5"], strict=True):
        origin = run.recording.places.origin(call.id, "a")
        assert (origin.end, origin.text) == (EndKind.LITERAL, text)
    origin = run.recording.places.origin(calls[1].id, "a")
    assert trail(run, origin) == [("double", 2, "a"), ("main", 7, "x"), ("main", 6, "xs[1]")]
    assert [link.source for link in origin.links] == ["x", "an element of xs", "4"]


def test_a_name_in_a_comprehension_is_not_the_variable_around_it(record: Record) -> None:
    run = record(
        """
        def show(a):
            return a

        def main():
            x = 1
            found = [show(x) for x in [x for x in (2, 1, 1)] if show(x)]
            return {show(y): x for y in [7]}, found

        main()
        """
    )
    for call in run.calls("show")[:-1]:
        origin = run.recording.places.origin(call.id, "a")
        assert [link.source for link in origin.links][:2] == [
            "x",
            "an element of [x for x in (2, 1, 1)]",
        ]
        assert origin.end is EndKind.EXPRESSION


@pytest.mark.parametrize(
    "loop, variable, text",
    [
        ("for v in xs", "v", "20"),
        ("for i, v in enumerate(xs)", "v", "20"),
        ("for i, v in enumerate(same)", "v", "22"),
        ("for v, w in zip(xs, pairs)", "v", "20"),
        ("for k, v in d.items()", "v", "21"),
        ("for v in d.values()", "v", "21"),
        ("for w, v in pairs", "v", "23"),
        ("for v in reversed(xs)", "v", "10"),
        ("for v in same", "v", "for v in same"),
        ("for v in d", "v", "for v in d"),
        ("for v in iter(xs)", "v", "for v in iter(xs)"),
    ],
)
@pytest.mark.parametrize("comprehended", [False, True])
def test_what_loops_take_out(
    record: Record, loop: str, variable: str, text: str, comprehended: bool
) -> None:
    body = f"[show({variable}) {loop}]" if comprehended else f"{loop}:\n        show({variable})"
    run = record(
        f"""
def show(a):
    return a

def main():
    xs = [10, 20]
    same = [22, 22]
    d = {{"a": 11, "b": 21}}
    pairs = [(1, 13), (2, 23)]
    {body}

main()
"""
    )
    origin = run.recording.places.origin(run.calls("show")[-1].id, "a")
    assert origin.text == text


def test_a_container_that_is_replaced_in_its_loop_is_not_looked_into(record: Record) -> None:
    run = record(
        """
        def main():
            xs = [1, 2]
            for x in xs:
                xs = [1, 2]
            return x

        main()
        """
    )
    origin = run.recording.places.origin(run.call("main").id, "x")
    assert (origin.end, origin.text) == (EndKind.EXPRESSION, "for x in xs")


@pytest.mark.parametrize(
    "definition",
    [
        "@dataclass\nclass P:\n    x: int\n    y: int = 0",
        "@dataclasses.dataclass(frozen=True)\nclass P:\n    x: int\n    y: int = 0",
        "@dataclass(slots=True)\nclass P:\n    k: ClassVar[int] = 3\n    x: int\n    y: int = field(default=0)",
        "@dataclass\nclass P:\n    x: int\n    y: int\n    def __post_init__(self):\n        self.z = 1",
        "@dataclass\nclass B:\n    x: int\n@dataclass\nclass P(B):\n    y: int",
        "@dataclass\nclass P:\n    w: InitVar[int] = field(init=False, default=5)\n    x: int = 7\n    y: int = 8",
        "@attrs.define\nclass P:\n    x: int\n    y: int = 0",
        "@attr.s\nclass P:\n    x = attr.ib()\n    y = attr.ib(default=0)",
    ],
)
@pytest.mark.parametrize(
    "use", ["p = P(y, 1)", "p = P(y=1, x=y)", "p = P(*(y, 1))", "p = same(P(y, 1))"]
)
def test_generated_init_methods_pass_arguments_on(
    record: Record, definition: str, use: str
) -> None:
    imports = "import attr, attrs" if "attr" in definition else ""
    run = record(
        f"""
import dataclasses
from dataclasses import InitVar, dataclass, field
from typing import ClassVar
{imports}

{definition}

def same(p):
    return p

def main():
    y = 1
    {use}
    return p

main()
"""
    )
    call = run.call("main").id
    for attribute, source in (("x", "y"), ("y", "1")):
        origin = run.recording.places.origin(call, f"p.{attribute}")
        assert origin.links[0].source == source, origin
        assert (origin.end, origin.text) == (EndKind.LITERAL, "1")


def test_generated_init_methods_that_may_do_something_else(record: Record) -> None:
    run = record(
        """
        from dataclasses import InitVar, dataclass, field

        def double(cls):
            init = cls.__init__
            cls.__init__ = lambda self, a, b: init(self, b, a)
            return cls

        @double
        @dataclass
        class P:
            x: int
            y: int

        class Q:
            def __init__(self, **given):
                self.x, self.y = 1, 1

        @dataclass
        class R(Q):
            x: int = 1
            y: int = 1

        def main():
            y = z = 1
            p = P(y, z)
            r = R(y, z)

        main()
        """
    )
    call = run.call("main").id
    for place in ("p.x", "p.y", "r.x", "r.y"):
        assert "y" not in [link.source for link in run.recording.places.origin(call, place).links]


def test_what_await_and_yield_from_produce_was_returned(record: Record) -> None:
    run = record(
        """
        import asyncio

        async def fetch(n):
            return n

        def inner(n):
            yield 1
            return n

        def outer():
            got = yield from inner(5)
            return got

        async def main():
            got = await fetch(5)
            list(outer())
            return got

        asyncio.run(main())
        """
    )
    for name in ("main", "outer"):
        origin = run.recording.places.origin(run.call(name).id, "got")
        assert (origin.end, origin.text) == (EndKind.LITERAL, "5")
        assert len(origin.links) == 3


def test_which_operand_of_or_was_taken(record: Record) -> None:
    run = record(
        """
        def ask(x):
            return x

        def main():
            one = other = 1
            none = 0
            a = one or other
            b = none or other
            for i in (5, 0):
                c = i or ask(5)
            d = 5 or ask(5)
            for i in (0, 5):
                e = i or ask(5)
            return a

        main()
        """
    )
    call = run.call("main").id
    first = {name: run.recording.places.origin(call, name).links[1:] for name in "abcde"}
    assert not first["a"]  # both were 1
    assert first["b"][0].place == "other"
    assert first["c"][0].place == "result"
    assert not first["d"]
    assert first["e"][0].place == "i"
