"""What call expressions gave to parameters, with what the trace knows of it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.languages.python.nodes import find, text
from tests.trace.described import described
from tests.trace.emitter import Emitter
from wrongcall.analysis.expressions.arguments import Arguments, elements_of
from wrongcall.analysis.expressions.evaluate import Evaluator
from wrongcall.events import SEEN, Kind, Passing, SiteKind
from wrongcall.languages.expressions import Argument, Element, Part, Spread, Written
from wrongcall.languages.python.python_file import PythonFile
from wrongcall.recording import Attr, Entry, Item, Ref
from wrongcall.replay.resolve import ObjectSlot, Places

SOURCE = """\
def f(a, b=2, *rest, **named):
    return a

def caller(items, table):
    f(*items)
    f(1, *items, **table)
    f(**unknown)
"""


SITES = [(SiteKind.ENTRY, 1, 1), (SiteKind.WRITE, 1, 2, "x"), (SiteKind.WRITE, 1, 2, "y")]


class Run:
    """A call of ``caller`` in which ``items`` is ``[10, 20, 30]`` and ``table`` is ``{"key": 4}``."""

    def __init__(self, folder: Path) -> None:
        emitter = described(SOURCE)
        self.items = self._list(emitter)
        self.table = emitter.new("dict")
        emitter.entry(self.table, "key", 4)
        self.sites = self._sites(folder)
        self.caller = emitter.enter(self.sites["caller"])
        emitter.local(self.caller, self.sites["items"], self.items)
        emitter.local(self.caller, self.sites["table"], self.table)
        key = (Passing.PLAIN, 1 << 32)
        emitter.event(Kind.ENTER, site=self.sites["f"], call=2, obj=self.caller, key=key)
        self.recording = emitter.open(folder / "t.wrongcall")
        states = self.recording.states
        places = Places(self.recording._store, states.heap, states.variables)
        parts = (
            self.recording._store,
            states.heap,
            places,
            states.variables,
            self.recording.sources,
        )
        self.arguments = Arguments(*parts)
        self.file = self.recording.sources.of_file(1)
        call, last = self.recording.call(self.caller), self.recording.event_count - 1
        self.evaluator = Evaluator(places, states.variables, self.file, call, last)

    def _list(self, emitter: Emitter) -> Ref:
        items = emitter.new("list")
        for index, value in enumerate((10, 20, 30)):
            emitter.item(Kind.INSERT, items, index, value)
        return items

    def _sites(self, folder: Path) -> dict[str, int]:
        with described(SOURCE).open(folder / "tables.wrongcall") as recording:
            functions = {f.qualname: f for f in recording.program.functions.values()}
            sites = {name: f.entry for name, f in functions.items()}
            number = functions["caller"].id
            own = (s for s in recording.program.sites.values() if s.function == number)
            return sites | {s.name: s.id for s in own if s.name in ("items", "table")}

    def argument(self, source: str, name: str, part: Item | Entry | None = None) -> Argument | None:
        node = find(self.file.tree, source)
        return self.arguments.of(self.recording.call(2), node, self.evaluator, name, part)


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    made = Run(tmp_path)
    yield made
    made.recording.close()


def test_an_unpacked_list_gives_its_elements_to_parameters(run: Run) -> None:
    first, second = run.argument("f(*items)", "a"), run.argument("f(*items)", "b")
    assert isinstance(first, Spread)
    assert (text(first.node), first.place) == ("items", Item(0))
    assert isinstance(second, Spread)
    assert second.place == Item(1)
    collected = run.argument("f(*items)", "rest", Item(0))
    assert isinstance(collected, Spread)
    assert collected.place == Item(2)


def test_positional_arguments_come_before_unpacked_ones(run: Run) -> None:
    source = "f(1, *items, **table)"
    written, spread = run.argument(source, "a"), run.argument(source, "b")
    assert isinstance(written, Written)
    assert text(written.node) == "1"
    assert isinstance(spread, Spread)
    assert spread.place == Item(0)
    named = run.argument(source, "named", Entry("key"))
    assert isinstance(named, Spread)
    assert (text(named.node), named.place) == ("table", Entry("key"))


def test_unknown_arguments_give_no_answer(run: Run) -> None:
    assert run.argument("f(**unknown)", "a") is None
    assert run.argument("f(**unknown)", "b") is None  # not even the default is certain


def test_parameters_that_collect_are_known(run: Run) -> None:
    call = run.recording.call(2)
    assert [run.arguments.collects(call, n) for n in ("a", "rest", "named")] == [False, True, True]


def _elements(
    run: Run, oid: int, found: Element, value: object, name: str = "x"
) -> list[tuple[ObjectSlot, str]]:
    last = run.recording.event_count - 1
    heap = run.recording.states.heap
    return elements_of(heap, oid, last, found, run.evaluator, name, value)  # type: ignore[arg-type]


def test_a_loop_variable_may_be_any_element_with_its_value(run: Run) -> None:
    container = ast.parse("items", mode="eval").body
    assert _elements(run, run.items.oid, Element(container), 20) == [
        (ObjectSlot(run.items.oid, Item(1)), "[1]")
    ]
    assert _elements(run, run.items.oid, Element(container), 99) == []


def test_the_index_of_an_element_decides(run: Run) -> None:
    container, index = (ast.parse(s, mode="eval").body for s in ("items", "2"))
    assert _elements(run, run.items.oid, Element(container, index), 30) == [
        (ObjectSlot(run.items.oid, Item(2)), "[2]")
    ]
    assert _elements(run, run.items.oid, Element(container, index), 10) == []


def test_values_of_a_dict_are_elements_only_if_they_are_handed_out(run: Run) -> None:
    container = ast.parse("table", mode="eval").body
    handed = Element(container, hands_values=True)
    assert _elements(run, run.table.oid, handed, 4) == [
        (ObjectSlot(run.table.oid, Entry("key")), "['key']")
    ]
    assert _elements(run, run.table.oid, Element(container), 4) == []


def test_a_call_of_what_is_no_class_gives_no_attributes(run: Run) -> None:
    node = find(run.file.tree, "f(*items)")
    assert run.arguments.of_generated(node, run.evaluator, run.items.oid, Attr("x")) is None


def test_parts_of_an_element_are_found_in_the_element_that_holds_them_all(tmp_path: Path) -> None:
    """``for x, y in pairs`` with ``pairs == [(1, 2), (1, 3)]``, when x is 1 and y is 3."""
    emitter = Emitter()
    emitter.file([{"locals": ["x", "y"]}], SITES)
    pairs = emitter.new("list")
    held = []
    for index, second in enumerate((2, 3)):
        pair = emitter.new("tuple", length=2)
        emitter.item(Kind.ITEM | SEEN, pair, 0, 1)
        emitter.item(Kind.ITEM | SEEN, pair, 1, second)
        emitter.item(Kind.INSERT, pairs, index, pair)
        held.append(pair.oid)
    call = emitter.enter(1)
    emitter.local(call, 2, 1)
    emitter.local(call, 3, 3)
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        file = PythonFile("pairs; x; y")
        assert file.tree is not None
        container, x, y = (find(file.tree, name) for name in ("pairs", "x", "y"))
        states, last = recording.states, recording.event_count - 1
        places = Places(recording._store, states.heap, states.variables)
        evaluator = Evaluator(places, states.variables, file, recording.call(call), last)
        found = Element(container, parts=(Part(x, "x"), Part(y, "y")))
        assert elements_of(states.heap, pairs.oid, last, found, evaluator, "y", 3) == [
            (ObjectSlot(held[1], Item(1)), "[1][1]")
        ]
