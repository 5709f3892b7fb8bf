"""``wrongcall find``."""

from __future__ import annotations

import json

from tests.cli.paper import Run, shown


def test_find_lists_matches_in_order(run: Run, paper: str) -> None:
    lines = shown(run, "find", paper, "value == 9")
    times = [int(line.split()[0]) for line in lines[2:]]
    assert times == sorted(times)
    newest = shown(run, "find", paper, "value == 9", "--newest")
    assert [int(line.split()[0]) for line in newest[2:]] == times[::-1]


def test_find_can_be_limited_and_has_json(run: Run, paper: str) -> None:
    data = json.loads("\n".join(shown(run, "find", paper, "value == 9", "--first", "1", "--json")))
    assert len(data["matches"]) == 1
    assert data["more"] is True
    assert data["matches"][0]["value"] == "9"
    writes = json.loads("\n".join(shown(run, "find", paper, "value == 9", "--writes", "--json")))
    assert {match["kind"] for match in writes["matches"]} == {"wrote"}
    assert shown(run, "find", paper, "value == 12345", "--calls") == [
        "value == 12345  nothing found"
    ]


def test_output_is_found(run: Run, paper: str) -> None:
    lines = shown(run, "find", paper, "printed /4, 9/")
    assert "printed [1, 4, 9, 7]" in lines[2]


def test_nonsense_is_explained(run: Run, paper: str) -> None:
    status, _, err = run("find", paper, "value ==")
    assert status == 2
    assert "is not an expression" in err
