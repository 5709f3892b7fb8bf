"""Put tables into docs/explanation/fidelity.md, each between its markers; the prose around them stays."""

from __future__ import annotations

import re
from collections.abc import Mapping

from fidelity.runs import ROOT

PATH = ROOT / "docs" / "explanation" / "fidelity.md"


def write(tables: Mapping[str, str | None]) -> None:
    """Replace the available tables."""
    text = PATH.read_text()
    for name, table in tables.items():
        if table is not None:
            text = replaced(text, name, table)
    PATH.write_text(text)


def replaced(text: str, name: str, table: str) -> str:
    """Return a text with everything between the markers of this name replaced."""
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    pattern = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
    if len(pattern.findall(text)) != 1:
        raise ValueError(f"{PATH.name} must have the markers of {name} once")
    return pattern.sub(lambda _: f"{begin}\n\n{table}\n\n{end}", text)
