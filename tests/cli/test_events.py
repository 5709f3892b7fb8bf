"""``wrongcall events``."""

from __future__ import annotations

import json

from tests.cli.paper import Run, line_of, shown


def test_every_step_of_a_call_is_shown(run: Run, paper: str) -> None:
    data = json.loads("\n".join(shown(run, "events", paper, "8", "--json")))
    (wrong,) = [e for e in data["events"] if (e["place"], e["value"]) == ("c[2]", "9")]
    assert wrong["line"] == line_of("c[lb] = a[la]")
    told = shown(run, "events", paper, "8")
    assert any("c[2] = 9" in line for line in told)
    assert any(line.endswith("is false") for line in told)
