"""Tests of the page's server run it in process, without sockets."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from wrongcall.web.app import application
from wrongcall.web.assets import NONCE_MARK, Asset
from wrongcall.web.worker import Worker

EXAMPLES = Path(__file__).parents[2] / "examples"
TOKEN = "secret-of-the-tests"
ASSETS = {
    "index.html": Asset(b'<meta name="nonce" content="' + NONCE_MARK + b'">', "text/html"),
    "assets/index.js": Asset(b"run()", "text/javascript"),
}
Serve = Callable[[Path], TestClient]


def recorded(program: Path, trace: Path, *arguments: str) -> Path:
    """Record a program."""
    command = [sys.executable, "-m", "wrongcall", "record", "-o", str(trace), str(program)]
    subprocess.run([*command, *arguments], capture_output=True, timeout=120, check=True)
    return trace


@pytest.fixture(scope="session")
def traces(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The recorded examples, by name."""
    folder = tmp_path_factory.mktemp("traces")
    names = ("mergesort", "paper_mergesort")
    return {n: recorded(EXAMPLES / f"{n}.py", folder / f"{n}.wrongcall") for n in names}


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Serve a copy of a trace: sessions are written to it. The same one again: by a new server."""
    clients: dict[Path, TestClient] = {}

    def start(trace: Path) -> TestClient:
        copy = tmp_path / trace.name
        if copy in clients:
            clients.pop(copy).__exit__()
        if not copy.exists():
            shutil.copy(trace, copy)
        app = application(Worker(copy), ASSETS, TOKEN)
        client = TestClient(
            app, base_url="http://127.0.0.1:7000", headers={"Origin": "http://127.0.0.1:7000"}
        )
        client.__enter__()
        clients[copy] = client
        return client

    yield start
    for client in clients.values():
        client.__exit__()


@pytest.fixture
def paper(serve: Serve, traces: dict[str, Path]) -> TestClient:
    """The merge sort of the JHyde paper, served."""
    return serve(traces["paper_mergesort"])
