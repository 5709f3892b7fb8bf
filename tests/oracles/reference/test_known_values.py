"""Values of library types are made again and compared."""

from __future__ import annotations

import pytest

from tests.oracles.reference.conftest import Judge, all_right
from wrongcall.session import Verdict

SOURCE = """
    import datetime, decimal, fractions, pathlib, re, uuid

    def same(value):
        return [value]

    def now(value):
        return VALUE

    for value in (
        datetime.date(2024, 2, 29), datetime.datetime(2024, 2, 29, 1, 2, 3, 4),
        datetime.datetime(2024, 2, 29, tzinfo=datetime.timezone.utc), datetime.time(1, 2),
        datetime.timedelta(days=-1, seconds=5), decimal.Decimal("-1.50"),
        fractions.Fraction(1, 3), pathlib.Path("/a/b"), re.compile("a+", re.I),
        uuid.UUID(int=5),
    ):
        same(value)
    now(1)
    """


def test_values_of_libraries_are_rebuilt_and_compared(judge: Judge) -> None:
    assert all_right(judge(SOURCE.replace("VALUE", "None")))


@pytest.mark.parametrize(
    "one, other",
    [
        ("datetime.date(2024, 2, 29)", "datetime.date(2024, 2, 28)"),
        ("datetime.timedelta(days=1)", "datetime.timedelta(days=2)"),
        ("decimal.Decimal('1.0')", "decimal.Decimal('1.00')"),
        ("pathlib.Path('/a')", "pathlib.Path('/b')"),
        ("re.compile('a')", "re.compile('a', re.I)"),
    ],
)
def test_other_values_are_different(judge: Judge, one: str, other: str) -> None:
    assert judge(SOURCE.replace("VALUE", one), f"return {one}", f"return {other}")["now"] == [
        Verdict.WRONG
    ]
