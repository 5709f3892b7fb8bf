"""Which interpreters are refused, and what is said about them."""

from __future__ import annotations

import pytest

from wrongcall.errors import RecorderError
from wrongcall.interpreters.supported import NEWEST, OLDEST, check

NEWER = (NEWEST[0], NEWEST[1] + 1, 0)


@pytest.mark.parametrize("version", [(*OLDEST, 0), (3, 13, 2), (*NEWEST, 9)])
def test_known_versions_are_accepted(version: tuple[int, ...]) -> None:
    check("CPython", version, "it", free_threaded=False, untested=False)


@pytest.mark.parametrize(
    "name, version, free_threaded, message",
    [
        ("PyPy", (3, 11, 9), False, "it is not supported; use CPython 3.11 or newer"),
        ("CPython", (3, 10, 13), False, "it is too old; use CPython 3.11 or newer"),
        ("CPython", (2, 7, 18), False, "it is too old; use CPython 3.11 or newer"),
        ("CPython", (3, 13, 0), True, "it is free-threaded, which is not supported; use the default build"),
    ],
)  # fmt: skip
def test_others_are_refused(
    name: str, version: tuple[int, ...], free_threaded: bool, message: str
) -> None:
    for untested in (False, True):
        with pytest.raises(RecorderError) as raised:
            check(name, version, "it", free_threaded=free_threaded, untested=untested)
        assert str(raised.value) == message


def test_newer_versions_are_refused_unless_the_user_insists() -> None:
    with pytest.raises(RecorderError, match=r"newer than .* to try it anyway: --untested-python"):
        check("CPython", NEWER, "it", free_threaded=False, untested=False)
    check("CPython", NEWER, "it", free_threaded=False, untested=True)
