"""Traces of one version of Python, read on another.

A trace "of 3.15" is one of a program that 3.15 ran; it was written by wrongcall on the version of these tests.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.interpreters.conftest import READY, base_interpreters
from tests.recorder.conftest import run_python, run_recorded, write_program

PROGRAM = '''
"""A program for every version."""
rate = 3

class Account:
    def __init__(self, owner, *entries):
        self.owner = owner
        self.entries = list(entries)

    def add(self, amount):
        """Add an entry."""
        self.entries.append(amount * rate)
        return self

def total(account):
    found = 0
    for entry in account.entries:
        if entry > 5:
            found += entry
    return f"{account.owner}: {found} of {len(account.entries)}"

def pairs(items):
    for left, right in zip(items, items[1:]):
        yield left, right

def main():
    account = Account("ada", 1, 7).add(2).add(4)
    text = total(account)
    try:
        {}[text]
    except KeyError as error:
        text = str(error)
    return text, [b - a for a, b in pairs(account.entries)]

print(main())
'''
MAIN, TOTAL = "3", "7"  # numbers of calls
READING = [
    ["tree", "--depth", "9"], ["show", MAIN], ["show", TOTAL, "--json"], ["events", TOTAL],
    ["history", MAIN, "text"], ["origin", MAIN, "text"], ["origin", TOTAL, "found"], ["info"],
]  # fmt: skip


def minor(python: str) -> str:
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    return subprocess.run(
        [python, "-c", code], capture_output=True, text=True, check=True
    ).stdout.strip()


@pytest.fixture(scope="module")
def readers() -> dict[str, str]:
    """Interpreters that have wrongcall, by version; this one is among them."""
    found = (
        {minor(python): python for python in READY.read_text().split()} if READY.exists() else {}
    )
    return {**found, "{}.{}".format(*sys.version_info): sys.executable}


MANY = """
import contextlib, io, json, sys
from wrongcall.cli.main import main

shown = []
for command in json.loads(sys.argv[1]):
    with contextlib.redirect_stdout(io.StringIO()) as output:
        assert main(command) == 0, command
    shown.append(output.getvalue())
print(json.dumps(shown))
"""


def read(python: str, trace: Path, *commands: list[str]) -> list[str]:
    """Return what commands show of a trace, on some version."""
    whole = json.dumps([[own, str(trace), *rest] for own, *rest in commands])
    done = subprocess.run(
        [python, "-c", MANY, whole], capture_output=True, text=True, check=False, cwd=trace.parent
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    shown: list[str] = json.loads(done.stdout)
    return shown


@pytest.fixture(scope="module", params=["own", *sorted(base_interpreters())])
def recorded(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The trace of a program that some version ran."""
    folder = tmp_path_factory.mktemp("recorded")
    python = sys.executable if request.param == "own" else base_interpreters()[request.param]
    write_program(folder, PROGRAM)
    done = run_recorded(["prog.py"], folder, ["--python", python])
    assert done.returncode == 0, done.stderr
    assert done.stdout == run_python(["prog.py"], folder).stdout
    return folder / "trace.wrongcall"


def test_every_version_reads_the_same(recorded: Path, readers: dict[str, str]) -> None:
    shown = {version: read(python, recorded, *READING) for version, python in readers.items()}
    own = shown["{}.{}".format(*sys.version_info)]
    assert all(own)
    for version, others in shown.items():
        assert others == own, version


def test_an_old_version_follows_values_of_a_new_one(
    recorded: Path, readers: dict[str, str]
) -> None:
    oldest = readers[min(readers, key=_numbers)]
    (shown,) = read(oldest, recorded, ["origin", TOTAL, "found", "--json"])
    origin = json.loads(shown)
    assert origin["end"] != "unknown"
    assert origin["missing"] == ""


SYNTAX = {
    (3, 12): [
        "type Number = int | float\n",
        "def first[T](items: list[T]) -> T:\n    return items[0]\n",
        "class Box[T]:\n    pass\n",
        'key = {"name": 1}\ntext = f"{key["name"]} {"nested"}"\n',
    ],
    (3, 14): [
        "text = t'hello {__name__}'\n",
        "try:\n    int('x')\nexcept ValueError, TypeError:\n    pass\n",
    ],
    (3, 15): [
        "lazy import json\ntext = json.dumps(1)\n",
        "items = [*part for part in ([1], [2])]\n",
    ],
}
CALLED = """
limit = 10

def capped(items):
    total = sum(items)
    if total > limit:
        total = limit
    return total

print(capped([7, 8]))
"""


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def _cases() -> list[Any]:
    """Each piece of syntax that this version lacks, with the newest version."""
    own = sys.version_info[:2]
    others = base_interpreters()
    newest = max(others, key=_numbers, default="")
    cases = [
        (text, newest, others[newest])
        for since, texts in SYNTAX.items()
        for text in texts
        if newest and own < since <= _numbers(newest)
    ]
    return cases or [pytest.param("", "", "", marks=pytest.mark.skip("no newer version is here"))]


@pytest.mark.parametrize(
    "text, version, python", _cases(), ids=lambda value: value if len(value) == 4 else ""
)
def test_newer_syntax_takes_nothing_but_what_needs_it(
    tmp_path: Path, text: str, version: str, python: str
) -> None:
    write_program(tmp_path, text + CALLED)
    done = run_recorded(["prog.py"], tmp_path, ["--python", python])
    assert (done.returncode, done.stdout) == (0, "10\n"), done.stderr
    assert "was not recorded" not in done.stderr
    trace = tmp_path / "trace.wrongcall"
    own = "{}.{}".format(*sys.version_info)

    about, tree = map(
        json.loads, read(sys.executable, trace, ["info", "--json"], ["tree", "--json"])
    )
    why = about["unparsed"]
    assert why.startswith(f"Python {own} can't parse prog.py (line ")
    assert why.endswith(f"; read the trace with Python {version}")

    (module,) = tree["calls"]
    (call,) = (str(c["call"]) for c in module["children"] if c["title"].startswith("capped("))
    commands = ["show", call], ["history", call, "total"], ["origin", call, "total"]
    answers = read(sys.executable, trace, *([*command, "--json"] for command in commands))
    shown, history, origin = map(json.loads, answers)
    assert shown["unparsed"] == why
    assert (shown["title"], shown["produced"]["summary"]) == ("capped(items=[7, 8])", "10")
    assert [v["value"] for v in history["versions"]] == ["15", "10"]
    assert origin["missing"] == f"the trail ends here: {why}"

    asked = subprocess.run(
        [sys.executable, "-m", "wrongcall", "debug", str(trace)],
        input="n\n", capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert asked.returncode == 0, asked.stderr
    assert "The bug is in capped" in asked.stdout
