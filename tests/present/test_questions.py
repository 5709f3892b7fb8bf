from __future__ import annotations

import json

from tests.present.conftest import Record
from wrongcall.present import Viewer, as_json, columns, question, title
from wrongcall.present.lines import Line, text_of
from wrongcall.present.questions import MOST_OPENED
from wrongcall.present.screens.question import Size, change_line, fitted
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


def test_a_question_shows_everything_needed_to_judge_it(record: Record) -> None:
    run = record(PROGRAM)
    first, second = run.calls("Cart.add")
    asked = question(run.recording, second.id)
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


def test_a_question_shows_the_exception_and_what_inner_calls_printed(record: Record) -> None:
    run = record(PROGRAM)
    asked = question(run.recording, run.call("main").id)
    assert asked.outcome == "raised"
    assert asked.produced is not None
    assert asked.produced.summary == "ValueError('done')"
    assert asked.printed.splitlines() == ["adding tea", "adding \\x1b[2J"]
    assert [line.place for line in asked.variables] == ["cart"]


def test_questions_are_plain_data(record: Record) -> None:
    run = record(PROGRAM)
    data = as_json(question(run.recording, run.calls("Cart.add")[0].id))
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
    for call in run.recording.calls.columns().id.tolist():
        for width in range(1, 130):
            assert columns(title(run.recording, run.recording.call(call), width=width)) <= width


def test_generators_show_what_they_yielded(record: Record) -> None:
    run = record(
        """
        def count(n):
            for i in range(n):
                yield [i]
        list(count(2))
        """
    )
    asked = question(run.recording, run.call("count").id)
    assert [(node.label, node.summary) for node in asked.yielded] == [
        ("[0]", "[0]"),
        ("[1]", "[1]"),
    ]


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


def test_values_made_later_are_shown_with_the_call_that_returned_the_generator(
    record: Record,
) -> None:
    run = record(LAZY)
    (made,), (used,), (later,) = run.calls("make"), run.calls("use"), run.calls("later")
    (squares,), (double,) = run.calls("squares"), run.calls("double")
    produced = question(run.recording, made.id).produced
    assert produced is not None
    # All that it ever gave: whoever says that the call is right says so of all of it.
    assert produced.summary == f"<generator squares, call {squares.id}> gave 0, 1, 4, 9"
    (given,) = question(run.recording, used.id).given
    assert given.summary == f"<generator squares, call {squares.id}> gave 0, 1"
    promised = question(run.recording, later.id).produced
    assert promised is not None
    assert promised.summary == f"<coroutine double, call {double.id}> returned 8"


def test_a_generator_shows_the_values_the_call_took_from_it(record: Record) -> None:
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
    got = question(run.recording, run.call("first_two").id).given[0]
    assert got.summary == f"<generator numbers, call {maker}> gave 0, 1"
    rest, many, no_generator = (question(run.recording, call.id) for call in run.calls("drain"))
    assert [part.summary for part in rest.given[0].parts] == ["4", "9"]
    assert no_generator.given[0].summary == "<list iterator, nothing left>"
    assert many.given[0].size == 200
    yielded = question(run.recording, run.calls("numbers")[1].id).yielded
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
    body = question(run.recording, run.call("Shape").id)
    assert [(node.label, node.summary) for node in body.defined] == [
        ("sides", "4"),
        ("names", "{4: 'square'}"),
    ]
    assert question(run.recording, run.call("Shape.name").id).defined == ()
    assert question(run.recording, 1).defined == ()


def test_arguments_can_be_left_out_of_a_title(record: Record) -> None:
    run = record(PROGRAM)
    call = run.calls("Cart.add")[0]
    assert title(run.recording, call, bare=1) == "Cart.add(self, name='tea', price=3)"


def test_an_argument_without_room_is_left_out_not_empty(record: Record) -> None:
    run = record(PROGRAM)
    call = run.calls("Cart.add")[0]
    titles = [title(run.recording, call, width=width) for width in range(12, 60)]
    assert "Cart.add(…)" in titles
    assert not any("=)" in each or "=," in each for each in titles)


def test_attributes_that_a_function_loads_come_first(record: Record) -> None:
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
    asked = question(run.recording, call.id, width=60)
    assert asked.given[0].summary.startswith("Lexer(state={'open': True}, ccccc='c', aaaaa='a', ")
    labels = [part.label for part in asked.given[0].parts]
    assert labels[:3] == [".state", ".ccccc", ".aaaaa"]
    assert len(labels) == len(set(labels)) == 17
    assert title(run.recording, call, width=50).startswith("Lexer.is_open(self=Lexer(state=")
    # Elsewhere the order is that of the object.
    (made,) = run.calls("Lexer.__init__")
    assert "aaaaa='a'" in Viewer(run.recording).line(made.args[0].value)


def test_attributes_that_callees_load_come_next_whatever_their_number(record: Record) -> None:
    run = record(
        """
        class Table:
            def __init__(self):
                for number in range(70):
                    setattr(self, f"_option_{number}", number)
                self._width, self._padding = 20, 1

            @property
            def padding(self):
                return self._padding

            def room(self):
                return self._width - 2 * self.padding

        Table().room()
        """
    )
    (call,) = run.calls("Table.room")
    (table,) = question(run.recording, call.id).given
    labels = [part.label for part in table.parts]
    assert labels[:3] == ["._width", "._padding", "._option_0"]
    assert len(set(labels)) == len(labels) == table.size == 72


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
    where = question(run.recording, run.call("cost").id, line_width=80).where
    assert where.caller_line == 13
    # The receiver says nothing that its type does not; the long argument leaves room for the other.
    assert where.caller_title.startswith("Blog.post(self, title='xxx")
    assert where.caller_title.endswith("xx' (200), text='hello')")
    assert columns(f"by {where.caller_title} at line 12345") <= 80


def test_the_docstring_is_that_of_the_recorded_source(record: Record) -> None:
    run = record(CALLER)
    assert question(run.recording, run.call("Blog.post").id).doc == "Post a text.\n\nIt is kept."
    assert question(run.recording, run.call("cost").id).doc == ""


def test_constants_come_last_and_are_counted(record: Record) -> None:
    run = record(CALLER)
    asked = question(run.recording, run.call("cost").id)
    # Bound once, but to what can change: seen. Bound to a number, but twice: turn.
    assert [node.label for node in asked.read] == ["turn", "seen", "RATE", "LIMITS"]
    assert asked.constants == 2


def test_arguments_share_the_room_of_a_title(record: Record) -> None:
    run = record(CALLER)
    call = run.call("Blog.post")
    shown = title(run.recording, call, width=80)
    assert columns(shown) == 80
    assert "text='hello'" in shown


def test_of_very_many_changes_the_first_are_listed_and_the_others_counted(record: Record) -> None:
    run = record(
        """
        def fill(found, seen):
            for number in range(25_000):
                found.append(number)
            for number in range(1_500):
                seen[number] = 1

        fill([], {})
        """
    )
    call = run.call("fill").id
    view = question(run.recording, call)
    more = [(line.place, line.more) for line in view.changed if line.more]
    assert more == [("found", 24_000), ("seen", 500)]
    assert len(view.changed) == 2_002
    assert [line.place for line in view.changed[998:1002]] == [
        "found[998]",
        "found[999]",
        "found",
        "seen[0]",
    ]
    lines = [text_of(change_line(line)) for line in view.changed if line.more]
    assert lines == ["found: 24,000 more changes, not listed", "seen: 500 more changes, not listed"]


def test_of_very_many_values_that_were_read_the_first_are_opened(record: Record) -> None:
    count = MOST_OPENED + 10
    run = record(
        "\n".join(
            [
                *(f"v{number} = [{number}, 0]" for number in range(count)),
                f"def read(): return [{', '.join(f'v{number}' for number in range(count))}]",
                "read()",
            ]
        )
    )
    read = question(run.recording, run.call("read").id).read
    assert [node.label for node in read] == [f"v{number}" for number in range(count)]
    assert [len(node.parts) for node in read] == [2] * MOST_OPENED + [0] * 10
    assert {node.size for node in read} == {2}
    assert read[-1].summary == f"[{count - 1}, 0]"


def test_nothing_more_is_drawn_once_the_screen_is_full() -> None:
    drawn: list[Size] = []

    def draw(size: Size) -> list[Line]:
        drawn.append(size)
        return [(f"line {number} …",) for number in range(size.room)]

    assert len(fitted(draw, Size(80, 24))) == Size(80, 24).room
    assert len(drawn) == 1
