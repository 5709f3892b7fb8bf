"""Make room for a new trace without losing an older one.

An older trace is set *aside* under a name of its own (``prog.1.wrongcall``). What happens to it is decided when the
program has begun: it is removed if it may be replaced, kept if it is *precious*, and put back if there is no new trace
after all. So a program that cannot be started costs no trace, and neither does a recorder that is killed.

Invariants: a trace is not set aside while it is being recorded or debugged. A file that is not a trace is replaced only
with force, and anything but a regular file never.
"""

from __future__ import annotations

import itertools
import os
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from wrongcall.errors import TraceError
from wrongcall.trace.file.beside import INDEX, LOG, SUFFIXES, beside, is_ours
from wrongcall.trace.file.lock import DebuggerLock, busy, is_recorded
from wrongcall.trace.format import schema


def nothing_is_precious(path: Path) -> bool:
    """Allow every older trace to be replaced."""
    return False


class Earlier:
    """The older trace at the path of a new one."""

    def __init__(self, path: Path, aside: Path | None = None, *, precious: bool = False) -> None:
        self.path = path
        self.aside = aside
        """Where it is now; None if there was nothing, or it is gone."""
        self.is_precious = precious

    def forget(self) -> None:
        """Remove the older trace, unless it is precious: there is a new one."""
        if self.aside is None or self.is_precious:
            return
        for suffix in ("", LOG):
            with suppress(FileNotFoundError):
                _tried(beside(self.aside, suffix), Path.unlink)
        self.aside = None

    def restore(self) -> None:
        """Put the older trace back: there is no new one."""
        if self.aside is not None:
            _move(self.aside, self.path)
            self.aside = None


def set_aside(
    path: Path,
    *,
    force: bool = False,
    precious: Callable[[Path], bool] = nothing_is_precious,
) -> Earlier:
    """Make room for a new trace."""
    is_trace = check_room(path, force=force)
    keep = is_trace and not force and precious(path)
    _clear(path, keep_log=is_trace)
    if not os.path.lexists(path):
        return Earlier(path)
    if not path.stat().st_size:
        _tried(path, Path.unlink)
        return Earlier(path)
    aside = _free_name(path)
    _move(path, aside)
    return Earlier(path, aside, precious=keep)


def check_room(path: Path, *, force: bool = False) -> bool:
    """Refuse to replace what must not be replaced; return whether there is an older trace."""
    if not path.parent.is_dir():
        raise TraceError(f"{path}: there is no folder {path.parent}")
    is_trace = os.path.lexists(path) and _check_replaceable(path, force)
    for suffix in SUFFIXES:
        file = beside(path, suffix)
        ours = suffix in (LOG, INDEX) and is_ours(path, suffix)
        if os.path.lexists(file) and not ours and not (force and _is_regular(file)):
            raise TraceError(f"{file}: is in the way, and wrongcall did not write it; move it away")
    return is_trace


def _check_replaceable(path: Path, force: bool) -> bool:
    """Refuse to replace what must not be replaced; return whether it is a trace."""
    refusal = f"{path}: exists and is not a trace; remove it or choose another name"
    if not path.is_file():
        raise TraceError(refusal)
    DebuggerLock(path).release()
    descriptor = schema.open_regular(path)
    try:
        if is_recorded(descriptor):
            raise busy(path)
    finally:
        os.close(descriptor)
    is_trace = schema.format_version(path) is not None
    if path.stat().st_size and not is_trace and not force:
        raise TraceError(refusal)
    return is_trace


def _clear(path: Path, *, keep_log: bool) -> None:
    """Remove what SQLite left beside a trace; the log of a trace that is set aside moves with it."""
    for suffix in SUFFIXES:
        file = beside(path, suffix)
        if os.path.lexists(file) and not (keep_log and suffix == LOG and is_ours(path, LOG)):
            _tried(file, Path.unlink)


def _is_regular(file: Path) -> bool:
    """Return whether a file is a regular file, not a link to one."""
    return stat.S_ISREG(os.lstat(file).st_mode)


def _free_name(path: Path) -> Path:
    for number in itertools.count(1):
        name = path.with_name(f"{path.stem}.{number}{path.suffix}")
        if not any(os.path.lexists(beside(name, suffix)) for suffix in ("", *SUFFIXES)):
            return name
    raise AssertionError("numbers do not end")


def _move(path: Path, target: Path) -> None:
    """Move a trace with its log."""
    if os.path.lexists(beside(path, LOG)):
        _tried(beside(path, LOG), lambda log: log.rename(beside(target, LOG)))
    _tried(path, lambda trace: trace.rename(target))


def _tried(path: Path, act: Callable[[Path], object]) -> None:
    try:
        act(path)
    except FileNotFoundError:
        raise
    except OSError as exc:
        raise TraceError(f"{path}: cannot be replaced: {exc.strerror}") from exc
