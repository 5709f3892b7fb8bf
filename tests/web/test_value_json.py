"""Values as the page asks for them: tables, texts, graphs, sides, sources."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

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


OBJECTS = """
class Node:
    def __init__(self, name, next=None):
        self.name = name
        self.next = next

def rename(node):
    node.next.name = node.next.name.replace("long", "short")

rename(Node("first", Node("a rather long name of an object")))
"""


def test_changes_name_what_is_compared_side_by_side(serve: Serve, tmp_path: Path) -> None:
    (tmp_path / "objects.py").write_text(OBJECTS)
    client = serve(recorded(tmp_path / "objects.py", tmp_path / "recorded.wrongcall"))
    root = "/secret-of-the-tests/api"
    count = client.get(f"{root}/session").json()["calls"]
    called = [client.get(f"{root}/calls/{n}").json() for n in range(1, count + 1)]
    call = next(c for c in called if c["title"].startswith("rename("))
    (change,) = call["changed"]
    assert change["place"] == "node.next.name"
    (row,) = client.get(f"{root}/side-by-side", params=change["sides"]).json()["rows"]
    assert (row["old"][1], row["new"][1]) == (["long", True], ["short", True])
    wrong = {**change["sides"], "step": "f()"}
    assert client.get(f"{root}/side-by-side", params=wrong).status_code == 400
    assert client.get(f"{root}/side-by-side").status_code == 400
    oid, time = call["given"][0]["object"], call["time"]
    views = client.get(f"{root}/objects/{oid}/views", params={"time": time}).json()["views"]
    assert views == ["graph"]
    graph = client.get(f"{root}/objects/{oid}/graph", params={"time": time}).json()
    assert [node["path"] for node in graph["nodes"]] == ["", ".next"]
    asked = {"place": "node.next.name", "time": time, "search": "LONG"}
    text = client.get(f"{root}/calls/{call['call']}/text", params=asked).json()
    assert [span for span in text["spans"] if span[1]] == [["long", True]]
    made = client.get(f"{root}/calls/{call['call']}/python", params={"place": "node.next.name"})
    assert made.json()["text"] == "'a rather short name of an object'"
    image = client.get(f"{root}/objects/{oid}/image", params={"time": time}).json()
    assert (image["pixels"], image["trouble"]) == ([], "it has no shape of an image")


TEXTS = """
class Page:
    pass

def write(page, title):
    page.body = title + " and so on" * 300

def clear(page):
    del page.body

def join(words):
    joined = ", ".join(words)
    return len(joined)

page = Page()
write(page, "first")
write(page, "second")
clear(page)
join(["abcdefghij"] * 100)
"""


def test_changes_name_the_place_of_a_long_text(serve: Serve, tmp_path: Path) -> None:
    (tmp_path / "texts.py").write_text(TEXTS)
    client = serve(recorded(tmp_path / "texts.py", tmp_path / "recorded.wrongcall"))
    root = "/secret-of-the-tests/api"
    count = client.get(f"{root}/session").json()["calls"]
    called = [client.get(f"{root}/calls/{n}").json() for n in range(1, count + 1)]

    def text_of(title: str, part: str, which: int = 0) -> dict[str, Any]:
        call = [c for c in called if c["title"].startswith(title)][which]
        (change,) = (c for c in call[part] if c["text"])
        answer = client.get(f"{root}/changed-text", params=change["text"])
        assert answer.status_code == 200
        return cast("dict[str, Any]", answer.json())

    assert text_of("write(", "changed")["length"] == len("first" + " and so on" * 300)
    assert text_of("write(", "changed", 1)["spans"][0][0].startswith("second and so on")
    assert text_of("clear(", "changed")["spans"][0][0].startswith("second and so on")
    assert text_of("join(", "variables")["length"] == 100 * len("abcdefghij, ") - 2
    wrong: dict[str, int | str] = {"holder": 1, "step": ".nothing", "before": 1, "after": 2}
    assert client.get(f"{root}/changed-text", params=wrong).status_code == 400
    assert client.get(f"{root}/changed-text", params={"step": ".a"}).status_code == 400
