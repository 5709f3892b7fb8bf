"""``WRONGCALL=record python prog.py``, with the file that an installed wrongcall has beside it."""

from __future__ import annotations

import shutil
import subprocess
import sysconfig
import venv
from pathlib import Path

import pytest

import wrongcall
from tests.recorder.bothways import environment, write_files
from wrongcall.environment_start import recorded_command

START = Path(__file__).parents[1] / "wrongcall.pth"
PROGRAM = """
import os, sys

def double(x):
    return x + x

if __name__ == "__main__":
    print(double(4), sys.argv[1:], sys.flags.dev_mode, "WRONGCALL" in os.environ)
    sys.exit(3)
"""
PRINTED = "8 ['a', '-m', 'b'] {} False\n"


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> str:
    """An interpreter in whose environment wrongcall is installed as a wheel would be."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder, symlinks=True)
    packages = next(folder.glob("lib/python*/site-packages"))
    others = [Path(wrongcall.__file__).parents[1], sysconfig.get_path("purelib")]
    (packages / "others.pth").write_text("".join(f"{path}\n" for path in others))
    shutil.copy(START, packages / "wrongcall.pth")
    return str(folder / "bin" / "python")


def run(folder: Path, *command: str, wanted: str = "record") -> subprocess.CompletedProcess[str]:
    """Run a command with the variable set."""
    variables = {**environment(), "WRONGCALL": wanted} if wanted else environment()
    return subprocess.run(
        command,
        cwd=folder,
        env=variables,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        stdin=subprocess.DEVNULL,
    )


@pytest.mark.parametrize("program", [["prog.py"], ["-m", "prog"], ["-mprog"]], ids=" ".join)
def test_scripts_and_modules_are_recorded_with_the_options_of_python(
    tmp_path: Path, python: str, program: list[str]
) -> None:
    write_files(tmp_path, PROGRAM)
    done = run(tmp_path, python, "-X", "dev", *program, "a", "-m", "b")
    assert (done.returncode, done.stdout) == (3, PRINTED.format(True))
    shown = run(tmp_path, python, "-m", "wrongcall", "tree", "prog.wrongcall", wanted="")
    assert "double(" in shown.stdout


def test_without_the_variable_nothing_is_loaded(tmp_path: Path, python: str) -> None:
    code = "import sys; print([name for name in sys.modules if name.startswith('wrongcall')])"
    done = subprocess.run(
        [python, "-c", code], capture_output=True, text=True, check=True, env=environment()
    )
    assert done.stdout == "[]\n"


def test_commands_run_unrecorded_and_pass_the_variable_on(tmp_path: Path, python: str) -> None:
    code = "import os; print(os.environ['WRONGCALL'])"
    done = run(tmp_path, python, "-c", code)
    assert (done.stdout, done.stderr, list(tmp_path.iterdir())) == ("record\n", "", [])


def test_another_value_is_reported_and_the_program_runs(tmp_path: Path, python: str) -> None:
    write_files(tmp_path, PROGRAM)
    done = run(tmp_path, python, "prog.py", "a", "-m", "b", wanted="rec")
    assert (done.returncode, done.stdout) == (3, PRINTED.format(False))
    assert done.stderr == "wrongcall: WRONGCALL=rec has no meaning; try: WRONGCALL=record\n"


@pytest.mark.once
@pytest.mark.parametrize(
    "original, given, expected",
    [
        (["py", "p.py"], ["p.py"], ([], ["p.py"])),
        (["py", "-u", "p.py", "-c"], ["p.py", "-c"], (["-u"], ["p.py", "-c"])),
        (["py", "-u", "-m", "p", "x"], ["-m", "x"], (["-u"], ["-m", "p", "x"])),
        (["py", "-mp"], ["-m"], ([], ["-m", "p"])),
        (["py", "-Im", "p"], ["-m"], None),
        (["py", "-c", "1", "x"], ["-c", "x"], None),
        (["py", "-"], ["-"], None),
        (["py"], [""], None),
    ],
)
def test_the_program_is_what_follows_the_options(
    original: list[str], given: list[str], expected: object
) -> None:
    assert recorded_command(original, given) == expected


@pytest.mark.once
def test_the_file_is_one_line_that_only_looks_for_the_variable() -> None:
    line = START.read_text()
    assert line.startswith('import os; "WRONGCALL" in os.environ and ')
    assert line.count("\n") == 1
