"""An algorithmic and omniscient debugger: it records a run and finds the call that went wrong.

The parts, in the order in which data flows through them: `recorder` (inside the debugged program),
`trace` (the file), `tree` (the calls), `session` (questions and answers), `present` (what is
shown) and the interfaces. Imports point the other way only.
"""

TYPE_CHECKING = (
    False  # not imported: the package is loaded by every run of pytest where it is installed
)
if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager
    from os import PathLike
    from types import ModuleType
    from typing import Any

__version__ = "0.2.0"


def install(
    root: "str | PathLike[str] | None" = None,
    *,
    include: "Sequence[str]" = (),
    exclude: "Sequence[str]" = (),
) -> None:
    """Instrument the project's modules that are imported from now on, so that `record` can record them."""
    _imported("wrongcall.in_process.instrumenting").install(root, include, exclude)


def record(path: "str | PathLike[str]", *, force: bool = False) -> "AbstractContextManager[Any]":
    """Record a block of code of this process: ``with wrongcall.record("f.wrongcall"): ...``."""
    block: AbstractContextManager[Any] = _imported(
        "wrongcall.in_process.recorded_block"
    ).RecordedBlock(path, force=force)
    return block


def load_ipython_extension(shell: object) -> None:
    """Begin to instrument cells, and provide ``%%wrongcall``, for ``%load_ext wrongcall``."""
    _imported("wrongcall.notebook.extension").load(shell)


def unload_ipython_extension(shell: object) -> None:
    """Compile cells plainly again, for ``%unload_ext wrongcall``."""
    _imported("wrongcall.notebook.extension").unload(shell)


def breakpoint(*args: object, **named: object) -> None:
    """Open the recording so far, for ``PYTHONBREAKPOINT=wrongcall.breakpoint``."""
    _imported("wrongcall.at_breakpoint").open_recording()


def _imported(name: str) -> "ModuleType":
    # By name and only when it is called: every module imports this one, and interfaces are above all others.
    from importlib import import_module  # noqa: PLC0415

    return import_module(name)
