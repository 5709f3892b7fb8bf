"""Ways to damage a trace: each takes a good one and a random generator and writes a bad one.

*Damage* is what disks and accidents do, from the outside in: to bytes of the file, to the tables, to what is packed in
them. It must never be read as another run. A *forgery* is changed on purpose: all its checksums are right, so that the
reader gets to see what is wrong; it may be read as another run.
"""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from wrongcall.trace.file.beside import SUFFIXES
from wrongcall.trace.format.checksums import CHECKED, KEYS, SESSIONS, Totals, seal, unseal
from wrongcall.trace.format.content_batch import unpack_batch, unpack_ids
from wrongcall.trace.format.event_records import EVENT
from wrongcall.trace.format.segment import unpack
from wrongcall.trace.write.contents import pack_contents
from wrongcall.trace.write.segment_rows import pack_segment

TABLES = (*CHECKED, *SESSIONS)
BLOBS = (
    *(("segments", name) for name in ("packed", "kinds", "obj_filter", "call_filter", "calls")),
    *(("contents", name) for name in ("ids", "packed")),
)
LONG_BLOBS = (
    ("checkpoints", "objects"),
    ("checkpoint_chunks", "packed"),
    *(("owner_indexes", name) for name in ("newest", "heads", "left_out")),
    ("owner_pages", "packed"),
)
"""What only the trace of a long run has."""
ODD: tuple[Any, ...] = (
    0, 1, -1, 255, 2**31 - 1, 2**31, 2**32, 2**62, 2**63 - 1, -(2**63), 0.5, float("inf"), "", "x",
    "[]", "{}", "[1e999]", '["' + "a" * 5000 + '"]', "[" * 3000, "null", "\0", "\udc80".encode(
        "utf-8", "surrogatepass"), b"", b"\0" * 40, b"\xff" * 70,
)  # fmt: skip
NUMBERS = (
    0,
    1,
    -1,
    2,
    7,
    100,
    2**16,
    2**24,
    2**26,
    2**27,
    2**31 - 1,
    2**31,
    2**32,
    2**62,
    -(2**63),
)

ENDLESS = "WITH RECURSIVE c(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM c)"
OTHER_SCHEMAS = (
    # The tables of something else.
    "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)",
    # Columns too few, too many, of other types.
    "DROP TABLE names; CREATE TABLE names (id INTEGER PRIMARY KEY)",
    "DROP TABLE types; CREATE TABLE types (id INTEGER PRIMARY KEY, a, b, c, d, e)",
    "DROP TABLE sites; CREATE TABLE sites AS SELECT * FROM meta",
    "DROP TABLE segments",
    "DROP TABLE meta",
    # A view that never ends, and views that call functions.
    f"DROP TABLE names; CREATE VIEW names AS {ENDLESS} SELECT id, 'name' AS text FROM c",
    f"DROP TABLE meta; CREATE VIEW meta AS {ENDLESS} SELECT id AS key, '1' AS value FROM c",
    "DROP TABLE files; CREATE VIEW files AS SELECT 1 AS id, load_extension('evil'), 'm', 's'",
    "DROP TABLE types; CREATE VIEW types AS SELECT 1 AS id, zeroblob(1000000000), 'm', 1",
    "DROP TABLE names; CREATE TABLE names (id INTEGER PRIMARY KEY, text AS (zeroblob(400000000)))",
    "CREATE TRIGGER t AFTER INSERT ON meta BEGIN DELETE FROM names; END",
)


def damage(good: Path, bad: Path, seed: int) -> str:
    """Write a damaged copy of a trace; return the name of the kind of damage."""
    chance = random.Random(seed)
    remove(bad)
    long = is_long(good)
    way = chance.choice(LONG_WAYS if long else WAYS)
    way(good, bad, chance)
    return way.__name__ + "_of_a_long_run" * long


@cache
def is_long(good: Path) -> bool:
    """Return whether this trace has what only those of long runs have: then that is damaged."""
    with closing(sqlite3.connect(good)) as db:
        return bool(db.execute("SELECT count(*) FROM checkpoints").fetchone()[0])


def remove(path: Path) -> None:
    """Remove a trace and what SQLite keeps beside it."""
    for name in (path.name, *(path.name + suffix for suffix in SUFFIXES)):
        path.with_name(name).unlink(missing_ok=True)


# -- bytes -----------------------------------------------------------------------------------------


def flip_bits(good: Path, bad: Path, chance: random.Random) -> None:
    data = bytearray(good.read_bytes())
    for _ in range(chance.choice((1, 1, 2, 8, 64))):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    bad.write_bytes(data)


def cut_tail(good: Path, bad: Path, chance: random.Random) -> None:
    data = good.read_bytes()
    bad.write_bytes(data[: chance.randrange(len(data))])


def overwrite(good: Path, bad: Path, chance: random.Random) -> None:
    data = bytearray(good.read_bytes())
    size = chance.choice((4, 100, 5000, 8192))
    start = chance.randrange(len(data))
    data[start : start + size] = chance.randbytes(len(data[start : start + size]))
    bad.write_bytes(data)


def swap_pages(good: Path, bad: Path, chance: random.Random) -> None:
    data = good.read_bytes()
    pages = [data[at : at + 8192] for at in range(0, len(data), 8192)]
    if len(pages) > 2:
        i, j = chance.randrange(1, len(pages)), chance.randrange(1, len(pages))
        pages[i], pages[j] = pages[j], pages[i]
    bad.write_bytes(b"".join(pages))


def random_bytes(good: Path, bad: Path, chance: random.Random) -> None:
    kept = chance.choice((0, 16, 100, 4096))
    bad.write_bytes(good.read_bytes()[:kept] + chance.randbytes(chance.choice((0, 50, 20_000))))


def damage_log(good: Path, bad: Path, chance: random.Random) -> None:
    """Damage the log of a trace whose writer was killed, leaving part of the trace there."""
    with closing(sqlite3.connect(good)) as source, closing(sqlite3.connect(bad)) as db:
        source.backup(db)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA wal_autocheckpoint = 0")
        db.execute("UPDATE names SET text = text || 'x'")
        db.execute("UPDATE segments SET arrived = arrived + 1")
        make_right(db)
        db.commit()
        log = bad.with_name(bad.name + "-wal")
        main, text = bad.read_bytes(), bytearray(log.read_bytes())
    for _ in range(chance.choice((1, 5))):
        text[chance.randrange(len(text))] ^= 1 << chance.randrange(8)
    bad.write_bytes(main)
    log.write_bytes(text[: chance.choice((len(text), chance.randrange(len(text))))])


# -- tables ----------------------------------------------------------------------------------------


def other_schema(good: Path, bad: Path, chance: random.Random) -> None:
    with _opened(good, bad) as db:
        if chance.random() < 0.3:
            for name in TABLES:
                db.execute(f"DROP TABLE {name}")
            db.execute(OTHER_SCHEMAS[0])
        else:
            db.executescript(chance.choice(OTHER_SCHEMAS[1:]))


def odd_values(good: Path, bad: Path, chance: random.Random) -> None:
    with _opened(good, bad) as db:
        _change_values(db, chance, (*TABLES, "checks"))


def lose_rows(good: Path, bad: Path, chance: random.Random) -> None:
    with _opened(good, bad) as db:
        _delete_rows(db, chance)


def damage_packed(good: Path, bad: Path, chance: random.Random) -> None:
    """Change packed bytes, behind SQLite's back."""
    with _opened(good, bad) as db:
        _change_blob(db, chance, LONG_BLOBS if is_long(good) else BLOBS, _as_it_is, _as_it_is)


def swap_rows(good: Path, bad: Path, chance: random.Random) -> None:
    """Swap the values of a column between two rows of a table."""
    with _opened(good, bad) as db:
        table, column = chance.choice(LONG_BLOBS if is_long(good) else (*BLOBS, *_SWAPPED))
        rows = db.execute(f"SELECT rowid, {column} FROM {table}").fetchall()
        if len(rows) < 2:
            return
        (one, first), (other, second) = chance.sample(rows, 2)
        for number, value in ((one, second), (other, first)):
            db.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (value, number))


_SWAPPED = (
    ("names", "text"),
    ("sites", "line"),
    ("sites", "name"),
    ("functions", "name"),
    ("functions", "entry"),
    ("types", "qualname"),
    ("files", "source"),
)


def _as_it_is(data: bytes, *place: object) -> bytes:
    return data


def _change_values(db: sqlite3.Connection, chance: random.Random, tables: tuple[str, ...]) -> None:
    for _ in range(chance.choice((1, 2, 5))):
        table = chance.choice(tables)
        column = chance.choice([row[1] for row in db.execute(f"PRAGMA table_info({table})")])
        rows = db.execute(f"SELECT {column} FROM {table}").fetchall()
        if not rows:
            continue
        value = (chance.choice(ODD), chance.choice(rows)[0])
        with suppress(sqlite3.IntegrityError):  # a key that the table does not take
            db.execute(f"UPDATE OR REPLACE {table} SET {column} = ? WHERE {column} = ?", value)


def _delete_rows(db: sqlite3.Connection, chance: random.Random) -> None:
    some = chance.choice(("", "WHERE random() % 2", "WHERE random() % 10 = 0"))
    db.execute(f"DELETE FROM {chance.choice(TABLES)} {some}")


def _change_blob(
    db: sqlite3.Connection,
    chance: random.Random,
    blobs: Sequence[tuple[str, str]],
    opened: Callable[..., bytes],
    closed: Callable[..., bytes],
) -> None:
    table, column = chance.choice(blobs)
    keys = ", ".join(KEYS[table])
    rows = db.execute(f"SELECT rowid, {column}, {keys} FROM {table}").fetchall()
    if not rows:
        return
    number, data, *key = chance.choice(rows)
    place = (table, column, *key)
    changed = bytearray(opened(data, *place))
    for _ in range(chance.choice((1, 4)) if changed else 0):
        changed[chance.randrange(min(len(changed), chance.choice((60, 10**9))))] ^= (
            1 << chance.randrange(8)
        )
    cut = chance.choice((len(changed), len(changed), chance.randrange(len(changed) + 1)))
    stored = closed(bytes(changed[:cut]) + b"\0" * chance.choice((0, 0, 9)), *place)
    db.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (stored, number))


# -- forgeries -------------------------------------------------------------------------------------


def forge_values(good: Path, bad: Path, chance: random.Random) -> None:
    with _opened(good, bad) as db:
        _change_values(db, chance, TABLES)
        make_right(db)


def forge_numbers(good: Path, bad: Path, chance: random.Random) -> None:
    """Replace one number of one row by any other value, or by NULL."""
    with _opened(good, bad) as db:
        table = chance.choice(TABLES)
        columns = db.execute(f"PRAGMA table_info({table})").fetchall()
        numbers = [row[1] for row in columns if row[2] == "INTEGER"]
        if table == "meta":
            keys = [key for (key,) in db.execute("SELECT key FROM meta")]
            fact = (chance.choice(FACTS), chance.choice(keys))
            db.execute("UPDATE meta SET value = ? WHERE key = ?", fact)
        elif numbers:
            rows = db.execute(f"SELECT * FROM {table}").fetchall()
            _change_number(db, table, chance.choice(numbers), rows, chance)
        make_right(db)


def _change_number(
    db: sqlite3.Connection, table: str, column: str, rows: list[Any], chance: random.Random
) -> None:
    if not rows:
        return
    names = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
    row = chance.choice(rows)
    chosen = " AND ".join(f"{name} IS ?" for name in names)
    value = chance.choice((*NUMBERS, *ODD, None))
    with suppress(sqlite3.IntegrityError):  # a key, or a column that must not be NULL
        sql = f"UPDATE OR REPLACE {table} SET {column} = ? WHERE {chosen}"
        db.execute(sql, (value, *row))


FACTS = (
    "NaN", "Infinity", "1e300", "1e999", "-1", "0", "2000000000", "1" * 30, "null", "true", "[]", "{}",
    '""', '"x"', "[1]", "[[]]", '["\\u0000"]', '"\\ud800"', '{"a": 1}', '"../.."', '"/"', '"/dev"',
)  # fmt: skip
"""Facts about a run as a whole, in JSON."""


def forge_fewer_rows(good: Path, bad: Path, chance: random.Random) -> None:
    with _opened(good, bad) as db:
        _delete_rows(db, chance)
        make_right(db)


def forge_packed(good: Path, bad: Path, chance: random.Random) -> None:
    with _opened(good, bad) as db:
        _change_blob(db, chance, LONG_BLOBS if is_long(good) else BLOBS, unseal, seal)


def make_right(db: sqlite3.Connection) -> None:
    """Update the checksums of all tables to match their contents."""
    totals = Totals()
    for table in TABLES:
        totals.add(table, db.execute(f"SELECT * FROM {table}"))
    db.execute("DELETE FROM checks")
    db.executemany("INSERT INTO checks VALUES (?, ?, ?)", totals.changed())


def forge_events(good: Path, bad: Path, chance: random.Random) -> None:
    with _opened(good, bad) as db:
        number, packed = chance.choice(db.execute("SELECT id, packed FROM segments").fetchall())
        events = unpack(unseal(packed, "segments", "packed", number)).copy()
        for _ in range(chance.choice((1, 3, 30, 300))):
            _change(events, chance)
        stored = seal(pack_segment(events).packed, "segments", "packed", number)
        db.execute("UPDATE segments SET packed = ? WHERE id = ?", (stored, number))


def _change(events: Any, chance: random.Random) -> None:
    name = chance.choice(EVENT.names or ())
    at = chance.randrange(len(events))
    kind = EVENT[name]
    if chance.random() < 0.5:  # the value of another event: plausible, but wrong
        events[name][at] = events[name][chance.randrange(len(events))]
    else:
        number = chance.choice(NUMBERS) & ((1 << 8 * kind.itemsize) - 1)
        events[name][at] = np.array([number], f"<u{kind.itemsize}").view(kind)[0]


def forge_contents(good: Path, bad: Path, chance: random.Random) -> None:
    with _opened(good, bad) as db:
        rows = db.execute("SELECT id, ids, packed FROM contents").fetchall()
        if not rows:
            return
        number, ids, packed = chance.choice(rows)
        places = [("contents", name, number) for name in ("ids", "packed")]
        batch = unpack_batch(unpack_ids(unseal(ids, *places[0])), unseal(packed, *places[1]))
        entries, data = batch.entries.copy(), bytearray(batch.data)
        for _ in range(chance.choice((1, 10))):
            name = chance.choice(entries.dtype.names or ())
            at = chance.randrange(len(entries))
            kind = entries.dtype[name]
            chosen = chance.choice((*NUMBERS, int(entries["id"][chance.randrange(len(entries))])))
            cut = chosen & ((1 << 8 * kind.itemsize) - 1)
            entries[name][at] = np.array([cut], f"<u{kind.itemsize}").view(kind)[0]
            if data and chance.random() < 0.5:
                data[chance.randrange(len(data))] = chance.randrange(256)
        columns = [bytearray(entries[field].tobytes()) for field in entries.dtype.names or ()]
        blobs = pack_contents(columns, data)
        changed = [seal(blob, *at) for blob, at in zip(blobs, places, strict=True)]
        db.execute("UPDATE contents SET ids = ?, packed = ? WHERE id = ?", (*changed, number))


WAYS: tuple[Callable[[Path, Path, random.Random], None], ...] = (
    flip_bits, flip_bits, cut_tail, overwrite, swap_pages, random_bytes, damage_log, other_schema,
    odd_values, lose_rows, damage_packed, swap_rows, forge_values, forge_numbers, forge_numbers,
    forge_fewer_rows, forge_packed, forge_events, forge_contents,
)  # fmt: skip


LONG_WAYS = (damage_packed, swap_rows, forge_packed, forge_packed)


class _opened:
    """A copy of a trace, opened for changes and then closed as a single file."""

    def __init__(self, good: Path, bad: Path) -> None:
        shutil.copyfile(good, bad)
        self.db = sqlite3.connect(bad)

    def __enter__(self) -> sqlite3.Connection:
        return self.db

    def __exit__(self, *error: object) -> None:
        self.db.commit()
        self.db.close()
