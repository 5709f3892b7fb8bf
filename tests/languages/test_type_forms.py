"""Forms of types."""

from __future__ import annotations

from wrongcall.languages.type_forms import Named, Promise, Promises


def test_promises_are_empty_without_parameters_and_result() -> None:
    promise = Promise(Named("int"), "int")
    assert Promises({}, None).is_empty
    assert not Promises({"a": promise}, None).is_empty
    assert not Promises({}, promise).is_empty
