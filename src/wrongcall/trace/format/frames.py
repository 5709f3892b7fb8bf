"""Bytes as zstandard frames.

They have no checksums of their own: every frame is part of a BLOB that has one (`checksums`).
"""

from __future__ import annotations

import threading
from typing import Any, cast

import zstandard

from wrongcall.errors import TraceError

_PARAMETERS = zstandard.ZstdCompressionParameters.from_level(1, hash_log=13, min_match=7)
"""Most of what is packed are planes of bytes. In these, short matches cost more time to find than they save room, and a
small table of matches stays in the processor's fastest cache."""


class _PerThread(threading.local):
    """zstandard's contexts, which threads must not share."""

    def __init__(self) -> None:
        self.compressor = zstandard.ZstdCompressor(compression_params=_PARAMETERS)
        self.decompressor = zstandard.ZstdDecompressor()


_zstd = _PerThread()


def compress(data: Any) -> bytes:
    """Return the bytes of a contiguous buffer as one zstandard frame."""
    return _zstd.compressor.compress(data)


def decompress(frame: bytes | memoryview, size: int) -> bytes:
    """Return the ``size`` bytes in the frame; any other size is an error."""
    try:
        found = zstandard.frame_content_size(cast(bytes, frame))
        if found != size:
            raise TraceError(f"damaged trace: a block of {size} bytes claims to hold {found}")
        return _zstd.decompressor.decompress(cast(bytes, frame)) if size else b""
    except zstandard.ZstdError as exc:
        raise TraceError(f"damaged trace: {exc}") from exc
