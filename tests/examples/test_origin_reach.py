"""The origin of a wrong value leads over the faulty line: in how many of the planted programs, and how soon.

All of them are recorded in one run, as modules of a package; `make bench-origins` records each alone, and the examples.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.examples.origin_reach import Reach, all_wrong, explored, record
from tests.examples.planted import FOLDER

pytestmark = pytest.mark.once

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "origins.md"
PLANTED = {name: wrong for name, wrong in all_wrong().items() if "/" not in name}
IN_SLICE = 0.9
"""The share of programs whose faulty line has to be in the slice of the wrong value."""


@pytest.fixture(scope="module")
def reached(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Reach]:
    folder = tmp_path_factory.mktemp("origins")
    shutil.copytree(FOLDER, folder / "planted", ignore=shutil.ignore_patterns("fixed"))
    program = folder / "all_planted.py"
    program.write_text("".join(f"import planted.{name}\n" for name in PLANTED))
    found = {}
    with record(program, folder / "all.wrongcall") as recording:
        files = recording.program.files
        calls = [recording.call(number) for number in recording.calls.columns().id.tolist()]
        for name, wrong in PLANTED.items():
            mine = (c for c in calls if files[c.function.file].module == f"planted.{name}")
            call = next(c for c in mine if c.function.qualname == wrong.call)
            found[name] = explored(wrong, recording, call)
    return found


def test_the_faulty_line_is_in_the_slice_of_most(reached: dict[str, Reach]) -> None:
    assert len(reached) == 40
    assert sum(each.rank is not None for each in reached.values()) >= IN_SLICE * len(reached)


def test_the_page_says_which_are_reached_and_shown(reached: dict[str, Reach]) -> None:
    rows = {}
    for line in PAGE.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 6 and cells[0] in reached:
            rows[cells[0]] = (cells[2] != "-", cells[3] == "yes")
    assert rows == {name: (each.rank is not None, each.is_shown) for name, each in reached.items()}
