"""The application: files of the page, requests of the API, nothing else."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from tests.web.conftest import TOKEN
from wrongcall.web.assets import NONCE_MARK


def test_the_token_alone_is_the_page(paper: TestClient) -> None:
    page, index = (paper.get(f"/{TOKEN}/{name}") for name in ("", "index.html"))
    assert (page.status_code, index.status_code) == (200, 200)
    assert page.headers["content-type"].startswith("text/html")
    assert page.text.replace(_nonce(page.text), "") == index.text.replace(_nonce(index.text), "")
    assert NONCE_MARK.decode() not in page.text


def _nonce(text: str) -> str:
    return text.partition('content="')[2].partition('"')[0]


def test_a_file_is_served_as_it_is_with_its_type(paper: TestClient) -> None:
    script = paper.get(f"/{TOKEN}/assets/index.js")
    assert script.content == b"run()"
    assert script.headers["content-type"].startswith("text/javascript")


@pytest.mark.parametrize("name", ["missing.js", "assets", "assets/", "INDEX.HTML"])
def test_an_unknown_file_is_not_found(paper: TestClient, name: str) -> None:
    answer = paper.get(f"/{TOKEN}/{name}")
    assert (answer.status_code, answer.text) == (404, "There is no such page.\n")


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_an_unknown_request_is_answered_as_the_page_expects(paper: TestClient, method: str) -> None:
    answer = paper.request(
        method, f"/{TOKEN}/api/unheard-of", json={} if method == "POST" else None
    )
    assert answer.status_code == 404
    assert answer.json() == {"error": "there is no such request", "contradicts": []}


def test_the_page_itself_takes_no_posts(paper: TestClient) -> None:
    assert paper.post(f"/{TOKEN}/", json={}).status_code == 405
