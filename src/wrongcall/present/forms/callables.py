"""Forms of what can be called and is no function of Python: methods, builtins, partials, properties."""

from __future__ import annotations

from collections.abc import Iterable

from wrongcall.events import Layout
from wrongcall.present.forms.form import Form, Sight, few, is_type, type_name, word
from wrongcall.recording import UNSET, Ref, Value
from wrongcall.replay.heap import Peek

_BUILTINS = frozenset({"builtin_function_or_method", "builtin_method", "method-wrapper"})
_DESCRIPTORS = {
    "method_descriptor": "method",
    "classmethod_descriptor": "method",
    "wrapper_descriptor": "slot wrapper",
    "getset_descriptor": "attribute",
    "member_descriptor": "member",
}
_WRAPPERS = {"staticmethod": "__func__", "classmethod": "__func__", "property": "fget"}
_OPERATORS = frozenset({"itemgetter", "attrgetter", "methodcaller"})


def name_of(value: Value, sight: Sight) -> str:
    """Return the name of a function, class or other callable; its type if it has none."""
    if not isinstance(value, Ref):
        return "?"
    peek = sight.peek(value.oid)
    for attribute in ("__qualname__", "__name__"):
        if isinstance(name := peek.attr(attribute), str):
            return word(name)
    return type_name(peek)


def bound_method(peek: Peek, sight: Sight) -> Form | None:
    """Write a bound method with its object: ``<bound method Cart.add of Cart(items=[])>``."""
    if peek.layout != Layout.METHOD:
        return None
    name = name_of(peek.attr("__func__"), sight)
    return Form(f"<bound method {name} of ", ">", [("", peek.attr("__self__"))], 1)


def builtin(peek: Peek, sight: Sight) -> Form | None:
    """Write a function or method of C, bound or not, by its name."""
    kind, name = peek.type.qualname, peek.attr("__name__")
    if peek.type.module != "builtins" or not isinstance(name, str):
        return None
    if kind in _DESCRIPTORS:
        owner = name_of(peek.attr("__objclass__"), sight)
        return Form(f"<{_DESCRIPTORS[kind]} {word(name)!r} of {owner!r} objects>")
    if kind not in _BUILTINS:
        return None
    held = peek.attr("__self__")
    if held is UNSET:
        return Form(f"<built-in function {word(name)}>")
    return Form(f"<built-in method {word(name)} of ", ">", [("", held)], 1)


def wrapper(peek: Peek, sight: Sight) -> Form | None:
    """Write what wraps a function by that function's name: ``<property Circle.area>``."""
    module, kind = peek.type.module, peek.type.qualname
    if peek.layout != Layout.INSTANCE:
        return None
    if module == "functools" and kind == "_lru_cache_wrapper":
        return Form(f"<lru_cache of {name_of(peek.attr('__wrapped__'), sight)}>")
    if module == "functools" and kind == "cached_property":
        return Form(f"<cached_property {name_of(peek.attr('func'), sight)}>")
    if module == "builtins" and kind in _WRAPPERS:
        inner = peek.attr(_WRAPPERS[kind])
        return Form(f"<{kind} {name_of(inner, sight)}>" if isinstance(inner, Ref) else f"<{kind}>")
    return None


def partial(peek: Peek, sight: Sight) -> Form | None:
    """Write a partial function with what it will be called with."""
    if not is_type(peek, "functools", "partial") or peek.attr("func") is UNSET:
        return None
    given = _given(peek, sight)
    return Form("functools.partial(", ")", [("", peek.attr("func")), *given], 1 + len(given))


def operator(peek: Peek, sight: Sight) -> Form | None:
    """Write an object of `operator` with what it was made with: ``operator.itemgetter(1)``."""
    kind = peek.type.qualname
    if peek.type.module != "operator" or kind not in _OPERATORS or not peek.explored:
        return None
    if peek.attr("args") is UNSET:
        return Form(f"<operator.{kind}>")
    given: list[tuple[str, Value]] = []
    maker = peek.attr("maker")
    if isinstance(maker, Ref):  # a partial of the type, which has the keywords
        first = _given(sight.peek(maker.oid), sight)
        given = [part for part in first if not part[0]]
        named = [part for part in first if part[0]]
    else:
        named = []
    given += [("", value) for value in _items(peek.attr("args"), sight)]
    return Form(f"operator.{kind}(", ")", [*given, *named], len(given) + len(named))


def _given(peek: Peek, sight: Sight) -> list[tuple[str, Value]]:
    """Return the arguments that a partial holds: by position, then by name."""
    keywords = peek.attr("keywords")
    entries = sight.peek(keywords.oid).entries() if isinstance(keywords, Ref) else []
    return [
        *(("", value) for value in _items(peek.attr("args"), sight)),
        *((f"{word(name)}=", value) for name, value in entries),
    ]


def _items(held: Value, sight: Sight) -> Iterable[Value]:
    return few(sight.peek(held.oid).items) if isinstance(held, Ref) else ()


def context_variable(peek: Peek, _sight: Sight) -> Form | None:
    """Write a context variable by its name, a token by its variable."""
    if is_type(peek, "_contextvars", "ContextVar") or is_type(peek, "builtins", "ContextVar"):
        return Form("<ContextVar ", ">", [("name=", peek.attr("name"))], 1)
    if is_type(peek, "_contextvars", "Token") or is_type(peek, "builtins", "Token"):
        shown = [(f"{name}=", peek.attr(name)) for name in ("var", "old_value")]
        shown = [(name, value) for name, value in shown if value is not UNSET]
        return Form("<Token ", ">", shown, len(shown)) if shown else Form("<Token>")
    return None
