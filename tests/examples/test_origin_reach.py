"""The origin of a wrong value leads over the faulty line: in how many of the planted programs, and how soon.

All of a folder are recorded in one run, as modules of a package; `make bench-origins` records each alone, and the
examples.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.examples.origin_reach import Reach, Wrong, all_wrong, explored, held_out, record
from tests.examples.planted import FOLDER, HELD_OUT

pytestmark = pytest.mark.once

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "origins.md"
PLANTED = {name: wrong for name, wrong in all_wrong().items() if "/" not in name}
SHOWN = 0.9
"""The share of programs whose faulty line has to be among what is shown of the origin at first."""


def reached_in(folder: Path, programs: dict[str, Wrong], work: Path) -> dict[str, Reach]:
    shutil.copytree(folder, work / "planted", ignore=shutil.ignore_patterns("fixed"))
    program = work / "all_planted.py"
    program.write_text("".join(f"import planted.{name}\n" for name in programs))
    found = {}
    with record(program, work / "all.wrongcall") as recording:
        files = recording.program.files
        calls = [recording.call(number) for number in recording.calls.columns().id.tolist()]
        for name, wrong in programs.items():
            mine = (c for c in calls if files[c.function.file].module == f"planted.{name}")
            call = next(c for c in mine if c.function.qualname == wrong.call)
            found[name] = explored(wrong, recording, call)
    return found


@pytest.fixture(scope="module")
def reached(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Reach]:
    planted = reached_in(FOLDER, PLANTED, tmp_path_factory.mktemp("origins"))
    return planted | reached_in(HELD_OUT, held_out(), tmp_path_factory.mktemp("held"))


@pytest.mark.parametrize("programs", [PLANTED, held_out()], ids=["planted", "held out"])
def test_the_faulty_line_is_among_what_is_shown_first(
    programs: dict[str, Wrong], reached: dict[str, Reach]
) -> None:
    assert len(programs) == (40 if programs is PLANTED else 26)
    assert sum(reached[name].is_shown for name in programs) >= SHOWN * len(programs)


def test_the_page_says_which_are_reached_and_shown(reached: dict[str, Reach]) -> None:
    rows = {}
    for line in PAGE.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 6 and cells[0] in reached:
            rows[cells[0]] = (cells[2] != "-", cells[3] == "yes")
    assert rows == {name: (each.rank is not None, each.is_shown) for name, each in reached.items()}
