"""Writes to variables of enclosing functions, and to names of class bodies, are recorded."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.recorder.heap_compare import Witnessed, run_witnessed
from wrongcall.recording import UNSET, Ref

CLOSURES = """
def counter(start):
    count = start
    def increment(by=1):
        nonlocal count
        count += by
        probe(f'increment {count}')
        return count
    def reset():
        nonlocal count
        count = start
    increment.reset = reset
    return increment

one = counter(10)
two = counter(20)
one()
two()
one(5)
one.reset()
one(7)

def deep():
    level = 0
    def middle():
        def inner():
            nonlocal level
            level += 1
            probe(f'inner {level}')
        inner()
        return inner
    middle()()
    probe('deep')
deep()

def adders():
    result = []
    for n in range(3):
        def add(x):
            probe(f'add {x}')
            return x + n
        result.append(add)
    return result
for k, add in enumerate(adders()):
    add(k)

def callbacks():
    seen = []
    last = None
    def see(x):
        nonlocal last
        last = x
        seen.append(x)
        return -x
    sorted([3, 1, 2], key=see)
    list(map(see, [7, 8]))
    probe('callbacks')
callbacks()

class Body:
    first = 1
    second = first + 1
    items = [n for n in range(first)]
    first += 5
    del second
    for third in range(3): pass
    __private = 4
    class Nested:
        inside = 5
    import math as module, os.path
    with open(__file__) as file:
        pass
    del file
    tail, *rest = 'abc'
    def method(self): pass
    del method
    items += [7]
    try:
        left, None.right = 1, 2
    except AttributeError as error:
        pass
    match (1, 2):
        case (one, two) if one > 5: pass
    probe('class body')

def in_function():
    outside = 1
    class Local:
        nonlocal outside
        outside = 2
        own = outside
        probe('local class body')
    probe('around the class')
    return Local
in_function()
"""


CLOSURE_PROBES = [
    "increment 11",
    "increment 21",
    "increment 16",
    "increment 17",
    "inner 1",
    "inner 2",
    "deep",
    "add 0",
    "add 1",
    "add 2",
    "callbacks",
    "class body",
    "local class body",
    "around the class",
]


@pytest.fixture(scope="module")
def closure_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Witnessed]:
    with run_witnessed(tmp_path_factory.mktemp("closures"), CLOSURES) as run:
        yield run


@pytest.mark.parametrize("label", CLOSURE_PROBES)
def test_closures(closure_run: Witnessed, label: str) -> None:
    assert set(closure_run.snapshots) == set(CLOSURE_PROBES)
    closure_run.locals_agree(label)


def test_history_of_a_nonlocal(closure_run: Witnessed) -> None:
    run = closure_run
    (one, two) = run.calls("counter")
    source = run.source.splitlines()
    found = [
        (w.old, w.new, source[w.line - 1].strip(), run.recording.call(w.call).function.name)
        for w in run.recording.places.local_writes(one.id, "count")
    ]
    assert found == [
        (UNSET, 10, "count = start", "counter"),
        (10, 11, "count += by", "increment"),
        (11, 16, "count += by", "increment"),
        (16, 10, "count = start", "reset"),
        (10, 17, "count += by", "increment"),
    ]
    assert [w.new for w in run.recording.places.local_writes(two.id, "count")] == [20, 21]
    # Seen from inside, it is the same variable.
    inner = run.calls("counter.<locals>.increment")[-1]
    assert [w.new for w in run.recording.places.local_writes(inner.id, "count")] == [
        10,
        11,
        16,
        10,
        17,
    ]


def test_a_class_gets_the_names_of_its_body(closure_run: Witnessed) -> None:
    run = closure_run
    body = run.call("Body")
    value = run.recording.states.globals("__main__")["Body"]
    assert isinstance(value, Ref)
    attrs = run.recording.states.state(value.oid).attrs
    locals_ = run.recording.states.locals(body.id, body.exit)
    assert attrs["first"] == locals_["first"] == 6
    assert attrs["third"] == locals_["third"] == 2
    assert attrs["_Body__private"] == 4
    assert "second" not in attrs
