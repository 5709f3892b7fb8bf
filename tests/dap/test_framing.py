"""Messages on a stream."""

from __future__ import annotations

from contextlib import suppress
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wrongcall.dap.framing import BrokenStreamError, Connection, MalformedMessageError


def test_what_is_written_can_be_read() -> None:
    written = BytesIO()
    Connection(BytesIO(), written).write({"type": "event", "event": "größer"})
    found = Connection(BytesIO(written.getvalue()), BytesIO()).read()
    assert found == {"seq": 1, "type": "event", "event": "größer"}


def test_other_headers_are_ignored_and_messages_follow_each_other() -> None:
    data = b'Content-Type: x\r\nCONTENT-LENGTH: 2\r\n\r\n{}Content-Length: 8\r\n\r\n{"a": 1}'
    connection = Connection(BytesIO(data), BytesIO())
    assert [connection.read(), connection.read(), connection.read()] == [{}, {"a": 1}, None]


@pytest.mark.parametrize("body", [b"{", b"[1]", b'"x"', b"\xff\xff"])
def test_after_a_malformed_body_the_next_message_is_read(body: bytes) -> None:
    data = b"Content-Length: %d\r\n\r\n%bContent-Length: 2\r\n\r\n{}" % (len(body), body)
    connection = Connection(BytesIO(data), BytesIO())
    with pytest.raises(MalformedMessageError):
        connection.read()
    assert connection.read() == {}


@pytest.mark.parametrize(
    "header", [b"Hello\r\n\r\n", b"Content-Length: x\r\n\r\n", b"Content-Length: -1\r\n\r\n",
               b"Content-Length: 99999999999\r\n\r\n", b"x" * 5000],
)  # fmt: skip
def test_a_header_without_length_breaks_the_stream(header: bytes) -> None:
    with pytest.raises(BrokenStreamError):
        Connection(BytesIO(header), BytesIO()).read()


def test_half_a_message_is_the_end() -> None:
    assert Connection(BytesIO(b"Content-Length: 10\r\n\r\n{}"), BytesIO()).read() is None
    assert Connection(BytesIO(b""), BytesIO()).read() is None


def test_writing_to_a_closed_stream_is_noticed() -> None:
    writer = BytesIO()
    writer.close()
    connection = Connection(BytesIO(), writer)
    connection.write({})
    assert connection.is_broken


@given(st.binary(max_size=200))
def test_any_bytes_are_a_message_an_end_or_an_error(data: bytes) -> None:
    connection = Connection(BytesIO(data), BytesIO())
    with suppress(BrokenStreamError, MalformedMessageError):
        assert isinstance(connection.read(), dict | None)
