"""beartype's import hook: it decorates what a package of the program defines."""

from __future__ import annotations

from beartype.claw import beartype_package
from beartype.roar import BeartypeCallHintViolation, BeartypeDoorHintViolation

beartype_package("checked_lib")

from checked_lib import sums  # noqa: E402


def attempt(function, *args):
    try:
        print(function.__name__, function(*args))
    except (BeartypeCallHintViolation, BeartypeDoorHintViolation) as error:
        print(function.__name__, "refused:", type(error).__name__)


attempt(sums.total, [1, 2, 3])
attempt(sums.total, ["a"])
attempt(sums.label, 3)
attempt(sums.label, -1)
attempt(lambda size: sums.Box(size).grow(2).size, 4)
attempt(sums.Box, "large")
print(list(sums.evens(7)))
