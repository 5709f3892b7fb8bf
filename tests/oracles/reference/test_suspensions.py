"""What was written while a generator was suspended, and whether it could have met that."""

from __future__ import annotations

import pytest

from tests.oracles.reference.conftest import Why
from tests.recorder.conftest import Record
from wrongcall.oracles.reference.suspensions import Suspensions
from wrongcall.recording import Ref

SHARED = """
    state = [1]

    def produce():
        for _ in range(2):
            yield state[0]

    def change():
        state[0] = 5

    def interleaved():
        return [[value, change()] for value in produce()]

    def alone():
        return list(produce())

    interleaved()
    alone()
    """


def test_a_generator_is_not_blamed_for_what_changed_while_it_was_suspended(why: Why) -> None:
    first, second = why(SHARED, "state[0] = 5", "state[0] = 7")["produce"]
    # Repeated by itself, it would yield 1 twice.
    assert first == "don't know: something was written while it was suspended"
    assert second.startswith("right")


def test_a_generator_that_nobody_interrupts_is_compared(why: Why) -> None:
    first, second = why(SHARED, "yield state[0]", "yield -state[0]")["produce"]
    assert first == "don't know: something was written while it was suspended"
    assert second.startswith("wrong: ")


PIPELINE = """
    class Found:
        pass

    shared = Found()
    shared.latest = []

    def produce(first):
        yield first
        yield first + len(shared.latest)

    def count(numbers):
        found = {}
        for number in numbers:
            found[number] = found.get(number, 0) + 1
        return found

    def keep(numbers):
        found = []
        for number in numbers:
            found.append(number)
            shared.latest = found
        return found

    def pairs(first):
        pair = [first, first]
        yield pair
        yield [sum(pair), 0]

    def spoil(both):
        for pair in both:
            pair[1] = 7

    count(produce(1))
    keep(produce(1))
    spoil(pairs(1))
    """


def test_what_only_the_consumer_has_does_not_matter_to_a_generator(why: Why) -> None:
    first, second = why(PIPELINE, "yield first\n", "yield -first\n")["produce"]
    assert first.startswith("wrong: ")
    # This consumer's list came within its reach.
    assert second == "don't know: something was written while it was suspended"


def test_what_was_yielded_may_be_changed_before_the_generator_goes_on(why: Why) -> None:
    (only,) = why(PIPELINE, "sum(pair)", "0 + sum(pair)")["pairs"]
    assert only == "don't know: something was written while it was suspended"


GLOBAL = """
    limit = 1

    def produce():
        yield limit
        yield limit

    def change():
        global limit
        limit = 5

    def interleaved():
        return [[value, change()] for value in produce()]

    interleaved()
    """


def test_a_global_that_was_bound_meanwhile_may_be_read(why: Why) -> None:
    (only,) = why(GLOBAL, "limit = 5", "limit = 7")["produce"]
    assert only == "don't know: something was written while it was suspended"


CLOSURE = """
    def interleaved():
        limit = 1
        def produce():
            yield limit
            yield limit
        found = []
        for value in produce():
            found.append(value)
            limit = 5
        return found

    interleaved()
    """


def test_a_closure_variable_that_was_bound_meanwhile_may_be_read(why: Why) -> None:
    (only,) = why(CLOSURE, "limit = 5", "limit = 7")["interleaved.<locals>.produce"]
    assert only == "don't know: something was written while it was suspended"


TURNS = """
    def produce(items):
        yield 1
        yield 2
        {last}

    def consume(items):
        numbers = produce(items)
        {before}
        next(numbers)
        {meanwhile}
        next(numbers)
        {after}

    consume([0])
    """


@pytest.mark.parametrize(
    "where, statement, met",
    [
        ("meanwhile", "items.append(1)", True),
        ("meanwhile", "[].append(1)", False),
        ("meanwhile", "pass", False),
        ("after", "items.append(1)", False),
        ("before", "items.append(1)", True),
        ("last", "items.append(1)", False),
    ],
)
def test_only_writes_to_what_it_has_count_and_only_if_it_is_asked_again(
    where: str, statement: str, met: bool, record: Record
) -> None:
    places = {"last": "pass", "before": "pass", "meanwhile": "pass", "after": "pass"}
    run = record(TURNS.format(**{**places, where: statement}))
    call = run.call("produce")
    (items,) = call.args
    assert isinstance(items.value, Ref)
    assert Suspensions(run.recording, call).met_writes(call.entry, {items.value.oid}) is met


def test_an_object_that_an_event_names_while_it_runs_is_within_reach(record: Record) -> None:
    code = TURNS.format(last="", before="pass", meanwhile="items.append(1)", after="pass")
    run = record(code.replace("yield 2", "yield items"))
    call = run.call("produce")
    assert Suspensions(run.recording, call).met_writes(call.entry, set())
