"""``wrongcall print``."""

from __future__ import annotations

import csv
import json

from tests.cli.paper import Run, line_of, shown

LINE = line_of("c[lb] = a[la]")


def test_print_shows_expressions_at_every_execution(run: Run, paper: str) -> None:
    lines = shown(run, "print", paper, f"paper_mergesort.py:{LINE}", "la", "lb", "a[la]")
    assert lines[0].endswith("c[lb] = a[la]")
    assert lines[2].split() == ["call", "round", "time", "la", "lb", "a[la]"]
    assert len(lines) > 3


def test_print_has_the_same_rows_as_json_and_csv(run: Run, paper: str) -> None:
    place = f"paper_mergesort.py:{LINE}"
    data = json.loads("\n".join(shown(run, "print", paper, place, "la", "a[la]", "--json")))
    rows = list(csv.DictReader(shown(run, "print", paper, place, "la", "a[la]", "--csv")))
    assert data["line"] == LINE
    assert data["executions"] == len(rows) == len(data["rows"])
    assert [r["a[la]"] for r in rows] == [r["answers"][1]["value"] for r in data["rows"]]
    assert [int(r["time"]) for r in rows] == [r["time"] for r in data["rows"]]


def test_a_condition_and_limits_choose_rows(run: Run, paper: str) -> None:
    place = f"paper_mergesort.py:{LINE}"

    def values(*options: str) -> list[str]:
        lines = shown(run, "print", paper, place, "a[la]", "--csv", *options)
        return [row["a[la]"] for row in csv.DictReader(lines)]

    every = values()
    assert values("--where", "a[la] > 4") == [v for v in every if int(v) > 4]
    assert values("--first", "1") == every[:1]
    assert values("--last", "1") == every[-1:]


def test_wrong_arguments_are_explained(run: Run, paper: str) -> None:
    status, _, err = run(
        "print", paper, f"paper_mergesort.py:{LINE}", "x", "--first", "1", "--last", "1"
    )
    assert (status, err) == (2, "wrongcall: use --first or --last, not both\n")
    status, _, err = run("print", paper, "elsewhere.py:3", "x")
    assert status == 2
    assert "no recorded file is called 'elsewhere.py'" in err
    status, _, err = run("print", paper, f"paper_mergesort.py:{LINE}", "x = 1")
    assert status == 2
    assert "is not an expression" in err
