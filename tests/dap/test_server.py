"""Connections: bad messages, cancelled requests, ports."""

from __future__ import annotations

import json
import socket
import threading
from io import BytesIO

from tests.dap.client import Body, Client, plan
from tests.dap.conftest import Recorded
from tests.dap.programs import SUMS
from wrongcall.dap.adapter import Adapter
from wrongcall.dap.framing import Connection
from wrongcall.dap.server import LOOPBACK, Served, serve_port


def test_a_malformed_message_is_answered_and_the_session_goes_on(
    client: Client, recorded: Recorded
) -> None:
    client.attach(recorded(SUMS).trace)
    client.raw(b"Content-Length: 5\r\n\r\n{oops")
    answered = client.receive()
    assert (answered["success"], answered["request_seq"]) == (False, 0)
    assert "not JSON" in answered["message"]
    client.raw(b'Content-Length: 17\r\n\r\n{"type": "event"}')
    assert "not a request" in client.receive()["message"]
    assert client.begin()["reason"] == "end"


def test_after_a_broken_header_the_connection_ends(client: Client, recorded: Recorded) -> None:
    client.attach(recorded(SUMS).trace)
    client.raw(b"GET / HTTP/1.1\r\n\r\n")
    assert "Content-Length" in client.receive()["message"]
    client._thread.join(20)
    assert not client._thread.is_alive()


def test_a_request_that_is_cancelled_before_its_turn_is_not_carried_out() -> None:
    messages: list[Body] = [
        {"seq": 1, "command": "initialize"},
        {"seq": 2, "command": "initialize"},
        {"seq": 3, "command": "cancel", "arguments": {"requestId": 2}},
        {"seq": 4, "command": "disconnect"},
    ]
    bodies = [json.dumps({"type": "request", **each}).encode() for each in messages]
    data = b"".join(b"Content-Length: %d\r\n\r\n%b" % (len(body), body) for body in bodies)
    written = BytesIO()
    served = Served(Connection(BytesIO(data), written))
    served.read_all()
    adapter = Adapter(served, plan, [])
    while isinstance(message := served.queue.get(), dict):
        adapter.handle(message)
    answers = Connection(BytesIO(written.getvalue()), BytesIO())
    found = [answers.read() for _ in messages]
    assert [each and each["success"] for each in found] == [True, False, True, True]
    assert found[1] is not None
    assert found[1]["message"] == "cancelled"


def test_a_port_of_this_machine_serves_one_client_after_the_other() -> None:
    ports: list[int] = []
    ready = threading.Event()

    def tell(port: int) -> None:
        ports.append(port)
        ready.set()

    thread = threading.Thread(target=serve_port, args=(0, plan, [], tell), kwargs={"once": True})
    thread.start()
    assert ready.wait(20)
    with socket.create_connection((LOOPBACK, ports[0])) as client:
        body = b'{"seq": 1, "type": "request", "command": "disconnect"}'
        client.sendall(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        assert b'"success": true' in client.makefile("rb").read()
    thread.join(20)
    assert not thread.is_alive()
