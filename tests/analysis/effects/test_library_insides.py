"""What is inside libraries, and what is the program's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.trace.emitter import Emitter
from wrongcall.analysis.effects.library_insides import is_library_type
from wrongcall.events import SEEN, Kind, Layout, SiteKind, TypeOrigin
from wrongcall.recording import Attr, Change, ChangeKind, Recording, Ref
from wrongcall.trace.format.program_tables import Type

SITES = [(SiteKind.ENTRY, 1, 1), (SiteKind.ATTR, 1, 2, "_own"), (SiteKind.CALL, 1, 3)]
STORE, CALL = 2, 3
PROGRAM, LIBRARY = TypeOrigin.PROGRAM, TypeOrigin.LIBRARY


@pytest.fixture
def emitter() -> Emitter:
    emitter = Emitter()
    emitter.file([{}], SITES)
    return emitter


def _open(emitter: Emitter, folder: Path) -> Recording:
    return emitter.open(folder / "t.wrongcall")


@pytest.mark.parametrize(
    "module, origin, expected",
    [
        ("logging", TypeOrigin.LIBRARY, True),
        ("sqlalchemy.orm.session", TypeOrigin.NATIVE, True),
        ("app.models", TypeOrigin.PROGRAM, False),
        ("somewhere", TypeOrigin.UNKNOWN, False),
        ("collections", TypeOrigin.LIBRARY, False),  # holds what the program put there
        ("pandas.core.frame", TypeOrigin.LIBRARY, False),
        ("pandasticsearch", TypeOrigin.LIBRARY, True),
    ],
)
def test_a_type_is_a_librarys_unless_it_holds_the_programs_values(
    module: str, origin: TypeOrigin, expected: bool
) -> None:
    assert is_library_type(Type(1, module, "T", Layout.INSTANCE, origin)) is expected


def test_containers_are_inside_where_they_were_first_seen(emitter: Emitter, tmp_path: Path) -> None:
    session = emitter.new("Session", module="orm", origin=LIBRARY)
    mine = emitter.new("Cart", module="app", origin=PROGRAM)
    held, own, nested, free = (emitter.new("list") for _ in range(4))
    emitter.attr(session, "pending", held)
    emitter.attr(mine, "items", own)
    emitter.item(Kind.INSERT, held, 0, nested)
    emitter.attr(session, "again", own)  # seen first in the program's object
    call = emitter.enter(1)
    emitter.local(call, 2, free)
    with _open(emitter, tmp_path) as recording:
        inside = recording.questions.insides.holds
        assert inside(session.oid)
        assert not inside(mine.oid)
        assert [inside(ref.oid) for ref in (held, own, nested, free)] == [True, False, True, False]


def test_attributes_that_a_library_added_to_a_model_are_bookkeeping(
    emitter: Emitter, tmp_path: Path
) -> None:
    kind = emitter.type("User", Layout.INSTANCE, "app", PROGRAM)
    emitter.fields(kind, "sqlalchemy", "id", "_declared")
    emitter.type("Plain", Layout.INSTANCE, "app", PROGRAM)
    with _open(emitter, tmp_path) as recording:
        model, plain = recording.program.types[1], recording.program.types[2]
        hidden = recording.questions.insides.is_bookkeeping
        assert hidden(model, Layout.INSTANCE, "_sa_instance_state")
        assert hidden(plain, Layout.INSTANCE, "__weakref__")
        for name in ("id", "_declared", "_own"):  # public, declared, stored by a statement
            assert not hidden(model, Layout.INSTANCE, name)
        assert not hidden(plain, Layout.INSTANCE, "_private")
        assert recording.questions.insides.is_stored("_own")
        assert not recording.questions.insides.is_stored("_sa_instance_state")


def _model(emitter: Emitter) -> Ref:
    emitter.fields(emitter.type("User", Layout.INSTANCE, "app", PROGRAM), "sqlalchemy", "id")
    return emitter.new("User", module="app", origin=PROGRAM)


def test_changes_are_divided_into_the_programs_and_the_librarys(
    emitter: Emitter, tmp_path: Path
) -> None:
    user = _model(emitter)
    call = emitter.enter(1)
    begin = emitter.now
    emitter.attr(user, "id", 1, site=STORE, call=call)
    emitter.attr(user, "_sa_state", 2, site=CALL, call=call)
    emitter.attr(user, "_own", 3, site=STORE, call=call)
    changes = [
        Change(ChangeKind.CHANGED, Attr(name), 0, new)
        for name, new in (("id", 1), ("_sa_state", 2), ("_own", 3))
    ]
    with _open(emitter, tmp_path) as recording:
        own, hidden = recording.questions.insides.divide(user.oid, changes, begin, emitter.now)
        assert own == [changes[0], changes[2]]
        assert hidden == [changes[1]]


def test_what_a_statement_stores_in_a_librarys_object_is_the_programs(
    emitter: Emitter, tmp_path: Path
) -> None:
    session = emitter.new("Session", module="orm", origin=LIBRARY)
    call = emitter.enter(1)
    begin = emitter.now
    stored = emitter.attr(session, "_own", 1, site=STORE, call=call)
    # A property behind the statement stores elsewhere, too.
    behind = emitter.attr(session, "cache", 2, site=STORE, call=call)
    changes = [Change(ChangeKind.CHANGED, Attr(n), 0, 1) for n in ("_own", "cache")]
    with _open(emitter, tmp_path) as recording:
        insides = recording.questions.insides
        own, hidden = insides.divide(session.oid, changes, begin, emitter.now)
        assert (own, hidden) == (changes[:1], changes[1:])
        assert not insides.has_write(stored)
        assert insides.has_write(behind)
        assert not insides.has_write(begin)  # no write at all


def test_a_field_that_an_orm_fetched_is_no_change(emitter: Emitter, tmp_path: Path) -> None:
    user = _model(emitter)
    emitter.attr(user, "id", 1)
    fetched = Change(ChangeKind.ADDED, Attr("id"), new=1)
    changed = Change(ChangeKind.CHANGED, Attr("id"), 0, 1)
    with _open(emitter, tmp_path) as recording:
        divided = recording.questions.insides.divide(user.oid, [fetched, changed], 0, emitter.now)
        assert divided == ([changed], [fetched])


def test_first_sights_are_no_statements(emitter: Emitter, tmp_path: Path) -> None:
    session = emitter.new("Session", module="orm", origin=LIBRARY)
    seen = emitter.event(Kind.ATTR | SEEN, obj=session.oid, key=emitter.name("_own"), site=STORE)
    with _open(emitter, tmp_path) as recording:
        assert recording.questions.insides.has_write(seen)
