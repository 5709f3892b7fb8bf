"""What can be rebuilt, and what is said of the rest."""

from __future__ import annotations

import pytest

from tests.oracles.reference.conftest import Judge, Why, all_right


def test_objects_are_made_without_running_their_constructors(judge: Judge) -> None:
    assert all_right(
        judge(
            """
            class Counted:
                made = 0

                def __init__(self, n):
                    Counted.made += 1
                    self.n = n

                def __new__(cls, n):
                    assert n > 0
                    return super().__new__(cls)

            def look(counted):
                return counted.n, Counted.made

            look(Counted(5))
            """
        )
    )


@pytest.mark.parametrize(
    "value, reason",
    [
        ("iter([1])", "a list_iterator can't be rebuilt"),
        ("zip([1])", "a zip"),
        ("'x' * 10_000_000", "only part of a value is known"),
    ],
)
def test_what_cannot_be_rebuilt_is_said(why: Why, value: str, reason: str) -> None:
    (text,) = why(
        f"""
        def look(value):
            return 1

        if __name__ == "__main__":
            look({value})
        """
    )["look"]
    assert text.startswith("don't know: ")
    assert reason in text
