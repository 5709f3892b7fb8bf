"""Requests that nobody should send: refused as such, never an error of the server, and without consequences."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.routing import Route
from starlette.testclient import TestClient

from tests.web.conftest import TOKEN, Serve
from wrongcall.session import Where
from wrongcall.session.answers import Verdict
from wrongcall.trace.read.session_store import load_session, save_session
from wrongcall.web.api import REPORTS, Api

DEEP = 100_000
DIGITS = "9" * 5_000
"""More than Python makes an int of."""
ENDLESS = "/api/changes"
"""Answers as long as the server runs."""
NAMES = (
    "key", "verdict", "expected", "part", "replace", "name", "open", "closed", "function", "status", "value",
    "first", "count", "find", "calls", "where", "path",
)  # fmt: skip
QUERIES = ("key", "width", "time", "place", "mark", "now", "first", "count", "format")
ODD_NUMBERS = (0, 1, -1, 2, 8, 2**31, 2**32, 2**53 + 1, 2**63, 2**64, 10**400)
ODD_WORDS = (
    "", "1", "8", "5-6", "6-5", "-1", "1-", "0", "99", str(2**63), str(2**64), DIGITS, f"{DIGITS}-1", "\ud800",
    "a\x00b", "٣", "²", "1_0", " 1", "c", "c[2]", "c[", "result", "a[0", "c[99]", "c." * 2000, "(" * 3000,
    "-" * 5000 + "1", "self", "__import__('os')", "c[-1]", "c[1e400]", f"c[{DIGITS}]", "c[None]", "c['\udfff']", "md",
    "html", "json", "top-down", "wrong", "right", "suspect", "seen \N{SNOWMAN}",
)  # fmt: skip


def application_paths() -> list[tuple[str, str]]:
    """Return the method and the path of each request that there is."""
    routes: list[Route] = Api(None).routes()  # type: ignore[arg-type]
    return [
        (method, route.path)
        for route in routes
        for method in sorted(route.methods or ())
        if route.path != ENDLESS
    ]


@pytest.fixture
def patient(serve: Serve, traces: dict[str, Path]) -> TestClient:
    """A client that is told of the server's own errors as others are: by their status."""
    client = serve(traces["paper_mergesort"])
    client._transport.raise_server_exceptions = False  # type: ignore[attr-defined]
    return client


numbers = st.one_of(st.sampled_from(ODD_NUMBERS), st.integers(0, 12))
named = st.one_of(st.integers(1, 9).map(str), st.sampled_from([*map(str, ODD_NUMBERS), DIGITS]))
texts = st.one_of(st.sampled_from(ODD_WORDS), st.text(st.characters(), max_size=6))
verdicts = st.sampled_from([v.value for v in Verdict])
parts = st.fixed_dictionaries(
    {"where": st.sampled_from([w.value for w in Where]), "path": texts}
)  # fmt: skip
plain = st.one_of(st.none(), st.booleans(), numbers, st.floats(), texts, verdicts, parts)
values = st.one_of(plain, st.lists(plain, max_size=3), st.dictionaries(texts, plain, max_size=2))
bodies = st.one_of(
    st.fixed_dictionaries({}, optional=dict.fromkeys(NAMES, values)),
    st.fixed_dictionaries(
        {"key": st.one_of(st.integers(1, 8).map(str), texts), "verdict": verdicts},
        optional={"expected": texts, "part": parts, "replace": st.booleans()},
    ),
    values,
).map(lambda found: json.dumps(found).encode())
queries = st.fixed_dictionaries(
    {}, optional=dict.fromkeys(QUERIES, st.one_of(texts, numbers.map(str)))
)  # fmt: skip


ANSWER = "/api/session/answer"
NESTED = b'{"part": ' + b"[" * DEEP + b"]" * DEEP + b"}"
BAD = {
    "nested": ("POST", ANSWER, {}, NESTED),
    "nested objects": ("POST", "/api/rows", {}, b'{"a":' * DEEP + b"1" + b"}" * DEEP),
    "nested less": ("POST", ANSWER, {}, b'{"key": "1", "part": ' + b"[" * 900 + b"]" * 900 + b"}"),
    "nested text": ("POST", "/api/rows", {}, b'{"function": ' + b"[" * 900 + b"]" * 900 + b"}"),
    "digits in a body": ("POST", "/api/titles", {}, b'{"calls": [' + DIGITS.encode() + b"]}"),
    "a huge call": ("POST", "/api/titles", {}, b'{"calls": [' + str(2**70).encode() + b"]}"),
    "a call below zero": ("POST", "/api/members", {}, b'{"calls": [-1]}'),
    "a huge row": ("POST", "/api/rows", {}, b'{"first": ' + str(2**70).encode() + b"}"),
    "a truth as a call": ("POST", "/api/titles", {}, b'{"calls": [true]}'),
    "digits in a key": ("POST", ANSWER, {}, json.dumps({"key": DIGITS, "verdict": "wrong"}).encode()),
    "a huge key": ("POST", ANSWER, {}, json.dumps({"key": str(2**70), "verdict": "wrong"}).encode()),
    "digits in a query": ("GET", "/api/calls/1/variables", {"time": DIGITS}, b""),
    "a huge time": ("GET", "/api/calls/8/variables", {"time": str(2**70)}, b""),
    "a huge time of an object": ("GET", "/api/objects/1", {"time": str(2**70)}, b""),
    "digits in a path": ("GET", f"/api/calls/{DIGITS}", {}, b""),
    "a huge call in a path": ("GET", f"/api/calls/{2**70}", {}, b""),
    "an object with digits": ("GET", f"/api/objects/{DIGITS}", {}, b""),
    "a huge object": ("GET", f"/api/objects/{2**70}", {}, b""),
    "digits of a file": ("GET", f"/api/files/{DIGITS}", {}, b""),
    "half a letter": (
        "POST", ANSWER, {}, b'{"key": "8", "verdict": "wrong", "expected": "\\ud800"}'
    ),
    "half a letter in a part": (
        "POST", ANSWER, {},
        b'{"key": "8", "verdict": "wrong_part", "part": {"where": "outcome", "path": "\\ud800"}}',
    ),
    "half a letter searched for": ("POST", "/api/rows", {}, b'{"value": "\\udfff"}'),
    "half a letter as a strategy": ("POST", "/api/session/strategy", {}, b'{"name": "\\udfff"}'),
    "a verdict that is none": ("POST", ANSWER, {}, b'{"key": "8", "verdict": "so so"}'),
    "bytes that are no text": ("POST", ANSWER, {}, b"\xff\xfe{"),
    "a deep place": ("GET", "/api/calls/8/history", {"place": "c" + "[0" * 5000}, b""),
    "a place with digits": ("GET", "/api/calls/8/history", {"place": f"c[{DIGITS}]"}, b""),
    "a deep place with brackets": ("GET", "/api/calls/8/origin", {"place": "(" * 5000 + "c"}, b""),
    "a deep place of minuses": ("GET", "/api/calls/8/origin", {"place": f"c[{'-' * 9000}1]"}, b""),
    "a place with an end in it": ("GET", "/api/calls/8/marks", {"place": "c\x00"}, b""),
    "a huge mark": ("GET", "/api/calls/8/marks", {"place": "c", "mark": str(2**70)}, b""),
    "a huge count": ("GET", "/api/calls/8/events", {"first": str(2**70), "count": str(2**70)}, b""),
    "a huge part of the output": ("GET", "/api/output", {"first": str(2**70)}, b""),
    "a huge picture": ("GET", "/api/icicle", {"width": DIGITS}, b""),
    "a picture of nobody": ("GET", "/api/icicle", {"key": DIGITS}, b""),
    "a format that is none": ("GET", "/api/report", {"format": "exe"}, b""),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_bad_requests_are_refused_and_the_session_goes_on(patient: TestClient, name: str) -> None:
    before = session(patient)
    assert 400 <= ask(patient, *BAD[name]) < 500
    assert session(patient) == before
    asked = before["step"]["key"]
    assert patient.post(f"/{TOKEN}{ANSWER}", json={"key": asked, "verdict": "right"}).is_success


def test_a_saved_lone_surrogate_is_served(
    serve: Serve, traces: dict[str, Path], tmp_path: Path
) -> None:
    """A terminal can hand over such a text: Python makes it of bytes that are not UTF-8."""
    trace = traces["paper_mergesort"]
    judged = {"key": "8", "verdict": "wrong", "expected": "MARK"}
    assert serve(trace).post(f"/{TOKEN}/api/session/judge", json=judged).is_success
    saved = load_session(tmp_path / trace.name, "session")
    entries = json.loads(json.dumps(saved.entries).replace("MARK", "\\udcff"))
    save_session(tmp_path / trace.name, saved.name, saved.settings, entries)
    client = serve(trace)
    assert "\udcff" in json.dumps(session(client), ensure_ascii=False)
    for ending in REPORTS:
        assert client.get(f"/{TOKEN}/api/report?format={ending}").is_success


@given(data=st.data())
@settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_odd_requests_are_refused(patient: TestClient, data: st.DataObject) -> None:
    method, path = data.draw(st.sampled_from(application_paths()))
    path = re.sub(r"\{\w+:\w+\}", lambda _: data.draw(named), path)
    before = session(patient)
    told = ask(patient, method, path, data.draw(queries), data.draw(bodies))
    assert told < 500
    if told >= 400:
        assert session(patient) == before
    elif method == "POST" and session(patient)["can_undo"]:
        patient.post(f"/{TOKEN}/api/session/undo", json={})


def ask(client: TestClient, method: str, path: str, query: dict[str, str], body: bytes) -> int:
    """Send a request; its status."""
    words = "&".join(f"{n}={quote(v.encode('utf-8', 'surrogatepass'))}" for n, v in query.items())
    headers = {"content-type": "application/json"}
    answer = client.request(method, f"/{TOKEN}{path}?{words}", content=body, headers=headers)
    return answer.status_code


def session(client: TestClient) -> dict[str, Any]:
    """Return what the page is told of the session."""
    answer = client.get(f"/{TOKEN}/api/session")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found
