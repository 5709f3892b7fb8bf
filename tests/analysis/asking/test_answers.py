"""Answers to expressions over a recorded run: equal to what `eval` gives for live copies of the same values."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wrongcall.recording
from tests.languages.python.asked.test_expression import expressions, live
from tests.recorder.conftest import Record, run_recorded, write_program
from wrongcall.languages.python.asked.expression import ERRORS
from wrongcall.recording import Answer, Recording, Ref

SETS = 25


def values(seed: int) -> dict[str, Any]:
    """Return values for the names that expressions use; nested ones too."""
    chance = Random(seed)

    def number() -> int:
        return chance.randint(-5, 9)

    def text() -> str:
        return "".join(chance.choices("ab c", k=chance.randint(0, 5)))

    def few(make: Callable[[], Any]) -> list[Any]:
        return [make() for _ in range(chance.randint(0, 4))]

    return {
        "a": number(),
        "b": number(),
        "s": text(),
        "t": text(),
        "f": chance.choice([0.5, -2.25, 1e300, 3.0]),
        "xs": few(number),
        "ys": few(lambda: chance.choice([number(), text(), (number(), text()), [number()]])),
        "d": {chance.choice([number(), text(), (1, number())]): few(number) for _ in range(3)},
        "p": (number(), text(), few(number)),
        "st": set(few(number)),
    }


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Recording]:
    """A run in which a function is called with each set of values."""
    folder = tmp_path_factory.mktemp("held")
    calls = "".join(f"hold({', '.join(map(repr, values(n).values()))})\n" for n in range(SETS))
    names = ", ".join(values(0))
    write_program(folder, f"def hold({names}):\n    return 1\n\n{calls}")
    assert run_recorded(["prog.py"], folder).returncode == 0
    with wrongcall.recording.open(folder / "trace.wrongcall") as recording:
        yield recording


def plain(recording: Recording, value: Any, time: int) -> Any:
    """Return a described value as Python's own: what the recording holds, by its slow and obvious reader."""
    if isinstance(value, Ref):
        return from_data(recording.states.plain(value, time))
    if isinstance(value, dict):
        return {plain(recording, k, time): plain(recording, v, time) for k, v in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return type(value)(plain(recording, each, time) for each in value)
    return value


def from_data(data: Any) -> Any:
    """Return the value that plain data describes."""
    if not isinstance(data, tuple):
        return data
    name, _, held = data
    if name == "dict":
        return {from_data(key): from_data(each) for key, each in held}
    make = {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset}[name]
    return make(from_data(each) for each in held)


def outcome(text: str, names: dict[str, Any]) -> tuple[Any, str]:
    """Return what `eval` gives, or the kind of error that it raises."""
    try:
        return live(text, names), ""
    except ERRORS as exc:
        return None, type(exc).__name__


def comparable(value: Any) -> Any:
    if isinstance(value, float) and math.isnan(value):
        return "nan"
    return (type(value).__name__, value)


@settings(max_examples=600)
@given(st.integers(0, SETS - 1), expressions())
def test_an_expression_is_what_eval_says_of_live_copies(
    held: Recording, number: int, text: str
) -> None:
    executions = held.asking.executions("prog.py:2")
    state, call = int(executions.state[number]), int(executions.call[number])
    answer = held.asking.eval(text, call, state)
    if answer.unknown:
        return
    expected, error = outcome(text, values(number))
    assert answer.error.partition(":")[0] == error
    if error:
        return
    if hasattr(expected, "__next__") or type(expected).__name__.startswith("dict_"):
        assert answer.is_known
        return
    assert answer.is_known, answer
    assert comparable(plain(held, answer.value, state)) == comparable(expected)


def test_most_expressions_are_known(held: Recording) -> None:
    """The property above is not satisfied by knowing nothing."""
    texts = ["xs + ys", "d[1] if 1 in d else 0", "p[1] * 2", "sorted(st)", "[x for x in ys]", "len(d)",
             "f'{xs} {d} {p}'", "max(xs, default=0)", "(1, 2) in d", "ys == list(ys)", "p < (1, 'a')"]  # fmt: skip
    executions = held.asking.executions("prog.py:2")
    for number in range(SETS):
        for text in texts:
            state, call = int(executions.state[number]), int(executions.call[number])
            answer = held.asking.eval(text, call, state)
            expected, error = outcome(text, values(number))
            assert answer.error.partition(":")[0] == error
            assert error or comparable(plain(held, answer.value, state)) == comparable(expected), (
                text
            )


OBJECTS = """\
import collections, enum, math
from dataclasses import dataclass
from typing import NamedTuple

class Color(enum.Enum):
    RED = 1
    BLUE = 2

class Level(enum.IntEnum):
    LOW = 1

@dataclass
class Point:
    x: int
    y: int = 2

class Node:
    limit = 7
    def __init__(self, value, after=None):
        self.value = value
        self.after = after
        self.__hidden = 5
    @property
    def double(self):
        raise SystemExit("it ran")
    def method(self):
        raise SystemExit("it ran")

class Equal(Node):
    def __eq__(self, other):
        raise SystemExit("it ran")
    def __bool__(self):
        raise SystemExit("it ran")

class Pair(NamedTuple):
    left: int
    right: int

class Long(list):
    def __len__(self):
        return 99

class Stack(list):
    def push(self, x):
        self.append(x)

def f(color, level, point, node, equal, pair, long, stack, default, count, queue):
    return 1

loop = [1]
loop.append(loop)
queue = collections.deque([1, 2], 3)
default = collections.defaultdict(list, {1: [2]})
f(Color.RED, Level.LOW, Point(1), Node(3, Node(4)), Equal(1), Pair(1, 2), Long([1]), Stack([1, 2]), default,
  collections.Counter("aab"), queue)
"""


@pytest.fixture(scope="module")
def objects(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Recording]:
    """A run in which a function is called with objects of many kinds."""
    folder = tmp_path_factory.mktemp("objects")
    write_program(folder, OBJECTS)
    done = run_recorded(["prog.py"], folder)
    assert done.returncode == 0, done.stderr
    with wrongcall.recording.open(folder / "trace.wrongcall") as recording:
        yield recording


def ask(recording: Recording, text: str) -> Answer:
    line = OBJECTS.splitlines().index("    return 1") + 1
    (row,) = recording.print(f"prog.py:{line}", text).rows
    return row.answers[0]


@pytest.mark.parametrize(
    "text,expected",
    [
        ("color is Color.RED and color == Color.RED", True),
        ("color == Color.BLUE", False),
        ("color.name + str(color.value)", "RED1"),
        ("level + 1", 2),
        ("point.x + point.y", 3),
        ("bool(point)", True),
        ("node.value + node.after.value", 7),
        ("node.after.after is None", True),
        ("node == node.after", False),
        ("node in [node.after, node]", True),
        ("node.limit", 7),
        ("node.__hidden", 5),
        ("pair.left, pair[1], sum(pair)", (1, 2, 3)),
        ("len(stack) + stack[0]", 3),
        ("default[1][0]", 2),
        ("default.get(7)", None),
        ("count['a'], count['z'], sorted(count)", (2, 0, ["a", "b"])),
        ("queue[1], len(queue), list(queue)", (2, 2, [1, 2])),
        ("str(loop)", "[1, [...]]"),
        ("math.sqrt(16) + math.floor(math.pi)", 7.0),
        ("type(node).__name__", "Node"),
        ("isinstance(stack, list) and not isinstance(node, list)", True),
        ("{node: 1}[node]", 1),
    ],
)
def test_objects_have_what_they_store(objects: Recording, text: str, expected: Any) -> None:
    answer = ask(objects, text)
    assert (answer.value, answer.error, answer.unknown) == (expected, "", "")


@pytest.mark.parametrize(
    "text,reason",
    [
        ("node.double", "properties and methods do not run"),
        ("node.method()", "does not run"),
        ("equal == equal", "the program's own code"),
        ("bool(equal)", "the program's own code"),
        ("equal in [node]", "the program's own code"),
        ("{equal: 1}", "the program's own code"),
        ("len(long)", "the program's own code"),
        ("long[0]", "the program's own code"),
        ("point == point", "the program's own code"),
        ("node < node", "the program's own code"),
        ("str(node)", "the program's own code"),
        ("f'{color}'", "the program's own code"),
        ("str(level)", "not known"),
        ("default[5]", "default_factory"),
        ("Node(1)", "would run code"),
        ("f(1)", "would run code"),
        ("sorted(stack, key=f)", "do"),
        ("isinstance(node, Node)", "not recorded"),
        ("collections.OrderedDict()", "does not run"),
    ],
)
def test_nothing_of_the_program_runs(objects: Recording, text: str, reason: str) -> None:
    answer = ask(objects, text)
    assert reason in answer.unknown, answer


def test_a_condition_chooses_executions(record: Record) -> None:
    recording = record(
        """\
        def f(n):
            d = {}
            for i in range(n):
                d[i] = i * i
            return d
        f(10)
        """
    ).recording
    printed = recording.print("prog.py:4", "i", "len(d)", where="i % 3 == 0 and d[i - 1] >= 0")
    assert [[a.value for a in row.answers] for row in printed.rows] == [[3, 3], [6, 6], [9, 9]]
    assert (printed.total, printed.undecided, printed.left_out) == (10, 1, 0)
    assert [row.round for row in printed.rows] == [4, 7, 10]
    first = recording.print("prog.py:4", "i", where="i > 3", first=2)
    assert [row.answers[0].value for row in first.rows] == [4, 5]
    last = recording.print("prog.py:4", "i", where="i > 3", last=2)
    assert [row.answers[0].value for row in last.rows] == [8, 9]
    assert (last.left_out, first.left_out) == (4, None)
    three = recording.print("prog.py:4", "i", last=3)
    times = [row.time for row in three.rows]
    expected = {"call": [2, 2, 2], "round": [8, 9, 10], "time": times, "i": [7, 8, 9]}
    assert three.to_columns() == expected
