from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.trace import streams
from tests.trace.emitter import Emitter
from wrongcall.errors import TraceError
from wrongcall.events import SiteKind
from wrongcall.recording import Recording
from wrongcall.trace.format.checksums import seal, unseal
from wrongcall.trace.format.event_records import Events
from wrongcall.trace.read.store import Store
from wrongcall.trace.write.writer import TraceWriter


def write(path: Path, array: Events) -> Path:
    writer = TraceWriter(path)
    writer.add(array, b"")
    writer.close("exit")
    return path


def test_unpacked_segments_stay_within_the_budget(tmp_path: Path) -> None:
    budget = 6 << 20
    store = Store(write(tmp_path / "run.wrongcall", streams.merges(300_000)), budget)
    for _ in range(2):
        store.segments.events()
        assert store.cache.used <= budget
    store.close()


def test_a_snapshot_stays_as_it_is_while_the_file_grows(tmp_path: Path) -> None:
    array = streams.merges(150_000)
    writer = TraceWriter(tmp_path / "run.wrongcall")
    known = 0
    store = Store(tmp_path / "run.wrongcall")
    for begin in range(0, 150_000, 30_000):
        writer.add(array[begin : begin + 30_000], b"")
        writer.flush()
        assert store.segments.event_count == known
        assert store.segments.events().tobytes() == array[:known].tobytes()
        store.refresh()
        known = begin + 30_000
        assert store.segments.events().tobytes() == array[:known].tobytes()
    writer.close("exit")
    store.close()


def test_a_refresh_reads_new_program_tables(tmp_path: Path) -> None:
    writer = TraceWriter(tmp_path / "run.wrongcall")
    with Recording(tmp_path / "run.wrongcall") as recording:
        for number in (1, 2):
            emitter = Emitter()
            sites = [(SiteKind.ENTRY, 1, 10 * number)]
            emitter.file([{"qualname": f"f{number}"}], sites, first=(number, number, number))
            writer.add(emitter.events(), bytes(emitter.data))
            writer.flush()
            recording.refresh()
            assert (
                len(recording.program.files)
                == len(recording.program.functions)
                == len(recording.program.sites)
                == number
            )
            assert recording.program.functions[number].qualname == f"f{number}"
            assert recording.program.sites[number].line == 10 * number
    writer.close("exit")


DAMAGES = {
    "a segment is missing": "DELETE FROM segments WHERE id = 1",
    "a segment is not full": "UPDATE segments SET count = 5 WHERE id = 1",
    "a segment has too many events": "UPDATE segments SET count = 65537 WHERE id = 4",
    "segment 0 is incomplete": "UPDATE segments SET packed = (SELECT moved(packed, 4, 0) FROM segments"
    " WHERE id = 4) WHERE id = 0",
    "a checksum is wrong in: SELECT id, packed": "UPDATE segments SET packed = (SELECT packed FROM"
    " segments WHERE id = 3) WHERE id = 2",
    "a checksum is wrong in: SELECT id, calls": "UPDATE segments SET calls = (SELECT calls FROM"
    " segments WHERE id = 3) WHERE id = 2",
    "started is 'inf'": "INSERT OR REPLACE INTO meta VALUES ('started', '1e300000')",
    "started is '1e.300'": "INSERT OR REPLACE INTO meta VALUES ('started', '1e300')",
    "NaN is not a number": "INSERT OR REPLACE INTO meta VALUES ('started', 'NaN')",
    "seconds is '-1'": "INSERT OR REPLACE INTO meta VALUES ('seconds', '-1')",
    "program is '5'": "INSERT OR REPLACE INTO meta VALUES ('program', '5')",
    "recorder is 'True'": "INSERT OR REPLACE INTO meta VALUES ('recorder', 'true')",
    "status is '9{20}'": f"INSERT OR REPLACE INTO meta VALUES ('status', '{'9' * 20}')",
    "kinds of a segment are missing": "UPDATE segments SET kinds = seal(x'00', 'segments', 'kinds', 2) WHERE id = 2",
    "kinds of a segment .* missing": "UPDATE segments SET kinds = seal(x'', 'segments', 'kinds', 4) WHERE id = 4",
    "a checksum is wrong in: .* FROM segments": "UPDATE segments SET kinds = x'00' WHERE id = 2",
    "a checksum is wrong in: SELECT id, packed FROM": "UPDATE segments SET packed = CAST(packed || x'00' AS BLOB)",
    "the table segments is not as it was": "UPDATE segments SET max_obj = max_obj + 1 WHERE id = 2",
    "the table segments .* has 4 rows": "DELETE FROM segments WHERE id = 4",
    "the table meta is not as it was": "UPDATE meta SET value = '\"killed\"' WHERE key = 'ended'",
    "the table meta .* has 0 rows": "DELETE FROM meta",
    "the table names .* has 1 rows": "INSERT INTO names VALUES (1, 'x')",
    "the table names .* not 1 with 5": "INSERT INTO checks VALUES ('names', 1, 5)",
    "'nonsense' is not JSON": "UPDATE meta SET value = 'nonsense'",
    "is not JSON": f"UPDATE meta SET value = '{'[' * 100_000}'",
    "not a valid SiteKind": "INSERT INTO sites VALUES (1, 99, 1, 1, 1, 1, 1, NULL, 0, 0)",
    "its tables are not those of a trace": "DROP TABLE threads",
    "int in: SELECT id, packed": "UPDATE segments SET packed = 5 WHERE id = 1",
    "bytes in: SELECT key, value": "UPDATE meta SET value = x'00'",
    "str in: .* FROM segments": "UPDATE segments SET count = 'many' WHERE id = 1",
    "out of range in: .* sites": "INSERT INTO sites VALUES (1, 1, 1, 2147483648, 1, 1, 1, '', 0, 0)",
    "is not a list of str": "INSERT INTO functions VALUES (1,1,'','','',1,1,0,'[]','[1]','[]',1)",
    "is not a list of int": "INSERT INTO blocks VALUES (1, 0, '{}', 0, 0, '[]', '[]')",
}


@pytest.fixture(scope="module")
def undamaged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("undamaged") / "run.wrongcall", streams.merges(300_000))


def moved(packed: bytes, old: int, new: int) -> bytes:
    """Return a packed segment with the seal of another place."""
    return seal(unseal(packed, "segments", "packed", old), "segments", "packed", new)


@pytest.mark.parametrize("message, sql", DAMAGES.items())
def test_damage_is_an_error_of_the_trace(
    tmp_path: Path, undamaged: Path, message: str, sql: str
) -> None:
    path = Path(shutil.copy(undamaged, tmp_path))
    with closing(sqlite3.connect(path)) as db, db:
        db.create_function("seal", 4, seal)
        db.create_function("moved", 3, moved)
        db.execute(sql)
    with pytest.raises(TraceError, match=message), Recording(path) as recording:
        _ = recording.calls.columns(), recording.events.between()
