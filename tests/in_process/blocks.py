"""Record blocks of programs that run already, and read the traces."""

from __future__ import annotations

import textwrap
from pathlib import Path

from tests.recorder.conftest import Recorded, run_python, write_program
from tests.recorder.outline import outline
from wrongcall.recording import open as open_trace

MODULE = """
items = [3, 1, 2]

class Account:
    def __init__(self, name):
        self.name = name
        self.log = []

    def add(self, n):
        self.log.append(n)
        return sum(self.log)

account = Account("a")

def double(x):
    return x * 2

def total(xs):
    found = 0
    for x in xs:
        found += double(x)
    return found

def fail(n):
    raise ValueError(n)

def numbers(n):
    for i in range(n):
        yield double(i)
"""


# From 3.14 on, returning from a finally block is a SyntaxWarning; random programs do that.
WARNINGS = ("-W", "error", "-W", "ignore::SyntaxWarning")


class Ran:
    """A program that has ended, and the traces that it left."""

    def __init__(self, folder: Path, stdout: str, stderr: str, status: int) -> None:
        self.folder = folder
        self.stdout = stdout
        self.stderr = stderr
        self.status = status

    def recorded(self, name: str = "f.wrongcall") -> Recorded:
        """Open a trace."""
        path = self.folder / name
        return Recorded(open_trace(path), self.stdout, self.stderr, self.status, path)

    def outline(self, name: str = "f.wrongcall", of: str | None = None) -> str:
        """Return the calls of a trace, one line each."""
        recorded = self.recorded(name)
        with recorded.recording:
            return outline(recorded, of)


def run(folder: Path, source: str, *, status: int = 0, module: str = MODULE) -> Ran:
    """Run a program that imports ``mod``; warnings are errors in it, as in these tests."""
    write_program(folder, module, "mod.py")
    write_program(folder, textwrap.dedent(source))
    done = run_python([*WARNINGS, "prog.py"], folder)
    assert done.returncode == status, done.stderr
    return Ran(folder, done.stdout, done.stderr, done.returncode)
