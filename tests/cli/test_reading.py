"""The commands that read a trace, on the merge sort of the JHyde paper."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.paper import EXAMPLE, Run, line_of, shown

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
def test_each_mistake_gets_one_line_with_the_valid_choices(
    run: Run, paper: str, mistake: str
) -> None:
    (command, *rest), text = MISTAKES[mistake]
    status, out, err = run(command, paper, *rest)
    assert (status, out) == (2, "")
    assert text in err
    assert err.count("\n") == 1


def test_a_file_that_is_not_a_trace_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("hello")
    for name, text in (("text", "not a trace"), ("missing", "no such file")):
        status, out, err = run("info", str(tmp_path / name))
        assert (status, out) == (3, "")
        assert text in err


SHAPES = {
    "info": (["info"], []),
    "tree": (["tree"], ["calls"]),
    "show": (["show", "8"], []),
    "show --at": (["show", "8", "--at", "TIME"], []),
    "events": (["events", "8"], ["events"]),
    "history": (["history", "8", "c[2]"], ["versions"]),
    "origin": (["origin", "8", "c[2]"], ["links"]),
    "print": (["print", f"paper_mergesort.py:{line_of('c[lb] = a[la]')}", "a[la]"], ["rows"]),
    "eval": (["eval", "TIME", "1 + 1"], ["answers"]),
    "find": (["find", "value == 9"], ["matches"]),
    "export": (["export", "--parquet", "FOLDER"], ["files"]),
}


@pytest.mark.parametrize("name", SHAPES)
def test_the_shape_of_json_is_documented(run: Run, paper: str, name: str, tmp_path: Path) -> None:
    (command, *rest), lists = SHAPES[name]
    if command == "export":
        pytest.importorskip("pyarrow", reason="run by tools/run_tests.py, which has it")
    rest = [str(tmp_path) if word == "FOLDER" else word for word in rest]
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
