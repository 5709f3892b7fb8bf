"""``wrongcall export``: Parquet files, and the queries on them that docs/reference/tables.md has."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.ask.talking import ROOT
from tests.cli.paper import Run
from tests.recorder.conftest import run_recorded, write_program

WHERE = "run by tools/run_tests.py with the packages of requirements/tables.txt"
duckdb = pytest.importorskip("duckdb", reason=WHERE)
pytest.importorskip("pyarrow", reason=WHERE)
PAGE = (ROOT / "docs" / "reference" / "tables.md").read_text()
QUERIES = re.findall(r"```sql\n(.*?)```", PAGE, re.DOTALL)

PROGRAM = """\
class Account:
    def __init__(self):
        self.total = 0

def fetch(n):
    if n == 3:
        raise KeyError(n)
    return "odd" if n % 2 else n

def show(text):
    print("it is", text)

def main():
    account = Account()
    for n in range(5):
        try:
            found = fetch(n)
        except KeyError:
            found = None
        account.total += n
    show(account.total)

main()
"""


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recorded run, exported."""
    folder = tmp_path_factory.mktemp("exported")
    write_program(folder, PROGRAM)
    assert run_recorded(["prog.py"], folder).returncode == 0
    return folder


@pytest.fixture
def answer(tables: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs a query of the page on the exported files."""
    if not (tables / "out" / "calls.parquet").exists():
        status, out, _ = run(
            "export", str(tables / "trace.wrongcall"), "--parquet", str(tables / "out")
        )
        assert status == 0
        assert "calls.parquet" in out
    monkeypatch.chdir(tables / "out")
    return lambda number: duckdb.connect().execute(QUERIES[number]).fetchall()


def test_there_are_five_queries() -> None:
    assert len(QUERIES) == 5


def test_functions_by_calls_and_exceptions(answer: Any) -> None:
    assert answer(0)[0] == ("fetch", 5, 1)
    assert ("show", 1, 0) in answer(0)


def test_returned_values_by_frequency(answer: Any) -> None:
    found = {(kind, value): times for kind, value, times in answer(1)}
    assert found == {
        ("int", "0.0"): 1, ("int", "2.0"): 1, ("int", "4.0"): 1, ("str", "odd"): 1, ("KeyError", None): 1,
    }  # fmt: skip


def test_variables_of_several_types(answer: Any) -> None:
    assert answer(2) == [("main", "found", ["NoneType", "int", "str"])]


def test_ranges_of_attributes(answer: Any) -> None:
    lines = PROGRAM.splitlines()
    added = lines.index("        account.total += n") + 1
    begun = lines.index("        self.total = 0") + 1
    assert answer(3) == [
        ("Account", "total", "main", added, 5, 0.0, 10.0),
        ("Account", "total", "Account.__init__", begun, 1, 0.0, 0.0),
    ]


def test_who_printed_what(answer: Any) -> None:
    ((_, function, caller, text),) = answer(4)
    assert (function, caller, text) == ("show", "main", "it is 10\n")


def test_what_a_value_does_not_have_is_null(answer: Any, tables: Path) -> None:
    rows = duckdb.sql(
        f"SELECT type, integer, number, text FROM '{tables}/out/calls.parquet' WHERE function = 'fetch' ORDER BY call"
    ).fetchall()
    assert rows[:2] == [("int", 0, 0.0, None), ("str", None, None, "odd")]


def test_the_schema_is_documented(answer: Any, tables: Path) -> None:
    value = {"type", "integer", "number", "text", "object"}
    for name in ("calls", "variables", "writes", "output"):
        found = duckdb.sql(f"DESCRIBE SELECT * FROM '{tables}/out/{name}.parquet'").fetchall()
        section = PAGE.partition(f"**{name}**:")[2].partition("\n**")[0]
        documented = set(re.findall(r"`(\w+)`", section))
        assert {row[0] for row in found} <= documented | value, name


def test_files_are_listed_as_json(run: Run, tables: Path, tmp_path: Path) -> None:
    status, out, _ = run(
        "export", str(tables / "trace.wrongcall"), "--parquet", str(tmp_path), "--json"
    )
    assert status == 0
    rows = {Path(file["path"]).name: file["rows"] for file in json.loads(out)["files"]}
    assert rows["calls.parquet"] == 10
    assert len(rows) == 4


def test_a_missing_pyarrow_is_explained(
    run: Run, tables: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    status, out, err = run("export", str(tables / "trace.wrongcall"), "--parquet", str(tmp_path))
    assert (status, out) == (2, "")
    assert err == "wrongcall: Parquet needs pyarrow; try: pip install 'wrongcall[parquet]'\n"


def test_a_folder_that_cannot_be_made_is_explained(run: Run, tables: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    status, _, err = run(
        "export", str(tables / "trace.wrongcall"), "--parquet", str(tmp_path / "file")
    )
    assert status == 2
    assert "can't write to" in err


ROUNDS = 1_300_000
MANY = f"""\
class Account:
    def __init__(self):
        self.total = 0

def fetch(n):
    if n % 1000 == 3:
        raise KeyError(n)
    return "odd" if n % 2 else n % 100

def main():
    account = Account()
    for n in range({ROUNDS}):
        try:
            found = fetch(n)
        except KeyError:
            found = None
        account.total += 1

main()
"""


@pytest.mark.once
def test_the_queries_answer_on_ten_million_events(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_program(tmp_path, MANY)
    assert run_recorded(["prog.py"], tmp_path).returncode == 0
    trace = str(tmp_path / "trace.wrongcall")
    status, out, _ = run("info", trace, "--json")
    assert (status, json.loads(out)["events"] > 10_000_000) == (0, True)
    assert run("export", trace, "--parquet", str(tmp_path))[0] == 0
    monkeypatch.chdir(tmp_path)
    found = [duckdb.connect().execute(query).fetchall() for query in QUERIES]
    raised = len(range(3, ROUNDS, 1000))
    assert found[0][0] == ("fetch", ROUNDS, raised)
    odd = ROUNDS // 2 - raised
    assert found[1][0] == ("str", "odd", odd)
    assert sum(row[2] for row in found[1]) == ROUNDS
    assert found[2] == [("main", "found", ["NoneType", "int", "str"])]
    assert found[3][0][4:] == (ROUNDS, 1.0, float(ROUNDS))
    assert found[4] == []
