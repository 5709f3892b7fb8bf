"""Compile cells with hooks, so that the functions they define can be recorded later; record a cell.

IPython compiles a cell statement by statement. Those that can define something are instrumented, each as a file of its
own with the source of the whole cell. The cell that is recorded is instrumented as a whole, so that it is one call. Its
last expression is bound to ``_``, where IPython puts its value, and then displayed.
"""

from __future__ import annotations

import ast
import inspect
import linecache
import sys
from pathlib import Path
from types import CodeType
from typing import Any

from wrongcall.errors import UsageError
from wrongcall.in_process.instrumenting import install
from wrongcall.in_process.recorded_block import RecordedBlock
from wrongcall.notebook.streams import recorded_streams

LAST_VALUE = "_"
_KINDS = (ast.Module, ast.Interactive)


class Cells:
    """Instruments the cells of a shell."""

    def __init__(self, shell: Any) -> None:
        install()
        self._shell = shell
        self._plain_class = type(shell.compile)
        shell.compile.__class__ = self._instrumenting_class()

    def _instrumenting_class(self) -> type:
        cells, plain_class = self, self._plain_class

        def compiled(self: Any, source: Any, filename: str, symbol: str, **more: Any) -> Any:
            plain = plain_class.__call__(self, source, filename, symbol, **more)
            return cells.instrumented(plain, source, filename)

        return type(plain_class.__name__, (plain_class,), {"__call__": compiled})

    @property
    def number(self) -> int:
        """The number of the cell that runs, as its prompt shows it."""
        return max(len(self._shell.user_ns.get("In", ())) - 1, 0)

    def remove(self) -> None:
        """Let the shell compile plainly again."""
        self._shell.compile.__class__ = self._plain_class

    def instrumented(self, plain: Any, source: Any, filename: str) -> Any:
        """Return the code of a cell, or of a part of it, with hooks; plain if nothing in it can be recorded."""
        if not isinstance(source, _KINDS) or not isinstance(plain, CodeType) or _is_plain(source):
            return plain
        if plain.co_flags & inspect.CO_COROUTINE:  # `await` outside of functions
            return plain
        from wrongcall.recorder.instrument import Made, instrument  # noqa: PLC0415 - after install
        from wrongcall.recorder.trees import copied  # noqa: PLC0415

        tree = copied(ast.Module(source.body, []))
        code = plain
        if isinstance(source, ast.Interactive):
            code = compile(tree, filename, "exec", plain.co_flags & FUTURES, dont_inherit=True)
        made = Made(code, None, tree, -1)
        made.text = "".join(linecache.getlines(filename))
        made.name = self._name(filename)
        return instrument(made, filename, self._shell.user_module.__name__)

    def _name(self, filename: str) -> str:
        """Return the name of a cell as tracebacks show it: ``In[3]``."""
        named = self._shell.compile.format_code_name(filename)
        return filename if named is None else str(named[1])

    def record(self, cell: str, path: Path) -> RecordedBlock:
        """Run a cell and record it; its errors are shown as those of any cell."""
        code, has_value = self._whole(cell)
        names = self._shell.user_ns
        earlier = names.get(LAST_VALUE)
        block = RecordedBlock(path)
        done = False
        try:
            with recorded_streams(), block:
                exec(code, names)
            done = True
        except BaseException:
            if not block.facts:
                raise  # it could not begin
            self._shell.showtraceback(tb_offset=2)
        if done and has_value:
            value, names[LAST_VALUE] = names[LAST_VALUE], earlier
            sys.displayhook(value)
        return block

    def _whole(self, cell: str) -> tuple[CodeType, bool]:
        """Return the code of a cell as one module, and whether it ends with a value to display."""
        shell = self._shell
        text = shell.transform_cell(cell)
        filename = shell.compile.cache(text, self.number, raw_code=cell)
        tree = shell.transform_ast(shell.compile.ast_parse(text, filename=filename))
        last = tree.body[-1] if tree.body else None
        has_value = isinstance(last, ast.Expr) and not text.rstrip().endswith(";")
        if isinstance(last, ast.Expr) and has_value:
            target = ast.copy_location(ast.Name(LAST_VALUE, ast.Store()), last)
            tree.body[-1] = ast.copy_location(ast.Assign([target], last.value), last)
        try:
            code: CodeType = shell.compile(tree, filename, "exec")
        except SyntaxError as error:
            raise UsageError(f"%%wrongcall can't record this cell: {error}") from error
        return code, has_value


FUTURES = 0x1FF0000  # the flags of a code object that `from __future__` sets


def _is_plain(tree: ast.Module | ast.Interactive) -> bool:
    """Return whether it is a single expression: its value is displayed, and it binds nothing."""
    return isinstance(tree, ast.Interactive) and all(isinstance(s, ast.Expr) for s in tree.body)
