"""Who is let in."""

from __future__ import annotations

import re

import pytest
from starlette.testclient import TestClient

from tests.web.conftest import TOKEN

SESSION = f"/{TOKEN}/api/session"


def test_the_page_is_served(paper: TestClient) -> None:
    page = paper.get(f"/{TOKEN}/")
    assert page.status_code == 200
    assert page.headers["content-type"] == "text/html; charset=utf-8"


@pytest.mark.parametrize(
    "path", ["/", "/api/session", "/wrong/api/session", f"/{TOKEN}x/", "/assets/index.js"]
)
def test_requests_without_the_token_are_refused(paper: TestClient, path: str) -> None:
    answer = paper.get(path)
    assert answer.status_code == 403
    assert TOKEN not in answer.text


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:7000", "127.0.0.1.evil.example", "", "[::1]:7000"]
)
def test_another_host_is_refused(paper: TestClient, host: str) -> None:
    assert paper.get(SESSION, headers={"Host": host}).status_code == 403


@pytest.mark.parametrize("host", ["127.0.0.1:7000", "localhost:7000"])
def test_localhost_is_accepted(paper: TestClient, host: str) -> None:
    headers = {"Host": host, "Origin": f"http://{host}"}
    assert paper.get(SESSION, headers=headers).status_code == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:7001"])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_another_origin_is_refused(paper: TestClient, method: str, origin: str) -> None:
    path = SESSION if method == "GET" else f"/{TOKEN}/api/session/undo"
    assert paper.request(method, path, headers={"Origin": origin}).status_code == 403


def test_a_change_must_say_where_it_comes_from(paper: TestClient) -> None:
    del paper.headers["Origin"]
    path = f"/{TOKEN}/api/session/answer"
    sent = {"key": "8", "verdict": "right"}
    assert paper.post(path, json=sent).status_code == 403
    assert paper.get(SESSION).status_code == 200


def test_a_change_must_be_json(paper: TestClient) -> None:
    answer = paper.post(f"/{TOKEN}/api/session/undo", content=b"{}")
    assert (answer.status_code, answer.json()["error"]) == (400, "send application/json")


def test_every_answer_forbids_foreign_code(paper: TestClient) -> None:
    for path in (f"/{TOKEN}/", SESSION, "/", f"/{TOKEN}/nothing"):
        headers = paper.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"


def test_each_page_has_its_own_nonce(paper: TestClient) -> None:
    nonces = set()
    for _ in range(2):
        page = paper.get(f"/{TOKEN}/")
        (nonce,) = re.findall(r"'nonce-([^']+)'", page.headers["content-security-policy"])
        assert f'content="{nonce}"' in page.text
        nonces.add(nonce)
    assert len(nonces) == 2


@pytest.mark.parametrize(
    "name",
    [
        "../workspace.py",
        "..%2Fworkspace.py",
        "%2e%2e/workspace.py",
        "assets/../../workspace.py",
        "/etc/passwd",
        "workspace.py",
    ],
)
def test_no_path_opens_a_file(paper: TestClient, name: str) -> None:
    answer = paper.get(f"/{TOKEN}/{name}")
    assert answer.status_code in (403, 404)
    assert "import" not in answer.text
    assert paper.get(f"/{TOKEN}/assets/index.js").text == "run()"
