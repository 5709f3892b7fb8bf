"""``wrongcall show``."""

from __future__ import annotations

import json
import re

import pytest

from tests.cli.paper import Run, line_of, shown


def test_show_lists_the_changes_of_a_call(run: Run, paper: str) -> None:
    lines = shown(run, "show", paper, "8")
    begin = lines.index("  changed   c[0]: 4 -> 1")
    assert [line.strip() for line in lines[begin + 1 : begin + 3]] == [
        "c[1]: 9 -> 4",
        "c[2]: 1 -> 9",
    ]
    own = lines.index("  variables la: 0 -> 2")
    assert [line.strip() for line in lines[own + 1 : own + 3]] == ["lb: 0 -> 3", "lc: 0 -> 3"]
    wrong = next(line for line in lines if "c[lb] = a[la]" in line)
    assert wrong.startswith(f"{line_of('c[lb] = a[la]'):5} · ")
    assert wrong.endswith("# c[2] = 9")
    data = json.loads("\n".join(shown(run, "show", paper, "8", "--json")))
    assert [line["place"] for line in data["changed"]] == ["c[0]", "c[1]", "c[2]"]
    assert data["title"].startswith("merge(a=[4, 9, 0, 0], la=0, ra=2")


def test_values_that_do_not_fit_beside_a_line_follow_it(
    run: Run, paper: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def values() -> list[str]:
        noted = (line.partition("  # ")[2] for line in shown(run, "show", paper, "8"))
        return [value for text in noted if text for value in re.split(r", (?=\w+ =)", text)]

    narrow = values()
    monkeypatch.setenv("COLUMNS", "300")
    assert values() == narrow
    assert "lc = 0" in narrow


def test_the_variables_at_a_time_are_those_before_and_after_a_write(run: Run, paper: str) -> None:
    data = json.loads("\n".join(shown(run, "events", paper, "8", "--json")))
    (wrong,) = [e for e in data["events"] if (e["place"], e["value"]) == ("c[2]", "9")]
    lines = shown(run, "show", paper, "8", "--at", str(wrong["time"]))
    assert "lb = 2" in [line.strip() for line in lines]
    assert any(re.match(rf" *{wrong['line']} > ", line) for line in lines)
    before = shown(run, "show", paper, "8", "--at", str(wrong["time"] - 1))
    assert any(line.strip() == "c = [1, 4, 7, 7]" for line in before)
