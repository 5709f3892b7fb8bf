"""The native core of the recorder; see native/recorder.h."""

from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any, TypeVar

_T = TypeVar("_T")

KINDS: dict[str, int]
TAGS: dict[str, int]
LAYOUTS: dict[str, int]
TRAMPOLINES: tuple[int, int] | None  # the opcodes of RESUME and NOP, if this version can have them
PASSINGS: dict[str, int]

def hook(
    kind: str,
    site: int,
    name: str | None = None,
    names: tuple[str, ...] | None = None,
    trampoline: FunctionType | CodeType | None = None,
    /,
) -> Callable[..., object]:
    """What instrumented code calls at a site."""

def function(
    id: int,
    entry_site: int,
    first_param: int,
    is_generator: bool,
    is_namespace: bool,
    is_module: bool,
    implicit: bool,
    free_names: tuple[str, ...],
    lines: dict[int, int],
    /,
) -> tuple[object, Callable[..., object]]:
    """Return the marker of a function's code and the hook that begins a call of it."""

def pair(instrumented: CodeType, plain: CodeType, /) -> None:
    """Show the program this plain code for a function that has the instrumented code."""

def start(fd: int, /) -> None:
    """Record into the ring behind this descriptor, and close the descriptor."""

def stop() -> None:
    """Stop recording."""

def withdraw() -> None:
    """Cancel the recording: the program could not begin."""

def meta(json: str, /) -> None:
    """Describe an instrumented file."""

def late_sites(function: Callable[[tuple[int, str, int]], int], /) -> None:
    """Register the function that makes a site for a variable while the program runs."""

def run(what: CodeType | Callable[..., object], /, *args: object) -> int:
    """Run the program with no frame below it; return 1 if it ended with an exception, which was printed."""

def fail_allocation(n: int, /) -> None:
    """Make the recorder's allocations fail from the n-th on (for tests)."""

def apart(function: Callable[..., _T], /, *args: object) -> _T:
    """Call a function in a thread with a large stack and no recursion limit."""

def compile(source: object, path: str, flags: int, optimize: int, /) -> Any:
    """The builtin `compile`, without warnings, whatever the program's recursion limit is."""

def realpath(path: str, /) -> str:
    """Return a path with links resolved by the system."""

def intercept(
    function: object,
    begin: Callable[..., object],
    noted: Callable[..., None],
    finish: Callable[..., object],
    /,
) -> Callable[..., object] | None:
    """Watch a loader's `get_code`, see native/load/watch_loaders.c; return its replacement, if one is needed."""

def known_objects() -> int:
    """Return how many live objects the recorder knows."""
