"""The answers of a project, in one SQLite file: ``.wrongcall/answers.db``. The only SQL outside of `wrongcall.trace`.

An answer is known by its function and by the portable key of its call. It is never changed or deleted: revoking one
marks it, so that it stays revoked when stores are merged. The same answer has the same id wherever it comes from, so
merging twice adds nothing.

Invariants: every change is one transaction, and others wait for it. Every row has a checksum; a row that does not match
is left out and counted (`Store.damaged`), the others stay readable. Reading creates no file.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import blake2b
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

from wrongcall.errors import OracleError

FILE = "answers.db"
VERSION = 1
LOCK_TIMEOUT_S = 5.0
"""How long to wait for another process that writes."""
_TABLES = """
CREATE TABLE IF NOT EXISTS answers (
    id TEXT PRIMARY KEY,
    function TEXT NOT NULL,     -- module:qualname
    key BLOB NOT NULL,          -- of input and outcome
    content TEXT NOT NULL,      -- the other fields, in JSON
    revoked REAL NOT NULL,      -- when, in seconds since 1970, or 0: it counts
    checksum BLOB NOT NULL      -- of all fields but `revoked`
);
CREATE INDEX IF NOT EXISTS answers_of_function ON answers (function);
CREATE TABLE IF NOT EXISTS renamed (old TEXT PRIMARY KEY, new TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS passed (
    function TEXT NOT NULL,
    key BLOB NOT NULL,
    test TEXT NOT NULL,         -- one that made such a call, and passed
    PRIMARY KEY (function, key)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS passed_by_test ON passed (test);
CREATE TABLE IF NOT EXISTS passed_inputs (
    function TEXT NOT NULL,
    input BLOB NOT NULL,        -- the part of the key that is about the input
    test TEXT NOT NULL,
    PRIMARY KEY (function, input)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS passed_inputs_by_test ON passed_inputs (test);
CREATE TABLE IF NOT EXISTS covered (
    test TEXT NOT NULL,
    function TEXT NOT NULL,
    passed INTEGER NOT NULL,
    PRIMARY KEY (test, function)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS blocks (
    number INTEGER PRIMARY KEY,
    name BLOB NOT NULL UNIQUE
);
CREATE TABLE IF NOT EXISTS covered_blocks (
    test TEXT PRIMARY KEY,
    passed INTEGER NOT NULL,
    blocks BLOB NOT NULL        -- their numbers, see `_packed`
) WITHOUT ROWID;
"""
_UTF8 = ("utf-8", "surrogatepass")
VERDICTS = ("right", "wrong", "inadmissible")
_FIELDS = ("verdict", "author", "commit", "title", "outcome", "expected", "arguments", "result")


@dataclass(frozen=True)
class KeptAnswer:
    """An answer of a user."""

    function: str
    key: bytes
    verdict: str
    author: str
    at: float
    """When, in seconds since 1970."""
    commit: str = ""
    """Of the project, when it was given; empty: not known."""
    title: str = ""
    """The call, as it was shown."""
    outcome: str = ""
    expected: str = ""
    """What the outcome should have been."""
    arguments: str = ""
    """The arguments in source notation; empty: they can't be rebuilt."""
    result: str = ""
    """What it returned, in source notation."""
    revoked: float = 0.0
    """When it was revoked; 0: it counts."""

    @property
    def id(self) -> str:
        """What it is known by in every store."""
        named = (self.function, self.key.hex(), self.verdict, self.author, repr(self.at))
        return blake2b("\0".join(named).encode(*_UTF8), digest_size=8).hexdigest()

    def to_plain(self) -> dict[str, Any]:
        """Return it as data that JSON can hold."""
        return {**vars(self), "key": self.key.hex(), "id": self.id}

    @classmethod
    def from_plain(cls, plain: Any) -> KeptAnswer:
        """Return the answer that `to_plain` made this of."""
        try:
            fields = {name: plain[name] for name in cls.__dataclass_fields__ if name in plain}
            fields["key"] = bytes.fromhex(fields["key"])
            fields["at"], fields["revoked"] = float(fields["at"]), float(fields.get("revoked", 0))
            made = cls(**fields)
            if not all(isinstance(getattr(made, name), str) for name in ("function", *_FIELDS)):
                raise ValueError("a field is not text")
            if made.verdict not in VERDICTS:
                raise ValueError(f"unknown verdict {made.verdict!r}")
            datetime.fromtimestamp(made.at)  # it will be shown as a date
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError, OSError) as exc:
            raise OracleError(f"not an answer: {str(plain)[:80]!r}: {exc}") from exc
        return made


@dataclass(frozen=True)
class BlockCoverage:
    """How many tests ran each block."""

    failed_tests: int
    counts: Mapping[bytes, tuple[int, int]]
    """By the names of the blocks: how many that passed, and that failed."""
    elsewhere: Mapping[str, tuple[int, int]]
    """The same for functions, of tests that were learned before blocks were: they may have run any block."""


class AnswerStore:
    """The answers in one file, which need not exist yet."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.damaged = 0
        """Rows that were left out by the last query, because their checksums don't match."""

    # -- answers -----------------------------------------------------------------------------------

    def functions(self) -> frozenset[str]:
        """Return the functions that there are answers about, by their present names."""
        found = self._rows("SELECT DISTINCT function FROM answers WHERE revoked = 0")
        renamed = self.renamed()
        return frozenset(renamed.get(name, name) for (name,) in found)

    def about(self, function: str) -> list[KeptAnswer]:
        """Return the answers about a function that count, also under its former names, the oldest first."""
        names = [function, *(old for old, new in self.renamed().items() if new == function)]
        marks = ", ".join("?" * len(names))
        return self._answers(f"WHERE revoked = 0 AND function IN ({marks})", names)

    def all(self) -> list[KeptAnswer]:
        """Return all answers, also those that were revoked, the oldest first."""
        return self._answers("", ())

    def add(self, answers: Iterable[KeptAnswer]) -> int:
        """Add answers that are not there yet; revoked ones revoke those that are. Return how many were new."""
        given = list(answers)
        new = 0
        with self._writing() as db:
            for answer in given:
                row = _row(answer)
                new += db.execute(
                    "INSERT OR IGNORE INTO answers VALUES (?,?,?,?,?,?)", row
                ).rowcount
                if answer.revoked:
                    _revoke(db, answer.id, answer.revoked)
        return new

    def revoke(self, ids: Sequence[str], at: float) -> int:
        """Revoke answers; return how many counted before."""
        with self._writing() as db:
            return sum(_revoke(db, each, at) for each in ids)

    def _answers(self, where: str, values: Sequence[Any]) -> list[KeptAnswer]:
        rows = self._rows(f"SELECT * FROM answers {where}", values)
        found = [answer for row in rows if (answer := _answer(row)) is not None]
        self.damaged = len(rows) - len(found)
        return sorted(found, key=lambda answer: (answer.at, answer.id))

    # -- renamed functions -------------------------------------------------------------------------

    def renamed(self) -> dict[str, str]:
        """Return the present names of functions by their former ones."""
        direct = dict(self._rows("SELECT old, new FROM renamed"))
        found = {}
        for old, new in direct.items():
            seen = {old}
            while new in direct and new not in seen:
                seen.add(new)
                new = direct[new]
            found[old] = new
        return found

    def rename(self, old: str, new: str) -> None:
        """Note that a function was renamed or moved."""
        with self._writing() as db:
            db.execute("DELETE FROM renamed WHERE old = ?", (new,))
            if old != new:
                db.execute("INSERT OR REPLACE INTO renamed VALUES (?, ?)", (old, new))

    # -- tests that passed -------------------------------------------------------------------------

    def learn(
        self,
        test: str,
        calls: Iterable[tuple[str, bytes]],
        functions: Iterable[str],
        *,
        inputs: Iterable[tuple[str, bytes]] = (),
        blocks: Iterable[bytes] | None = None,
        passed: bool = True,
    ) -> int:
        """Note the calls of a test, and the functions and blocks that it ran; return how many calls were new.

        ``inputs``: the parts of the calls' keys that are about their inputs, see `passed_inputs`.
        ``blocks``: by their names; None: not known.
        What was known about the test before is replaced: if it fails by now, it confirms nothing.
        """
        made = list(calls)
        with self._writing() as db:
            known = set(db.execute("SELECT function, key FROM passed WHERE test = ?", (test,)))
            db.executemany(
                "DELETE FROM passed WHERE function = ? AND key = ?", known.difference(made)
            )
            db.execute("DELETE FROM passed_inputs WHERE test = ?", (test,))
            db.executemany(
                "INSERT OR IGNORE INTO passed_inputs VALUES (?, ?, ?)",
                [(*each, test) for each in inputs],
            )
            db.execute("DELETE FROM covered WHERE test = ?", (test,))
            db.executemany(
                "INSERT OR IGNORE INTO covered VALUES (?, ?, ?)",
                [(test, function, passed) for function in functions],
            )
            db.execute("DELETE FROM covered_blocks WHERE test = ?", (test,))
            if blocks is not None:
                packed = _packed(_numbers(db, set(blocks)))
                db.execute("INSERT INTO covered_blocks VALUES (?, ?, ?)", (test, passed, packed))
            sql = "INSERT OR IGNORE INTO passed VALUES (?, ?, ?)"
            return sum(db.execute(sql, (*call, test)).rowcount for call in made)

    def passed(self, function: str) -> dict[bytes, str]:
        """Return the keys of a function's calls in tests that passed, each with one of the tests."""
        return dict(self._rows("SELECT key, test FROM passed WHERE function = ?", (function,)))

    def passed_inputs(self, function: str) -> dict[bytes, str]:
        """Return the inputs of a function's calls in tests that passed, each with one of the tests."""
        if not self._has_table("passed_inputs"):
            return {}
        sql = "SELECT input, test FROM passed_inputs WHERE function = ?"
        return dict(self._rows(sql, (function,)))

    def coverage(self) -> tuple[int, dict[str, tuple[int, int]]]:
        """Return how many tests failed, and how many that passed and that failed ran each function."""
        count = self._rows("SELECT COUNT(DISTINCT test) FROM covered WHERE NOT passed")
        sql = "SELECT function, SUM(passed), SUM(NOT passed) FROM covered GROUP BY function"
        found = {name: (passed, failed) for name, passed, failed in self._rows(sql)}
        return int(count[0][0]) if count else 0, found

    def block_coverage(self) -> BlockCoverage:
        """Return how many tests that passed and that failed ran each block."""
        failed, functions = self.coverage()
        if not self._has_table("covered_blocks"):
            return BlockCoverage(failed, {}, functions)
        names = dict(self._rows("SELECT number, name FROM blocks"))
        counts: tuple[Counter[int], Counter[int]] = (Counter(), Counter())
        for passed, packed in self._rows("SELECT passed, blocks FROM covered_blocks"):
            counts[not passed].update(_unpacked(packed, self.path))
        ran = {
            name: (counts[0][number], counts[1][number])
            for number, name in names.items()
            if number in counts[0] or number in counts[1]
        }
        sql = (
            "SELECT function, SUM(passed), SUM(NOT passed) FROM covered "
            "WHERE test NOT IN (SELECT test FROM covered_blocks) GROUP BY function"
        )
        elsewhere = {name: (passed, failed) for name, passed, failed in self._rows(sql)}
        return BlockCoverage(failed, ran, elsewhere)

    def forget_tests(self) -> None:
        """Forget everything that was learned from tests."""
        with self._writing() as db:
            db.execute("DELETE FROM passed")
            db.execute("DELETE FROM passed_inputs")
            db.execute("DELETE FROM covered")
            db.execute("DELETE FROM covered_blocks")
            db.execute("DELETE FROM blocks")

    # -- the file ----------------------------------------------------------------------------------

    def _rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        if not self.path.exists():
            return []
        with self._errors(), closing(self._connect("ro")) as db:
            return db.execute(sql, values).fetchall() if self._check(db) else []

    def _has_table(self, name: str) -> bool:
        """Return whether there is a table; files that were made by earlier versions lack some."""
        return bool(self._rows("SELECT 1 FROM sqlite_master WHERE name = ?", (name,)))

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """Write all or nothing."""
        with self._errors():
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(self._connect("rwc")) as db:
                db.execute("BEGIN IMMEDIATE")
                self._check(db)
                for statement in _TABLES.split(";")[:-1]:
                    db.execute(statement)
                db.execute(f"PRAGMA user_version = {VERSION}")
                yield db
                db.execute("COMMIT")

    def _connect(self, mode: str) -> sqlite3.Connection:
        address = f"{self.path.absolute().as_uri()}?mode={mode}"
        return sqlite3.connect(address, uri=True, timeout=LOCK_TIMEOUT_S, isolation_level=None)

    def _check(self, db: sqlite3.Connection) -> bool:
        """Check the version of the file; return whether it has tables."""
        (version,) = db.execute("PRAGMA user_version").fetchone()
        if version not in (0, VERSION):
            raise OracleError(
                f"{self.path}: made by another version of wrongcall (format {version})"
            )
        return bool(version)

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as exc:
            hint = ""
            if isinstance(exc, sqlite3.DatabaseError) and not isinstance(
                exc, sqlite3.OperationalError
            ):
                hint = "; to start over, move it away"
            raise OracleError(f"{self.path}: {exc}{hint}") from exc


def _numbers(db: sqlite3.Connection, names: set[bytes]) -> list[int]:
    """Return the numbers of blocks, which get one if they have none yet."""
    db.executemany(
        "INSERT OR IGNORE INTO blocks (name) VALUES (?)", [(name,) for name in sorted(names)]
    )
    sql = "SELECT number FROM blocks WHERE name = ?"
    return sorted(db.execute(sql, (name,)).fetchone()[0] for name in names)


def _packed(numbers: list[int]) -> bytes:
    """Pack rising numbers: the compressed differences take a byte or two for each."""
    return zlib.compress(array("Q", [b - a for a, b in pairwise([0, *numbers])]).tobytes())


def _unpacked(packed: bytes, path: Path) -> Iterator[int]:
    try:
        differences = array("Q", zlib.decompress(packed))
    except (zlib.error, ValueError, TypeError) as exc:
        raise OracleError(
            f"{path}: damaged coverage of a test; forget it with wrongcall learn --forget"
        ) from exc
    return accumulate(differences)


def _revoke(db: sqlite3.Connection, number: str, at: float) -> int:
    sql = "UPDATE answers SET revoked = ? WHERE id = ? AND revoked = 0"
    return db.execute(sql, (at, number)).rowcount


def _row(answer: KeptAnswer) -> tuple[Any, ...]:
    content = json.dumps({"at": answer.at, **{name: getattr(answer, name) for name in _FIELDS}})
    plain = (answer.id, answer.function, answer.key, content)
    return (*plain, answer.revoked, _checksum(*plain))


def _answer(row: tuple[Any, ...]) -> KeptAnswer | None:
    """Return the answer in a row; None: it is damaged."""
    number, function, key, content, revoked, checksum = row
    try:
        if checksum != _checksum(number, function, key, content):
            return None
        fields = json.loads(content)
        datetime.fromtimestamp(fields["at"])
        return replace(KeptAnswer(function, key, **fields), revoked=float(revoked))
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, OSError):
        return None


def _checksum(number: str, function: str, key: bytes, content: str) -> bytes:
    told = f"{number}\0{function}\0{key.hex()}\0{content}"
    return blake2b(told.encode(*_UTF8), digest_size=8).digest()
