"""What stands beside a segment in the file, so that a reader can skip it without unpacking it.

Vocabulary: a *bitmap* is bytes of eight flags each, the lowest bit first. The *kinds* of a
segment are a bitmap of 256 bits. A *filter* is a bitmap of 65,536 bits in which the bit ``id %
65,536`` is set for each id that occurs: most programs touch objects of about the same age
together, so few bits are shared.

Invariants: no id is 0 (that means "none"); a summary never denies what is in the segment. The
numbers in ``obj`` of dictionary events are not ids and do not count; nor do the parents of calls
that begin, which are in the segment's table of calls (`callindex`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from wrongcall.events import Kind
from wrongcall.trace.columns import compress, decompress
from wrongcall.trace.records import DICTIONARY_END, Bytes, Columns, call_ids, obj_ids

FILTER_BITS = 65_536


@dataclass(frozen=True)
class Summary:
    """Which calls, objects and kinds occur in a segment; the filters are compressed."""

    min_call: int
    max_call: int
    min_obj: int
    max_obj: int
    kinds: bytes
    call_filter: bytes
    obj_filter: bytes


def summarise(events: Columns) -> Summary:
    """Return the summary of events, given as contiguous columns."""
    kinds = events["kind"]
    calls, objs = _unsigned_ids(events)
    objs[(kinds < DICTIONARY_END) | (kinds == Kind.ENTER) | (kinds == Kind.CREATE)] = 0
    occurs = np.bincount(kinds, minlength=256) > 0
    bits = np.packbits(occurs, bitorder="little").tobytes()
    return Summary(*_range(calls), *_range(objs), bits, _filter(calls), _filter(objs))


def _unsigned_ids(events: Columns) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    if events["hi"].any():
        return call_ids(events).view(np.uint64), obj_ids(events).view(np.uint64)
    return events["call"], events["obj"].copy()


def _range(ids: npt.NDArray[Any]) -> tuple[int, int]:
    if not len(ids) or not (largest := int(ids.max())):
        return 0, 0
    # Less one, the zeros wrap around and are the largest of all.
    return int((ids - ids.dtype.type(1)).min()) + 1, largest


def _filter(ids: npt.NDArray[Any]) -> bytes:
    flags = np.zeros(FILTER_BITS, dtype=np.bool_)
    # numpy indexes with its own integer type several times faster than with any other.
    flags[ids.astype(np.uint16).astype(np.intp)] = True
    return compress(np.packbits(flags, bitorder="little"))


def unpack_filter(packed: bytes) -> Bytes:
    """Return a filter as a bitmap."""
    return np.frombuffer(decompress(packed, FILTER_BITS // 8), dtype=np.uint8)


def may_contain(bitmap: Bytes | bytes, number: int) -> bool:
    """Return whether the bit of this number is set in a bitmap."""
    place = number % (8 * len(bitmap))
    return bool(bitmap[place >> 3] >> (place & 7) & 1)
