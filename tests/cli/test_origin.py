"""``wrongcall origin``."""

from __future__ import annotations

import json

from tests.cli.paper import Run, line_of, shown


def test_origin_leads_to_the_literal(run: Run, paper: str) -> None:
    lines = shown(run, "origin", paper, "8", "c[2]")
    assert lines[0] == "c[2] = 9"
    assert f"line {line_of('c[lb] = a[la]')}" in lines[1]
    assert "written in the source as 9 at line" in lines[-1]
    data = json.loads("\n".join(shown(run, "origin", paper, "8", "c[2]", "--json")))
    assert data["end"] == "literal"
    assert data["made_at"] == line_of("a = [4, 9, 1, 7]")
