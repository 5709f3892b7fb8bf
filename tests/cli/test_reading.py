"""The commands that read a trace, on the merge sort of the JHyde paper."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from wrongcall.cli.main import main

EXAMPLE = Path(__file__).parents[2] / "examples" / "paper_mergesort.py"
Run = Callable[..., tuple[int, str, str]]


def line_of(text: str, nth: int = 0) -> int:
    lines = EXAMPLE.read_text().splitlines()
    return [i for i, line in enumerate(lines, 1) if line.strip() == text][nth]


@pytest.fixture(scope="module")
def paper(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Record the example once."""
    path = tmp_path_factory.mktemp("paper") / "paper.wrongcall"
    command = [sys.executable, "-m", "wrongcall", "record", "-o", str(path), str(EXAMPLE)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "[1, 4, 9, 7]\n"
    return str(path)


@pytest.fixture
def run(capfd: Any, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command: exit status, standard output, standard error."""
    monkeypatch.delenv("COLUMNS", raising=False)

    def run(*args: str) -> tuple[int, str, str]:
        status = main(list(args))
        return (status, *capfd.readouterr())

    return run


def shown(run: Run, *args: str) -> list[str]:
    """What a command that succeeds shows, line by line."""
    status, out, err = run(*args)
    assert (status, err) == (0, "")
    assert all(line.isprintable() for line in out.splitlines())
    return out.splitlines()


def test_info(run: Run, paper: str) -> None:
    lines = shown(run, "info", paper)
    assert lines[0].endswith("paper_mergesort.py")
    assert "calls    8 of 4 functions" in lines
    data = json.loads("\n".join(shown(run, "info", paper, "--json")))
    assert (data["calls"], data["functions"], data["ended"], data["status"]) == (8, 4, "exit", 0)
    assert data["files"][0]["path"] == str(EXAMPLE)


def test_info_of_many_files(run: Run, tmp_path: Path) -> None:
    for i in range(20):
        (tmp_path / f"part{i}.py").write_text("x = 1\n")
    program = tmp_path / "prog.py"
    program.write_text("".join(f"import part{i}\n" for i in range(20)))
    trace = str(tmp_path / "prog.wrongcall")
    command = [sys.executable, "-m", "wrongcall", "record", "-o", trace, str(program)]
    subprocess.run(command, check=True, timeout=60, capture_output=True)
    lines = shown(run, "info", trace)
    assert sum(line.startswith("file ") for line in lines) == 12
    assert lines[-1].strip() == "and 9 more files (--json lists all)"
    assert len(json.loads("\n".join(shown(run, "info", trace, "--json")))["files"]) == 21


def test_tree(run: Run, paper: str) -> None:
    lines = shown(run, "tree", paper, "--depth", "4")
    # main calls sort; sort calls distribute, merge, merge, distribute, merge.
    calls = re.findall(r"#\d+ (?:<module )?(\w+)", "\n".join(lines))
    assert calls == [
        "__main__", "main", "sort", "distribute", "merge", "merge", "distribute", "merge",
    ]  # fmt: skip
    assert shown(run, "tree", paper)[-1].strip() == "… 5 more"
    merges = shown(run, "tree", paper, "--function", "merge")
    assert len(merges) == 3
    assert merges[-1].startswith("#8 merge(a=[4, 9, 0, 0], la=0, ra=2, b=[1, 7, 0, 0]")
    below = shown(run, "tree", paper, "--call", "3", "--depth", "1")
    assert below[0].startswith("#3 sort(a=[4, 9, 1, 7]) -> None")
    data = json.loads("\n".join(shown(run, "tree", paper, "--call", "3", "--depth", "2", "--json")))
    children = data["calls"][0]["children"]
    assert [child["function"] for child in children] == [
        "distribute", "merge", "merge", "distribute", "merge",
    ]  # fmt: skip
    assert data["calls"][0]["more"] == 0


def test_the_effect_of_the_last_merge(run: Run, paper: str) -> None:
    lines = shown(run, "show", paper, "8")
    begin = lines.index("  changed   c[0]: 4 -> 1")
    assert [line.strip() for line in lines[begin + 1 : begin + 3]] == [
        "c[1]: 9 -> 4",
        "c[2]: 1 -> 9",
    ]
    own = lines.index("  variables la: 0 -> 2")
    assert [line.strip() for line in lines[own + 1 : own + 3]] == ["lb: 0 -> 3", "lc: 0 -> 3"]
    wrong = next(line for line in lines if "c[lb] = a[la]" in line)
    assert wrong.startswith(f"{line_of('c[lb] = a[la]'):5} · ")
    assert wrong.endswith("# c[2] = 9")
    data = json.loads("\n".join(shown(run, "show", paper, "8", "--json")))
    assert [line["place"] for line in data["changed"]] == ["c[0]", "c[1]", "c[2]"]
    assert data["title"].startswith("merge(a=[4, 9, 0, 0], la=0, ra=2")


def test_the_history_of_c2(run: Run, paper: str) -> None:
    lines = shown(run, "history", paper, "8", "c[2]")
    assert lines[0] == "c[2]  4 values"
    values = [re.split(r"\s{2,}", line.strip())[0].split()[1] for line in lines[1:]]
    assert values == ["1", "1", "7", "9"]
    assert f"line {line_of('c[lb] = a[la]')}" in lines[-1]
    assert lines[-1].endswith("c[lb] = a[la]")
    data = json.loads("\n".join(shown(run, "history", paper, "8", "c[2]", "--json")))
    assert [(v["value"], v["function"]) for v in data["versions"]] == [
        ("1", "main"), ("1", "merge"), ("7", "merge"), ("9", "merge"),
    ]  # fmt: skip


def test_the_origin_of_the_nine(run: Run, paper: str) -> None:
    lines = shown(run, "origin", paper, "8", "c[2]")
    assert lines[0] == "c[2] = 9"
    assert f"line {line_of('c[lb] = a[la]')}" in lines[1]
    assert "written in the source as 9 at line" in lines[-1]
    data = json.loads("\n".join(shown(run, "origin", paper, "8", "c[2]", "--json")))
    assert data["end"] == "literal"
    assert data["made_at"] == line_of("a = [4, 9, 1, 7]")


def test_events_and_the_state_at_a_time(run: Run, paper: str) -> None:
    data = json.loads("\n".join(shown(run, "events", paper, "8", "--json")))
    (wrong,) = [e for e in data["events"] if (e["place"], e["value"]) == ("c[2]", "9")]
    assert wrong["line"] == line_of("c[lb] = a[la]")
    lines = shown(run, "show", paper, "8", "--at", str(wrong["time"]))
    assert "lb = 2" in [line.strip() for line in lines]
    assert any(re.match(rf" *{wrong['line']} > ", line) for line in lines)
    before = shown(run, "show", paper, "8", "--at", str(wrong["time"] - 1))
    assert any(line.strip() == "c = [1, 4, 7, 7]" for line in before)
    told = shown(run, "events", paper, "8")
    assert any("c[2] = 9" in line for line in told)
    assert any(line.endswith("is false") for line in told)


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


def test_values_that_do_not_fit_beside_a_line_follow_it(
    run: Run, paper: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def values() -> list[str]:
        noted = (line.partition("  # ")[2] for line in shown(run, "show", paper, "8"))
        return [value for text in noted if text for value in re.split(r", (?=\w+ =)", text)]

    narrow = values()
    monkeypatch.setenv("COLUMNS", "300")
    assert values() == narrow
    assert "lc = 0" in narrow


MISTAKES = {
    "no such call": (["show", "99"], "there is no call 99: the trace has calls 1 to 8"),
    "call zero": (["events", "0"], "there is no call 0"),
    "no number": (["show", "merge"], "invalid number value: 'merge'"),
    "time too late": (["show", "8", "--at", "9999"], "call 8 has no time 9999: it ran from"),
    "time too early": (["history", "8", "c", "--at", "0"], "call 8 has no time 0"),
    "no variable": (["history", "8", "d"], "has no variable 'd'"),
    "no index": (["origin", "8", "c[7]"], "c is a list with 4 elements: there is no index 7"),
    "no place": (["origin", "8", "c + 1"], "'c + 1' is not a place"),
    "no function": (
        ["tree", "--function", "merg"],
        "no function named 'merg': there are distribute, main, merge, sort",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistake_gets_one_line_that_says_what_there_is(run: Run, paper: str, mistake: str) -> None:
    (command, *rest), text = MISTAKES[mistake]
    status, out, err = run(command, paper, *rest)
    assert (status, out) == (2, "")
    assert text in err
    assert err.count("\n") == 1


def test_what_is_no_trace_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("hello")
    for name, text in (("text", "not a trace"), ("missing", "no such file")):
        status, out, err = run("info", str(tmp_path / name))
        assert (status, out) == (3, "")
        assert text in err


def test_colours_on_a_terminal_only(paper: str) -> None:
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


def test_a_reader_that_goes_away_is_no_error(paper: str) -> None:
    command = [sys.executable, "-m", "wrongcall", "events", paper, "3"]
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, timeout=60, check=False)
    os.close(writing)
    assert done.stderr == b""


SHAPES = {
    "info": (["info"], []),
    "tree": (["tree"], ["calls"]),
    "show": (["show", "8"], []),
    "show --at": (["show", "8", "--at", "TIME"], []),
    "events": (["events", "8"], ["events"]),
    "history": (["history", "8", "c[2]"], ["versions"]),
    "origin": (["origin", "8", "c[2]"], ["links"]),
}


@pytest.mark.parametrize("name", SHAPES)
def test_the_shape_of_json_is_documented(run: Run, paper: str, name: str) -> None:
    (command, *rest), lists = SHAPES[name]
    page = (EXAMPLE.parents[1] / "docs" / "reference" / "json.md").read_text()
    (row,) = [line for line in page.splitlines() if line.startswith(f"| `{name}` |")]
    documented = set(re.findall(r"`(\w+)`", row.split("|")[2]))
    if "TIME" in rest:
        history = json.loads("\n".join(shown(run, "history", paper, "8", "c[2]", "--json")))
        rest[rest.index("TIME")] = str(history["versions"][-1]["time"])
    data = json.loads("\n".join(shown(run, command, paper, *rest, "--json")))
    members = set(data)
    for part in lists:
        members |= set(data[part][0])
    assert members <= documented
    for member in documented - members:
        # What is left are members of members.
        assert f'"{member}"' in json.dumps(data) or data.get("operands") == []
