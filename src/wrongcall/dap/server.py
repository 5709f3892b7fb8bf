"""Connect the debug adapter to standard input and output, or to a port on this machine.

A thread reads messages, so that `cancel` and the end of the connection are noticed while a request is being answered.
When the client has gone, however it went, the answers are saved and the program that is being recorded is ended.
"""

from __future__ import annotations

import queue
import socket
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import BinaryIO

from wrongcall.dap.adapter import Adapter
from wrongcall.dap.debuggee import Plan
from wrongcall.dap.framing import (
    BrokenStreamError,
    Connection,
    MalformedMessageError,
    Message,
)

LOOPBACK = "127.0.0.1"


class Served:
    """A client on a connection: what it sent and has not been answered, and what it has cancelled."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.queue: queue.SimpleQueue[Message | Exception | None] = queue.SimpleQueue()
        self._cancelled: set[int] = set()
        self._gone = threading.Event()
        self._interrupted = threading.Event()

    def read_all(self) -> None:
        """Read messages until the client has finished or gone; runs in a thread of its own."""
        try:
            while (message := self._next()) is not None:
                self.queue.put(message)
                if _is_last(message):
                    return  # nobody may close the stream while it is being read
            self._gone.set()
        except (OSError, ValueError):  # ValueError: the stream was closed
            self._gone.set()
        finally:
            self.queue.put(None)

    def _next(self) -> Message | Exception | None:
        try:
            message = self._connection.read()
        except (MalformedMessageError, BrokenStreamError) as error:
            return error
        arguments = message.get("arguments") if message is not None else None
        if (
            message is not None
            and message.get("command") == "cancel"
            and isinstance(arguments, dict)
        ):
            number = arguments.get("requestId")
            if isinstance(number, int):
                self._cancelled.add(number)
            if isinstance(arguments.get("progressId"), str):
                self._interrupted.set()
        if message is not None and message.get("command") in ("disconnect", "terminate"):
            self._interrupted.set()
        return message

    # -- what the adapter knows of a client --------------------------------------------------------

    def send(self, message: Message) -> None:
        """Send a message."""
        self._connection.write(message)

    def has_cancelled(self, request: int) -> bool:
        """Return whether the client has cancelled a request, or has gone."""
        return request in self._cancelled or self.has_gone

    @property
    def wants_end(self) -> bool:
        """Whether the client has asked to end the recording or the session, and waits for that."""
        return self._interrupted.is_set()

    @property
    def has_gone(self) -> bool:
        """Whether nobody is there any more."""
        return self._gone.is_set() or self._connection.is_broken


def _is_last(message: Message | Exception) -> bool:
    if isinstance(message, dict):
        return message.get("command") == "disconnect"
    return isinstance(message, BrokenStreamError)


def serve(reader: BinaryIO, writer: BinaryIO, plan: Plan, record: Sequence[str]) -> None:
    """Answer a client until it has finished or gone."""
    client = Served(Connection(reader, writer))
    threading.Thread(target=client.read_all, daemon=True).start()
    adapter = Adapter(client, plan, record)
    try:
        while not adapter.is_over and (message := client.queue.get()) is not None:
            if isinstance(message, Exception):
                adapter.refuse(str(message))
            else:
                adapter.handle(message)
    finally:
        adapter.close()


def serve_port(
    port: int, plan: Plan, record: Sequence[str], tell: Callable[[int], None], *, once: bool = False
) -> None:
    """Answer clients on a port of this machine, one after the other; ``once``: only one.

    ``tell`` is told the port, which may be any free one (0).
    """
    with socket.create_server((LOOPBACK, port)) as listening:
        tell(listening.getsockname()[1])
        while True:
            connection, _ = listening.accept()
            with connection, suppress(OSError):  # the client has gone, with something unsent
                _serve_socket(connection, plan, record)
            if once:
                return


def _serve_socket(connection: socket.socket, plan: Plan, record: Sequence[str]) -> None:
    with connection.makefile("rb") as reader, connection.makefile("wb") as writer:
        serve(reader, writer, plan, record)
        connection.shutdown(socket.SHUT_RDWR)
