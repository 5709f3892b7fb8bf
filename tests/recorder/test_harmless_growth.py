"""What recording costs grows with the work of the program, not with its square."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.recorder.bothways import plain, recorded, write_files

PROGRAM = (Path(__file__).parent.parent / "programs" / "harmless" / "growth.py").read_text()
NAMES = re.findall(r"^def (\w+)\(n\)", PROGRAM, re.MULTILINE)
FEW, MANY = 1000, 4000


@pytest.mark.parametrize("name", NAMES)
def test_recorded_bytes_grow_linearly(tmp_path: Path, name: str) -> None:
    """Four times the work hands over about four times as much, not sixteen times."""
    write_files(tmp_path, PROGRAM)
    sizes = []
    for n in (FEW, MANY):
        recorded(tmp_path, "prog.py", name, str(n), options=["--stats", "stats.json"])
        sizes.append(json.loads((tmp_path / "stats.json").read_text())["ring_bytes"])
    assert sizes[1] < 5.5 * sizes[0] + 20_000, sizes


IN_PLACE = """
def grow(n):
    s = 'x' * 1000
    ids = set()
    moves = 0
    last = id(s)
    for i in range(n):
        s += 'y'
        if id(s) != last:
            moves += 1
        last = id(s)
    return moves
def grow_sum(n):
    s = 'x' * 1000
    last, moves = id(s), 0
    for i in range(n):
        s = s + 'y'
        moves += id(s) != last
        last = id(s)
    return moves
print(grow(20_000), grow_sum(20_000))
"""


def test_texts_still_grow_in_place(tmp_path: Path) -> None:
    """A text that somebody else holds is copied at every step: its address changes 20,000 times."""
    write_files(tmp_path, IN_PLACE)
    for seen in (plain(tmp_path, "prog.py"), recorded(tmp_path, "prog.py")):
        assert all(int(moves) < 2_000 for moves in seen.stdout.split()), seen.stdout
