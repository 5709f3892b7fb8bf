"""The summary stored beside a segment, so that a reader can skip it without unpacking it.

Vocabulary: a *bitmap* is bytes of eight flags each, the lowest bit first. The *kinds* of a segment are a bitmap of 256
bits. A *filter* is a bitmap of 65,536 bits in which the bit ``id % 65,536`` is set for each id that occurs: most
programs touch objects of about the same age together, so few bits are shared.

Invariants: no id is 0 (that means "none"); a summary never rules out what is in the segment. The numbers in ``obj`` of
dictionary events are not ids and do not count; nor do the parents of calls that begin, which are in the segment's table
of calls (`call_index`).
"""

from __future__ import annotations

import numpy as np

from wrongcall.trace.format.event_kinds import WITHOUT_OBJECT
from wrongcall.trace.format.event_records import Bytes, kind_table
from wrongcall.trace.format.frames import decompress

FILTER_BITS = 65_536

HAS_OBJECT = ~kind_table(WITHOUT_OBJECT)
"""Kinds whose ``obj`` is an object, or the call that owns the variable; parents are in `call_index`."""


def unpack_filter(packed: bytes) -> Bytes:
    """Return a filter as a bitmap."""
    return np.frombuffer(decompress(packed, FILTER_BITS // 8), dtype=np.uint8)


def may_contain(bitmap: Bytes | bytes, number: int) -> bool:
    """Return whether the bit of this number is set in a bitmap."""
    place = number % (8 * len(bitmap))
    return bool(bitmap[place >> 3] >> (place & 7) & 1)
