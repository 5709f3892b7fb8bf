"""Fields of requests: taken as they are, or refused by name."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import Request

from wrongcall.errors import UsageError
from wrongcall.web import request_fields
from wrongcall.web.request_fields import (
    body,
    maybe,
    named,
    number,
    numbers,
    text,
    whole,
    word,
    words,
)
from wrongcall.web.tree_snapshot import MAX_DIGITS


def request(query: str = "", **scope: Any) -> Request:
    base = {"type": "http", "method": "GET", "headers": [], "query_string": query.encode()}
    return Request({**base, **scope})


def sent(*chunks: bytes, kind: str = "application/json") -> dict[str, Any]:
    """Return the body of a request that arrives in these parts."""
    messages = [
        {"type": "http.request", "body": chunk, "more_body": i + 1 < len(chunks)}
        for i, chunk in enumerate(chunks)
    ]

    async def receive() -> dict[str, Any]:
        return messages.pop(0)

    scope = {"type": "http", "method": "POST", "headers": [(b"content-type", kind.encode())]}
    return asyncio.run(body(Request(scope, receive)))


# -- bodies ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["application/json", "application/json; charset=utf-8"])
def test_a_body_is_a_json_object(kind: str) -> None:
    assert sent(b'{"a": ', b"1}", kind=kind) == {"a": 1}
    assert sent(b"", kind=kind) == {}


@pytest.mark.parametrize(
    "content,problem",
    [
        (b"{", "not valid JSON"),
        (b"\xff", "not valid JSON"),
        (b"[]", "send a JSON object"),
        (b"1", "send a JSON object"),
        (b"[" * 100_000, "the JSON is nested too deeply"),
        (b'{"a": ' + b"9" * 5000 + b"}", "not valid JSON"),
    ],
)
def test_a_body_that_is_not_a_json_object_is_refused(content: bytes, problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        sent(content)


def test_only_json_is_accepted() -> None:
    with pytest.raises(UsageError, match="send application/json"):
        sent(b"{}", kind="text/plain")


def test_a_large_body_is_refused_before_all_of_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_fields, "_MAX_BODY_BYTES", 1000)
    with pytest.raises(UsageError, match="a request has at most 1,000 bytes"):
        sent(b" " * 600, b" " * 600, b"never read")
    assert sent(b" " * 998 + b"{}") == {}


# -- queries ---------------------------------------------------------------------------------------


def test_parameters_of_the_path_and_the_query() -> None:
    assert named(request(path_params={"call": "12"})) == 12
    asked = request("place=c%5B2%5D&time=7&empty=")
    assert text(asked, "place") == "c[2]"
    assert (maybe(asked, "time"), maybe(asked, "other")) == (7, None)
    assert (number(asked, "time", 5), number(asked, "other", 5)) == (7, 5)
    for name in ("other", "empty"):
        with pytest.raises(UsageError, match=f"{name} is missing"):
            text(asked, name)


@pytest.mark.parametrize(
    "value", ["", "-1", "1.5", "x", "1_0", "%20 1", "%C2%B2", "%D9%A3", "9" * (MAX_DIGITS + 1)]
)
def test_a_number_must_be_a_few_ascii_digits(value: str) -> None:
    with pytest.raises(UsageError, match=f"time is a number of at most {MAX_DIGITS} digits, not "):
        maybe(request(f"time={value}"), "time")


# -- fields of the body ----------------------------------------------------------------------------

anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(exclude_categories=())),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
READERS: list[Callable[[dict[str, Any]], object]] = [
    lambda given: word(given, "x"),
    lambda given: words(given, "x"),
    lambda given: numbers(given, "x"),
    lambda given: whole(given, "x", 3),
]


@given(anything)
def test_a_field_of_the_wrong_type_is_refused_by_name(value: Any) -> None:
    for read in READERS:
        found, problem = _outcome(read, value)
        if problem:
            assert problem.startswith("x ")
            assert len(problem) < 1000
        else:
            assert found == value or not value or list(found) == value


def _outcome(read: Callable[[dict[str, Any]], object], value: Any) -> tuple[Any, str]:
    try:
        return read({"x": value}), ""
    except UsageError as error:
        return None, str(error)


def test_missing_fields_have_defaults() -> None:
    assert [read({}) for read in READERS] == ["", (), [], 3]


@pytest.mark.parametrize("value", [True, False, -1, 1.0, "1", 10**MAX_DIGITS, None])
def test_a_number_must_be_a_non_negative_integer(value: Any) -> None:
    with pytest.raises(UsageError, match="n is a number from 0 up, not"):
        whole({"n": value}, "n", 0)
    with pytest.raises(UsageError, match="n is a list of numbers from 0 up"):
        numbers({"n": [value]}, "n")


def test_lone_surrogates_are_refused() -> None:
    with pytest.raises(UsageError, match="name has half a character"):
        word({"name": "\ud800"}, "name")
    with pytest.raises(UsageError, match="open has half a character"):
        words({"open": ["1", "\udfff"]}, "open")
