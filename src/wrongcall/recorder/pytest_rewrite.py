"""Test modules under pytest: first its assertion rewriting, then our hooks.

pytest loads test modules with a loader of its own, which compiles a syntax tree whose assertions it
has rewritten and keeps the result in a cache. `patch` is called at the end of the module that does this:
it gives that module a ``compile`` that instruments, and takes the cache away.
"""

from __future__ import annotations

import _ast as ast
import os

from wrongcall.recorder.instrument import instrument_tree
from wrongcall.recorder.loader import current

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType


def patch(namespace: dict[str, object]) -> None:
    """Make pytest's rewriting module produce instrumented code for the project's tests."""
    namespace["compile"] = _compile
    namespace["_read_pyc"] = _nothing_cached
    namespace["_write_pyc"] = _nothing_cached


def _compile(tree: object, path: str, mode: str, **options: bool) -> CodeType:
    plain: CodeType = compile(tree, path, mode, **options)  # type: ignore[call-overload]
    module = os.path.splitext(os.path.basename(path))[0]
    if not isinstance(tree, ast.Module) or not current or not current[0](module, path):
        return plain
    with open(path, "rb") as file:
        source = file.read()
    return instrument_tree(tree, plain, source, path, module)


def _nothing_cached(*args: object, **options: object) -> None:
    return None
