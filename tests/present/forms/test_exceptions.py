"""Exceptions show their arguments, the files they are about, their notes and their cause."""

from __future__ import annotations

from typing import Any

import pytest

from tests.present.objects import HOSTILE, Objects
from wrongcall.events import Layout
from wrongcall.present.forms.exceptions import exception
from wrongcall.recording import Ref


def made(objects: Objects, name: str, *args: Any, **parts: Any) -> Ref:
    held = {"args": objects.tuple(*args), **parts}
    return objects.new(name, held, layout=Layout.EXCEPTION)


@pytest.mark.parametrize(
    "error", [ValueError(), ValueError("bad"), KeyError("x", 3), OSError(2, "No such file")]
)
def test_an_exception_is_written_as_its_repr(objects: Objects, error: Exception) -> None:
    ref = made(objects, type(error).__name__, *error.args)
    assert objects.text(exception, ref) == repr(error)


def test_many_arguments_are_counted_and_nothing_follows_them(objects: Objects) -> None:
    ref = made(objects, "ValueError", *range(8), __cause__=objects.list())
    assert objects.text(exception, ref) == "ValueError(0, 1, 2, 3, 4, 3 more)"


def test_an_error_of_the_system_names_its_files(objects: Objects) -> None:
    parts = {"errno": 2, "filename": "a.txt", "filename2": "b.txt"}
    both = made(objects, "OSError", 2, "no", **parts)
    one = made(objects, "OSError", 2, "no", errno=2, filename="a.txt", filename2=None)
    other = made(objects, "OSError", "no", **parts)
    plain = made(objects, "ValueError", 2, "no", filename="a.txt")
    assert objects.text(exception, both) == "OSError(2, 'no', 'a.txt', 'b.txt')"
    assert objects.text(exception, one) == "OSError(2, 'no', 'a.txt')"
    assert objects.text(exception, other) == "OSError('no')"
    assert objects.text(exception, plain) == "ValueError(2, 'no')"


def test_notes_and_cause_follow_the_arguments(objects: Objects) -> None:
    cause = made(objects, "KeyError", "x")
    ref = made(objects, "ValueError", "bad", __notes__=objects.list("here"), __cause__=cause)
    alone = made(objects, "ValueError", "bad", __cause__=None)
    assert objects.text(exception, ref) == "ValueError('bad', notes=['here'], cause=KeyError('x'))"
    assert objects.text(exception, alone) == "ValueError('bad')"


def test_an_exception_whose_arguments_are_not_known_shows_its_type(objects: Objects) -> None:
    ref = objects.new(f"Odd{HOSTILE}", {}, layout=Layout.EXCEPTION)
    assert objects.text(exception, ref) == r"Odd\x1b[2J\u202e\n()"


def test_an_instance_is_none(objects: Objects) -> None:
    assert objects.text(exception, objects.new("Error", {"args": objects.tuple()})) is None
