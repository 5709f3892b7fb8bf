"""The fields that classes declare, as the recorder reads them off their namespaces."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.recorder.bothways import runs_the_same
from tests.recorder.conftest import Record, Recorded
from wrongcall.events import Kind, TypeOrigin
from wrongcall.trace.format.program_tables import Type

EAGER_ANNOTATIONS = pytest.mark.skipif(
    sys.version_info >= (3, 14),
    reason="annotations are made by code of the program, which never runs",
)


def type_of(done: Recorded, qualname: str) -> Type:
    """The type with a name of which an object was seen."""
    (found,) = (kind for kind in done.recording.program.types.values() if kind.qualname == qualname)
    return found


def declared(done: Recorded, qualname: str) -> tuple[str, list[str]]:
    found = type_of(done, qualname)
    return found.kind, list(found.fields)


# -- kinds of classes ------------------------------------------------------------------------------


def test_a_dataclass_and_what_is_derived_from_it(record: Record) -> None:
    done = record("""
        from dataclasses import dataclass, field

        @dataclass
        class Base:
            z: int
            a: int = 0

        @dataclass(slots=True)
        class More(Base):
            m: list = field(default_factory=list)
            a: int = 5

        class Undecorated(Base):
            pass

        def f(*args): pass
        f(Base(1), More(1), Undecorated(1))
    """)
    assert declared(done, "Base") == ("dataclass", ["z", "a"])
    assert declared(done, "More") == ("dataclass", ["z", "a", "m"])
    assert declared(done, "Undecorated") == ("dataclass", ["z", "a"])


def test_attrs_classes(record: Record) -> None:
    done = record("""
        import attrs

        @attrs.define
        class Base:
            z: int
            _private: int = 0

        @attrs.define(slots=False)
        class More(Base):
            b: int = 1
            a: int = 2

        def f(*args): pass
        f(Base(1), More(1))
    """)
    assert declared(done, "Base") == ("attrs", ["z", "_private"])
    assert declared(done, "More") == ("attrs", ["z", "_private", "b", "a"])


def test_pydantic_models(record: Record) -> None:
    done = record("""
        import pydantic

        class Base(pydantic.BaseModel):
            z: int
            a: str = "x"
            _hidden: int = 3

        class More(Base):
            b: float = 1.0

        def f(*args): pass
        f(Base(z=1), More(z=2))
    """)
    assert declared(done, "Base") == ("pydantic", ["z", "a"])
    assert declared(done, "More") == ("pydantic", ["z", "a", "b"])


SQLALCHEMY = """
    from sqlalchemy import ForeignKey
    from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship

    class Base(DeclarativeBase):
        pass

    class User(Base):
        __tablename__ = "user"
        orders: Mapped[list["Order"]] = relationship(back_populates="user")
        id: Mapped[int] = mapped_column(primary_key=True)
        name: Mapped[str]
        age: Mapped[int] = mapped_column(default=3)

    class Order(Base):
        __tablename__ = "order"
        id: Mapped[int] = mapped_column(primary_key=True)
        user_id: Mapped[int] = mapped_column(ForeignKey("user.id"))
        user: Mapped[User] = relationship(back_populates="orders")
"""


def test_sqlalchemy_models_have_their_columns_before_their_relationships(record: Record) -> None:
    done = record(
        SQLALCHEMY
        + """
    def f(*args): pass
    f(User(name="ann", orders=[Order()]))
    """
    )
    assert declared(done, "User") == ("sqlalchemy", ["id", "name", "age", "orders"])
    assert declared(done, "Order") == ("sqlalchemy", ["id", "user_id", "user"])


def test_django_models_have_the_columns_of_their_parents_too(record: Record) -> None:
    done = record("""
        from django.conf import settings
        settings.configure(INSTALLED_APPS=[])
        import django
        django.setup()
        from django.db import models

        class Named(models.Model):
            name = models.CharField(max_length=9)
            class Meta:
                abstract = True
                app_label = "shop"

        class Maker(Named):
            class Meta:
                app_label = "shop"

        class Book(Named):
            price = models.IntegerField(default=3)
            maker = models.ForeignKey(Maker, models.CASCADE, null=True)
            class Meta:
                app_label = "shop"

        def f(*args): pass
        f(Book(name="b"), Maker(name="m"))
    """)
    assert declared(done, "Book") == ("django", ["id", "name", "price", "maker_id"])
    assert declared(done, "Maker") == ("django", ["id", "name"])


def test_named_tuples(record: Record) -> None:
    done = record("""
        from collections import namedtuple
        from typing import NamedTuple

        Point = namedtuple("Point", "y x")

        class Pair(NamedTuple):
            right: int
            left: int

        def f(*args): pass
        f(Point(1, 2), Pair(1, 2))
    """)
    assert declared(done, "Point") == ("namedtuple", ["y", "x"])
    assert declared(done, "Pair") == ("namedtuple", ["right", "left"])


def test_slots_are_in_the_order_in_which_they_are_written(record: Record) -> None:
    done = record("""
        class Base:
            __slots__ = ("z", "__private")

        class _More(Base):
            __slots__ = ["b", "a", "__private"]

        class One(Base):
            __slots__ = "only"

        def f(*args): pass
        f(_More(), One())
    """)
    assert declared(done, "_More") == ("plain", ["z", "_Base__private", "b", "a", "_More__private"])
    assert declared(done, "One") == ("plain", ["z", "_Base__private", "only"])


@EAGER_ANNOTATIONS
def test_annotations_of_plain_classes_declare_fields(record: Record) -> None:
    done = record("""
        class Base:
            z: int

        class More(Base):
            b: int = 1
            a: str

        class Nothing:
            pass

        def f(*args): pass
        f(More(), Nothing())
    """)
    assert declared(done, "More") == ("plain", ["z", "b", "a"])
    assert declared(done, "Nothing") == ("", [])


def test_classes_with_attributes_of_a_library_are_known_as_such(record: Record) -> None:
    done = record("""
        import abc, logging, typing

        class Handler(logging.Handler):
            pass

        class Abstract(abc.ABC, typing.Generic[typing.TypeVar("T")]):
            pass

        def f(*args): pass
        f(Handler(), Abstract())
    """)
    assert declared(done, "Handler") == ("derived", [])
    assert declared(done, "Abstract") == ("", [])


def test_where_types_are_defined(record: Record) -> None:
    done = record("""
        import logging, datetime

        class Own:
            pass

        class Day(datetime.date):
            pass

        def f(*args): pass
        f(Own(), logging.getLogger("x"), [], datetime.date(2020, 1, 2), Day(2020, 1, 2))
    """)
    origins = {t.qualname: t.origin for t in done.recording.program.types.values()}
    assert origins["Own"] == origins["Day"] == TypeOrigin.PROGRAM
    assert origins["Logger"] == TypeOrigin.LIBRARY
    assert origins["list"] == origins["date"] == TypeOrigin.BUILTIN


# -- when and how often ----------------------------------------------------------------------------


def test_fields_declared_late_are_sent_with_the_next_object(record: Record) -> None:
    done = record("""
        import dataclasses

        class C:
            def __init__(self): pass

        def f(*args): pass
        f(C())
        C.__annotations__ = {"b": int, "a": int}
        del C.__init__
        dataclasses.dataclass(C)
        f(C(1, 2))
    """)
    assert declared(done, "C") == ("dataclass", ["b", "a"])


@EAGER_ANNOTATIONS
def test_fields_are_told_once_for_all_objects(record: Record) -> None:
    done = record("""
        import dataclasses

        @dataclasses.dataclass
        class P:
            x: int
        class Q:
            y: int

        def f(*args): pass
        for i in range(1000):
            f(P(i), Q())
    """)
    told = done.recording.events.select({Kind.FIELDS})
    assert len(told.times) == 2
    assert told.events["value"].tolist() == [type_of(done, n).id for n in ("P", "Q")]


# -- hostile classes -------------------------------------------------------------------------------

HOSTILE = """
    import sys, types

    class Loud:
        def __getattribute__(self, name):
            print("asked for", name)
            raise RuntimeError(name)
        def __iter__(self):
            print("iterated")
            return iter(())
        def __len__(self):
            print("length")
            return 1

    class Meta(type):
        def __getattribute__(cls, name):
            if name in NAMES:
                print("the class was asked for", name)
            return super().__getattribute__(name)
        def __getattr__(cls, name):
            print("the class lacks", name)
            raise AttributeError(name)

    NAMES = ("__dataclass_fields__", "__attrs_attrs__", "__pydantic_fields__", "__mapper__",
             "_meta", "_fields", "__slots__", "__annotations__", "__module__", "__qualname__")

    class Name(str):
        def __eq__(self, other):
            print("compared with", other)
            return str.__eq__(self, other)
        __hash__ = str.__hash__

    class Dict(dict):
        def __getitem__(self, key): print("item", key); raise KeyError
        def keys(self): print("keys"); return []
        def __iter__(self): print("iter"); return iter(())

    sqlalchemy = types.ModuleType("sqlalchemy.orm.mapper")
    class Mapper:
        __module__ = "sqlalchemy.orm.mapper"
        def __init__(self, properties): self.__dict__["_props"] = properties
        def __getattr__(self, name): print("mapper", name); raise AttributeError(name)
    class Options:
        __module__ = "django.db.models.options"
        def __init__(self, fields): self.local_fields = fields
        @property
        def concrete_fields(self): print("property"); return []

    made = []
    values = [None, 1, "text", "a\\0b", "\\udc80", b"x", Loud(), [Loud()], (Loud(), 1), (1, "x"), {1: 2},
              {"ok": 1, Name("loud"): 2, 3: 4}, Dict(a=1), Mapper({"id": Loud(), 3: 4}), Mapper([1]),
              Mapper(Dict(a=1)), Options([Loud()]), Options(7), Options((1, 2)), type, Loud,
              ("x" * 9000, "y"), property(lambda self: print("get")), sys]
    for mark in NAMES[:-2]:
        for i, value in enumerate(values):
            namespace = {Name("odd"): 1}
            bases = (tuple,) if mark == "_fields" and i % 2 else ()
            try:
                if mark == "__slots__":
                    kind = Meta("C%d" % i, bases, namespace)
                    type.__setattr__(kind, mark, value)
                else:
                    kind = Meta("C%d" % i, bases, {**namespace, mark: value})
                made.append(kind())
            except (TypeError, ValueError, UnicodeError) as error:
                print(mark, i, type(error).__name__)

    class Liar:
        __slots__ = ("a",)
        @property
        def __class__(self): print("class"); return int

    class Own(Meta):
        pass

    def f(x): return None
    for o in [*made, Liar(), Own("X", (), {})]:
        f(o)
    print(len(made))
"""


def test_hostile_classes_are_never_asked(tmp_path: Path) -> None:
    seen = runs_the_same(tmp_path, HOSTILE)
    assert seen.status == 0, seen.stderr
    assert int(seen.stdout.split()[-1]) > 100


def test_strange_declarations_declare_nothing_or_what_they_name(record: Record) -> None:
    done = record("""
        class Fake: pass
        class Field:
            def __init__(self, name): self.name = name
        class NotADict:
            __dataclass_fields__ = ["x", "y"]
        class Strangers:
            __attrs_attrs__ = (Field("b"), Field(3), Field("a"))
        class Keys:
            __dataclass_fields__ = {"b": 1, 3: 2, "a": 3}
        class NoMapper:
            __mapper__ = Fake()
        class NoModel:
            _meta = Fake()

        def f(*args): pass
        f(NotADict(), Strangers(), Keys(), NoMapper(), NoModel())
    """)
    names = ("NotADict", "Strangers", "NoMapper", "NoModel")
    assert [declared(done, name) for name in names] == [("", [])] * 4
    assert declared(done, "Keys") == ("dataclass", ["b", "a"])
