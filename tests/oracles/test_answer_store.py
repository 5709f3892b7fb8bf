"""The file of remembered answers: complete, shared, and safe against damage."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wrongcall.errors import OracleError
from wrongcall.oracles.answer_store import AnswerStore, BlockCoverage, KeptAnswer


def an_answer(key: int = 1, **fields: object) -> KeptAnswer:
    told = {"function": "shop:total", "verdict": "right", "author": "ann", "at": float(key)}
    return KeptAnswer(key=bytes([key] * 16), **{**told, **fields})  # type: ignore[arg-type]


@pytest.fixture
def store(tmp_path: Path) -> AnswerStore:
    return AnswerStore(tmp_path / ".wrongcall" / "answers.db")


def test_reading_creates_nothing(store: AnswerStore) -> None:
    assert store.all() == []
    assert store.functions() == frozenset()
    assert store.coverage() == (0, {})
    assert not store.path.parent.exists()


def test_what_was_added_is_there_once(store: AnswerStore) -> None:
    answers = [an_answer(1), an_answer(2, function="shop:Cart.add", expected="3", title="add(1)")]
    assert store.add(answers) == 2
    assert store.add(answers) == 0
    assert store.all() == answers
    assert store.about("shop:total") == answers[:1]
    assert store.functions() == {"shop:total", "shop:Cart.add"}


def test_revoked_answers_stay_revoked(store: AnswerStore) -> None:
    answer = an_answer()
    store.add([answer])
    assert store.revoke([answer.id, "nothing"], 7.0) == 1
    assert store.revoke([answer.id], 8.0) == 0
    store.add([answer])
    assert store.about("shop:total") == []
    assert store.all() == [replace(answer, revoked=7.0)]


def test_a_merge_brings_revocations_along(store: AnswerStore) -> None:
    answer = an_answer()
    store.add([answer])
    store.add([replace(answer, revoked=9.0)])
    assert store.all()[0].revoked == 9.0


def test_renamed_functions_keep_their_answers(store: AnswerStore) -> None:
    store.add([an_answer(1), an_answer(2, function="shop:sum_up")])
    store.rename("shop:total", "shop:sum_up")
    store.rename("shop:sum_up", "cart:sum_up")
    assert [a.key[0] for a in store.about("cart:sum_up")] == [1, 2]
    assert store.functions() == {"cart:sum_up"}
    store.rename("cart:sum_up", "shop:total")  # and back
    assert [a.key[0] for a in store.about("shop:total")] == [1, 2]


def test_what_tests_confirmed_is_counted_by_test(store: AnswerStore) -> None:
    assert store.learn("t1", [("f", b"1"), ("f", b"2")], ["f", "g"]) == 2
    assert store.learn("t2", [("f", b"2")], ["f"]) == 0
    assert store.passed("f") == {b"1": "t1", b"2": "t1"}
    assert store.coverage() == (0, {"f": (2, 0), "g": (1, 0)})
    store.learn("t1", [], ["g"], passed=False)
    assert store.coverage() == (1, {"f": (1, 0), "g": (0, 1)})
    assert store.passed("f") == {}
    store.forget_tests()
    assert store.coverage() == (0, {})


def test_a_test_confirms_only_the_calls_of_its_last_run(store: AnswerStore) -> None:
    store.learn("t1", [("f", b"1"), ("f", b"2")], ["f"])
    store.learn("t2", [("f", b"3")], ["f"])
    assert store.learn("t1", [("f", b"2"), ("f", b"4")], ["f"]) == 1
    assert store.passed("f") == {b"2": "t1", b"3": "t2", b"4": "t1"}


def test_blocks_are_counted_by_test(store: AnswerStore) -> None:
    assert store.block_coverage() == BlockCoverage(0, {}, {})
    names = [bytes([n]) * 8 for n in range(200)]
    store.learn("t1", [], ["f"], blocks=names)
    store.learn("t2", [], ["f"], blocks=names[50:])
    store.learn("t3", [], ["f"], blocks=names[150:], passed=False)
    store.learn("t4", [], ["f", "g"])
    found = store.block_coverage()
    assert (found.failed_tests, found.elsewhere) == (1, {"f": (1, 0), "g": (1, 0)})
    assert found.counts == {name: (1 + (n >= 50), int(n >= 150)) for n, name in enumerate(names)}
    store.learn("t1", [], ["f"], blocks=[])
    assert names[0] not in store.block_coverage().counts
    store.forget_tests()
    assert store.block_coverage() == BlockCoverage(0, {}, {})


def test_many_tests_of_many_blocks_take_little_room(store: AnswerStore) -> None:
    chance = Random(1)
    names = [chance.randbytes(8) for _ in range(5000)]
    store.learn("all", [], [], blocks=names)
    before = store.path.stat().st_size
    for number in range(50):
        store.learn(f"t{number}", [], [], blocks=chance.sample(names, 1000))
    # 8 bytes for the name of each would be 400,000.
    assert store.path.stat().st_size - before < 50 * 1000 * 2


def test_files_of_earlier_versions_are_read_and_grow(store: AnswerStore) -> None:
    store.learn("t1", [("f", b"1")], ["f"])
    with closing(sqlite3.connect(store.path)) as db, db:
        db.execute("DROP TABLE covered_blocks")
        db.execute("DROP TABLE blocks")
        db.execute("DROP TABLE passed_inputs")
    assert store.block_coverage() == BlockCoverage(0, {}, {"f": (1, 0)})
    store.learn("t2", [], ["f"], blocks=[b"b"])
    assert store.block_coverage() == BlockCoverage(0, {b"b": (1, 0)}, {"f": (1, 0)})


def test_damaged_coverage_is_named(store: AnswerStore) -> None:
    store.learn("t1", [], ["f"], blocks=[b"b"])
    with closing(sqlite3.connect(store.path)) as db, db:
        db.execute("UPDATE covered_blocks SET blocks = ?", (b"nothing",))
    with pytest.raises(OracleError, match="damaged coverage"):
        store.block_coverage()


def test_a_damaged_row_is_left_out_and_counted(store: AnswerStore) -> None:
    store.add([an_answer(1), an_answer(2), an_answer(3)])
    with closing(sqlite3.connect(store.path)) as db, db:
        db.execute("UPDATE answers SET content = replace(content, 'right', 'wrong') WHERE id = ?",
                   (an_answer(2).id,))  # fmt: skip
    assert [a.key[0] for a in store.all()] == [1, 3]
    assert store.damaged == 1


def test_an_answer_without_a_possible_date_is_damaged(store: AnswerStore) -> None:
    store.add([an_answer(1), an_answer(2, at=1e300)])
    assert [a.key[0] for a in store.all()] == [1]
    assert store.damaged == 1


@pytest.mark.parametrize("content", [b"", b"no database, but long enough to be taken for one" * 50])
def test_a_file_that_is_no_store_is_named(store: AnswerStore, content: bytes) -> None:
    store.path.parent.mkdir()
    store.path.write_bytes(content)
    if not content:  # as SQLite leaves it when the disk is full at the first write
        assert store.all() == []
        assert store.add([an_answer()]) == 1
        return
    for ask in (store.all, lambda: store.add([an_answer()])):
        with pytest.raises(
            OracleError, match=r"answers\.db: file is not a database; to start over, move it away"
        ):
            ask()
    assert store.path.read_bytes() == content


def test_a_newer_format_is_refused(store: AnswerStore) -> None:
    store.add([an_answer()])
    with closing(sqlite3.connect(store.path)) as db:
        db.execute("PRAGMA user_version = 99")
    with pytest.raises(OracleError, match="another version of wrongcall"):
        store.all()
    with pytest.raises(OracleError, match="another version of wrongcall"):
        store.add([an_answer(2)])


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / ".wrongcall").write_text("a file is in the way")
    store = AnswerStore(tmp_path / ".wrongcall" / "answers.db")
    with pytest.raises(OracleError, match=r"answers\.db"):
        store.add([an_answer()])


WRITER = """
import sys
from pathlib import Path
from wrongcall.oracles.answer_store import AnswerStore, KeptAnswer
store, first = AnswerStore(Path(sys.argv[1])), int(sys.argv[2])
for n in range(first, first + 25):
    store.add([KeptAnswer("f", n.to_bytes(16, "big"), "right", "ann", float(n))])
"""


def test_processes_that_write_at_once_lose_nothing(store: AnswerStore) -> None:
    running = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(store.path), str(100 * n)])
        for n in range(3)
    ]
    assert [process.wait(timeout=120) for process in running] == [0, 0, 0]
    assert len(store.about("f")) == 75


texts = st.text(max_size=8)


verdicts = st.sampled_from(["right", "wrong", "inadmissible"])
when = st.floats(0, 1e10)
kept = st.builds(
    KeptAnswer, texts, st.binary(max_size=16), verdicts, texts, when, *[texts] * 6, revoked=when
)


@given(kept)
def test_answers_survive_export(answer: KeptAnswer) -> None:
    assert KeptAnswer.from_plain(answer.to_plain()) == answer


BAD_VERDICT = {**an_answer().to_plain(), "verdict": "maybe"}
NO_DATES = [{**an_answer().to_plain(), "at": at} for at in (1e300, float("inf"), float("nan"))]


@pytest.mark.parametrize(
    "plain", [None, [], {}, {"function": "f"}, {"key": "zz"}, 3, BAD_VERDICT, *NO_DATES]
)
def test_what_is_no_answer_is_refused(plain: object) -> None:
    with pytest.raises(OracleError, match="not an answer"):
        KeptAnswer.from_plain(plain)
