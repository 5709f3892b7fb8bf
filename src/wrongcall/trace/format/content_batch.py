"""Contents: the texts, bytes and big numbers of a run, stored under an id.

A row of the file holds a *batch* of them: their ids (count, coding, and a column), the columns that describe them, and
their bytes one after the other::

    +-------+------+--------------------+------+--------+-----+---------+------
    | count | size | 6 x (coding, size) | base | length | ... | clipped | data
    +-------+------+--------------------+------+--------+-----+---------+------

Vocabulary: a content that was made by appending to another has that one as its *base* and stores only the rest;
following the bases gives its *chain*. A content is *clipped* if only its beginning was stored; its *length* is that of
the whole, in characters for a text, else in bytes.

Invariants: ids are 64 bits in no particular order (most are hashes). The same content may be stored several times under
its id; all copies are equal.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from wrongcall.errors import TraceError
from wrongcall.events import Tag
from wrongcall.trace.format.columns import decode
from wrongcall.trace.format.event_records import Ints
from wrongcall.trace.format.frames import decompress

CONTENT = np.dtype(
    [
        ("id", "<i8"),
        ("base", "<i8"),
        ("length", "<i8"),
        ("size", "<i8"),  # stored bytes
        ("tag", "u1"),
        ("clipped", "u1"),
        ("appended", "u1"),  # it has a base
    ]
)
MAX_BATCH_BYTES = 1 << 32
MAX_BATCH_COUNT = 1 << 24

_COLUMNS = ("base", "length", "size", "tag", "clipped", "appended")
_IDS = struct.Struct("<IB")
_HEADER = struct.Struct("<IQ" + "BI" * (len(_COLUMNS) + 1))

Entries = npt.NDArray[np.void]


@dataclass(frozen=True)
class Batch:
    """Some contents, and where each begins in the data."""

    entries: Entries
    starts: Ints
    data: bytes

    @property
    def nbytes(self) -> int:
        """Its size in memory, in bytes."""
        return int(self.entries.nbytes + self.starts.nbytes + len(self.data))

    def stored(self, index: int) -> bytes:
        """Return the bytes stored for the content at this index."""
        start = int(self.starts[index])
        return self.data[start : start + int(self.entries["size"][index])]


def unpack_ids(packed: bytes) -> Ints:
    """Return the ids of a batch of contents."""
    if len(packed) < _IDS.size:
        raise TraceError(f"damaged trace: ids of contents in {len(packed)} bytes")
    count, how = _IDS.unpack_from(packed)
    if count > MAX_BATCH_COUNT:
        raise TraceError(f"damaged trace: a batch claims to hold {count} contents")
    return decode(packed[_IDS.size :], how, CONTENT["id"], count)


def unpack_batch(ids: Ints, packed: bytes) -> Batch:
    """Return the contents of a batch; damage is an error."""
    if len(packed) < _HEADER.size:
        raise TraceError(f"damaged trace: contents in {len(packed)} bytes")
    count, size, *directory = _HEADER.unpack_from(packed)
    ends = np.cumsum([_HEADER.size, *directory[1::2]]).tolist()
    if size > MAX_BATCH_BYTES or len(ids) != count or ends[-1] != len(packed):
        raise TraceError(f"damaged trace: {count} contents of {size} bytes in {len(packed)}")
    frames = [packed[i:j] for i, j in pairwise(ends)]
    entries: Entries = np.empty(count, CONTENT)
    entries["id"] = ids
    for name, how, frame in zip(_COLUMNS, directory[0::2], frames, strict=False):
        entries[name] = decode(frame, how, CONTENT[name], count)
    return _placed(entries, decompress(frames[-1], size))


def _placed(entries: Entries, data: bytes) -> Batch:
    sizes: Ints = entries["size"]
    if (sizes < 0).any() or (sizes > len(data)).any() or int(sizes.sum()) != len(data):
        raise TraceError(f"damaged trace: contents do not fill their {len(data)} bytes")
    return Batch(entries, np.cumsum(sizes) - sizes, data)


class ContentIndex:
    """Where each content is: the batch (by its row) and the index in it.

    New batches are only noted; they are sorted in when an unknown id is looked up.
    """

    def __init__(self) -> None:
        self._ids: Ints = np.empty(0, np.int64)
        self._rows: Ints = np.empty(0, np.int64)
        self._places: Ints = np.empty(0, np.int64)
        self._noted: list[tuple[int, int, Ints]] = []

    def note(self, row: int, skip: int, ids: Ints) -> None:
        """Note a batch whose first ``skip`` contents are already known."""
        if len(ids) > skip:
            self._noted.append((row, skip, ids))

    def find(self, number: int) -> tuple[int, int]:
        """Return the row of a content and its index in the batch."""
        found = self._find(number)
        if found is None and self._noted:
            self._sort_in()
            found = self._find(number)
        if found is None:
            raise TraceError(f"damaged trace: there is no content {number}")
        return found

    def _find(self, number: int) -> tuple[int, int] | None:
        at = int(np.searchsorted(self._ids, number))
        if at == len(self._ids) or self._ids[at] != number:
            return None
        return int(self._rows[at]), int(self._places[at])

    def _sort_in(self) -> None:
        news, rows, places = [], [], []
        for row, skip, ids_of_row in self._noted:
            new = ids_of_row[skip:]
            news.append(new)
            rows.append(np.full(len(new), row))
            places.append(np.arange(skip, skip + len(new)))
        ids = np.concatenate([self._ids, *news])
        order = np.argsort(ids, kind="stable")
        self._ids = ids[order]
        self._rows = np.concatenate([self._rows, *rows])[order]
        self._places = np.concatenate([self._places, *places])[order]
        self._noted.clear()


@dataclass(frozen=True)
class Content:
    """One content, assembled."""

    data: bytes
    tag: int
    whole: int | None = None
    """The full length, if this is only the beginning."""

    @property
    def nbytes(self) -> int:
        """Its size in memory, in bytes."""
        return len(self.data) + 100

    def continued(self, parts: Sequence[bytes]) -> Content:
        """Return the content made from this one by appending these parts."""
        if self.whole is None:
            return Content(b"".join([self.data, *parts]), self.tag)
        # Text appended to a clipped beginning would be joined at the wrong place.
        return Content(self.data, self.tag, self.whole + sum(map(self._length, parts)))

    def _length(self, part: bytes) -> int:
        return len(part.decode("utf-8", "surrogatepass")) if self.tag == Tag.STR else len(part)
