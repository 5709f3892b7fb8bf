"""Code that calls a library function where a guard would put too many C frames on the stack.

A guard (native/foreign/guard.c) calls from C, so every guarded call nested in another one takes C stack, where plain
``python`` takes none. Deeper than a few levels, native/foreign/trampoline.c therefore returns a function of the kind
made here, which the interpreter calls like any other, without a C frame. It takes exactly the arguments of the call
and passes them on. Its operators are C functions:

    -t      the callee; the call begins
    t ^ x   x was an argument (t | x: x holds arguments)
    t << r  the call returned r; gives r
    ~t      the call raised

A frame counts as not started until it reaches its RESUME instruction, and such frames are visible nowhere: neither in
``sys._getframe`` nor in tracebacks, trace functions or ``sys.monitoring``. This code has none.
"""

from __future__ import annotations

from wrongcall.recorder import _native
from wrongcall.recorder.world import keep_builtins

keep_builtins(globals())

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType, FunctionType

Shape = tuple[int, tuple[str, ...]]
"""How a call passes its arguments: the number of positional ones, and the names of the others."""

STARRED: Shape = (-1, ())
"""A call with ``*args`` or ``**kwargs``."""

_made: dict[Shape, FunctionType | CodeType | None] = {}


def trampoline(shape: Shape | None) -> FunctionType | CodeType | None:
    """Return the function for calls of this shape; its code for starred ones; None if there is none."""
    if shape is None or _native.TRAMPOLINES is None:
        return None
    if shape not in _made:
        _made[shape] = _starred() if shape == STARRED else _simple(*shape)
    return _made[shape]


def _simple(positional: int, keywords: tuple[str, ...]) -> FunctionType | None:
    if any(k.startswith("__") for k in keywords):
        return None  # may be mangled
    prefix = "_" if not any(k.startswith("_") for k in keywords) else "__"
    places = [f"{prefix}{i}" for i in range(positional)]
    t = prefix + "t"
    parameters = ", ".join([t, *places, "/", *(["*"] if keywords else []), *keywords])
    arguments = ", ".join([*places, *(f"{k}={k}" for k in keywords)])
    told = "; ".join([f"{t} ^ {x}" for x in (*places, *keywords)] or [t])
    function = _function(f"def shim({parameters}):\n{_body(t, prefix + 'r', arguments, told)}")
    function.__code__ = _hidden(function.__code__)
    return function


def _starred() -> CodeType:
    body = _body("t", "r", "*a, **k", "t | a; t | k")
    inner = "".join(f" {line}\n" for line in body.splitlines())
    outer = _function(f"def shim(t):\n def shim(*a, **k):\n{inner} return shim")
    code: CodeType = outer.__code__
    (found,) = (c for c in code.co_consts if isinstance(c, type(code)))
    return _hidden(found)


def _body(t: str, result: str, arguments: str, told: str) -> str:
    return (
        f" try:\n  {result} = (-{t})({arguments})\n"
        f" except:\n  {told}\n  ~{t}\n  raise\n"
        f" {told}\n return {t} << {result}\n"
    )


def _function(source: str) -> FunctionType:
    namespace: dict[str, FunctionType] = {}
    exec(compile(source, "<wrongcall>", "exec", dont_inherit=True), namespace)
    return namespace["shim"]


def _hidden(code: CodeType) -> CodeType:
    """Return the code without the instruction that makes a frame visible.

    From 3.15 on a cache follows it: code units of zeros, which must not be executed.
    """
    assert _native.TRAMPOLINES is not None
    resume, nop = _native.TRAMPOLINES
    instructions = bytearray(code.co_code)
    hidden = False
    for at in range(0, len(instructions), 2):
        hidden = instructions[at] == resume or (hidden and instructions[at] == 0)
        if hidden:
            instructions[at : at + 2] = bytes([nop, 0])
    return _native.unmonitored(code.replace(co_code=bytes(instructions)))
