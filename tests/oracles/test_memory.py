"""Memory: equal calls of other runs are remembered, others are not."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.trace.conftest import Record, Recorded
from wrongcall.oracles.answer_store import AnswerStore
from wrongcall.oracles.memory import Memory
from wrongcall.session.answers import Confidence, Verdict
from wrongcall.session.oracles import Judged


@pytest.fixture
def store(tmp_path: Path) -> AnswerStore:
    return AnswerStore(tmp_path / "memory" / "answers.db")


def a_memory(run: Recorded, store: AnswerStore) -> Memory:
    return Memory(run.recording, store.path.parents[1], store, lambda _, call: (f"#{call}", ""))


def values(seed: int) -> list[str]:
    """Return values in source notation; some of them are equal to those of another seed."""
    chance = random.Random(seed)

    def value(depth: int) -> str:
        kind = chance.randrange(8 if depth else 5)
        atom = chance.choice(["0", "1", "True", "1.0", "None", "'a'", "b'a'", "''"])
        parts = [value(depth - 1) for _ in range(chance.randrange(3))] if kind >= 5 else []
        if kind == 5:
            return f"[{', '.join(parts)}]"
        if kind == 6:
            return f"({''.join(part + ', ' for part in parts)})"
        if kind == 7:
            return f"{{{', '.join(f'{n}: {part}' for n, part in enumerate(parts))}}}"
        return atom

    return [value(2) for _ in range(60)]


PROGRAM = """
noise = [object() for _ in range({noise})]

def judge(value, other=None):
    return [value, len(repr(value)) % 3]

def main():
    for value in [{values}]:
        judge(value)

main()
"""


def test_keys_of_two_runs_are_equal_exactly_if_the_values_are(record: Record) -> None:
    """The witness is Python's own repr, which is equal for plain values of equal types and contents."""
    keys: dict[bytes, set[str]] = {}
    texts: dict[str, set[bytes]] = {}
    for seed in (1, 2):
        program = PROGRAM.format(noise=seed * 7, values=", ".join(values(seed)))
        run = record(program)
        for call, text in zip(run.calls("judge"), values(seed), strict=True):
            key = run.recording.questions.portable_key(call.id)
            assert key is not None
            keys.setdefault(key, set()).add(repr(eval(text)))
            texts.setdefault(repr(eval(text)), set()).add(key)
    assert all(len(found) == 1 for found in keys.values())
    assert all(len(found) == 1 for found in texts.values())
    assert 20 < len(keys) < 120


def test_what_one_run_was_told_the_next_one_knows(record: Record, store: AnswerStore) -> None:
    source = "def total(a):\n    return sum(a)\n\ntotal([1, 2])\ntotal([3])\n"
    first = record(source)
    one, two = (call.id for call in first.calls("total"))
    judged = [Judged((one,), Verdict.WRONG, 5.0, "7"), Judged((two,), Verdict.RIGHT, 6.0)]
    a_memory(first, store).told(judged)
    # Other calls, another position in the file, another body: the answer is about what was asked.
    second = record("\n\ndef total(a):\n    return 0 + sum(a)\n\ntotal([2])\ntotal([1, 2])\n")
    other, same = (call.id for call in second.calls("total"))
    memory = a_memory(second, store)
    assert memory.opinion((other,)) is None
    opinion = memory.opinion((same,))
    assert opinion is not None
    assert (opinion.verdict, opinion.confidence) == (Verdict.WRONG, Confidence.CERTAIN)
    assert "you said so on 1970-01-0" in opinion.reason
    kept = {answer.verdict: answer for answer in store.all()}
    assert (kept["wrong"].expected, kept["wrong"].arguments, kept["wrong"].result) == (
        "7",
        "a=[1, 2]",
        "3",
    )


def test_answers_that_are_taken_back_are_revoked(record: Record, store: AnswerStore) -> None:
    run = record("def f(a):\n    return a\n\nf(1)\nf(2)\n")
    one, two = (Judged((call.id,), Verdict.RIGHT, 1.0 + call.id) for call in run.calls("f"))
    memory = a_memory(run, store)
    memory.told([one, two])
    memory.told([one, two])
    assert len(store.about("prog:f")) == 2
    memory.told([one])
    assert len(store.about("prog:f")) == 1
    # A later process that goes on with the session adds nothing.
    a_memory(run, store).told([one])
    assert len(store.all()) == 2


def test_if_people_disagree_the_newest_answer_is_likely(record: Record, store: AnswerStore) -> None:
    run = record("def f(a):\n    return a\n\nf(1)\n")
    call = run.calls("f")[0].id
    a_memory(run, store).told([Judged((call,), Verdict.RIGHT, 1.0)])
    (mine,) = store.all()
    theirs = type(mine)(mine.function, mine.key, "wrong", "bob", 2.0)
    store.add([theirs])
    opinion = a_memory(run, store).opinion((call,))
    assert opinion is not None
    assert (opinion.verdict, opinion.confidence) == (Verdict.WRONG, Confidence.LIKELY)
    assert opinion.reason.startswith("bob said so")
    assert "said right" in opinion.reason


def test_groups_are_known_by_their_members(record: Record, store: AnswerStore) -> None:
    run = record("def f(a):\n    return a\n\nf(1)\nf(2)\nf(3)\n")
    one, two, three = (call.id for call in run.calls("f"))
    memory = a_memory(run, store)
    memory.told([Judged((one, two), Verdict.WRONG, 1.0)])
    later = a_memory(run, store)
    assert later.opinion((one,)) is None
    assert later.opinion((two, three)) is None
    known = later.opinion((one, two))
    assert known is not None
    assert known.verdict is Verdict.WRONG
    memory.told([Judged((one,), Verdict.RIGHT, 1.0), Judged((three,), Verdict.WRONG, 2.0)])
    inside = a_memory(run, store).opinion((two, three))
    assert inside is not None
    assert (inside.verdict, inside.call) == (Verdict.WRONG, three)


@pytest.mark.parametrize(
    "argument",
    ["object()", "lambda: 1", "open(__file__)", "(n for n in [1])", "'x' * 100_000_000"],
)
def test_what_is_known_by_identity_only_is_not_remembered(
    record: Record, store: AnswerStore, argument: str
) -> None:
    run = record(f"def f(a):\n    return 1\n\nf({argument})\n")
    call = run.calls("f")[0].id
    assert run.recording.questions.portable_key(call) is None
    a_memory(run, store).told([Judged((call,), Verdict.RIGHT, 1.0)])
    assert store.all() == []


def test_a_call_that_has_not_ended_is_not_remembered(record: Record, store: AnswerStore) -> None:
    run = record("import os\n\ndef f(a):\n    os._exit(3)\n\nf(1)\n", status=3)
    call = run.calls("f")[0].id
    a_memory(run, store).told([Judged((call,), Verdict.WRONG, 1.0)])
    assert store.all() == []
