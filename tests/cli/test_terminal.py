"""While a program has the terminal, wrongcall writes nothing to it.

Nobody can know where the cursor is, whether half of an escape sequence has been written, or whether somebody
is reading: C code and children write to the terminal, too. So every byte on the terminal is the program's until it
has ended. Each program here waits for keys, longer than the patience of any message.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

import pytest

import wrongcall.recording
from tests.cli.ask.talking import Terminal
from tests.recorder.bothways import SUMMARY, write_files
from wrongcall.cli.run import HINT

LONG = 2.6
"""Seconds that each program waits for its first key: long enough for a message about a long run."""


@dataclass(frozen=True)
class Talk:
    """A program, and what is typed when it has written what."""

    program: str
    keys: tuple[tuple[str, str], ...]


TALKS = {
    "input": Talk(
        "name = input('name? ')\nprint('hello', name)\n",
        (("name? ", "Ann\n"),),
    ),
    "a prompt without a newline": Talk(
        """
        import os, sys
        sys.stdout.write("one line\\nmore? ")
        sys.stdout.flush()
        print(os.read(0, 100))
        """,
        (("more? ", "yes\n"),),
    ),
    "bytes below sys.stdout": Talk(
        """
        import os
        os.write(1, b"half of an escape sequence \\x1b[")
        os.read(0, 100)
        os.write(1, b"1mbold\\x1b[0m, half of a letter: \\xc3")
        os.read(0, 100)
        os.write(1, b"\\xa4\\n")
        """,
        (("sequence ", "x\n"), ("letter: ", "y\n")),
    ),
    "standard error": Talk(
        """
        import sys
        sys.stderr.write("working ... ")
        sys.stderr.flush()
        sys.stdin.readline()
        sys.stderr.write("done\\n")
        """,
        (("working ... ", "\n"),),
    ),
    "getpass": Talk(
        "import getpass\nprint(len(getpass.getpass('secret: ')))\n",
        (("secret: ", "hush\n"),),
    ),
    "pdb": Talk(
        "import pdb\nx = 1\npdb.set_trace()\nx += 1\nprint(x)\n",
        (("(Pdb) ", "p x\n"), ("(Pdb) ", "n\n"), ("(Pdb) ", "c\n")),
    ),
    "curses": Talk(
        """
        import curses
        def main(screen):
            screen.addstr(3, 5, "press a key")
            screen.refresh()
            screen.getch()
            screen.addstr(4, 5, "thanks")
            screen.refresh()
            screen.getch()
        curses.wrapper(main)
        """,
        (("press a key", "k"), ("thanks", "k")),
    ),
    "a child": Talk(
        """
        import subprocess
        subprocess.run(["sh", "-c", "printf 'child? '; read x; echo got $x"])
        """,
        (("child? ", "it\n"),),
    ),
    "silence": Talk(
        "import sys\nsys.stdin.readline()\n",
        (("", "\n"),),
    ),
}  # fmt: skip

STARTS = {
    "plain": (),
    "record": ("-m", "wrongcall", "record", "-o", "recorded.wrongcall"),
    "run": ("-m", "wrongcall", "run"),
}


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[tuple[str, str], str]]:
    """Return what each talk left on the terminal, with each start; all of them wait at once."""
    with ExitStack() as stack:
        screens = {}
        for name, talk in TALKS.items():
            folder = tmp_path_factory.mktemp("terminal")
            write_files(folder, talk.program)
            for start, module in STARTS.items():
                started = closing(Terminal(folder, "prog.py", module=module))
                screens[name, start] = stack.enter_context(started)
        for (name, _), screen in screens.items():
            screen.expect(TALKS[name].keys[0][0])
        time.sleep(LONG)
        yield {which: _talked(screens[which], *which) for which in screens}


def _talked(screen: Terminal, name: str, start: str) -> str:
    """Type; return all that was written when the program has ended."""
    for number, (prompt, keys) in enumerate(TALKS[name].keys):
        if number:
            screen.expect(prompt)
        screen.send(keys)
    if start == "run":
        screen.expect("? for help")
        screen.send("q")
    screen.end()
    return screen.raw


@pytest.mark.parametrize("name", TALKS)
def test_record_writes_only_after_the_program_has_ended(
    shown: dict[tuple[str, str], str], name: str
) -> None:
    plain, recorded = shown[name, "plain"], shown[name, "record"]
    assert recorded.startswith(plain)
    assert SUMMARY.fullmatch(recorded.removeprefix(plain).replace("\r\n", "\n"))


@pytest.mark.parametrize("name", TALKS)
def test_run_writes_before_and_after_the_program_only(
    shown: dict[tuple[str, str], str], name: str
) -> None:
    plain, ran = shown[name, "plain"], shown[name, "run"]
    assert ran.startswith(f"{HINT}\r\n{plain}wrongcall: recorded in prog.wrongcall\r\n")


def test_program_whose_output_is_held_has_no_terminal(tmp_path: Path) -> None:
    program = """
        import getpass
        def double(x):
            return x + x
        double(1)
        try:
            open("/dev/tty", "w").write("among the questions")
        except OSError as error:
            print("there is", error.strerror.lower())
        try:
            getpass.getpass()
        except EOFError:
            print("and nobody to ask")
    """
    write_files(tmp_path, program)
    with closing(Terminal(tmp_path, "run", "--live", "prog.py")) as screen:
        screen.expect("? for help")
        while _is_running(tmp_path):  # what it has printed is shown before the next question
            time.sleep(0.01)
        screen.send("d")
        screen.expect("? for help")
    assert "| there is no such device or address" in screen.text
    assert "Password: and nobody to ask" in screen.text
    assert "among the questions" not in screen.text


def _is_running(folder: Path) -> bool:
    with wrongcall.recording.open(folder / "prog.wrongcall") as recording:
        return recording.ended is None
