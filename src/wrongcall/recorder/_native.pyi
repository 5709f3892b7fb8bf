"""The native core of the recorder: see native/recorder.h."""

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
    """The marker of a function's code and the hook that begins a call of it."""

def pair(instrumented: CodeType, plain: CodeType, /) -> None:
    """Make the plain code what the program sees of a function with the instrumented code."""

def start(fd: int, /) -> None:
    """Record into the ring behind this descriptor, which is closed."""

def stop() -> None:
    """End the recording."""

def withdraw() -> None:
    """Nothing is recorded after all: the program could not begin."""

def meta(json: str, /) -> None:
    """Describe an instrumented file."""

def late_sites(function: Callable[[tuple[int, str, int]], int], /) -> None:
    """Use this to make a site for a variable, while the program runs."""

def run(what: CodeType | Callable[..., object], /, *args: object) -> int:
    """Run the program with no frame below it; 1 if it ended by an exception, which was printed."""

def fail_allocation(n: int, /) -> None:
    """Let the recorder find no memory from its n-th allocation on (for tests)."""

def apart(function: Callable[..., _T], /, *args: object) -> _T:
    """Call a function in a thread with a large stack and no limit of recursion."""

def compile(source: object, path: str, flags: int, optimize: int, /) -> Any:
    """The builtin, without warnings, whatever the program's limit of recursion is."""

def realpath(path: str, /) -> str:
    """A path without links, as the system knows it."""

def intercept(
    function: object,
    begin: Callable[..., object],
    noted: Callable[..., None],
    finish: Callable[..., object],
    /,
) -> Callable[..., object] | None:
    """Have a loader's `get_code` watched: see native/load/watch_loaders.c. What takes its place, if need be."""

def known_objects() -> int:
    """How many live objects the recorder knows."""
