"""A small server on the loopback interface that plays scripted models."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Reply = str | bytes | int | None
"""What the model says; bytes: sent as they are; a number: a status; None: nothing until the test has ended."""


class Scripted:
    """The replies to come, and what was asked."""

    def __init__(self, *replies: Reply) -> None:
        self.replies = list(replies)
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.over = threading.Event()
        self.url = ""

    def next(self) -> Reply:
        return self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]

    @property
    def prompts(self) -> list[str]:
        return [each["messages"][0]["content"] for each in self.asked]


@contextmanager
def serving(*replies: Reply) -> Iterator[Scripted]:
    """Serve these replies in order, the last one again and again."""
    script = Scripted(*replies)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            script.asked.append(json.loads(self.rfile.read(length)))
            script.keys.append(self.headers["Authorization"])
            reply = script.next()
            if reply is None:
                script.over.wait(60)
                return
            status = reply if isinstance(reply, int) else 200
            self.send_response(status)
            if status == 302:
                self.send_header("Location", script.url + "elsewhere")
            self.end_headers()
            if isinstance(reply, str):
                reply = json.dumps({"choices": [{"message": {"content": reply}}]}).encode()
            if isinstance(reply, bytes):
                self.wfile.write(reply)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    script.url = f"http://127.0.0.1:{server.server_port}/"
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield script
    finally:
        script.over.set()
        server.shutdown()
        thread.join()
        server.server_close()
