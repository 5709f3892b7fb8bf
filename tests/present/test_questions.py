from __future__ import annotations

import json

from tests.present.conftest import Record
from wrongcall.present import Viewer, as_json, columns, excerpt, question, title
from wrongcall.recording import ChangeKind

PROGRAM = """
scale = 2

class Cart:
    def __init__(self):
        self.items = []

    def add(self, name, price):
        print("adding", name)
        self.items.append((name, price * scale))
        return len(self.items)

def main():
    cart = Cart()
    cart.add("tea", 3)
    cart.add("\\x1b[2J", 4)
    raise ValueError("done")

try:
    main()
except ValueError:
    pass
"""


def test_a_question_has_everything_to_judge_by(record: Record) -> None:
    run = record(PROGRAM)
    first, second = run.calls("Cart.add")
    asked = question(run.trace, second.id)
    assert asked.title == "Cart.add(self=Cart(items=[('tea', 6)]), name='\\x1b[2J', price=4)"
    assert [node.label for node in asked.given] == ["self", "name", "price"]
    assert asked.given[0].summary == "Cart(items=[('tea', 6)])"
    assert [(node.label, node.summary) for node in asked.read] == [("scale", "2")]
    assert asked.outcome == "returned"
    assert asked.produced is not None
    assert asked.produced.summary == "2"
    (change,) = asked.changed
    assert (change.kind, change.place) == (ChangeKind.ADDED, "self.items[1]")
    assert (change.old, change.new) == ("", "('\\x1b[2J', 8)")
    assert asked.printed == "adding \\x1b[2J\n"
    assert asked.where.caller == run.call("main").id
    assert asked.where.caller_line == 16
    assert (asked.where.function, asked.where.line) == ("Cart.add", 8)
    assert first.id != second.id


def test_a_call_that_raised_and_what_was_printed_below_it(record: Record) -> None:
    run = record(PROGRAM)
    asked = question(run.trace, run.call("main").id)
    assert asked.outcome == "raised"
    assert asked.produced is not None
    assert asked.produced.summary == "ValueError('done')"
    assert asked.printed.splitlines() == ["adding tea", "adding \\x1b[2J"]
    assert [line.place for line in asked.variables] == ["cart"]


def test_questions_are_plain_data(record: Record) -> None:
    run = record(PROGRAM)
    data = as_json(question(run.trace, run.calls("Cart.add")[0].id))
    again = json.loads(json.dumps(data))
    assert again["changed"][0]["kind"] == "added"
    assert again["given"][0]["parts"][0]["label"] == ".items"


def test_titles_are_never_wider_than_asked(record: Record) -> None:
    run = record(
        """
        def a_function_with_a_very_long_name_indeed(first, second, third):
            return None
        a_function_with_a_very_long_name_indeed("x" * 500, list(range(500)), {"k": "v"})
        """
    )
    for call in run.trace.calls.columns().id.tolist():
        for width in range(1, 130):
            assert columns(title(run.trace, run.trace.call(call), width=width)) <= width


def test_generators_show_what_they_yielded(record: Record) -> None:
    run = record(
        """
        def count(n):
            for i in range(n):
                yield [i]
        list(count(2))
        """
    )
    asked = question(run.trace, run.call("count").id)
    assert [(node.label, node.summary) for node in asked.yielded] == [
        ("[0]", "[0]"),
        ("[1]", "[1]"),
    ]


def test_source_with_executed_lines_and_values(record: Record) -> None:
    run = record(
        """
        def f(n):
            if n > 5:
                return "big\\t"
            total = 0
            for i in range(n):
                total += i
            return total

        f(3)
        """
    )
    shown = excerpt(run.trace, run.call("f").id, marked=7)
    assert [line.number for line in shown.lines] == [2, 3, 4, 5, 6, 7, 8]
    executed = {line.number: line.executed for line in shown.lines}
    assert (executed[3], executed[4], executed[7], executed[8]) == (1, 0, 3, 1)
    values = {line.number: line.values for line in shown.lines}
    assert values[2] == ("n = 3",)
    assert values[7] == ("total = 3",)
    assert [line.number for line in shown.lines if line.marked] == [7]
    near = excerpt(run.trace, run.call("f").id, marked=7, around=1)
    assert [line.number for line in near.lines] == [6, 7, 8]


LAZY = """
import asyncio

def squares(n):
    for i in range(n):
        yield i * i

def make(n):
    return squares(n)

def use(numbers):
    return next(numbers) + next(numbers)

numbers = make(4)
use(numbers)
list(numbers)

async def double(n):
    return n * 2

def later(n):
    return double(n)

asyncio.run(later(4))
"""


def test_what_is_made_later_belongs_to_who_promised_it(record: Record) -> None:
    run = record(LAZY)
    (made,), (used,), (later,) = run.calls("make"), run.calls("use"), run.calls("later")
    (squares,), (double,) = run.calls("squares"), run.calls("double")
    produced = question(run.trace, made.id).produced
    assert produced is not None
    # All that it ever gave: whoever says that the call is right says so of all of it.
    assert produced.summary == f"<generator squares, call {squares.id}> gave 0, 1, 4, 9"
    (given,) = question(run.trace, used.id).given
    assert given.summary == f"<generator squares, call {squares.id}> gave 0, 1"
    promised = question(run.trace, later.id).produced
    assert promised is not None
    assert promised.summary == f"<coroutine double, call {double.id}> returned 8"


def test_a_generator_shows_what_the_call_got_out_of_it(record: Record) -> None:
    run = record(
        """
        def numbers(n):
            for i in range(n):
                yield i * i

        def first_two(it):
            return [next(it), next(it)]

        def drain(it):
            return list(it)

        squares = numbers(4)
        first_two(squares)
        drain(squares)
        drain(numbers(200))
        drain(iter([]))
        """
    )
    maker = run.calls("numbers")[0].id
    got = question(run.trace, run.call("first_two").id).given[0]
    assert got.summary == f"<generator numbers, call {maker}> gave 0, 1"
    rest, many, no_generator = (question(run.trace, call.id) for call in run.calls("drain"))
    assert [part.summary for part in rest.given[0].parts] == ["4", "9"]
    assert no_generator.given[0].summary == "<list iterator, nothing left>"
    assert many.given[0].size == 200
    yielded = question(run.trace, run.calls("numbers")[1].id).yielded
    assert (len(yielded), yielded[-1].summary) == (51, "… (150 more)")


def test_a_class_body_shows_what_it_defined(record: Record) -> None:
    run = record(
        """
        class Shape:
            sides = 4
            names = {4: "square"}

            def name(self):
                return self.names[self.sides]

        Shape().name()
        """
    )
    body = question(run.trace, run.call("Shape").id)
    assert [(node.label, node.summary) for node in body.defined] == [
        ("sides", "4"),
        ("names", "{4: 'square'}"),
    ]
    assert question(run.trace, run.call("Shape.name").id).defined == ()
    assert question(run.trace, 1).defined == ()


def test_arguments_can_be_left_out_of_a_title(record: Record) -> None:
    run = record(PROGRAM)
    call = run.calls("Cart.add")[0]
    assert title(run.trace, call, bare=1) == "Cart.add(self, name='tea', price=3)"


def test_an_argument_without_room_is_left_out_not_empty(record: Record) -> None:
    run = record(PROGRAM)
    call = run.calls("Cart.add")[0]
    titles = [title(run.trace, call, width=width) for width in range(12, 60)]
    assert "Cart.add(…)" in titles
    assert not any("=)" in each or "=," in each for each in titles)


def test_what_a_function_loads_of_its_arguments_comes_first(record: Record) -> None:
    run = record(
        """
        class Lexer:
            def __init__(self):
                for name in "abcdefghijklmnop":
                    setattr(self, name * 5, name)
                self.state = {"open": True}

            @property
            def is_open(self):
                return self.state["open"] and self.ccccc

        Lexer().is_open
        """
    )
    (call,) = run.calls("Lexer.is_open")
    asked = question(run.trace, call.id, width=60)
    assert asked.given[0].summary.startswith("Lexer(state={'open': True}, ccccc='c', aaaaa='a', ")
    labels = [part.label for part in asked.given[0].parts]
    assert labels[:3] == [".state", ".ccccc", ".aaaaa"]
    assert len(labels) == len(set(labels)) == 17
    assert title(run.trace, call, width=50).startswith("Lexer.is_open(self=Lexer(state=")
    # Elsewhere the order is that of the object.
    (made,) = run.calls("Lexer.__init__")
    assert "aaaaa='a'" in Viewer(run.trace).line(made.args[0].value)


CALLER = '''
RATE = 2
LIMITS = (1, 2)
turn = 0
seen = []

class Blog:
    def post(self, title, text):
        """Post a text.

        It is kept.
        """
        return cost(len(text))

def cost(size):
    global turn
    turn += 1
    seen.append(size)
    return size * RATE + LIMITS[0] + turn

Blog().post("x" * 200, "hello")
'''


def test_the_caller_is_shown_with_its_arguments(record: Record) -> None:
    run = record(CALLER)
    where = question(run.trace, run.call("cost").id, line_width=80).where
    assert where.caller_line == 13
    # The receiver says nothing that its type does not; the long argument leaves room for the other.
    assert where.caller_title.startswith("Blog.post(self, title='xxx")
    assert where.caller_title.endswith("xx' (200), text='hello')")
    assert columns(f"by {where.caller_title} at line 12345") <= 80


def test_the_docstring_is_that_of_the_recorded_source(record: Record) -> None:
    run = record(CALLER)
    assert question(run.trace, run.call("Blog.post").id).doc == "Post a text.\n\nIt is kept."
    assert question(run.trace, run.call("cost").id).doc == ""


def test_constants_come_last_and_are_counted(record: Record) -> None:
    run = record(CALLER)
    asked = question(run.trace, run.call("cost").id)
    # Bound once, but to what can change: seen. Bound to a number, but twice: turn.
    assert [node.label for node in asked.read] == ["turn", "seen", "RATE", "LIMITS"]
    assert asked.constants == 2


def test_arguments_share_the_room_of_a_title(record: Record) -> None:
    run = record(CALLER)
    call = run.call("Blog.post")
    shown = title(run.trace, call, width=80)
    assert columns(shown) == 80
    assert "text='hello'" in shown
