"""A finding on a screen."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.present.screens.models import ASKED, SOURCE
from wrongcall.cli.ansi import Painter
from wrongcall.present import columns
from wrongcall.present.findings import FindingView, Reason
from wrongcall.present.groups import Member
from wrongcall.present.lines import text_of
from wrongcall.present.screens.finding import finding_lines, reason_line
from wrongcall.present.screens.question import Size

FOUND = FindingView(
    calls=(8,), headline="The bug is in merge, or in a call that was not judged",
    function="merge", place="prog.py:4", question=ASKED, group=None,
    summary="It is wrong, and it made no calls.",
    reasons=(Reason(2, 8, "merge(left=[1], right=[2])", "-> [1, 2]", "wrong", "you said so"),),
    expected="[2, 1]", undecided=(Member(9, "f()", "-> 1"),), undecided_count=1,
    inadmissible=(), source=SOURCE, confirmed=False,
)  # fmt: skip


@pytest.mark.parametrize("width", [80, 40])
def test_a_finding_fits_the_width_and_has_all_parts(width: int) -> None:
    painter = Painter(width)
    shown = [painter.text(line) for line in finding_lines(FOUND, Size(width, 24))]
    head = " ".join(line.strip() for line in shown[: shown.index("")])
    assert (
        " ".join(head.split()) == "The bug is in merge, or in a call that was not judged prog.py:4"
    )
    assert "  expected  [2, 1]" in shown
    assert "It is wrong, and it made no calls." in shown
    assert any(line.startswith("  #8 merge(") for line in shown)
    assert any("This call is undecided" in line for line in shown)
    assert max(map(columns, shown)) <= width


LIBRARY = "/usr/local/lib/python3.13/site-packages/shop/orders/cart.py:120"


def headline(place: str, text: str, width: int = 80) -> list[str]:
    """Return what stands above the first empty line."""
    found = replace(FOUND, place=place, headline=text, undecided=())
    shown = [text_of(line) for line in finding_lines(found, Size(width, 24))]
    return shown[: shown.index("")]


@pytest.mark.parametrize(
    "place,expected",
    [
        ("cart.py:120", ["The bug is in Cart.total_with_discount  cart.py:120"]),
        (
            LIBRARY,
            ["The bug is in Cart.total_with_discount  …/site-packages/shop/orders/cart.py:120"],
        ),
    ],
)
def test_a_long_path_loses_its_front_and_keeps_file_and_line(
    place: str, expected: list[str]
) -> None:
    assert headline(place, "The bug is in Cart.total_with_discount") == expected


def test_a_place_that_does_not_fit_beside_the_headline_gets_its_own_line() -> None:
    shown = headline(LIBRARY, "The bug is in Cart.total_with_discount", 49)
    assert shown == [
        "The bug is in Cart.total_with_discount",
        "…/site-packages/shop/orders/cart.py:120",
    ]


@pytest.mark.parametrize("width", range(20, 90))
def test_the_line_number_is_always_shown(width: int) -> None:
    shown = headline(LIBRARY, "The bug is in Cart.total_with_discount", width)
    assert shown[-1].endswith("cart.py:120")
    assert max(map(columns, shown)) <= max(width, len("Cart.total_with_discount"))


def test_a_confirmed_finding_says_so() -> None:
    found = replace(FOUND, confirmed=True, undecided=())
    assert text_of(finding_lines(found, Size(80, 24))[0]).startswith(
        f"{FOUND.headline} (confirmed)"
    )


def test_several_undecided_calls_are_counted() -> None:
    found = replace(FOUND, undecided_count=1200)
    shown = " ".join(text_of(line) for line in finding_lines(found, Size(80, 24)))
    assert "These 1,200 calls are undecided; the bug may be there (press b to judge one):" in shown


def test_a_finding_without_a_known_call_shows_neither_call_nor_source() -> None:
    found = replace(FOUND, question=None, source=None, expected="", undecided=(), reasons=())
    shown = [text_of(line) for line in finding_lines(found, Size(80, 24))]
    assert shown[1:] == ["", "", "It is wrong, and it made no calls."]


def test_invalid_calls_are_listed() -> None:
    found = replace(FOUND, inadmissible=(Member(3, "f(x=-1)", "-> None"),))
    shown = [text_of(line) for line in finding_lines(found, Size(80, 24))]
    assert shown[shown.index("Invalid calls:") + 1] == "  #3 f(x=-1) -> None"


def test_many_reasons_are_folded() -> None:
    reasons = tuple(Reason(i, i, f"f{i}()", "-> 1", "right", "you") for i in range(20))
    shown = [text_of(line) for line in finding_lines(replace(FOUND, reasons=reasons), Size(80, 24))]
    assert [line for line in shown if "#0 f0()" in line]
    assert not [line for line in shown if "#19 f19()" in line]
    assert any("17 more" in line for line in shown)


@pytest.mark.parametrize(
    "verdict,style", [("right", "right"), ("wrong", "wrong"), ("this part is wrong: x", "wrong")]
)
def test_a_reason_is_coloured_by_its_verdict(verdict: str, style: str) -> None:
    line = reason_line(Reason(2, 8, "f()", "", verdict, "you"))
    assert line[-1] == (verdict, style)
    assert text_of(line) == f"#8 f(): {verdict}"
