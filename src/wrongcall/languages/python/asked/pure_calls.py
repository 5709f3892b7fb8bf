"""The builtin functions and types that an expression can use: those that change nothing and ask nobody else.

Each function takes the budget first. What iterates takes its elements from the budget, so that it counts them.
"""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable, Iterable
from typing import Any

from wrongcall.errors import NotKnownError
from wrongcall.events import Layout
from wrongcall.languages.python.asked.budget import Budget, check_bits, check_size
from wrongcall.languages.python.asked.operators import Named, check_width
from wrongcall.languages.python.asked.recorded import Recorded, plain
from wrongcall.languages.python.asked.set_order import (
    Unordered,
    check_ranking,
    check_sum,
    check_text,
    is_unordered,
    ordered,
)

Function = Callable[..., Any]
_MISSING = object()


class Pure(Named):
    """A builtin function, as a value in an expression."""

    def __init__(self, name: str, function: Function, budget: Budget) -> None:
        self.name = name
        self._function = function
        self._budget = budget

    @property
    def type(self) -> type | None:
        """The builtin type that it is; None for a function."""
        found = getattr(builtins, self.name, None)
        return found if isinstance(found, type) else None

    def __call__(self, *args: Any, **named: Any) -> Any:
        return self._function(self._budget, *args, **named)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, TypeOf):
            return other == self
        return isinstance(other, Pure) and other.name == self.name

    def __hash__(self) -> int:
        return hash(("builtins", self.name))

    def __repr__(self) -> str:
        return f"<class {self.name!r}>" if self.type else f"<built-in function {self.name}>"


class TypeOf(Named):
    """The type of a value, of which the name is known."""

    def __init__(self, module: str, qualname: str) -> None:
        self.module = module
        self.qualname = qualname

    def _key(self, other: object) -> tuple[str, str] | None:
        if isinstance(other, TypeOf):
            return other.module, other.qualname
        if isinstance(other, Pure) and other.type is not None:
            return "builtins", other.name
        if isinstance(other, Recorded) and other.layout == Layout.CLASS:
            raise NotKnownError("types of the program are compared by name: type(x).__name__")
        return None

    def __eq__(self, other: object) -> bool:
        return self._key(self) == self._key(other)

    def __hash__(self) -> int:
        return hash((self.module, self.qualname))

    def __repr__(self) -> str:
        name = self.qualname if self.module == "builtins" else f"{self.module}.{self.qualname}"
        return f"<class {name!r}>"


# -- elements ----------------------------------------------------------------------------------------


def elements(budget: Budget, values: object) -> list[Any]:
    """Return values as a list, in any order if they have none."""
    return list(budget.elements(plain(values, "iteration")))


def in_order(budget: Budget, values: object) -> Iterable[Any]:
    """Return values to iterate over, where their order matters."""
    return budget.elements(ordered(values))


def _len(budget: Budget, value: Any) -> int:
    return len(value if isinstance(value, Recorded) else plain(value, "len()"))


def _sum(budget: Budget, values: Any, start: Any = 0) -> Any:
    opened = plain(values, "iteration")
    found = elements(budget, opened)
    check_sum(opened, found)
    if any(isinstance(plain(each, "+"), list | tuple) for each in found[:1]):
        check_size(sum(len(each) for each in found))
    return sum(found, plain(start, "sum()"))


def _sorted(budget: Budget, values: Any, *, key: Any = None, reverse: Any = False) -> list[Any]:
    opened = plain(values, "iteration")
    found = elements(budget, opened)
    check_ranking(opened, found, key is not None)
    return sorted(found, key=key, reverse=bool(reverse))


def _extreme(choose: Function) -> Function:
    def extreme(budget: Budget, *args: Any, key: Any = None, default: Any = _MISSING) -> Any:
        opened = plain(args[0], "iteration") if len(args) == 1 else args
        found = elements(budget, opened)
        check_ranking(opened, found, key is not None)
        if default is not _MISSING and not found:
            return default
        return choose(found, key=key)

    return extreme


def _any(budget: Budget, values: Any) -> bool:
    return _quantified(budget, values, any)


def _all(budget: Budget, values: Any) -> bool:
    return _quantified(budget, values, all)


def _quantified(budget: Budget, values: Any, how: Function) -> bool:
    opened = plain(values, "iteration")
    if not is_unordered(opened):
        return bool(how(budget.elements(opened)))
    try:  # Whether an element is reached that raises depends on the order: take all of them.
        truths = [bool(each) for each in budget.elements(opened)]
    except (ArithmeticError, LookupError, TypeError, ValueError, AttributeError) as exc:
        raise NotKnownError(f"this may depend on the order of a set: {exc}") from exc
    return bool(how(truths))


def _reversed(budget: Budget, values: Any) -> Any:
    found = plain(values, "reversed()")
    budget.spend(len(found) if hasattr(found, "__len__") else 1)
    return reversed(found)


def _enumerate(budget: Budget, values: Any, start: Any = 0) -> Any:
    return enumerate(in_order(budget, values), plain(start, "enumerate()"))


def _zip(budget: Budget, *values: Any, strict: Any = False) -> Any:
    return zip(*(iter(in_order(budget, each)) for each in values), strict=bool(strict))


def _map(budget: Budget, function: Any, *values: Any) -> Any:
    _check_callable(function)
    return map(function, *(in_order(budget, each) for each in values))


def _filter(budget: Budget, function: Any, values: Any) -> Any:
    if function is not None:
        _check_callable(function)
    return filter(function, in_order(budget, values))


def _check_callable(function: object) -> None:
    if isinstance(function, Recorded):
        raise NotKnownError("functions of the program do not run")


def _next(budget: Budget, values: Any, default: Any = _MISSING) -> Any:
    if isinstance(values, Unordered):
        ordered(values)
    if isinstance(values, Recorded):
        raise NotKnownError("next() would change the iterator; it does not run")
    found = next(values, default)
    if found is _MISSING:
        raise ValueError("next() of an iterator that has ended")
    return found


def _range(budget: Budget, *args: Any) -> range:
    return range(*(plain(each, "range()") for each in args))


# -- making values -----------------------------------------------------------------------------------


def _list(budget: Budget, values: Any = ()) -> list[Any]:
    return list(in_order(budget, values))


def _tuple(budget: Budget, values: Any = ()) -> tuple[Any, ...]:
    return tuple(in_order(budget, values))


def _set(budget: Budget, values: Any = ()) -> set[Any]:
    return set(elements(budget, values))


def _frozenset(budget: Budget, values: Any = ()) -> frozenset[Any]:
    return frozenset(elements(budget, values))


def _dict(budget: Budget, values: Any = (), **named: Any) -> dict[Any, Any]:
    opened = plain(values, "dict()")
    if isinstance(opened, dict):
        return {**opened, **named}
    found: dict[Any, Any] = {}
    for number, pair in enumerate(in_order(budget, opened)):
        parts = list(in_order(budget, pair))
        if len(parts) != 2:
            what = f"dictionary update sequence element #{number} has length {len(parts)}"
            raise ValueError(f"{what}; 2 is required")
        found[parts[0]] = parts[1]
    return {**found, **named}


def _int(budget: Budget, value: Any = 0, base: Any = _MISSING) -> int:
    given = plain(value, "int()")
    if isinstance(given, str | bytes):
        check_size(len(given))
    return int(given) if base is _MISSING else int(given, plain(base, "int()"))


def _float(budget: Budget, value: Any = 0.0) -> float:
    return float(plain(value, "float()"))


def _complex(budget: Budget, *args: Any) -> complex:
    return complex(*(plain(each, "complex()") for each in args))


def _bool(budget: Budget, value: Any = False) -> bool:
    return bool(value)


def _bytes(budget: Budget, value: Any = b"", *rest: Any) -> bytes:
    given = plain(value, "bytes()")
    if isinstance(given, int):
        check_size(given)
    elif not isinstance(given, str | bytes | bytearray):
        given = list(in_order(budget, given))
    return bytes(given, *rest)


def text_of(value: Any) -> str:
    """Return the text of a value, as str() does."""
    check_text(value)
    return str(value)


def _str(budget: Budget, value: Any = "", *rest: Any) -> str:
    if rest:
        return str(plain(value, "str()"), *rest)
    return text_of(value)


def _repr(budget: Budget, value: Any) -> str:
    check_text(value)
    return repr(value)


def _ascii(budget: Budget, value: Any) -> str:
    check_text(value)
    return ascii(value)


def formatted(value: Any, spec: str) -> str:
    """Return a value as a format writes it."""
    check_text(value)
    check_width(spec)
    return format(value, spec)


def _format(budget: Budget, value: Any, spec: Any = "") -> str:
    return formatted(value, plain(spec, "format()"))


# -- numbers -----------------------------------------------------------------------------------------


def _round(budget: Budget, number: Any, ndigits: Any = None) -> Any:
    number, ndigits = plain(number, "round()"), plain(ndigits, "round()")
    if isinstance(number, int) and isinstance(ndigits, int):
        check_bits(-4 * ndigits)  # it computes with this power of ten
    return round(number, ndigits)


def _pow(budget: Budget, base: Any, exponent: Any, modulus: Any = None) -> Any:
    one, other, third = (plain(each, "pow()") for each in (base, exponent, modulus))
    if isinstance(one, int) and isinstance(other, int):
        bits = one.bit_length() * abs(other) if third is None else other.bit_length()
        check_bits(bits if abs(one) > 1 else 0)
    return pow(one, other, third)


def _on_plain(function: Function, name: str) -> Function:
    def call(budget: Budget, *args: Any, **named: Any) -> Any:
        given = {key: plain(each, name) for key, each in named.items()}
        return function(*(plain(each, name) for each in args), **given)

    return call


# -- types -------------------------------------------------------------------------------------------

_LAYOUTS: dict[Layout, type] = {
    Layout.LIST: list,
    Layout.TUPLE: tuple,
    Layout.DICT: dict,
    Layout.SET: set,
    Layout.FROZENSET: frozenset,
    Layout.BYTEARRAY: bytearray,
    Layout.RANGE: range,
    Layout.SLICE: slice,
}


def _type(budget: Budget, value: Any) -> TypeOf:
    if isinstance(value, Recorded):
        if not value.oid:
            value.plain("type()")
        return TypeOf(value.module, value.qualname)
    return TypeOf(type(value).__module__, type(value).__qualname__)


def _isinstance(budget: Budget, value: Any, kinds: Any) -> bool:
    if isinstance(kinds, tuple):
        return any(_isinstance(budget, value, kind) for kind in kinds)
    if isinstance(kinds, Pure) and kinds.type is not None:
        return is_builtin(value, kinds.type)
    if isinstance(kinds, Recorded) and kinds.layout == Layout.CLASS:
        raise NotKnownError("which classes a class of the program derives from is not recorded")
    raise TypeError("isinstance() arg 2 must be a type or a tuple of types")


def is_builtin(value: Any, kind: type) -> bool:
    """Return whether a value is of a builtin type, or of one that derives from it."""
    if not isinstance(value, Recorded):
        return isinstance(value, kind)
    if value.layout in _LAYOUTS:
        return issubclass(_LAYOUTS[value.layout], kind)
    if value.layout == Layout.SCALAR:
        return isinstance(value.attribute("__value__"), kind)
    if value.layout == Layout.EXCEPTION and value.module == "builtins":
        return issubclass(getattr(builtins, value.qualname), kind)
    if value.layout == Layout.OPAQUE:
        value.plain("isinstance()")
    if issubclass(kind, BaseException) or kind is type:
        raise NotKnownError("which classes a class of the program derives from is not recorded")
    return kind is object


_PLAIN = (abs, ascii, bin, chr, divmod, hex, oct, ord, slice)
_EXCEPTIONS = tuple(
    name
    for name, found in vars(builtins).items()
    if isinstance(found, type) and issubclass(found, BaseException)
)


def _no_exception(budget: Budget, *args: Any) -> Any:
    raise NotKnownError("exceptions are not made, only compared: isinstance(e, KeyError)")


FUNCTIONS: dict[str, Function] = {
    **{function.__name__: _on_plain(function, f"{function.__name__}()") for function in _PLAIN},
    **dict.fromkeys(_EXCEPTIONS, _no_exception),
    "all": _all,
    "any": _any,
    "ascii": _ascii,
    "bool": _bool,
    "bytes": _bytes,
    "complex": _complex,
    "dict": _dict,
    "enumerate": _enumerate,
    "filter": _filter,
    "float": _float,
    "format": _format,
    "frozenset": _frozenset,
    "int": _int,
    "isinstance": _isinstance,
    "len": _len,
    "list": _list,
    "map": _map,
    "max": _extreme(max),
    "min": _extreme(min),
    "next": _next,
    "pow": _pow,
    "round": _round,
    "range": _range,
    "repr": _repr,
    "reversed": _reversed,
    "set": _set,
    "sorted": _sorted,
    "str": _str,
    "sum": _sum,
    "tuple": _tuple,
    "type": _type,
    "zip": _zip,
}
"""The builtins that can be called, by name."""

MATH = frozenset(
    {
        *("acos", "asin", "atan", "atan2", "cbrt", "ceil", "copysign", "cos", "cosh", "degrees"),
        *("dist", "exp", "exp2", "expm1", "fabs", "floor", "fmod", "frexp", "gcd", "hypot"),
        *("isclose", "isfinite", "isinf", "isnan", "isqrt", "lcm", "ldexp", "log", "log10"),
        *("log1p", "log2", "modf", "radians", "remainder", "sin", "sinh", "sqrt", "tan", "tanh"),
        *("trunc", "ulp", "prod", "fsum"),
    }
)
"""The functions of `math` that can be called, where the program has imported it."""
MATH_CONSTANTS = {name: getattr(math, name) for name in ("e", "inf", "nan", "pi", "tau")}


def math_function(name: str) -> Function:
    """Return a function of `math`."""
    function = getattr(math, name)

    def call(budget: Budget, *args: Any, **named: Any) -> Any:
        given = [plain(each, f"math.{name}()") for each in args]
        more = {key: plain(each, f"math.{name}()") for key, each in named.items()}
        if name in ("prod", "fsum", "dist"):
            given = [list(in_order(budget, each)) for each in given]
        if name == "prod" and given:
            factors = [each for each in given[0] if isinstance(each, int) and abs(each) > 1]
            check_bits(sum(each.bit_length() for each in factors))
        return function(*given, **more)

    return call
