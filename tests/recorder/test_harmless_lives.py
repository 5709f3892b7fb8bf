"""Recording does not change when objects die: __del__, weak references, counts, memory."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path

import pytest

from tests.recorder.bothways import plain, recorded, runs_the_same, write_files

PROGRAMS = Path(__file__).parent.parent / "programs" / "harmless"
TOPICS = sorted(path.stem for path in (PROGRAMS / "lives").glob("*.py") if path.stem != "thing")


@pytest.mark.parametrize("where", ["function", "module"])
@pytest.mark.parametrize("topic", TOPICS)
def test_objects_die_when_they_would_without_recording(
    tmp_path: Path, topic: str, where: str
) -> None:
    """The order of prints tells when __del__ runs and weak references die."""
    body = (PROGRAMS / "lives" / f"{topic}.py").read_text()
    if where == "function":
        body = "def main():\n" + textwrap.indent(body, "    ") + "\nmain()\n"
    seen = runs_the_same(tmp_path, (PROGRAMS / "lives" / "thing.py").read_text() + body)
    assert seen.status == 0, seen.stderr
    assert seen.stdout.count("--") > 10


def test_reference_counts_of_objects(tmp_path: Path) -> None:
    seen = runs_the_same(tmp_path, (PROGRAMS / "references.py").read_text())
    assert seen.status == 0, seen.stderr


AUTOMATIC = """
import gc
class Node:
    count = 0
    def __init__(self):
        self.me = self
    def __del__(self):
        Node.count += 1
gc.collect()
runs = []
gc.callbacks.append(lambda phase, info: runs.append(phase))
for i in range(20_000):
    Node()
print(Node.count > 15_000, len(runs) > 4)
"""


def test_the_collector_still_runs_by_itself(tmp_path: Path) -> None:
    assert runs_the_same(tmp_path, AUTOMATIC).stdout == "True True\n"


def test_deep_nesting_dies_without_a_crash(tmp_path: Path) -> None:
    seen = runs_the_same(tmp_path, (PROGRAMS / "deep.py").read_text())
    assert seen.status == 0, seen.stderr


@pytest.mark.parametrize("name", ["collector.py", "changing.py"])
def test_programs_with_surprising_callbacks_run_the_same(tmp_path: Path, name: str) -> None:
    seen = runs_the_same(tmp_path, (PROGRAMS / name).read_text())
    assert seen.status == 0, seen.stderr


def test_memory_of_objects_that_come_and_go(tmp_path: Path) -> None:
    write_files(tmp_path, (PROGRAMS / "churn.py").read_text())
    limit = 1.5 * int(plain(tmp_path, "prog.py").stdout) + 96 * 1024
    recorded(tmp_path, "prog.py", options=["--stats", "stats.json"])
    stats = json.loads((tmp_path / "stats.json").read_text())
    assert stats["program_max_rss_kb"] <= limit
    assert stats["events"] > 500_000  # it was recorded, not skipped
