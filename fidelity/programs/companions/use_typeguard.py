"""typeguard's import hook: it rewrites a package of the program before it is compiled."""

from __future__ import annotations

from typeguard import TypeCheckError, install_import_hook

install_import_hook("checked_lib")

from checked_lib import sums  # noqa: E402


def attempt(function, *args):
    try:
        print(function.__name__, function(*args))
    except TypeCheckError as error:
        print(function.__name__, "refused:", error)


attempt(sums.total, [1, 2, 3])
attempt(sums.total, ["a"])
attempt(sums.label, 3)
attempt(sums.label, -1)
attempt(lambda size: sums.Box(size).grow(2).size, 4)
attempt(sums.Box, "large")
print(list(sums.evens(7)))
