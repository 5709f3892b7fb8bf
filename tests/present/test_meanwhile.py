"""What others changed while a call ran, as it is shown."""

from __future__ import annotations

import json

from tests.present.conftest import Record
from wrongcall.present import as_json, question
from wrongcall.present.groups import group
from wrongcall.present.lines import text_of
from wrongcall.present.screens.question import Head, Size, group_lines, question_lines

WORKERS = """
import asyncio

totals = {"a": 0}

async def add(key, step, rounds):
    for _ in range(rounds):
        totals[key] = totals.get(key, 0) + step
        await asyncio.sleep(0)

async def main():
    await asyncio.gather(add("a", 1, 2), add("a", 10, 2), add("b", 1, 1))

asyncio.run(main())
"""


def screen(run_question: object, size: Size) -> list[str]:
    lines = question_lines(run_question, Head(1, ""), size)  # type: ignore[arg-type]
    return [text_of(line).rstrip() for line in lines]


def test_what_a_call_wrote_and_what_others_wrote_are_told_apart(record: Record) -> None:
    run = record(WORKERS)
    first, second, third = run.calls("add")
    asked = question(run.recording, first.id)
    (change,) = asked.changed
    assert (change.place, change.runs, change.times) == (
        "totals['a']",
        (("0", "1"), ("11", "12")),
        2,
    )
    assert [(part.by, part.call, part.count) for part in asked.meanwhile] == [
        (f"add #{second.id}", second.id, 1),
        (f"add #{third.id}", third.id, 1),
    ]
    shown = screen(asked, Size(80, 24))
    assert "  changed   totals['a']: 0 -> 1, 11 -> 12" in shown
    assert f"  meanwhile by add #{second.id}: totals['a']: 1 -> 11, 12 -> 22" in shown
    assert f"            by add #{third.id}: totals['b'] = 1  added" in shown


def test_many_interleaved_writes_show_the_first_and_the_last(record: Record) -> None:
    run = record(
        WORKERS.replace('add("a", 1, 2), add("a", 10, 2)', 'add("a", 1, 9), add("a", 10, 9)')
    )
    asked = question(run.recording, run.calls("add")[0].id)
    (change,) = asked.changed
    assert change.times == 9
    assert change.runs == (("0", "1"), ("11", "12"), ("88", "89"))
    assert any("0 -> 1, 11 -> 12, … 6 more …, 88 -> 89" in line for line in screen(asked, Size()))


def test_changes_by_many_others_are_counted_until_opened(record: Record) -> None:
    adds = ", ".join(f"add('k{i}', {i}, 2)" for i in range(8))
    run = record(WORKERS.replace('add("a", 10, 2)', adds))
    asked = question(run.recording, run.calls("add")[0].id)
    folded = [line for line in screen(asked, Size()) if "more" in line]
    assert folded[-1].strip() == "… by 6 more (+ shows all)"
    opened = [line for line in screen(asked, Size(detail=1)) if "by add #" in line]
    assert len(opened) == len(asked.meanwhile) == 9
    assert asked.meanwhile[-1].by == f"add #{run.calls('add')[-1].id}"


def test_interleaved_changes_are_part_of_the_json(record: Record) -> None:
    run = record(WORKERS)
    shown = json.loads(json.dumps(as_json(question(run.recording, run.calls("add")[0].id))))
    assert shown["changed"][0]["runs"] == [["0", "1"], ["11", "12"]]
    assert shown["meanwhile"][1]["changed"][0]["place"] == "totals['b']"


def test_a_group_shows_what_others_changed_meanwhile(record: Record) -> None:
    run = record(
        """
        import asyncio

        totals = {"a": 0}

        async def add(step):
            totals["a"] += step
            await asyncio.sleep(0)

        async def twice(step):
            await add(step)
            await add(step)

        async def main():
            await asyncio.gather(twice(1), twice(10))

        asyncio.run(main())
        """
    )
    one, other = run.calls("twice")
    asked = group(run.recording, [call.id for call in one.children])
    lines = group_lines(asked, "add", Head(1, ""), Size())
    shown = [text_of(line) for line in lines]
    assert "  changed   totals['a']: 0 -> 1, 11 -> 12" in shown
    assert f"  meanwhile by twice #{other.id}: totals['a']: 1 -> 11, 12 -> 22" in shown


def test_the_caller_is_named_by_the_function_that_the_line_is_in(record: Record) -> None:
    run = record(
        """
        def check(x):
            return x > 1

        def make(items):
            return (check(x) for x in items)

        def use(found):
            return [check(x) for x in found], list(found)

        use(make([1]))
        """
    )
    first, *_, last = run.calls("check")
    assert question(run.recording, first.id).where.caller_function == "make"
    assert question(run.recording, last.id).where.caller_function == "use"
    assert question(run.recording, run.call("use").id).where.caller_function == "<module>"
    assert question(run.recording, run.call("<module>").id).where.caller_function == ""
