"""What commands show: plain in a pipe, coloured on a terminal."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys

import pytest

from tests.cli.paper import Run, shown


def test_lines_fit_a_pipe(run: Run, paper: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert max(map(len, shown(run, "tree", paper, "--depth", "9"))) <= 80
    heading, *lines = shown(run, "events", paper, "8")
    assert heading.endswith("lc=0)")  # whole
    assert max(map(len, lines)) <= 80
    lines = shown(run, "show", paper, "8")
    assert "lc=0)" in " ".join(lines)
    assert max(map(len, lines)) <= 80
    assert "…" in "".join(shown(run, "tree", paper, "--function", "merge"))
    monkeypatch.setenv("COLUMNS", "300")
    assert "…" not in "".join(shown(run, "tree", paper, "--function", "merge"))


def test_colours_are_used_on_a_terminal_only(paper: str) -> None:
    command = [sys.executable, "-m", "wrongcall", "history", paper, "8", "c[2]"]
    plain = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
    assert "\x1b" not in plain
    leader, follower = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color"}
    environment.pop("NO_COLOR", None)
    with subprocess.Popen(command, stdout=follower, env=environment) as process:
        os.close(follower)
        shown = b""
        while True:
            try:
                part = os.read(leader, 65536)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            shown += part
        assert process.wait(60) == 0
    os.close(leader)
    text = shown.decode()
    assert "\x1b[" in text
    bare = re.sub(r"\x1b\[[0-9;]*m", "", text).replace("\r\n", "\n")
    assert [line.rstrip() for line in bare.splitlines()] == plain.splitlines()


def test_a_closed_pipe_is_not_an_error(paper: str) -> None:
    command = [sys.executable, "-m", "wrongcall", "events", paper, "3"]
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, timeout=60, check=False)
    os.close(writing)
    assert done.stderr == b""
