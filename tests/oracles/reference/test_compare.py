"""Comparing recorded objects with live ones."""

from __future__ import annotations

from tests.oracles.reference.conftest import Why
from wrongcall.oracles.reference.compare import shown


def test_an_outcome_that_is_not_fully_known_is_not_called_right(why: Why) -> None:
    found = why(
        """
        def numbers():
            return iter([1, 2])

        def long():
            return "x" * 10_000_000

        numbers()
        long()
        """
    )
    assert found["numbers"] == ["don't know: not all of result, a list_iterator, is known"]
    assert found["long"] == ["don't know: only the beginning of result is known"]


def test_a_long_text_that_begins_otherwise_is_wrong(why: Why) -> None:
    source = """
        def long():
            return "x" * 10_000_000

        long()
        """
    (reason,) = why(source, '"x"', '"y"')["long"]
    assert reason.startswith("wrong: result is 'yyyy")


def test_the_reason_says_where_the_difference_is(why: Why) -> None:
    source = """
        def table():
            return {"a": [1, 2, {"b": 3}]}

        table()
        """
    assert why(source, "3", "4")["table"] == ["wrong: result['a'][2]['b'] is 4, not 3"]


def test_what_builtin_exceptions_keep_is_compared(why: Why) -> None:
    source = """
        def lower(text):
            return text.lower()

        def call(text):
            try:
                return lower(text)
            except AttributeError:
                return "none"

        def use():
            try:
                missing
            except NameError as error:
                return error

        call(None)
        use()
        """
    found = why(source)
    assert found["lower"] == ["right: "]
    assert found["use"] == ["right: "]
    assert why(source, ".lower()", ".upper()")["lower"][0].startswith("wrong: ")


def test_a_function_is_the_same_whatever_name_it_was_given(why: Why) -> None:
    source = """
        from functools import update_wrapper, wraps

        def twice(function):
            def called_twice(*arguments):
                return function(*arguments) * 2
            return update_wrapper(called_twice, function)

        def logged(function):
            @wraps(function)
            def log(*arguments):
                return function(*arguments)
            return log

        @logged
        @twice
        def add(one, other):
            return one + other

        def other(*arguments):
            return 0

        def chosen():
            return add

        add(1, 2)
        chosen()
        """
    found = why(source)
    assert found["twice"] == ["right: "]
    # What it was given has lost its new name, which it passes on.
    renamed = "result was renamed to add: which function it is is not known"
    assert found["logged"] == [f"don't know: {renamed}"]
    assert found["chosen"] == ["right: "]
    (reason,) = why(source, "return add", "return other")["chosen"]
    assert reason.startswith("wrong: result is other, not ")


def test_types_that_have_no_name_in_builtins_are_found(why: Why) -> None:
    source = """
        ATOMS = (type(None), type(lambda: 0), int)

        def is_atom(value):
            return isinstance(value, ATOMS)

        def kinds(given):
            return [kind.__name__ for kind in given]

        is_atom(None)
        kinds(ATOMS)
        """
    found = why(source)
    assert found["is_atom"] == ["right: "]
    assert found["kinds"] == ["right: "]
    assert why(source, "isinstance(value", "not isinstance(value")["is_atom"][0].startswith("wrong")


def test_named_tuples_are_compared_by_their_items(why: Why) -> None:
    source = """
        from collections import namedtuple

        Row = namedtuple("Row", "begin end")

        def join(row, text):
            return row.begin + text + row.end

        def made():
            return Row("(", ")")

        join(Row("[", "]"), "a")
        made()
        """
    found = why(source)
    assert found["join"] == ["right: "]
    assert found["made"] == ["right: "]
    assert why(source, '")"', '"}"')["made"][0].startswith("wrong: ")


def test_a_repr_that_fails_is_not_shown() -> None:
    class Broken:
        def __repr__(self) -> str:
            raise ValueError

    assert shown(Broken()).startswith("a test_a_repr_that_fails")
    assert len(shown("x" * 1000)) == 80
