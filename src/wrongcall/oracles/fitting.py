"""Whether recorded values fit what the source promises, without running the program's code.

A value does not fit only if that is certain. Of an object whose class is not builtin, it is not known which other
classes it is an instance of, so it fits.
"""

from __future__ import annotations

from collections.abc import Iterator

from wrongcall.languages.type_forms import Anything, Named, OfProgram, OneOf, TypeForm, Values
from wrongcall.recording import Clipped, Missing, Recording, Ref, Value
from wrongcall.replay.heap import ObjectState

MAX_ELEMENTS = 200
"""Elements of a collection that are checked."""
MAX_LOOKS = 2000
"""Values that are checked for one promise."""
_SIZED = frozenset(
    {"list", "tuple", "dict", "set", "frozenset", "str", "bytes", "bytearray", "range"}
)
_ACCEPTED = {
    "None": frozenset({"NoneType"}),
    "bool": frozenset({"bool"}),
    "int": frozenset({"int", "bool"}),
    "float": frozenset({"float", "int", "bool"}),
    "complex": frozenset({"complex", "float", "int", "bool"}),
    "bytes": frozenset({"bytes", "bytearray", "memoryview"}),
    "Sequence": frozenset({"list", "tuple", "str", "bytes", "bytearray", "range"}),
    "MutableSequence": frozenset({"list", "bytearray"}),
    "Reversible": _SIZED - {"set", "frozenset"},
    "Mapping": frozenset({"dict"}),
    "MutableMapping": frozenset({"dict"}),
    "AbstractSet": frozenset({"set", "frozenset"}),
    "MutableSet": frozenset({"set"}),
    "Iterator": frozenset[str](),
    "Callable": frozenset[str](),
    **dict.fromkeys(("Iterable", "Collection", "Container", "Sized"), _SIZED),
}
_KNOWN = _SIZED | {"NoneType", "bool", "int", "float", "complex"}
"""The types that can be decided with certainty."""


class Fitting:
    """Compares values as of a time."""

    def __init__(self, recording: Recording, time: int) -> None:
        self._heap = recording.states.heap
        self._time = time
        self._looks = 0

    def misfit(self, value: Value, form: TypeForm, path: str) -> str:
        """Say what does not fit, as in ``items[2] is a str``; empty: nothing."""
        self._looks += 1
        kind = self._type_of(value)
        if self._looks > MAX_LOOKS or isinstance(form, Anything) or kind not in _KNOWN:
            return ""
        if isinstance(form, OneOf):
            found = [self.misfit(value, option, path) for option in form.options]
            return found[0] if all(found) else ""
        if isinstance(form, Values):
            fits = any(type(v) is type(value) and v == value for v in form.values)
            return "" if fits or isinstance(value, Ref | Clipped) else f"{path} is {value!r}"
        if isinstance(form, OfProgram):
            return f"{path} is {_with_article(kind)}"
        if kind not in _ACCEPTED.get(form.name, {form.name}):
            return f"{path} is {_with_article(kind)}"
        return self._misfit_inside(value, form, path)

    def _type_of(self, value: Value) -> str:
        """Return the name of a builtin type; empty: it is another one, or not known."""
        if isinstance(value, Clipped):
            return "str" if isinstance(value.beginning, str) else ""
        if isinstance(value, Missing) or value is NotImplemented:
            return ""
        if not isinstance(value, Ref):
            return type(value).__name__
        kind = self._heap.object(value.oid, self._time).type
        return kind.qualname if kind.module == "builtins" else ""

    def _misfit_inside(self, value: Value, form: Named, path: str) -> str:
        if not form.parts or not isinstance(value, Ref):
            return ""
        state = self._heap.state(value.oid, self._time)
        if not state.explored:
            return ""
        if form.name == "tuple" and not form.is_uniform and state.length != len(form.parts):
            return f"{path} has {state.length} items"
        for inside, part, where in _held(state, form):
            found = self.misfit(inside, part, f"{path}{where}")
            if found:
                return found
        return ""


def _held(state: ObjectState, form: Named) -> Iterator[tuple[Value, TypeForm, str]]:
    """Iterate over what a collection holds: value, form, and how its path goes on."""
    if form.name == "tuple" and not form.is_uniform:
        for index, (item, part) in enumerate(zip(state.items, form.parts, strict=False)):
            yield item, part, f"[{index}]"
        return
    for index, item in zip(range(MAX_ELEMENTS), state.items, strict=False):
        yield item, form.parts[0], f"[{index}]"
    for key, value in state.entries[:MAX_ELEMENTS]:
        name = repr(key) if isinstance(key, str | int) else "..."
        yield key, form.parts[0], f" key {name}"
        if len(form.parts) > 1:
            yield value, form.parts[1], f"[{name}]"
    for member in state.members[:MAX_ELEMENTS]:
        yield member, form.parts[0], " element"


def _with_article(kind: str) -> str:
    if kind == "NoneType":
        return "None"
    return f"an {kind}" if kind[0] in "aeiou" else f"a {kind}"
