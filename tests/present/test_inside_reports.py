"""The inside of a finding in a report: values, histories and origins that the program had."""

from __future__ import annotations

import re
from dataclasses import replace

from tests.present.conftest import Record
from tests.present.screens.test_finding import FOUND
from wrongcall.present import question
from wrongcall.present.inside_reports import PlaceReport, place_reports
from wrongcall.present.lines import Line, text_of
from wrongcall.present.reports import SIZE, Report, as_html
from wrongcall.recording import Recording

PROGRAM = """
def add(prices, rate):
    total = 0
    for price in prices:
        total += price * rate
    prices.append("<script>alert(1)</script>")
    return total

add([1, 2, 3], 10)
"""


def reports(recording: Recording) -> dict[str, PlaceReport]:
    number = next(f.id for f in recording.program.functions.values() if f.name == "add")
    (call,) = recording.calls.of_functions({number})
    found = replace(FOUND, question=question(recording, call), statement=None)
    return {each.place: each for each in place_reports(recording, found, SIZE)}


def texts(lines: tuple[Line, ...]) -> list[str]:
    return [text_of(line).strip() for line in lines]


def test_places_have_values_histories_and_origins(record: Record) -> None:
    found = reports(record(PROGRAM).recording)
    assert list(found) == ["prices[3]", "result", "prices", "rate", "total", "price"]
    total = found["total"]
    assert texts(total.value)[0].split() == ["total", "=", "60"]
    assert texts(total.history)[0] == "total  4 values"
    assert [line.split()[0] for line in texts(total.history)[1:]] == ["0", "10", "30", "60"]
    assert any("total += price * rate" in line for line in texts(total.origin))
    assert any("rate = 10" in line for line in texts(total.origin))
    assert "60" in texts(found["result"].origin)[0]


def test_a_place_that_is_not_known_says_why(record: Record) -> None:
    recording = record(PROGRAM).recording
    number = next(f.id for f in recording.program.functions.values() if f.name == "add")
    (call,) = recording.calls.of_functions({number})
    asked = question(recording, call)
    gone = replace(asked.changed[0], place="nobody.here")
    found = replace(FOUND, question=replace(asked, changed=(gone,)), statement=None)
    first = place_reports(recording, found, SIZE)[0]
    assert first.place == "nobody.here"
    assert "nobody" in texts(first.value)[0]


def test_several_calls_have_no_inside(record: Record) -> None:
    assert place_reports(record(PROGRAM).recording, replace(FOUND, question=None), SIZE) == ()


def test_values_stay_text_in_the_page(record: Record) -> None:
    inside = tuple(reports(record(PROGRAM).recording).values())
    page = as_html(Report("prog.py", "3.13", "prog.wrongcall", 1, FOUND), inside)
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert re.findall(r"<summary><code>(.*?)</code>", page)[:2] == ["prices[3]", "result"]
    assert page.count("<details open>") == 1
