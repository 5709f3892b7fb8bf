"""The native core of the recorder; see native/recorder.h."""

from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any, TypeVar

_T = TypeVar("_T")

KINDS: dict[str, int]
TAGS: dict[str, int]
LAYOUTS: dict[str, int]
TRAMPOLINES: tuple[int, int] | None  # the opcodes of RESUME and NOP, if this version can have them
IMPORTS: (
    tuple[int, int] | None
)  # the opcodes of IMPORT_NAME and EXTENDED_ARG, if imports can be lazy
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

def site(kind: str, site: int, name: str | None = None, /) -> object:
    """What ``h[site] = value`` or ``del h[site]`` tells."""

def function(
    id: int,
    entry_site: int,
    first_param: int,
    return_site: int,
    is_generator: bool,
    is_namespace: bool,
    is_module: bool,
    implicit: bool,
    called: bool,
    free_names: tuple[str, ...],
    lines: dict[int, int],
    /,
) -> tuple[object, Callable[..., object]]:
    """Return the marker of a function's code and the hook that begins a call of it."""

def pair(instrumented: CodeType, plain: CodeType, /) -> None:
    """Show the program this plain code for a function that has the instrumented code."""

def join(folder: str, number: int, /) -> None:
    """Say that this process is one of several that are recorded, with its number; before `start`."""

def child_command(function: Callable[..., object], /) -> None:
    """Ask this function for the command by which a process is recorded: see `child_command.recorded`."""

def prepare() -> None:
    """Let instrumented code run before recording begins, and recording begin more than once."""

def start(fd: int, drain: int = 0, /) -> None:
    """Record into the ring behind this descriptor, which ``drain`` (0: the parent) reads; close the descriptor."""

def recording() -> bool:
    """Return whether anything is recorded now."""

def printed(stream: int, text: str, /) -> None:
    """Record what is written to an object that stands for stdout (0) or stderr (1)."""

def stop() -> None:
    """Stop recording."""

def withdraw() -> None:
    """Cancel the recording: the program could not begin."""

def meta(json: str, more: bytes = b"", /) -> None:
    """Describe an instrumented file; hand over an entry of the code cache with it."""

def late_sites(function: Callable[[tuple[int, str, int]], int], /) -> None:
    """Register the function that makes a site for a variable while the program runs."""

def run(what: CodeType | Callable[..., object], /, *args: object) -> int:
    """Run the program with no frame below it; return 1 if it ended with an exception, which was printed."""

def first_path(folder: str | None, /) -> None:
    """Let the interpreter believe that it put this folder first on ``sys.path``."""

def unmonitored(code: CodeType, /) -> CodeType:
    """Note that no tool watches this code, which has no RESUME instruction, and return it."""

def fail_allocation(n: int, /) -> None:
    """Make the recorder's allocations fail from the n-th on (for tests)."""

def apart(function: Callable[..., _T], /, *args: object) -> _T:
    """Call a function in a thread with a large stack and no recursion limit."""

def compile(source: object, path: str, flags: int, optimize: int, /) -> Any:
    """The builtin `compile`, without warnings, whatever the program's recursion limit is."""

def private_file(path: str, /) -> bytes | None:
    """Return what is in a file that belongs to the user alone, if there is one."""

def marshal(value: object, /) -> bytes:
    """Return the bytes of a value, as the module marshal does."""

def unmarshal(data: bytes, /) -> Any:
    """Return the value that these bytes stand for."""

def realpath(path: str, /) -> str:
    """Return a path with links resolved by the system."""

def intercept(
    function: object,
    begin: Callable[..., object],
    noted: Callable[..., None],
    finish: Callable[..., object],
    executed: Callable[..., object],
    /,
) -> Callable[..., object] | None:
    """Watch a loader's `get_code`, see native/load/watch_loaders.c; return its replacement, if one is needed."""

def known_objects() -> int:
    """Return how many live objects the recorder knows."""
