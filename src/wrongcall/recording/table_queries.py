"""The recording as tables of columns, for pandas, polars, DuckDB and the like.

There are four tables (`TABLES`), with the columns that docs/reference/tables.md describes: calls, variables (every
write of a local variable), writes (every write into an object, globals included) and output. They are read in parts,
so that a run of any size can be passed on; nothing in here loops over events in Python, only over different texts.

A value is five columns: `type` (the name of its type), `integer`, `number` and `text` for integers, numbers and texts,
and `object`, the id of an object (0: none).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from wrongcall.errors import UsageError
from wrongcall.events import SITE_LINE, Kind, SiteKind, Tag
from wrongcall.trace.format.event_records import (
    Bools,
    Columns,
    Ints,
    call_ids,
    kind_table,
    obj_ids,
)
from wrongcall.trace.format.segment import SEGMENT_EVENTS
from wrongcall.trace.read.call_table import CallTable, Outcome
from wrongcall.trace.read.store import Store
from wrongcall.trace.read.values import Clipped, Values

Part = dict[str, npt.NDArray[Any]]
"""Columns of the same length."""

_NAMES = ("kind", "ktag", "vtag", "hi", "site", "call", "obj", "key", "value")
_LOCALS = kind_table({Kind.LOCAL, Kind.LOCAL_DEL})
_KINDS = {
    Kind.ATTR: "attribute",
    Kind.ATTR_DEL: "attribute deleted",
    Kind.ITEM: "item",
    Kind.INSERT: "item inserted",
    Kind.REMOVE: "items removed",
    Kind.ENTRY: "entry",
    Kind.ENTRY_DEL: "entry deleted",
    Kind.MEMBER: "member",
    Kind.MEMBER_DEL: "member deleted",
    Kind.CLEAR: "cleared",
}
"""The writes into objects, in words; those of bytes and arrays as a whole are left out."""
_WRITES = kind_table(_KINDS)
_INDEXED = kind_table({Kind.ITEM, Kind.INSERT, Kind.REMOVE})
_ATTRIBUTES = kind_table({Kind.ATTR, Kind.ATTR_DEL})
_KEYED = kind_table({Kind.ENTRY, Kind.ENTRY_DEL, Kind.MEMBER, Kind.MEMBER_DEL})
_TYPES = {
    Tag.INT: "int",
    Tag.BIGINT: "int",
    Tag.FLOAT: "float",
    Tag.COMPLEX: "complex",
    Tag.BYTES: "bytes",
    Tag.STR: "str",
    Tag.CHAR: "str",
    Tag.NAME: "str",
    Tag.TUPLE: "tuple",
    **{Tag.STR_INLINE + n: "str" for n in range(9)},
    **{Tag.BYTES_INLINE + n: "bytes" for n in range(9)},
}
_CONSTANTS = np.array(["NoneType", "bool", "bool", "ellipsis", "NotImplementedType"], object)
_TEXTS = kind_table([Tag.STR, Tag.CHAR, Tag.NAME, *range(Tag.STR_INLINE, Tag.STR_INLINE + 9)])
_OUTCOMES = {
    Outcome.NONE: None,
    Outcome.RETURNED: "returned",
    Outcome.RAISED: "raised",
    Outcome.DROPPED: "abandoned",
}
_TOGETHER = 1 << 16
_FALSE, _TRUE = 1, 2


class TableQueries:
    """Reads tables."""

    def __init__(self, store: Store, values: Values, table: CallTable) -> None:
        self._store = store
        self._values = values
        self._table = table
        self._readers: dict[str, Callable[[], Iterator[Part]]] = {
            "calls": self._calls,
            "variables": self._variables,
            "writes": self._writes,
            "output": self._output,
        }

    def parts(self, name: str) -> Iterator[Part]:
        """Iterate over the parts of a table, in order; at least one, which may have no rows."""
        if name not in self._readers:
            raise UsageError(f"there is no table {name!r}: there are {', '.join(TABLES)}")
        return self._readers[name]()

    def to_columns(self, name: str) -> Part:
        """Return a whole table: ``pandas.DataFrame(recording.to_columns("calls"))``."""
        parts = list(self.parts(name))
        return {column: np.concatenate([part[column] for part in parts]) for column in parts[0]}

    # -- calls -------------------------------------------------------------------------------------

    def _calls(self) -> Iterator[Part]:
        calls, program = self._table.columns(), self._store.program
        functions = program.functions
        names, paths = _room(functions.last + 1), _room(functions.last + 1)
        lines = np.zeros(functions.last + 1, np.int32)
        for function in functions.values():
            names[function.id], lines[function.id] = function.qualname, function.line
            paths[function.id] = program.files[function.file].path
        outcomes = np.array([_OUTCOMES[outcome] for outcome in Outcome], object)
        kinds = self._object_types()
        for first in range(0, max(len(calls), 1), _TOGETHER):
            part = slice(first, first + _TOGETHER)
            which = calls.function[part]
            yield {
                "call": calls.id[part],
                "parent": calls.parent[part],
                "function": names[which],
                "file": paths[which],
                "line": lines[which],
                "caller_line": self._lines(calls.caller[part]),
                "thread": calls.thread[part].astype(np.int32),
                "entry": calls.entry[part],
                "exit": calls.exit[part],
                "outcome": outcomes[calls.outcome[part]],
                **self._value(calls.tag[part], calls.value[part], kinds),
            }

    # -- events ------------------------------------------------------------------------------------

    def _segments(self, kinds: Bools) -> Iterator[tuple[Columns, Ints]]:
        """Iterate over segments: the events of some kinds, and their times."""
        for number in range(len(self._store.segments.index.count)):
            columns = self._store.segments.once(number, _NAMES)
            where = np.flatnonzero(kinds[columns["kind"]])
            chosen = {name: column[where] for name, column in columns.items()}
            yield chosen, where + number * SEGMENT_EVENTS

    def _variables(self) -> Iterator[Part]:
        sites = self._store.program.columns
        names = _room(sites.size)
        for site in self._store.program.sites.values():
            names[site.id] = site.name
        types = self._object_types()
        for columns, times in self._segments(_LOCALS):
            known = sites.known(columns["site"])
            owner, call = obj_ids(columns), call_ids(columns)
            deleted = columns["kind"] == Kind.LOCAL_DEL
            tag = np.where(deleted, np.uint8(Tag.UNSET), columns["vtag"])
            yield {
                "time": times,
                "call": call,
                "owner": np.where(owner == 0, call, owner),
                "line": self._lines(columns["site"]),
                "name": names[known],
                "parameter": sites.kind[known] == SiteKind.PARAM,
                "deleted": deleted,
                **self._value(tag, columns["value"], types),
            }

    def _writes(self) -> Iterator[Part]:
        kinds, types, names = _room(256), self._object_types(), self._attribute_names()
        for number, word in _KINDS.items():
            kinds[int(number)] = word
        for columns, times in self._segments(_WRITES):
            kind, key = columns["kind"], columns["key"]
            holder = obj_ids(columns)
            is_attribute = _ATTRIBUTES[kind]
            place = names[np.where(is_attribute, key, 0)]
            place[~is_attribute] = None
            keyed = np.flatnonzero(_KEYED[kind])
            place[keyed] = self._texts(columns["ktag"][keyed], key[keyed], quoted=True)
            yield {
                "time": times,
                "call": call_ids(columns),
                "line": self._lines(columns["site"]),
                "kind": kinds[kind],
                "holder": holder,
                "holder_type": types[np.minimum(holder, len(types) - 1)],
                "place": place,
                "index": np.where(_INDEXED[kind], key, -1),
                **self._value(columns["vtag"], columns["value"], types),
            }

    def _output(self) -> Iterator[Part]:
        streams = np.array([None, "stdout", "stderr"], object)
        for columns, times in self._segments(kind_table({Kind.PRINT})):
            key = columns["key"]
            yield {
                "time": times,
                "call": call_ids(columns),
                "line": self._lines(columns["site"]),
                "stream": streams[np.where((key == 1) | (key == 2), key, 0)],
                "text": self._texts(columns["vtag"], columns["value"]),
            }

    # -- columns -----------------------------------------------------------------------------------

    def _lines(self, sites: npt.NDArray[Any]) -> npt.NDArray[np.int32]:
        columns = self._store.program.columns
        lines: npt.NDArray[np.int32] = columns.line[columns.known(sites)].astype(np.int32)
        only = np.flatnonzero(sites >= SITE_LINE)
        lines[only] = (sites[only] ^ np.uint32(SITE_LINE)).astype(np.int32)
        return lines

    def _attribute_names(self) -> npt.NDArray[np.object_]:
        names = _room(self._store.program.names.last + 1)
        for number, name in self._store.program.names.items():
            names[number] = name
        return names

    def _object_types(self) -> npt.NDArray[np.object_]:
        """Return the names of the types of all objects, by id."""
        ids, types = [np.zeros(1, np.int64)], [np.zeros(1, np.int64)]
        for columns, _ in self._segments(kind_table({Kind.OBJ})):
            ids.append(obj_ids(columns))
            types.append(columns["key"])
        oids, numbers = np.concatenate(ids), np.concatenate(types)
        known = np.zeros(int(oids.max()) + 1, np.int64)
        known[oids] = numbers
        names = _room(self._store.program.types.last + 1)
        for kind in self._store.program.types.values():
            names[kind.id] = kind.qualname
        found: npt.NDArray[np.object_] = names[known]
        return found

    def _value(self, tag: Any, bits: Ints, types: npt.NDArray[np.object_]) -> Part:
        """Return the columns of values."""
        is_object, is_constant = tag == Tag.OBJ, tag == Tag.CONST
        is_bool = is_constant & ((bits == _FALSE) | (bits == _TRUE))
        is_int, is_float = tag == Tag.INT, tag == Tag.FLOAT
        kinds = _TAG_NAMES[tag]
        kinds[is_constant] = _CONSTANTS[np.clip(bits[is_constant], 0, len(_CONSTANTS) - 1)]
        kinds[is_object] = types[np.minimum(bits[is_object], len(types) - 1)]
        integer = np.where(is_int, bits, np.where(is_bool, bits - _FALSE, 0))
        floats = np.ascontiguousarray(bits).view(np.float64)
        number = np.where(is_int | is_bool, integer.astype(np.float64), np.nan)
        texts = _room(len(bits))
        where = np.flatnonzero(_TEXTS[tag] | (tag == Tag.BIGINT))
        texts[where] = self._texts(tag[where], bits[where])
        return {
            "type": kinds,
            "integer": integer,
            "number": np.where(is_float, floats, number),
            "text": texts,
            "object": np.where(is_object, bits, 0),
        }

    def _texts(self, tags: Any, bits: Ints, quoted: bool = False) -> npt.NDArray[np.object_]:
        """Return values as texts; each different one is read once. ``quoted``: as Python writes them."""
        found = _room(len(bits))
        for tag in np.unique(tags).tolist():
            mine = np.flatnonzero(tags == tag)
            different, which = np.unique(bits[mine], return_inverse=True)
            texts = _room(len(different))
            texts[:] = [self._text(tag, each, quoted) for each in different.tolist()]
            found[mine] = texts[which]
        return found

    def _text(self, tag: int, bits: int, quoted: bool) -> str | None:
        if tag in (Tag.OBJ, Tag.TUPLE):
            return f"#{bits}" if tag == Tag.OBJ else "(...)"
        value = self._values.read(tag, bits)
        value = value.beginning if isinstance(value, Clipped) else value
        if isinstance(value, int) and abs(value) >> 14_000:
            return hex(value)  # Python refuses to write so many decimal digits
        if isinstance(value, str):
            return repr(value) if quoted else value.encode("utf-8", "replace").decode()
        return repr(value)


def _room(count: int) -> npt.NDArray[np.object_]:
    return np.full(count, None, object)


def _tag_names() -> npt.NDArray[np.object_]:
    names = _room(256)
    for tag, name in _TYPES.items():
        names[int(tag)] = name
    return names


_TAG_NAMES = _tag_names()
TABLES = ("calls", "variables", "writes", "output")
"""The names of the tables."""
