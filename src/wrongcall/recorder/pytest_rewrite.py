"""Test modules under pytest: first its assertion rewriting, then our hooks.

pytest loads test modules with a loader of its own, which compiles a syntax tree whose assertions it has rewritten and
caches the result. `patch` is called at the end of the module that does this: it gives that module a ``compile`` that
instruments, and disables the cache. pytest makes the hook that loads test modules when it is configured; that is also
when the plugin is registered that marks tests in the trace (`pytest_marks`).
"""

from __future__ import annotations

import _ast as ast

from wrongcall.recorder import _native
from wrongcall.recorder.instrument import Made, instrument
from wrongcall.recorder.loader import current
from wrongcall.recorder.pytest_marks import register
from wrongcall.recorder.trees import copied
from wrongcall.recorder.world import keep_builtins

keep_builtins(globals())

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType
    from typing import Any


def patch(namespace: dict[str, object]) -> None:
    """Make pytest's rewriting module produce instrumented code for the project's tests."""
    # Our modules can't be imported by the program: by this, an installed pytest plugin knows that it is recorded.
    _compile.register = register  # type: ignore[attr-defined]
    namespace["compile"] = _compile
    namespace["_read_pyc"] = _nothing_cached
    namespace["_write_pyc"] = _nothing_cached
    hook: Any = namespace.get("AssertionRewritingHook")
    if hook is not None:
        hook.__init__ = _registering(hook.__init__)


def _registering(make: Callable[..., None]) -> Callable[..., None]:
    def __init__(hook: object, config: object, *others: object, **options: object) -> None:
        make(hook, config, *others, **options)
        register(config)

    return __init__


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
