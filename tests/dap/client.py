"""A client of the debug adapter, for tests: it checks every message against the published types of the protocol.

The types (`dap_types`) are generated from the JSON schema of the protocol. A field that they don't know is an error,
too.
"""

from __future__ import annotations

import json
import socket
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import dap_types  # type: ignore[import-untyped]
from pydantic import BaseModel

from wrongcall.dap.server import serve
from wrongcall.recording import Recording
from wrongcall.session.search import How, Start

Body = dict[str, Any]
ALLOWED = {"wrongcall"}


def plan(recording: Recording) -> tuple[How, Start]:
    """Search with nobody but the client."""
    return How(balance=False), Start()


class RequestFailedError(Exception):
    """A request failed; the message says why."""


class Client:
    """Talks to an adapter that runs in a thread."""

    def __init__(self, record: list[str] | None = None, timeout: float = 60) -> None:
        ours, its = socket.socketpair()
        ours.settimeout(timeout)
        self._socket = ours
        self._reader = ours.makefile("rb")
        self._sent = 0
        self._received = 0
        self.events: list[tuple[str, Body]] = []
        self.responses: dict[int, Body] = {}
        self._thread = threading.Thread(target=self._serve, args=(its, record or []), daemon=True)
        self._thread.start()

    def _serve(self, its: socket.socket, record: list[str]) -> None:
        gone = suppress(BrokenPipeError)  # with something unsent
        with gone, its, its.makefile("rb") as reader, its.makefile("wb") as writer:
            serve(reader, writer, plan, record)

    # -- messages ----------------------------------------------------------------------------------

    def send(self, command: str, **arguments: Any) -> int:
        """Send a request; return its number."""
        self._sent += 1
        message = {"seq": self._sent, "type": "request", "command": command, "arguments": arguments}
        checked = _named(command, "Request")
        if checked is not None:
            _check(checked, message)
        self.raw(_framed(message))
        return self._sent

    def raw(self, data: bytes) -> None:
        """Send anything."""
        self._socket.sendall(data)

    def receive(self) -> Body:
        """Return the next message, checked."""
        length = 0
        while (line := self._reader.readline().strip()) or not length:
            if not line:
                raise EOFError("the adapter has gone")
            length = int(line.partition(b":")[2])
        message: Body = json.loads(self._reader.read(length))
        self._received += 1
        assert message["seq"] == self._received
        if message["type"] == "event":
            _check(_named(message["event"], "Event") or dap_types.Event, message)
            self.events.append((message["event"], message.get("body", {})))
        else:
            kind = _named(message["command"], "Response") if message["success"] else None
            _check(kind or dap_types.Response, message)
            self.responses[message["request_seq"]] = message
        return message

    def response(self, number: int) -> Body:
        """Wait for the response to a request."""
        while number not in self.responses:
            self.receive()
        return self.responses[number]

    def request(self, command: str, **arguments: Any) -> Body:
        """Send a request, and return the body of its response."""
        response = self.response(self.send(command, **arguments))
        if not response["success"]:
            raise RequestFailedError(response["message"])
        body: Body = response.get("body", {})
        return body

    def event(self, name: str) -> Body:
        """Wait for an event, and return its body; it is taken off the list."""
        while True:
            for at, (known, body) in enumerate(self.events):
                if known == name:
                    del self.events[at]
                    return body
            self.receive()

    def close(self) -> None:
        """Go away without a word."""
        # The reader keeps the socket open otherwise.
        with suppress(OSError):  # the adapter has gone already
            self._socket.shutdown(socket.SHUT_RDWR)
        self._reader.close()
        self._socket.close()
        self._thread.join(20)
        assert not self._thread.is_alive()

    # -- what clients do ---------------------------------------------------------------------------

    def attach(self, trace: Path, **more: Any) -> None:
        """Open a trace, up to where breakpoints can be set."""
        self.request("initialize", adapterID="wrongcall", supportsProgressReporting=True)
        self.request("attach", trace=str(trace), **more)
        self.event("initialized")

    def begin(self) -> Body:
        """Begin; return why and where it stopped."""
        self.request("configurationDone")
        return self.event("stopped")

    def move(self, command: str, **more: Any) -> Body:
        """Move; return the stopped event."""
        self.request(command, threadId=more.pop("threadId", 1), **more)
        return self.event("stopped")

    def stack(self, **more: Any) -> list[Body]:
        """Return the stack."""
        frames: list[Body] = self.request("stackTrace", threadId=more.pop("threadId", 1), **more)[
            "stackFrames"
        ]
        return frames

    def where(self, threadId: int = 1) -> tuple[str, int]:
        """Return the function and the line of a thread."""
        top = self.stack(threadId=threadId)[0]
        return top["name"], top["line"]

    def line(self) -> int:
        """Return the line of the main thread."""
        return self.where()[1]

    def scope(self, name: str = "Locals", frame: int = 0) -> dict[str, Body]:
        """Return the variables of a scope, by name."""
        frames = self.stack()
        scopes = self.request("scopes", frameId=frames[frame]["id"])["scopes"]
        (found,) = [one for one in scopes if one["name"] == name]
        return self.parts(found["variablesReference"])

    def parts(self, reference: int, **more: Any) -> dict[str, Body]:
        """Return variables by name."""
        found = self.request("variables", variablesReference=reference, **more)["variables"]
        return {one["name"]: one for one in found}

    def values(self, name: str = "Locals", frame: int = 0) -> dict[str, str]:
        """Return the values of a scope, by name."""
        return {name: one["value"] for name, one in self.scope(name, frame).items()}

    def eval(self, expression: str, **more: Any) -> str:
        """Return what an expression was, at the innermost frame."""
        result: str = self.request("evaluate", expression=expression, **more)["result"]
        return result

    def breakpoints(self, path: Path, *lines: int | Body) -> list[Body]:
        """Set the breakpoints of a file."""
        wanted = [{"line": one} if isinstance(one, int) else one for one in lines]
        found: list[Body] = self.request(
            "setBreakpoints", source={"path": str(path)}, breakpoints=wanted
        )["breakpoints"]
        return found

    def output(self) -> str:
        """Return what was printed since the last time."""
        told = [body["output"] for name, body in self.events if name == "output"]
        self.events = [each for each in self.events if each[0] != "output"]
        return "".join(told)


def _framed(message: Body) -> bytes:
    body = json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


def _named(name: str, kind: str) -> type[BaseModel] | None:
    found: type[BaseModel] | None = getattr(dap_types, f"{name[:1].upper()}{name[1:]}{kind}", None)
    return found


def _check(kind: type[BaseModel], message: Body) -> None:
    """Check a message against the types of the protocol, and that it has no other fields."""
    model = kind.model_validate(message)
    if message["type"] != "request" and not message.get("command", "").startswith("wrongcall/"):
        _check_fields(model)


def _check_fields(model: object) -> None:
    if isinstance(model, BaseModel):
        assert not model.model_extra, f"{type(model).__name__} has no {sorted(model.model_extra)}"
        for name in type(model).model_fields:
            _check_fields(getattr(model, name))
    elif isinstance(model, list):
        for each in model:
            _check_fields(each)
