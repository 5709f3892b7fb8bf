"""Which interpreters can be recorded.

The native core knows how CPython keeps its objects, from 3.11 to `NEWEST`. A newer version may have changed that, so it
is refused unless the user insists.
"""

from __future__ import annotations

from wrongcall.errors import RecorderError

OLDEST, NEWEST = (3, 11), (3, 15)


def check(
    name: str, version: tuple[int, ...], text: str, *, free_threaded: bool, untested: bool
) -> None:
    """Raise an error if an interpreter can't be recorded; ``text`` says which one it is."""
    if name != "CPython":
        raise RecorderError(f"{text} is not supported; use CPython {_dotted(OLDEST)} or newer")
    if version[:2] < OLDEST:
        raise RecorderError(f"{text} is too old; use CPython {_dotted(OLDEST)} or newer")
    if free_threaded:
        raise RecorderError(
            f"{text} is free-threaded, which is not supported; use the default build"
        )
    if version[:2] > NEWEST and not untested:
        raise RecorderError(
            f"{text} is newer than {_dotted(NEWEST)}, the newest version that wrongcall is tested with;"
            " to try it anyway: --untested-python"
        )


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))
