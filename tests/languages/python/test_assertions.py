"""What a statement checks."""

from __future__ import annotations

import pytest

from wrongcall.languages.python.python_file import PythonFile

SOURCE = """\
def test_it(self):
    assert total(a) == b
    assert not done
    assert x and y.z, "message"
    self.assertEqual(f(x), 3, "message")
    self.assertTrue(a < b)
    mock.assert_called_once_with(1)
    result = compute(x) + y
    with pytest.raises(ValueError):
        parse(text)
    assert (
        first ==
        second
    )
    await self.assertEqual(c, d)
    for each in several: check(each)
    return
"""


@pytest.mark.parametrize(
    "line, checked",
    [
        (2, ["total(a)", "b"]),
        (3, ["done"]),
        (4, ["x", "y.z"]),
        (5, ["f(x)", "3"]),
        (6, ["a", "b"]),
        (7, ["mock", "1"]),
        (8, ["compute(x) + y"]),
        (9, ["pytest.raises(ValueError)"]),
        (10, ["parse(text)"]),
        (11, ["first", "second"]),
        (13, ["first", "second"]),
        (15, ["c", "d"]),
        (16, ["check(each)"]),
        (17, []),
        (99, []),
    ],
)
def test_the_values_that_a_statement_checks(line: int, checked: list[str]) -> None:
    source = PythonFile(SOURCE)
    assert [source.text_of(node) for node in source.checked_at(line)] == checked


def test_source_that_can_not_be_parsed_checks_nothing() -> None:
    assert PythonFile("assert (").checked_at(1) == []
