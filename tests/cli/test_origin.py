"""``wrongcall origin``."""

from __future__ import annotations

import json

from tests.cli.paper import Run, line_of, shown


def test_origin_leads_to_the_literal(run: Run, paper: str) -> None:
    lines = shown(run, "origin", paper, "8", "c[2]")
    assert lines[0] == "c[2] = 9"
    assert f"line {line_of('c[lb] = a[la]')}" in lines[1]
    end = next(i for i, line in enumerate(lines) if "written in the source as 9 at line" in line)
    assert lines[end + 1 : end + 3] == ["", "depended on"]
    data = json.loads("\n".join(shown(run, "origin", paper, "8", "c[2]", "--json")))
    assert data["end"] == "literal"
    assert data["made_at"] == line_of("a = [4, 9, 1, 7]")


def test_the_tree_is_limited(run: Run, paper: str) -> None:
    data = json.loads("\n".join(shown(run, "origin", paper, "8", "c[2]", "--json", "--depth", "1")))
    assert data["tree"]["text"] == "c[2]"
    assert {part["text"] for part in data["tree"]["parts"]} >= {"a[la]", "la", "la < ra"}
    assert not any(part["parts"] for part in data["tree"]["parts"])
    lines = shown(run, "origin", paper, "8", "c[2]", "--nodes", "4")
    assert len(lines) - lines.index("depended on") == 5
    assert all(len(line) <= 80 for line in lines[lines.index("depended on") :])
