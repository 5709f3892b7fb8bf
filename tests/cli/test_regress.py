"""``wrongcall regress``: from a failing test to the changed function, without questions."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.cli.ask.talking import piped
from tests.oracles.reference.repositories import git, repository
from wrongcall.cli.regress import as_program

SHOP = {
    "pyproject.toml": "[project]\nname = 'shop'\nversion = '1'\n",
    "shop/__init__.py": "",
    "shop/prices.py": (
        "def rate(region):\n    return {'eu': 20, 'us': 0}[region]\n\n\n"
        "def taxed(price, region):\n    return price + price * rate(region) // 100\n\n\n"
        "def total(prices):\n    return sum(taxed(p, 'eu') for p in prices)\n"
    ),
    "tests/test_prices.py": (
        "from shop.prices import total\n\n\ndef test_total():\n    assert total([100, 200]) == 360\n"
    ),
}
SHOWN = """\
The bug is in taxed  shop/prices.py:5

  taxed(price=100, region='eu')
  returned  119
"""


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    root = repository(tmp_path / "shop", SHOP, tag="v1")
    prices = root / "shop" / "prices.py"
    prices.write_text(prices.read_text().replace("// 100", "// 101"))
    return root


def test_a_regression_is_found_without_questions(shop: Path) -> None:
    words = ["--good", "v1", "--", "pytest", "-q", "-p", "no:cacheprovider", "tests/test_prices.py"]
    done = piped(shop, "regress", *words, lines=[], env={"COLUMNS": "80", "PYTHONPATH": str(shop)})
    assert done.status == 0
    assert SHOWN in done.stdout
    assert "\nIn v1, result is 120, not 119.\n" in done.stdout
    assert "0 undecided. No questions asked.\n" in done.stdout
    assert "Is that right?" not in done.stdout
    # Nothing stays but the trace.
    assert git(shop, "worktree", "list").count("\n") == 1
    changed = git(shop, "status", "--short", "--untracked-files=all").split("\n")
    assert [line for line in changed if "__pycache__" not in line and line] == [
        " M shop/prices.py",
        "?? pytest.wrongcall",
    ]


LOCKED = {
    **SHOP,
    "shop/prices.py": (
        "import io\nimport threading\n\nLOCK = threading.Lock()\n\n\n"
        "def taxed(price, out):\n    out.write('')\n    return price + price * 20 // 100\n\n\n"
        "def write(out, prices, lock):\n    with lock:\n        for price in prices:\n"
        "            out.write(str(taxed(price, out)) + ' ')\n\n\n"
        "def total(prices):\n    out = io.StringIO()\n    write(out, prices, LOCK)\n    return out.getvalue()\n"
    ),
    "tests/test_prices.py": (
        "from shop.prices import total\n\n\ndef test_total():\n    assert total([100, 200]) == '120 240 '\n"
    ),
}
"""All calls have a lock or a StringIO, which can't be rebuilt."""


def test_an_interpreter_may_be_given_by_a_relative_path(tmp_path: Path) -> None:
    root = repository(tmp_path / "shop", LOCKED, tag="v1")
    prices = root / "shop" / "prices.py"
    prices.write_text(prices.read_text().replace("// 100", "// 101"))
    python = ["--python", os.path.relpath(sys.executable, root)]
    words = ["--good", "v1", *python, "--", "pytest", "-q", "-p", "no:cacheprovider", "tests"]
    done = piped(root, "regress", *words, lines=[], env={"COLUMNS": "80", "PYTHONPATH": str(root)})
    assert "The bug is in taxed  shop/prices.py:7\n" in done.stdout, done.stdout + done.stderr


def test_why_another_run_can_not_be_compared_is_said(tmp_path: Path) -> None:
    root = repository(tmp_path / "shop", LOCKED, tag="v1")
    prices = root / "shop" / "prices.py"
    prices.write_text(prices.read_text().replace("// 100", "// 101"))
    # By chance: the two runs differ before the changed code runs.
    test = root / "tests" / "test_prices.py"
    test.write_text("import os\nCHANCE = os.urandom(8)\n" + test.read_text())
    words = ["--good", "v1", "--", "pytest", "-q", "-p", "no:cacheprovider", "tests"]
    done = piped(root, "regress", *words, lines=[], env={"COLUMNS": "80", "PYTHONPATH": str(root)})
    said = "the run with the code of v1 was not compared: the runs differ before changed code ran"
    assert said in done.stderr


@pytest.mark.parametrize("options", [[], ["--run-once"]])
def test_calls_that_cannot_be_repeated_are_compared_with_those_of_another_run(
    tmp_path: Path, options: list[str]
) -> None:
    root = repository(tmp_path / "shop", LOCKED, tag="v1")
    prices = root / "shop" / "prices.py"
    prices.write_text(prices.read_text().replace("// 100", "// 101"))
    # The test is newer than the good version, too.
    test = root / "tests" / "test_prices.py"
    test.write_text(test.read_text().replace("test_total", "test_new"))
    words = ["--good", "v1", *options, "--", "pytest", "-q", "-p", "no:cacheprovider", "tests"]
    done = piped(root, "regress", *words, lines=[], env={"COLUMNS": "80", "PYTHONPATH": str(root)})
    is_found = not options
    assert ("The bug is in taxed  shop/prices.py:7\n" in done.stdout) == is_found, done.stdout
    assert ("\nIn v1, result is 120, not 119.\n" in done.stdout) == is_found
    assert ("running the program with the code of v1" in done.stderr) == is_found
    assert "Is that right?" not in done.stdout
    changed = git(root, "status", "--short", "--untracked-files=all").split("\n")
    assert [line for line in changed if "__pycache__" not in line and line] == [
        " M shop/prices.py",
        " M tests/test_prices.py",
        "?? pytest.wrongcall",
    ]


def test_without_a_difference_it_says_so(shop: Path) -> None:
    git(shop, "commit", "-qam", "worse")
    words = [
        "--good",
        "HEAD",
        "--",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "tests/test_prices.py",
    ]
    done = piped(shop, "regress", *words, lines=[], env={"COLUMNS": "80", "PYTHONPATH": str(shop)})
    assert done.status == 1
    assert "No call was found that behaves differently in HEAD." in done.stdout


@pytest.mark.parametrize(
    "words, program",
    [
        (["pytest", "-x"], ["-m", "pytest", "-x"]),
        (["python", "-m", "shop"], ["-m", "shop"]),
        (["python3", "prog.py", "1"], ["prog.py", "1"]),
        (["prog.py"], ["prog.py"]),
    ],
)
def test_programs_are_written_as_people_start_them(words: list[str], program: list[str]) -> None:
    assert as_program(words) == program
