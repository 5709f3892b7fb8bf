"""The contract of server and page: what is sent is what it says, and the page's types are made of it."""

from __future__ import annotations

import re
import subprocess
import sys
import types
from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import (
    Any,
    Literal,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

import pytest
from starlette.testclient import TestClient

from tests.web.conftest import TOKEN, Serve
from wrongcall.errors import UsageError
from wrongcall.session import Verdict
from wrongcall.web import contract
from wrongcall.web.api import Api
from wrongcall.web.wire import identifiers, member_of, to_json

ROOT = Path(__file__).parents[2]
IDENTIFIER = re.compile(r"[a-z]+(_[a-z]+)*")
NUMBERS = {"call": 8, "object": 1, "file": 1}
QUERY = {
    "other": "6",
    "place": "c[2]",
    "key": "8",
    "width": "300",
    "line": "16",
    "expression": "lc",
    "search": "merge",
}
QUERIES: dict[str, dict[str, str]] = {
    "side-by-side": {"old": "1", "new": "1", "before": "10", "after": "20"},
    "changed-text": {"owner": "8", "step": "c", "before": "100", "after": "175"},
}
"""What some requests need besides, or instead."""
SENT: dict[str, dict[str, Any]] = {
    "session/answer": {"key": "3", "verdict": "wrong"},
    "session/judge": {"key": "8", "verdict": "wrong"},
    "session/inside": {"key": "8"},
    "session/dismiss": {"name": "silent"},
    "session/strategy": {"name": "top-down"},
    "rows": {"open": None, "closed": [], "status": "suspect", "find": "8"},
    "titles": {"calls": [1, 8]},
    "members": {"calls": [1, 8]},
}
BEFORE = {
    "session/undo": ["session/judge"],
    "session/confirm": ["session/judge"],
    "session/reject": ["session/judge"],
    "session/go-on": ["session/judge"],
}
"""What has to be sent before a request makes sense."""


def faults(data: object, kind: Any, at: str = "answer") -> Iterator[str]:  # noqa: C901 - one case each
    """Go through the places where JSON is not of a type of the contract."""
    origin, arguments = get_origin(kind), get_args(kind)
    if kind is float:
        kind = (int, float)
    if origin in (Union, types.UnionType):
        if all(any(True for _ in faults(data, each)) for each in arguments):
            yield f"{at}: {data!r} is none of {arguments}"
    elif origin is NotRequired:
        yield from faults(data, arguments[0], at)
    elif origin is Literal:
        if data not in arguments:
            yield f"{at}: {data!r} is not in {arguments}"
    elif origin is tuple and arguments[-1] is not Ellipsis:
        if not isinstance(data, list) or len(data) != len(arguments):
            yield f"{at}: {data!r} is no tuple of {len(arguments)}"
        else:
            for number, (part, each) in enumerate(zip(data, arguments, strict=True)):
                yield from faults(part, each, f"{at}[{number}]")
    elif origin in (list, tuple, Sequence):
        if not isinstance(data, list):
            yield f"{at}: {data!r} is no list"
        else:
            for number, part in enumerate(data):
                yield from faults(part, arguments[0], f"{at}[{number}]")
    elif isinstance(kind, type) and issubclass(kind, Enum):
        if data not in identifiers(kind):
            yield f"{at}: {data!r} is no {kind.__name__}"
    elif is_typeddict(kind) or is_dataclass(kind):
        yield from faults_of_object(data, kind, at)
    elif type(data) not in (kind if isinstance(kind, tuple) else (kind,)):
        yield f"{at}: {data!r} is no {kind}"


def faults_of_object(data: object, kind: Any, at: str) -> Iterator[str]:
    """Go through what is wrong with an object: fields too few, too many, or of another type."""
    hints = get_type_hints(kind, include_extras=True)
    names = {field.name for field in fields(kind)} if is_dataclass(kind) else set(hints)
    required = {name for name in names if get_origin(hints[name]) is not NotRequired}
    if not isinstance(data, dict) or not required <= set(data) <= names:
        yield f"{at}: {data!r} has not the fields {sorted(names)}"
        return
    for name, value in data.items():
        yield from faults(value, hints[name], f"{at}.{name}")


def get(client: TestClient, path: str) -> Any:
    query = {**QUERY, **QUERIES.get(path, {})}
    for name, number in NUMBERS.items():
        path = path.replace(f"{{{name}}}", str(number))
    answer = client.get(f"/{TOKEN}/api/{path}", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def post(client: TestClient, path: str) -> Any:
    answer = client.post(f"/{TOKEN}/api/{path}", json=SENT.get(path, {}))
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.parametrize("request_", contract.GETS, ids=lambda request: request.path)
def test_answers_have_the_types_of_the_contract(
    paper: TestClient, request_: contract.Get[object]
) -> None:
    assert list(faults(get(paper, request_.path), request_.answer)) == []


@pytest.mark.parametrize("request_", contract.POSTS, ids=lambda request: request.path)
def test_requests_and_answers_have_the_types_of_the_contract(
    paper: TestClient, request_: contract.Post[object, object]
) -> None:
    path = request_.path
    for before in BEFORE.get(path, []):
        post(paper, before)
    if path != "rows":  # of which the server supplies what is left out
        assert list(faults(SENT.get(path, {}), request_.sent)) == []
    assert list(faults(post(paper, path), request_.answer)) == []


def test_every_kind_of_step_is_of_its_type(serve: Serve, traces: dict[str, Path]) -> None:
    client = serve(traces["mergesort"])
    seen = set()
    session = get(client, "session")
    for verdict in ["wrong", *["right"] * 40]:
        assert list(faults(session, contract.Session)) == []
        seen.add(session["step"]["kind"])
        if session["step"]["kind"] != "question":
            break
        sent = {"key": session["step"]["key"], "verdict": verdict}
        session = client.post(f"/{TOKEN}/api/session/answer", json=sent).json()
    assert seen == {"question", "finding"}
    sent = {"key": "1", "verdict": "right", "replace": True}
    another = serve(traces["paper_mergesort"])
    session = another.post(f"/{TOKEN}/api/session/judge", json=sent).json()
    assert session["step"]["kind"] == "no_bug"
    assert list(faults(session, contract.Session)) == []


def test_deviations_from_the_contract_are_detected(paper: TestClient) -> None:
    session = get(paper, "session")
    for spoiled in (
        {**session, "version": "1"},
        {**session, "more": 1},
        {name: value for name, value in session.items() if name != "step"},
        {**session, "step": {**session["step"], "kind": "no bug"}},
    ):
        assert list(faults(spoiled, contract.Session)) != []


def test_the_contract_has_every_request_of_the_server() -> None:
    routes = Api(None).routes()  # type: ignore[arg-type]
    paths = {re.sub(r":\w+\}", "}", route.path).removeprefix("/api/") for route in routes}
    without_json = {"report", "changes"}
    known = {r.path for r in contract.GETS} | {r.path for r in contract.POSTS}
    assert paths == known | without_json
    made = [r for r in vars(contract).values() if isinstance(r, contract.Get | contract.Post)]
    assert made == [*contract.GETS, *contract.POSTS]


def kinds(kind: Any, seen: set[Any]) -> Iterator[Any]:
    """Go through all types that a type is made of."""
    key = repr(kind)
    if key in seen:
        return
    seen.add(key)
    yield kind
    parts = get_args(kind) if get_origin(kind) is not Literal else ()
    if is_typeddict(kind) or is_dataclass(kind):
        parts = tuple(get_type_hints(kind, include_extras=True).values())
    for part in parts:
        yield from kinds(part, seen)


def test_what_the_page_compares_are_identifiers() -> None:
    seen: set[Any] = set()
    asked = [kind for request in contract.POSTS for kind in (request.sent, request.answer)]
    roots = [*(request.answer for request in contract.GETS), *asked]
    values = []
    for kind in (each for root in roots for each in kinds(root, seen)):
        if get_origin(kind) is Literal:
            values += [value for value in get_args(kind) if value]
        elif isinstance(kind, type) and issubclass(kind, Enum):
            values += identifiers(kind)
    assert len(values) > 50
    assert [value for value in values if not IDENTIFIER.fullmatch(value)] == []


def test_enums_travel_as_identifiers() -> None:
    assert to_json({"said": [Verdict.DONT_KNOW]}) == b'{"said":["dont_know"]}'
    assert member_of(Verdict, "dont_know", "verdict") is Verdict.DONT_KNOW
    with pytest.raises(
        UsageError, match='there is no verdict "don\'t know"; there are: right, wrong'
    ):
        member_of(Verdict, "don't know", "verdict")
    with pytest.raises(TypeError, match="object has no JSON"):
        to_json(object())


@pytest.mark.once
def test_the_types_of_the_page_are_made_of_the_contract() -> None:
    command = [sys.executable, str(ROOT / "tools" / "generate_api.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
