"""Values as the page asks for them: tables."""

from __future__ import annotations

from pathlib import Path

from tests.web.conftest import Serve, recorded

PROGRAM = "def use(rows): rows[0][0] = 5\nuse([[3, 4], [1, 2]])\n"


def test_a_table_is_sent_in_parts_sorted_and_compared(serve: Serve, tmp_path: Path) -> None:
    (tmp_path / "rows.py").write_text(PROGRAM)
    client = serve(recorded(tmp_path / "rows.py", tmp_path / "recorded.wrongcall"))
    found = client.get("/secret-of-the-tests/api/session").json()
    calls = range(1, found["calls"] + 1)
    called = [client.get(f"/secret-of-the-tests/api/calls/{n}").json() for n in calls]
    call = next(c for c in called if c.get("given"))
    oid, entry, end = call["given"][0]["object"], call["time"], call["exit"]
    address = f"/secret-of-the-tests/api/objects/{oid}/grid"
    whole = client.get(address, params={"time": entry, "other": end}).json()
    assert [row["cells"] for row in whole["some"]] == [["3", "4"], ["1", "2"]]
    assert [row["others"] for row in whole["some"]] == [["5", None], [None, None]]
    asked: dict[str, int | str] = {"time": entry, "column": 0, "count": 1}
    assert client.get(address, params=asked).json()["some"][0]["number"] == 1
    asked["order"] = "down"
    assert client.get(address, params=asked).json()["some"][0]["number"] == 0
    assert client.get(address, params={"time": 10**9}).status_code == 400
