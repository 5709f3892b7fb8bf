"""``wrongcall eval``."""

from __future__ import annotations

import json

from tests.cli.paper import Run, line_of, shown

LINE = line_of("c[lb] = a[la]")


def time(run: Run, paper: str) -> str:
    data = json.loads(
        "\n".join(
            shown(run, "print", paper, f"paper_mergesort.py:{LINE}", "la", "--json", "--last", "1")
        )
    )
    return str(data["rows"][0]["state"])


def test_eval_shows_expressions_with_the_variables_of_the_running_call(
    run: Run, paper: str
) -> None:
    lines = shown(run, "eval", paper, time(run, paper), "a[la]", "c", "nothing.x", "c.sort()")
    assert lines[0].startswith("#")
    assert f"at time {time(run, paper)}" in lines[0]
    assert lines[1].startswith("  a[la] = ")
    assert lines[2].startswith("  c = [")
    assert lines[3] == "  nothing.x: NameError: name 'nothing' is not defined here"
    assert lines[4].startswith("  c.sort(): not known: list.sort is not among the methods")


def test_eval_has_json(run: Run, paper: str) -> None:
    data = json.loads("\n".join(shown(run, "eval", paper, time(run, paper), "a[la]", "--json")))
    assert data["time"] == int(time(run, paper))
    (answer,) = data["answers"]
    assert answer["expression"] == "a[la]"
    assert answer["value"].lstrip("-").isdigit()


def test_another_call_can_be_named(run: Run, paper: str) -> None:
    lines = shown(run, "eval", paper, time(run, paper), "1 + 1", "--call", "1")
    assert lines[0].startswith("#1 ")
    assert lines[1] == "  1 + 1 = 2"


def test_a_time_that_is_not_there_is_refused(run: Run, paper: str) -> None:
    status, _, err = run("eval", paper, "999999", "1")
    assert status == 2
    assert "there is no time 999999" in err
