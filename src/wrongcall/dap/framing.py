"""Messages of the Debug Adapter Protocol on a stream: a header with the length, then JSON.

A message looks like this::

    Content-Length: 27\\r\\n
    \\r\\n
    {"seq": 1, "type": "request", ...}

A body that is not a JSON object is a `MalformedMessageError`, and the next message can be read. After a header that
gives no usable length nothing can be read any more: `BrokenStreamError`.
"""

from __future__ import annotations

import json
import threading
from typing import Any, BinaryIO

from wrongcall.errors import WrongcallError

Message = dict[str, Any]
MAX_BYTES = 64 << 20
"""A longer message is refused: no client sends one."""
_MAX_HEADER = 1 << 12
_LENGTH = b"content-length"


class MalformedMessageError(WrongcallError):
    """A message is not a JSON object."""


class BrokenStreamError(WrongcallError):
    """A header can't be read, so that it is not known where the next message begins."""


class Connection:
    """Two streams of messages; several threads may write."""

    def __init__(self, reader: BinaryIO, writer: BinaryIO) -> None:
        self._reader = reader
        self._writer = writer
        self._lock = threading.Lock()
        self._sent = 0
        self.is_broken = False
        """The client can't be reached any more."""

    def read(self) -> Message | None:
        """Return the next message; None: the client has gone."""
        length = self._length()
        if length is None:
            return None
        body = self._reader.read(length)
        if len(body) < length:
            return None
        try:
            message = json.loads(body)
        except ValueError as exc:
            raise MalformedMessageError(f"a message is not JSON: {exc}") from exc
        if not isinstance(message, dict):
            raise MalformedMessageError("a message is not a JSON object")
        return message

    def _length(self) -> int | None:
        """Read a header."""
        length: int | None = None
        while True:
            line = self._reader.readline(_MAX_HEADER)
            if not line:
                return None
            if not line.endswith(b"\n"):
                raise BrokenStreamError("a header has a line without end")
            if not line.strip():
                break
            name, _, value = line.partition(b":")
            if name.strip().lower() == _LENGTH:
                length = _number(value)
        if length is None:
            raise BrokenStreamError("a header has no Content-Length")
        return length

    def write(self, message: Message) -> None:
        """Send a message, with the next number; nothing happens if the client has gone."""
        with self._lock:
            self._sent += 1
            body = json.dumps({"seq": self._sent, **message}).encode()
            try:
                self._writer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
                self._writer.flush()
            except (OSError, ValueError):  # ValueError: the stream is closed
                self.is_broken = True


def _number(text: bytes) -> int:
    if not text.strip().isdigit() or int(text) > MAX_BYTES:
        raise BrokenStreamError(f"a header has the Content-Length {text.strip()[:40]!r}")
    return int(text)
