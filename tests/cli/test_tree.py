"""``wrongcall tree``."""

from __future__ import annotations

import json
import re

from tests.cli.paper import Run, shown


def test_the_tree_shows_calls_by_depth_function_and_number(run: Run, paper: str) -> None:
    lines = shown(run, "tree", paper, "--depth", "4")
    # main calls sort; sort calls distribute, merge, merge, distribute, merge.
    calls = re.findall(r"#\d+ (?:<module )?(\w+)", "\n".join(lines))
    assert calls == [
        "__main__", "main", "sort", "distribute", "merge", "merge", "distribute", "merge",
    ]  # fmt: skip
    assert shown(run, "tree", paper)[-1].strip() == "… 5 more"
    merges = shown(run, "tree", paper, "--function", "merge")
    assert len(merges) == 3
    assert merges[-1].startswith("#8 merge(a=[4, 9, 0, 0], la=0, ra=2, b=[1, 7, 0, 0]")
    below = shown(run, "tree", paper, "--call", "3", "--depth", "1")
    assert below[0].startswith("#3 sort(a=[4, 9, 1, 7]) -> None")
    data = json.loads("\n".join(shown(run, "tree", paper, "--call", "3", "--depth", "2", "--json")))
    children = data["calls"][0]["children"]
    assert [child["function"] for child in children] == [
        "distribute", "merge", "merge", "distribute", "merge",
    ]  # fmt: skip
    assert data["calls"][0]["more"] == 0
