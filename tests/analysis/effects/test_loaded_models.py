"""Objects that an ORM loads while a call runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.trace.emitter import Emitter
from wrongcall.analysis.effects import loaded_models
from wrongcall.analysis.effects.loaded_models import COLLECTIONS, Loading
from wrongcall.events import SEEN, Kind, Layout, SiteKind, TypeOrigin
from wrongcall.recording import Attr, Change, ChangeKind, Item, Ref
from wrongcall.replay.heap import Heap
from wrongcall.trace.read.store import Store
from wrongcall.trace.read.values import Values

SITES = [(SiteKind.ENTRY, 1, 1), (SiteKind.ATTR, 1, 2, "name"), (SiteKind.WRITE, 1, 3, "x")]
STORE = 2


@pytest.fixture
def emitter() -> Emitter:
    emitter = Emitter()
    emitter.file([{}], SITES)
    for name, kind in (("User", "sqlalchemy"), ("Book", "django")):
        type = emitter.type(name, Layout.INSTANCE, "app", TypeOrigin.PROGRAM)
        emitter.fields(type, kind, "id", "name", "orders")
    return emitter


def _seen(emitter: Emitter, ref: Ref, name: str, value: object) -> int:
    key, tagged = emitter.name(name), emitter.value(value)
    return emitter.event(Kind.ATTR | SEEN, obj=ref.oid, key=key, value=tagged)


def _model(emitter: Emitter, name: str, state: str, key: str, value: object) -> tuple[Ref, int]:
    """A model, and when all that was first seen of it is known."""
    model = emitter.new(name, module="app", origin=TypeOrigin.PROGRAM)
    held = emitter.new("State", module="orm", origin=TypeOrigin.LIBRARY)
    known = _seen(emitter, model, state, held)
    _seen(emitter, held, key, value)
    return model, known


def _loaded(emitter: Emitter, folder: Path, before: int) -> list[tuple[int, int]]:
    emitter.write(folder / "t.wrongcall")
    store = Store(folder / "t.wrongcall")
    found = list(Loading(store, Heap(store, Values(store))).objects(before, emitter.now))
    store.close()
    return found


@pytest.mark.parametrize(
    "model, state, key, value, loaded",
    [
        ("User", "_sa_instance_state", "key", "a key", True),
        ("User", "_sa_instance_state", "key", None, False),
        ("Book", "_state", "adding", False, True),
        ("Book", "_state", "adding", True, False),
    ],
)
def test_a_model_is_loaded_if_its_orm_says_that_it_is_in_the_database(
    emitter: Emitter, tmp_path: Path, model: str, state: str, key: str, value: object, loaded: bool
) -> None:
    call = emitter.enter(1)
    before = emitter.now
    made, known = _model(emitter, model, state, key, value)
    emitter.attr(made, "name", "new", site=STORE, call=call)
    assert _loaded(emitter, tmp_path, before) == ([(made.oid, known)] if loaded else [])


def test_a_loaded_model_that_nobody_wrote_to_did_not_change(
    emitter: Emitter, tmp_path: Path
) -> None:
    before = emitter.now
    _model(emitter, "Book", "_state", "adding", False)
    assert _loaded(emitter, tmp_path, before) == []


def test_the_list_of_a_relationship_is_loaded_with_its_model(
    emitter: Emitter, tmp_path: Path
) -> None:
    user, _ = _model(emitter, "User", "_sa_instance_state", "key", None)
    call = emitter.enter(1)
    before = emitter.now
    orders = emitter.new("InstrumentedList", layout=Layout.LIST, module=COLLECTIONS)
    known = emitter.now
    emitter.attr(user, "orders", orders)  # by the ORM: at no site
    emitter.item(Kind.INSERT, orders, 0, 5, site=STORE, call=call)
    assert _loaded(emitter, tmp_path, before) == [(orders.oid, known)]


def test_a_list_that_a_statement_stored_was_not_loaded(emitter: Emitter, tmp_path: Path) -> None:
    user, _ = _model(emitter, "User", "_sa_instance_state", "key", None)
    call = emitter.enter(1)
    before = emitter.now
    orders = emitter.new("InstrumentedList", layout=Layout.LIST, module=COLLECTIONS)
    emitter.attr(user, "orders", orders, site=STORE, call=call)
    emitter.item(Kind.INSERT, orders, 0, 5, site=STORE, call=call)
    assert _loaded(emitter, tmp_path, before) == []


def test_long_calls_are_not_searched(
    emitter: Emitter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loaded_models, "MAX_SPAN", 1)
    before = emitter.now
    made, _ = _model(emitter, "Book", "_state", "adding", False)
    emitter.attr(made, "name", "new")
    assert _loaded(emitter, tmp_path, before) == []


@pytest.mark.parametrize(
    "change, fetched",
    [
        (Change(ChangeKind.ADDED, Attr("name"), new=1), True),
        (Change(ChangeKind.REMOVED, Attr("name"), 1), True),  # expired
        (Change(ChangeKind.CHANGED, Attr("name"), 1, 2), False),
        (Change(ChangeKind.ADDED, Attr("other"), new=1), False),
        (Change(ChangeKind.ADDED, Item(0), new=1), False),
    ],
)
def test_fields_are_fetched_and_expired(
    emitter: Emitter, tmp_path: Path, change: Change, fetched: bool
) -> None:
    model, _ = _model(emitter, "User", "_sa_instance_state", "key", None)
    plain = emitter.new("Plain", module="app")
    emitter.write(tmp_path / "t.wrongcall")
    store = Store(tmp_path / "t.wrongcall")
    loading = Loading(store, Heap(store, Values(store)))
    assert loading.is_fetched(model.oid, change) is fetched
    assert not loading.is_fetched(plain.oid, change)
    store.close()
