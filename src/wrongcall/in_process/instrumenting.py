"""Instrument the project's modules when they are imported, in a process that runs already.

Modules that were imported before stay as they are. Instrumented code that is not being recorded does what plain code
does; its hooks return at once.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from wrongcall.errors import RecorderError, UsageError

PROJECT_MARKS = ("pyproject.toml", "setup.cfg", ".git")

_roots: list[Path] = []
"""The root that modules are instrumented under; empty: not installed."""


def install(
    root: str | os.PathLike[str] | None = None,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
) -> None:
    """Instrument modules under a root (default: the project of the script or working folder) from now on."""
    chosen = Path(root).resolve() if root is not None else _default_root()
    if not chosen.is_dir():
        raise UsageError(f"can't instrument modules under {chosen}: there is no such folder")
    if _roots:
        _check_same(chosen, root is not None, include, exclude)
        return
    _install(chosen, list(include), list(exclude))
    _roots.append(chosen)


def installed_root() -> Path | None:
    """Return the root that modules are instrumented under, if they are."""
    return _roots[0] if _roots else None


def _check_same(root: Path, named: bool, include: Sequence[str], exclude: Sequence[str]) -> None:
    if include or exclude or (named and root != _roots[0]):
        raise UsageError(
            f"wrongcall.install() was called before, for {_roots[0]}; a process can have one selection of modules"
        )


def _default_root() -> Path:
    script = getattr(sys.modules.get("__main__"), "__file__", None)
    start = Path(script).resolve().parent if script else Path.cwd()
    marked = (f for f in (start, *start.parents) if any((f / m).exists() for m in PROJECT_MARKS))
    return next(marked, start)


def _install(root: Path, include: list[str], exclude: list[str]) -> None:
    # Here, not above: loading the native core replaces nothing, but it need not be there before it is used.
    try:
        from wrongcall.recorder import _native, loader, pytest_rewrite, sites  # noqa: PLC0415
        from wrongcall.recorder.selection import Selection  # noqa: PLC0415
    except ImportError as error:
        raise RecorderError(f"the recorder does not work in this interpreter: {error}") from error
    if _native.recording():
        raise UsageError("this process is being recorded already, by wrongcall record")
    if sys.version_info >= (3, 13):  # where frame.f_locals writes to variables
        _native.late_sites(sites.late_site)
    _native.prepare()
    loader.install(Selection(str(root), include, exclude), pytest_rewrite.patch)
