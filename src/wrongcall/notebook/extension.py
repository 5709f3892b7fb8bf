"""The magics of the extension: ``%%wrongcall`` records a cell and asks about it, ``%wrongcall last`` goes on."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path
from typing import Any, NoReturn

from wrongcall.errors import UsageError, WrongcallError
from wrongcall.notebook.asking import Asking
from wrongcall.notebook.cells import Cells
from wrongcall.notebook.page import Page

MAGIC = "wrongcall"
FOLDER = Path(".wrongcall", "notebooks")
USAGE = "usage: %%wrongcall [--web] [-o FILE] above a cell, or %wrongcall [--web] last"

_loaded: dict[int, Extension] = {}
"""By the identity of their shells."""


class Extension:
    """What ``%load_ext wrongcall`` adds to a shell."""

    def __init__(self, shell: Any) -> None:
        self._shell = shell
        self.cells = Cells(shell)
        self._last: Path | None = None
        self._asking: Asking | None = None
        self._page: Page | None = None
        shell.register_magic_function(self.magic, "line_cell", MAGIC)

    def magic(self, line: str, cell: str | None = None) -> object:
        """Record the cell, or continue with the last one; return what to display."""
        from IPython.core.error import UsageError as ShownInOneLine  # noqa: PLC0415 - there is a shell

        try:
            return self._done(_parsed(line), cell)
        except WrongcallError as error:
            raise ShownInOneLine(str(error)) from error

    def _done(self, options: argparse.Namespace, cell: str | None) -> object:
        if (cell is None) != (options.what == "last"):
            raise UsageError(USAGE)
        self.release()
        if cell is not None:
            name = f"In-{self.cells.number}.wrongcall"
            self._last = Path(options.output or FOLDER / name).absolute()
            self._last.parent.mkdir(parents=True, exist_ok=True)
            self.cells.record(cell, self._last)
        if self._last is None:
            raise UsageError("no cell has been recorded yet; begin one with %%wrongcall")
        return self._opened(self._last, web=options.web)

    def _opened(self, trace: Path, *, web: bool) -> object:
        if web:
            self._page = Page(trace)
            return self._page
        try:
            from wrongcall.notebook.widget import QuestionWidget  # noqa: PLC0415 - not needed with --web
        except ImportError as error:
            raise UsageError(
                f"questions below cells need anywidget ({error}); try: pip install 'wrongcall[notebook]', or "
                f"%wrongcall --web last"
            ) from error
        self._asking = Asking(trace)
        return QuestionWidget(self._asking)

    def release(self) -> None:
        """End what is open: one debugger at a time can use a trace."""
        if self._asking is not None:
            self._asking.close()
        if self._page is not None:
            self._page.close()
        self._asking = self._page = None


def load(shell: Any) -> None:
    """Add the extension to a shell."""
    if id(shell) not in _loaded:
        _loaded[id(shell)] = Extension(shell)


def unload(shell: Any) -> None:
    """Remove the extension: cells are compiled plainly again."""
    found = _loaded.pop(id(shell), None)
    if found is not None:
        found.release()
        found.cells.remove()
        for kind in ("line", "cell"):
            shell.magics_manager.magics[kind].pop(MAGIC, None)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}; {USAGE}")


def _parsed(line: str) -> argparse.Namespace:
    parser = _Parser(prog="%%wrongcall", add_help=False, allow_abbrev=False)
    parser.add_argument("--web", action="store_true")
    parser.add_argument("-o", "--output")
    parser.add_argument("what", nargs="?", choices=["last"])
    return parser.parse_args(shlex.split(line))
