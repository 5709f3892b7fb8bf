"""Tell the native core which plain code object each instrumented one stands for.

Both were compiled from the same file, so their functions have the same names and first lines, and those that share both
(lambdas on one line) come in the same order.
"""

from __future__ import annotations

from wrongcall.recorder import _native
from wrongcall.recorder.world import keep_builtins

keep_builtins(globals())

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType
else:
    CodeType = type((lambda: None).__code__)


def pair(instrumented: CodeType, plain: CodeType) -> None:
    """Pair two code objects, and the functions and classes in them.

    A function without a certain counterpart shows its instrumented code.
    """
    _native.pair(instrumented, plain)
    known = _by_place(plain)
    for place, codes in _by_place(instrumented).items():
        originals = known.get(place, [])
        if len(originals) == 1:  # the compiler keeps only one of several equal ones
            originals = originals * len(codes)
        if len(originals) == len(codes):
            for code, original in zip(codes, originals, strict=True):
                pair(code, original)


def _by_place(code: CodeType) -> dict[tuple[str, int], list[CodeType]]:
    found: dict[tuple[str, int], list[CodeType]] = {}
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            place = constant.co_qualname, constant.co_firstlineno
            found.setdefault(place, []).append(constant)
    return found
