"""What is known of a process that was alone; `test_renumber` shows what it is good for."""

from __future__ import annotations

from tests.trace.described import described
from tests.trace.emitter import Emitter
from wrongcall.events import Kind, Layout, Tag
from wrongcall.trace.write.batch import Batch
from wrongcall.trace.write.first_numbers import FirstNumbers


def test_numbers_are_observed_batch_by_batch() -> None:
    numbers = FirstNumbers()
    for call, obj in ((7, 3), (5, 2)):
        emitter = Emitter()
        emitter.event(Kind.ENTER, call=call)
        emitter.event(Kind.OBJ, obj=obj)
        numbers.observe(Batch(emitter.events(), b""))
    assert (numbers.calls, numbers.objects) == (7, 3)


def test_names_types_and_threads_are_known() -> None:
    emitter = Emitter()
    emitter.type("Point", Layout.INSTANCE)
    _, number = emitter.name("größe")
    emitter.event(Kind.THREAD, value=(Tag.INT, 2))
    emitter.carrier(Kind.FIELDS, b"plain\0x", (0, 4), (Tag.INT, 1))
    numbers = FirstNumbers()
    numbers.observe(Batch(emitter.events(), bytes(emitter.data)))
    assert numbers.names == [(number, "größe".encode())]
    assert (numbers.types, numbers.threads, numbers.fields) == (1, 2, 4)


def test_descriptions_of_files_are_kept_without_entries_of_the_code_cache() -> None:
    plain = bytes(described("x = 1\n").data)
    emitter = Emitter()
    emitter.carrier(Kind.META, plain + b"\0name\0content")
    numbers = FirstNumbers()
    numbers.observe(Batch(emitter.events(), bytes(emitter.data)))
    assert numbers.descriptions() == [plain]
