"""Imports that may be lazy (from 3.15 on).

Whether an import is lazy, may be made lazy (``-X lazy_imports=all``, ``__lazy_modules__``) or is eager is a flag of its
instruction. The compiler allows ``lazy import`` only outside ``try``, and marks all imports inside of one as eager. The
body of a recorded module is inside a ``try``. So imports are compiled without ``lazy``, and their instructions get
the flags that they have in the plain code.
"""

from __future__ import annotations

import _ast as ast
from _collections_abc import Iterator

from wrongcall.recorder import _native
from wrongcall.recorder.world import keep_builtins

keep_builtins(globals())

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType

FLAGS = 3  # the lowest bits of the argument; the others say which name

Place = tuple[object, ...]  # the position in the source, and the name of the module


def eager(node: ast.Import | ast.ImportFrom) -> None:
    """Let the compiler accept this import anywhere."""
    if hasattr(node, "is_lazy"):
        node.is_lazy = 0


def with_flags_of(plain: CodeType, code: CodeType) -> CodeType:
    """Return the code of a module with its imports as lazy as in the plain code."""
    if _native.IMPORTS is None:
        return code
    flags = {place: flag for _, place, flag in _imports(plain)}
    text = bytearray(code.co_code)
    for at, place, flag in _imports(code):
        text[at + 1] += flags.get(place, flag) - flag
    return code.replace(co_code=bytes(text))


def _imports(code: CodeType) -> Iterator[tuple[int, Place, int]]:
    """Yield where the code imports, which place of the source that is, and the flags."""
    assert _native.IMPORTS is not None
    import_name, extended = _native.IMPORTS
    text, argument = code.co_code, 0
    for at, position in zip(range(0, len(text), 2), code.co_positions(), strict=True):
        argument = argument << 8 | text[at + 1]
        if text[at] == import_name:
            yield at, (*position, code.co_names[argument >> 2]), argument & FLAGS
        if text[at] != extended:
            argument = 0
