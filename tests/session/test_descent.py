"""A call that made many others in a loop is searched inside before they are judged, where that saves questions."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.recorder.conftest import Record, Recorded, record
from wrongcall.session import Finding, Question, Verdict
from wrongcall.session.descent import MIN_BESIDE, crowded_call, questions_beside, questions_inside
from wrongcall.session.search import BY_LOOP, BY_STATEMENT, Depth, How, Search, Start

__all__ = ["record"]

ROUNDS = 1000
LOOP = f"""\
def price(n):
    return n * 3

def tax(n):
    return n % 7

def total(rows):
    cents = 0
    for row in rows:
        one = price(row)
        other = tax(row)
        cents += one + other
    return cents

def main():
    return total(range({ROUNDS}))

main()
"""
MAPPED = LOOP.replace(
    """\
    for row in rows:
        one = price(row)
        other = tax(row)
        cents += one + other
""",
    "    cents += sum(map(tax, rows))\n",
)
CHAINED = f"""\
class Counter:
    def __init__(self):
        self.n = 0

    def add(self):
        self.n += 1
        return self

def total():
    counter = Counter()
    for _ in range({ROUNDS}):
        counter.add()
    return counter.n

total()
"""
STATEMENT = How(to=Depth.STATEMENT)


class User:
    """Knows that one call is wrong, and everything that is wrong because of it."""

    def __init__(self, recorded: Recorded, wrong: int) -> None:
        self._recording = recorded.recording
        self._wrong = wrong
        self._around = {wrong}
        while (parent := self._recording.call(wrong).parent) is not None:
            wrong = parent.id
            self._around.add(wrong)

    def reply(self, search: Search, asked: Question) -> None:
        """Answer a question."""
        inside = search.inside
        if asked.inside:
            assert inside is not None
            after = int(inside.inside.after[inside.node(asked.calls[0])])
            is_wrong = (
                asked.inside == self._wrong or after >= self._recording.call(self._wrong).exit
            )
            search.answer(asked, Verdict.WRONG if is_wrong else Verdict.RIGHT)
            return
        verdict = Verdict.WRONG if self._around & {*asked.calls} else Verdict.RIGHT
        calls = (asked.calls[0], asked.calls[-1])
        search.tell(lambda session: session.judge(calls, verdict))


def next_step(search: Search) -> object:
    search.advance()
    return search.led() or search.step()


def play(search: Search, user: User) -> list[Question]:
    """Answer until something is found; return the questions."""
    asked: list[Question] = []
    for _ in range(1000):
        step = next_step(search)
        if not isinstance(step, Question):
            assert isinstance(step, Finding)
            return asked
        asked.append(step)
        user.reply(search, step)
    raise AssertionError("it does not end")


@contextmanager
def searched(recorded: Recorded, how: How = STATEMENT) -> Iterator[Search]:
    with Search(recorded.recording, how) as search:
        search.begin(Start())
        yield search


@pytest.mark.parametrize("number", [0, 1, 133, ROUNDS - 1])
def test_the_wrong_one_of_many_calls_is_found_by_halving_the_rounds(
    number: int, record: Record
) -> None:
    recorded = record(LOOP)
    wrong = recorded.calls("tax")[number].id
    with searched(recorded) as search:
        asked = play(search, User(recorded, wrong))
        found = search.step()
        assert isinstance(found, Finding)
        assert found.calls == (wrong,)
    assert (asked[0].calls, asked[0].note) == ((recorded.call("total").id,), BY_LOOP)
    assert [each.note for each in asked if not each.inside][-1] == BY_STATEMENT
    assert len(asked) <= math.log2(ROUNDS * 6) + 6
    with searched(recorded, How(name="calls")) as search:
        others = play(search, User(recorded, wrong))
    assert all(not each.inside for each in others)
    assert number < 700 or len(others) > len(asked)


def test_if_the_calls_of_the_statement_are_right_it_is_the_statement(record: Record) -> None:
    recorded = record(LOOP)
    total = recorded.call("total")
    with searched(recorded) as search:
        search.tell(lambda session: session.judge(total.id, Verdict.WRONG))
        for _ in range(100):
            step = next_step(search)
            if isinstance(step, Finding):
                break
            assert isinstance(step, Question)
            if not step.inside:
                search.tell(lambda s, at=step: s.judge(at.calls[0], Verdict.RIGHT))  # type: ignore[misc]
                continue
            inside = search.inside
            assert inside is not None
            node = inside.node(step.calls[0])
            is_late = inside.inside.after[node] > recorded.calls("tax")[50].entry
            search.answer(step, Verdict.WRONG if is_late else Verdict.RIGHT)
        assert isinstance(step, Finding)
        assert step.calls == (total.id,)
        assert step.inside is not None
        inside = search.inside
        assert inside is not None
        assert inside.inside.part_of(step.inside.node).text == "other = tax(row)"
        assert search.has_found
        search.confirm()
        confirmed = search.step()
        assert isinstance(confirmed, Finding)
        assert confirmed.confirmed
        assert confirmed.inside == step.inside
        search.undo()
        assert search.step() == step
        search.go_on()
        assert not isinstance(next_step(search), Finding)


@pytest.mark.parametrize("program", [MAPPED, CHAINED], ids=["one statement", "a chain"])
def test_loops_that_cut_no_better_are_not_searched_first(program: str, record: Record) -> None:
    recorded = record(program)
    wrong = recorded.calls("tax" if program is MAPPED else "Counter.add")[50].id
    with searched(recorded) as search:
        asked = play(search, User(recorded, wrong))
    assert not any(each.inside == recorded.call("total").id for each in asked)


def test_a_few_calls_are_asked_about_first(record: Record) -> None:
    recorded = record(LOOP.replace(f"range({ROUNDS})", "range(6)"))
    with searched(recorded) as search:
        assert crowded_call(search.session) == 0
        asked = play(search, User(recorded, recorded.calls("tax")[3].id))
    assert asked[0].note != BY_LOOP


def test_estimates_are_those_of_a_slow_count(record: Record) -> None:
    recorded = record(LOOP)
    total = recorded.call("total").id
    with searched(recorded) as search:
        assert crowded_call(search.session) == total
        tree = search.session.tree
        lists = list(tree.children(tree.node(total)))
        assert len(lists) >= MIN_BESIDE
        sizes = sorted((len(tree.members(each)) for each in lists), reverse=True)
        costs = [n * size for n, size in enumerate(sizes, 1)]
        expected = (sum(costs) + len(sizes)) / (sum(sizes) + 1)
        assert questions_beside(search.session, total) == pytest.approx(expected)
        inside = recorded.recording.inside.of(total)
        assert inside is not None
        assert questions_inside(inside, 1024) == 10.5  # a statement makes one call


def test_undo_goes_back_over_every_question_in_order(record: Record) -> None:
    recorded = record(LOOP)
    with searched(recorded) as search:
        asked = play(search, User(recorded, recorded.calls("tax")[133].id))
        assert len({each.inside for each in asked}) == 3, "about calls, and inside two of them"
        for before in reversed(asked):
            search.undo()
            assert next_step(search) == before
        assert not search.can_undo


def test_undo_takes_back_the_last_answer_even_if_it_is_about_a_call(record: Record) -> None:
    recorded = record(LOOP)
    with searched(recorded) as search:
        user = User(recorded, recorded.calls("tax")[133].id)
        while not isinstance(step := next_step(search), Question) or step.note != BY_STATEMENT:
            assert isinstance(step, Question)
            user.reply(search, step)
        search.tell(lambda session: session.judge(step.calls[0], Verdict.RIGHT))
        assert isinstance(next_step(search), Finding)
        search.undo()
        assert next_step(search) == step


def test_the_search_goes_on_inside_when_it_is_opened_again(record: Record) -> None:
    recorded = record(LOOP)
    user = User(recorded, recorded.calls("tax")[133].id)
    with searched(recorded) as search:
        for _ in range(4):
            step = next_step(search)
            assert isinstance(step, Question)
            user.reply(search, step)
        later = next_step(search)
        assert isinstance(later, Question)
        assert later.inside
    with searched(recorded) as search:
        assert next_step(search) == later
        # Whoever wants to be asked about the calls instead is.
        search.leave_inside()
        step = next_step(search)
        assert isinstance(step, Question)
        assert not step.inside
    with searched(recorded) as search:
        assert next_step(search) == step
        found = play(search, user)
        assert not any(each.inside == recorded.call("total").id for each in found)
