"""Instances by their fields, objects of libraries by their type, and what of both is folded away."""

from __future__ import annotations

import sys

import pytest

from tests.present.conftest import Record, Recorded
from wrongcall.present import Viewer, question
from wrongcall.present.values import ValueNode


def lines(done: Recorded, width: int = 200) -> dict[str, str]:
    """What the arguments of the only call of ``f`` look like on one line."""
    call = done.call("f")
    return {a.name: Viewer(done.recording, call.exit).line(a.value, width) for a in call.args}


def changes(done: Recorded, name: str, *, everything: bool = False) -> list[str]:
    """What a call changed, as it is shown."""
    asked = question(done.recording, done.call(name).id, everything=everything)
    return [f"{line.place}: {line.old} -> {line.new}" for line in asked.changed]


# -- declared order --------------------------------------------------------------------------------


def test_fields_are_shown_in_declared_order(record: Record) -> None:
    done = record("""
        import attrs, dataclasses

        @dataclasses.dataclass
        class D:
            b: int
            a: int = 2

        @attrs.define
        class A:
            z: int
            y: str = "y"

        class S:
            __slots__ = ("second", "first")
            def __init__(self):
                self.first, self.second = 1, 2

        def f(d, a, s): pass
        d = D(1)
        del d.b
        d.extra = 9
        d.b = 5
        f(d, A(3), S())
    """)
    assert lines(done) == {
        "d": "D(b=5, a=2, extra=9)",
        "a": "A(z=3, y='y')",
        "s": "S(second=2, first=1)",
    }


def test_plain_objects_show_their_attributes_in_the_order_of_their_first_assignment(
    record: Record,
) -> None:
    done = record("""
        class P:
            def __init__(self):
                self.z = 1
                self.a = 2
                self._own = 3
        def f(p): pass
        f(P())
    """)
    assert lines(done) == {"p": "P(z=1, a=2, _own=3)"}


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="annotations are not read there")
def test_annotations_count_as_a_declaration(record: Record) -> None:
    done = record("""
        class P:
            a: int
            z: int
            def __init__(self):
                self.other = 0
                self.z = 1
                self.a = 2
        def f(p): pass
        f(P())
    """)
    assert lines(done) == {"p": "P(a=2, z=1, other=0)"}


def test_fields_that_matter_come_first_only_if_there_is_no_room_for_all(record: Record) -> None:
    done = record("""
        class P:
            def __init__(self):
                self.first, self.second, self.third = "a" * 9, "b" * 9, "c" * 9
        def f(p): return p.third
        f(P())
    """)
    call = done.call("f")
    viewer = Viewer(done.recording, call.exit, done.recording.sources.attributes(call.function))
    (arg,) = call.args
    whole = "P(first='aaaaaaaaa', second='bbbbbbbbb', third='ccccccccc')"
    assert viewer.line(arg.value, 2 * len(whole)) == whole
    assert viewer.line(arg.value, 40).startswith("P(third='ccccccccc', first=")


# -- bookkeeping -----------------------------------------------------------------------------------

SHOP = """
    from sqlalchemy import ForeignKey, create_engine, select
    from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, relationship

    class Base(DeclarativeBase):
        pass

    class User(Base):
        __tablename__ = "user"
        id: Mapped[int] = mapped_column(primary_key=True)
        name: Mapped[str]
        orders: Mapped[list["Order"]] = relationship()

    class Order(Base):
        __tablename__ = "order"
        id: Mapped[int] = mapped_column(primary_key=True)
        user_id: Mapped[int] = mapped_column(ForeignKey("user.id"))
        total: Mapped[int]

    engine = create_engine("sqlite://")
    Base.metadata.create_all(engine)
    db = Session(engine)
"""

DJANGO = """
    from django.conf import settings
    settings.configure(DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3",
                                              "NAME": ":memory:"}}, INSTALLED_APPS=[])
    import django
    django.setup()
    from django.db import connection, models

    class Book(models.Model):
        title = models.CharField(max_length=9)
        price = models.IntegerField(default=3)
        class Meta:
            app_label = "shop"

    with connection.schema_editor() as editor:
        editor.create_model(Book)
"""


def test_sqlalchemy_models_show_their_columns(record: Record) -> None:
    done = record(
        SHOP
        + """
    def f(new, loaded, expired): pass
    db.add(User(id=1, name="ann", orders=[Order(total=5)]))
    db.add(User(id=2, name="bob"))
    db.commit()
    loaded, expired = db.get(User, 1), db.get(User, 2)
    loaded.orders[0].total
    db.expire(expired)
    f(User(name="eve"), loaded, expired)
    """
    )
    assert lines(done) == {
        "new": "User(name='eve')",
        "loaded": "User(id=1, name='ann', orders=[Order(id=1, user_id=1, total=5)])",
        "expired": "User(<not loaded>)",
    }


def test_changes_to_a_model_are_shown_without_orm_state(record: Record) -> None:
    done = record(
        SHOP
        + """
    user = User(name="ann", orders=[])
    db.add(user)
    db.flush()
    def rename(user, db):
        user.name = "eve"
        user.orders.append(Order(total=7))
    rename(user, db)
    def store(user, db):
        db.flush()
    store(user, db)
    def look(user):
        return user.name
    look(user)
    """
    )
    assert changes(done, "rename") == [
        "user.name: 'ann' -> 'eve'",
        "user.orders[0]:  -> Order(total=7)",
    ]
    assert changes(done, "look") == []
    # The keys that flushing gives the order come from the database, as if they were loaded.
    assert changes(done, "store") == []
    asked = question(done.recording, done.call("store").id)
    assert asked.inside > 0
    assert len(changes(done, "store", everything=True)) == asked.inside


def test_models_loaded_during_a_call_are_not_changes(record: Record) -> None:
    done = record(
        SHOP
        + """
    db.add(User(id=1, name="ann", orders=[Order(total=5)]))
    db.commit()
    db.close()
    user = db.get(User, 1)
    def change(user):
        for order in user.orders:
            order.total += 1
        made = Order(total=7)
        made.total = 8
        user.orders.append(made)
    change(user)
    def find(db):
        found = db.scalar(select(Order).where(Order.id == 1))
        found.total = 0
        return found
    find(db)
    def make(db):
        made = User(name="eve", orders=[])
        made.name = "eva"
        made.orders.append(Order(total=1))
        return made
    make(db)
    def look(db):
        return len(db.get(User, 1).orders)
    db.close()
    look(db)
    """
    )
    # The order that is new has no state before: it is what was put into the list.
    assert sorted(changes(done, "change")) == [
        "user.orders[0].total: 5 -> 6",
        "user.orders[1]:  -> Order(total=8)",
    ]
    assert changes(done, "find") == ["result.total: 6 -> 0"]
    assert changes(done, "make") == []
    assert changes(done, "look") == []


def test_django_models_loaded_during_a_call_are_not_changes(record: Record) -> None:
    done = record(
        DJANGO
        + """
    Book(title="one").save()
    def reprice():
        for book in Book.objects.all():
            book.price = 9
            book.save()
        return book
    reprice()
    """
    )
    assert changes(done, "reprice") == ["result.price: 3 -> 9"]


def test_django_models_show_their_columns(record: Record) -> None:
    done = record(
        DJANGO
        + """
    def f(new, saved): pass
    def save(book): book.save()
    book = Book(title="one")
    save(book)
    f(Book(title="two"), Book.objects.get())
    """
    )
    assert lines(done) == {
        "new": "Book(id=None, title='two', price=3)",
        "saved": "Book(id=1, title='one', price=3)",
    }
    assert changes(done, "save") == ["book.id: None -> 1"]


def test_pydantic_models_show_their_fields(record: Record) -> None:
    done = record("""
        import pydantic
        class Item(pydantic.BaseModel):
            b: int
            a: str = "x"
            _cache: dict = pydantic.PrivateAttr(default_factory=dict)
        class Basket(pydantic.BaseModel):
            items: list[Item]
        def f(basket): basket.items[0].a = "y"
        f(Basket(items=[Item(b=1)]))
    """)
    assert lines(done) == {"basket": "Basket(items=[Item(b=1, a='y')])"}
    assert changes(done, "f") == ["basket.items[0].a: 'x' -> 'y'"]


def parts(node: ValueNode) -> list[tuple[str, bool]]:
    return [(part.label, part.bookkeeping) for part in node.parts]


def test_bookkeeping_comes_last_and_marked_when_everything_is_shown(record: Record) -> None:
    done = record("""
        import logging
        class Handler(logging.Handler):
            def __init__(self):
                super().__init__()
                self._mine = 1
                self.records = []
        def f(handler): pass
        f(Handler())
    """)
    call = done.call("f")
    (arg,) = call.args
    usual = Viewer(done.recording, call.exit).tree(arg.value, depth=1)
    whole = Viewer(done.recording, call.exit, everything=True).tree(arg.value, depth=1)
    assert parts(usual)[:2] == [("._mine", False), (".records", False)]
    assert not any(folded for _, folded in parts(usual))
    folded = [(label, True) for label in ("._name", "._closed")]
    assert parts(whole) == parts(usual) + folded
    assert (usual.size, whole.size) == (len(usual.parts), len(whole.parts))


def test_a_name_that_only_looks_like_bookkeeping_is_shown(record: Record) -> None:
    done = record("""
        class Machine:
            def __init__(self):
                self._state = "off"
                self._sa_instance_state = 1
        def f(machine): machine._state = "on"
        f(Machine())
    """)
    assert lines(done) == {"machine": "Machine(_state='on', _sa_instance_state=1)"}
    assert changes(done, "f") == ["machine._state: 'off' -> 'on'"]


# -- objects of libraries --------------------------------------------------------------------------


def test_objects_of_libraries_are_shown_by_type_and_what_says_which_one(record: Record) -> None:
    done = record("""
        import argparse, email.message, functools, logging
        @functools.lru_cache
        def cached(): "the docs"
        def f(log, cached, message, options): pass
        f(logging.getLogger("shop"), cached, email.message.Message(), argparse.Namespace(a=1))
    """)
    assert lines(done) == {
        "log": "<Logger name='shop'>",
        "cached": "<lru_cache of cached>",
        "message": "<Message>",
        "options": "Namespace(a=1)",
    }


def test_requests_show_what_is_asked_for(record: Record) -> None:
    done = record("""
        from starlette.requests import Request
        def f(request, bare): pass
        scope = {"type": "http", "method": "GET", "path": "/items/7", "headers": []}
        f(Request(scope), Request({"type": "http"}))
    """)
    assert lines(done) == {"request": "<Request GET /items/7>", "bare": "<Request>"}


def test_the_inside_of_library_objects_is_shown_on_demand_only(record: Record) -> None:
    done = record("""
        import logging
        log = logging.getLogger("shop")
        count = 2
        count += 1
        def f():
            log.setLevel(count)
        f()
    """)
    number = done.call("f").id
    usual, whole = (question(done.recording, number, everything=e) for e in (False, True))
    assert [(node.label, node.summary, node.parts) for node in usual.read] == [
        ("count", "3", ()),
        ("log", "<Logger name='shop'>", ()),
    ]
    assert (".level", "0") in [(p.label, p.summary) for p in whole.read[1].parts]
    assert (usual.changed, usual.inside) == ((), 1)
    assert [line.place.split(".")[-1] for line in whole.changed] == ["level"]
    assert whole.inside == 0


def test_attributes_stored_in_library_objects_are_changes(record: Record) -> None:
    done = record("""
        import email.message
        class Item:
            n = 0
        def f(message, item):
            message.flag = 1
            message["To"] = "ann"
            message.item = item
        def g(message):
            message.item.n = 5
        m = email.message.Message()
        f(m, Item())
        g(m)
    """)
    assert changes(done, "f") == ["message.flag:  -> 1", "message.item:  -> Item()"]
    # The program's own object is shown, though only a library's leads to it.
    assert changes(done, "g") == ["message.item.n:  -> 5"]


def test_the_programs_containers_stay_its_own_inside_library_objects(record: Record) -> None:
    done = record("""
        import logging.handlers
        class Sink(logging.Handler):
            def __init__(self, kept):
                super().__init__()
                self.kept = kept
            def emit(self, record):
                self.kept.append(record.getMessage())
        kept = []
        log = logging.getLogger("x")
        log.addHandler(Sink(kept))
        log.propagate = False
        def f(log): log.warning("oh")
        f(log)
    """)
    assert changes(done, "f") == ["log.handlers[0].kept[0]:  -> 'oh'"]


# -- the same question -----------------------------------------------------------------------------


def test_remembered_answers_never_depend_on_hidden_state(record: Record) -> None:
    done = record("""
        import sqlite3, logging
        db = sqlite3.connect(":memory:")
        db.execute("create table t (n)")
        def count(db): return db.execute("select n from t").fetchone()
        count(db); count(db)
        one, two = logging.getLogger("one"), logging.getLogger("two")
        def name(log): return log.level
        name(one); name(one); name(two)
        one.filters.append(len)
        name(one)
        def plain(x): return x
        plain([1]); plain([1])
    """)
    keys = {
        name: [done.recording.questions.key(call.id) for call in done.calls(name)]
        for name in ("count", "name", "plain")
    }
    # What the database holds is not known, so the two calls may not be the same.
    assert keys["count"][0] != keys["count"][1]
    assert keys["plain"][0] == keys["plain"][1]
    first, again, other, changed = keys["name"]
    assert first == again
    assert len({first, other, changed}) == 3
