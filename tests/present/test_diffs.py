"""What a call changed, line by line."""

from __future__ import annotations

import pytest

from tests.present.conftest import Record, Recorded
from tests.present.tabular import FRAMES, changes
from wrongcall.present import columns, effect_lines
from wrongcall.present.diffs import MOST_MEANWHILE, meanwhile_lines
from wrongcall.present.lines import text_of
from wrongcall.present.screens.question import change_line

EMPTIED = """
class Bag(list):
    pass

def change(it):
    {}

change({})
"""


def shown(run: Recorded, name: str = "change", width: int = 80) -> list[str]:
    """What a call changed, as a question shows it."""
    questions, call = run.recording.questions, run.call(name).id
    effect = questions.effect(call, questions.input(call))
    return [text_of(change_line(line)) for line in effect_lines(run.recording, effect, width)]


# -- containers that are emptied -------------------------------------------------------------------


@pytest.mark.parametrize(
    "statement,value,line",
    [
        ("it.clear()", "[1, 2, 3]", "it: [1, 2, 3] -> [] (3 items removed)"),
        ("del it[:]", "[[1], [2]]", "it: [[1], [2]] -> [] (2 items removed)"),
        ("it.clear()", "{'a': 1, 'b': 2}", "it: {'a': 1, 'b': 2} -> {} (2 items removed)"),
        ("it.clear()", "{7, 8}", "it: {8, 7} -> set() (2 items removed)"),
        ("while it: it.pop()", "[1, 2]", "it: [1, 2] -> [] (2 items removed)"),
        ("it.clear()", "bytearray(b'ab')",
         "it: bytearray(b'ab') -> bytearray(b'') (2 items removed)"),
        ("it['x'].clear()", "{'x': [1, 2]}", "it['x']: [1, 2] -> [] (2 items removed)"),
    ],
)  # fmt: skip
def test_an_emptied_container_takes_one_line(
    record: Record, statement: str, value: str, line: str
) -> None:
    assert shown(record(EMPTIED.format(statement, value))) == [line]


def test_a_long_list_that_is_emptied_is_cut_and_counted(record: Record) -> None:
    run = record(EMPTIED.format("it.clear()", "list(range(2000))"))
    (line,) = shown(run, width=60)
    assert line.startswith("it: [0, 1, 2, ")
    assert line.endswith("…] -> [] (2,000 items removed)")
    assert columns(line) <= 60


def test_attributes_of_an_emptied_list_have_lines_of_their_own(record: Record) -> None:
    run = record(EMPTIED.format("it.clear(); it.name = 'none'", "Bag([1, 2])"))
    assert shown(run) == ["it.name = 'none'  added", "it: Bag([1, 2]) -> Bag([]) (2 items removed)"]


@pytest.mark.parametrize(
    "statement,value,lines",
    [
        ("it.clear()", "[1]", ["it[0] was 1  removed"]),
        ("del it[1:]", "[1, 2, 3]", ["it[1] was 2  removed", "it[2] was 3  removed"]),
        ("it.clear(); it.append(9)", "[1, 2]", ["it[0] = 9  added", "it[0] was 1  removed", "it[1] was 2  removed"]),
        ("it.clear(); it['c'] = 3", "{'a': 1, 'b': 2}",
         ["it['c'] = 3  added", "it['a'] was 1  removed", "it['b'] was 2  removed"]),
    ],
)  # fmt: skip
def test_a_container_that_is_not_emptied_is_shown_element_by_element(
    record: Record, statement: str, value: str, lines: list[str]
) -> None:
    assert sorted(shown(record(EMPTIED.format(statement, value)))) == sorted(lines)


def test_elements_removed_by_others_are_not_counted(record: Record) -> None:
    run = record("""
        import asyncio

        items = [1, 2, 3, 4]

        async def drop(first):
            for i in (0, 1):
                items.pop() if first else items.pop(0)
                await asyncio.sleep(0)

        async def main():
            await asyncio.gather(drop(True), drop(False))

        asyncio.run(main())
    """)
    for call in run.calls("drop"):
        effect = run.recording.questions.effect(call.id)
        lines = [text_of(change_line(line)) for line in effect_lines(run.recording, effect)]
        assert lines
        assert not any("items removed" in line for line in lines)


# -- places ----------------------------------------------------------------------------------------


def test_elements_of_arrays_with_two_dimensions_are_named_by_row_and_column(
    record: Record,
) -> None:
    run = record(
        FRAMES + "def change(m, wide):\n    m[1, 2] = 9\n    wide[1, 7] = 5\n\n"
        "change(np.zeros((2, 3)), np.zeros((3, 2000)))"
    )
    assert changes(run, "change") == [
        ("changed", "m[1, 2]", "0.0", "9.0"),
        ("changed", "wide[1, 7]", "0.0", "5.0"),
    ]


def test_globals_are_named_alone_and_those_of_other_modules_with_their_module(
    record: Record,
) -> None:
    run = record("""
        import types

        count = 1
        other = types.ModuleType("other")

        def change():
            global count
            count = 2
            other.limit = 3

        change()
    """)
    assert shown(run) == ["count: 1 -> 2", "other.limit = 3  added"]


def test_an_equal_object_in_the_place_of_another_is_said_to_be_one(record: Record) -> None:
    run = record("""
        class Box:
            pass

        def change(box):
            box.items = [1, 2]

        box = Box()
        box.items = [1, 2]
        change(box)
    """)
    assert shown(run) == ["box.items: [1, 2] -> [1, 2] (equal, but another object)"]


def test_hostile_names_and_values_stay_on_their_line(record: Record) -> None:
    run = record(r"""
        def change(it):
            it["\x1b[2J\u202e"] = "\n\x07"
            it["b"] = 1

        change({"\x1b[2J\u202e": 0})
    """)
    lines = shown(run)
    assert len(lines) == 2
    assert all(line.isprintable() for line in lines)


@pytest.mark.parametrize("width", [20, 40, 80])
def test_lines_are_as_wide_as_asked_but_never_without_values(record: Record, width: int) -> None:
    run = record("""
        def change(it):
            it["key"] = list(range(100, 200))
            it["kept"] = "x" * 500
            del it["gone"]

        change({"key": list(range(100)), "gone": "y" * 500})
    """)
    for line in shown(run, width=width):
        assert columns(line) <= max(width, 48)


# -- meanwhile -------------------------------------------------------------------------------------


def test_many_changes_by_another_call_are_cut_and_counted(
    record: Record,
) -> None:
    run = record("""
        import asyncio

        table = {}

        async def fill():
            for i in range(30):
                table[i] = i

        async def wait():
            table["mine"] = 1
            await asyncio.sleep(0)
            table["mine"] = len(table)

        async def main():
            await asyncio.gather(wait(), fill())

        asyncio.run(main())
    """)
    effect = run.recording.questions.effect(run.call("wait").id)
    (part,) = meanwhile_lines(run.recording, effect)
    assert part.by == f"fill #{run.call('fill').id}"
    assert (len(part.changed), part.count) == (MOST_MEANWHILE, 30)
