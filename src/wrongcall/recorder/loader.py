"""Instruments the project's modules when they are imported.

``SourceFileLoader.get_code`` is replaced, so modules, specs and loaders are the very objects they
would be, in the program's eyes; only the code differs, and no cached bytecode is read or written
for instrumented files.
"""

from __future__ import annotations

import _frozen_importlib_external as external
import zipimport

from wrongcall.recorder.instrument import instrument
from wrongcall.recorder.selection import Selection

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType

IMPORT_SYSTEM = "<frozen importlib._bootstrap_external>"
PYTEST_REWRITER = "_pytest.assertion.rewrite"
PYTEST_PATCH = (
    b"\n__import__('wrongcall.recorder.pytest_rewrite', None, None, ['*']).patch(globals())\n"
)


def install(selection: Selection) -> None:
    """From now on selected modules are instrumented when they are loaded."""
    current.append(selection)
    for loader in (external.SourceFileLoader, zipimport.zipimporter):
        _replace_get_code(loader, selection)


def _replace_get_code(loader: type, selection: Selection) -> None:
    plain_get_code = loader.get_code  # type: ignore[attr-defined]

    # The interpreter leaves the frames of its import system out of tracebacks; this one is
    # made to count among them, by its name and its file.
    def _call_with_frames_removed(self, fullname):  # type: ignore[no-untyped-def]
        path = self.get_filename(fullname)
        if fullname == PYTEST_REWRITER:
            return compile(self.get_data(path) + PYTEST_PATCH, path, "exec", dont_inherit=True)
        if not path.endswith(".py") or not selection(fullname, path):
            return plain_get_code(self, fullname)
        source = self.get_data(path)
        plain: CodeType = compile(source, path, "exec", dont_inherit=True)
        return instrument(source, path, fullname, plain)

    function = _call_with_frames_removed
    function.__code__ = function.__code__.replace(co_filename=IMPORT_SYSTEM)
    loader.get_code = function  # type: ignore[attr-defined]


current: list[Selection] = []
