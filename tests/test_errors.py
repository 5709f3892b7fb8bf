"""The errors of wrongcall."""

from __future__ import annotations

import pytest

from wrongcall import errors
from wrongcall.errors import ContradictionError, WrongcallError

KINDS = [kind for kind in vars(errors).values() if isinstance(kind, type)]


@pytest.mark.parametrize("kind", KINDS)
def test_every_error_is_a_message_to_the_user(kind: type[WrongcallError]) -> None:
    assert issubclass(kind, WrongcallError)
    assert kind.__doc__


@pytest.mark.parametrize(
    "name, code", [("UsageError", 2), ("TraceError", 3), ("RecorderError", 4), ("SessionError", 1)]
)
def test_an_error_ends_an_interface_with_the_exit_code_of_its_kind(name: str, code: int) -> None:
    assert getattr(errors, name).exit_code == code


def test_kinds_of_trace_errors_end_alike() -> None:
    below = [kind for kind in KINDS if issubclass(kind, errors.TraceError)]
    assert len(below) > 3
    assert {kind.exit_code for kind in below} == {3}


def test_a_contradiction_names_the_answers() -> None:
    error = ContradictionError("that contradicts answer 2", (2, 5))
    assert error.numbers == (2, 5)
    assert str(error) == "that contradicts answer 2"
