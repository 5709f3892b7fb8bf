"""Test modules under pytest: first its assertion rewriting, then our hooks.

pytest loads test modules with a loader of its own, which compiles a syntax tree whose assertions it has rewritten and
caches the result. `patch` is called at the end of the module that does this: it gives that module a ``compile`` that
instruments, and disables the cache.
"""

from __future__ import annotations

import _ast as ast

from wrongcall.recorder import _native
from wrongcall.recorder.instrument import Made, instrument
from wrongcall.recorder.loader import current
from wrongcall.recorder.trees import copied
from wrongcall.recorder.world import keep_builtins

keep_builtins(globals())

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType


def patch(namespace: dict[str, object]) -> None:
    """Make pytest's rewriting module produce instrumented code for the project's tests."""
    # Our modules can't be imported here; by this, the pytest plugin says in the trace which tests fail.
    _compile.mark = _native.meta  # type: ignore[attr-defined]
    namespace["compile"] = _compile
    namespace["_read_pyc"] = _nothing_cached
    namespace["_write_pyc"] = _nothing_cached


def _compile(tree: object, path: str, mode: str, **options: bool) -> CodeType:
    plain: CodeType = compile(tree, path, mode, **options)  # type: ignore[call-overload]
    module = path.rpartition("/")[2].removesuffix(".py")
    if not isinstance(tree, ast.Module) or not current or not current[0](module, path):
        return plain
    with open(path, "rb") as file:
        source = file.read()
    made = Made(plain, None, _native.apart(copied, tree), -1)
    made.text = source
    return instrument(made, path, module)


def _nothing_cached(*args: object, **options: object) -> None:
    return None
