"""``wrongcall history``."""

from __future__ import annotations

import json
import re

from tests.cli.paper import Run, line_of, shown


def test_history_lists_every_value_of_a_place(run: Run, paper: str) -> None:
    lines = shown(run, "history", paper, "8", "c[2]")
    assert lines[0] == "c[2]  4 values"
    values = [re.split(r"\s{2,}", line.strip())[0].split()[1] for line in lines[1:]]
    assert values == ["1", "1", "7", "9"]
    assert f"line {line_of('c[lb] = a[la]')}" in lines[-1]
    assert lines[-1].endswith("c[lb] = a[la]")
    data = json.loads("\n".join(shown(run, "history", paper, "8", "c[2]", "--json")))
    assert [(v["value"], v["function"]) for v in data["versions"]] == [
        ("1", "main"), ("1", "merge"), ("7", "merge"), ("9", "merge"),
    ]  # fmt: skip
