"""What a live call changed, compared with what the recorded one did: place by place.

For calls during which others run, too: the state at their exit is not theirs alone. Sequences are
compared as a whole if either changed.
"""

from __future__ import annotations

from collections.abc import Hashable
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

from wrongcall.oracles.reference.attributes import attributes
from wrongcall.oracles.reference.compare import Comparison, Difference
from wrongcall.oracles.reference.rebuild import Rebuilt
from wrongcall.recording import Attr, Effect, Entry, Item, Member, Missing, PathStep, Ref, Value

_ABSENT = object()
_CODE = (type, ModuleType, FunctionType, MethodType, BuiltinFunctionType)


class Before:
    """What all live objects hold at a time."""

    def __init__(self, rebuilt: Rebuilt) -> None:
        own = {o: live for o, live in rebuilt.objects.items() if not isinstance(live, _CODE)}
        self.places = {oid: _places(live) for oid, live in own.items()}
        self.live = own

    def changed(self, oid: int) -> dict[Hashable, Any]:
        """Return the places of an object that hold something else now, and what that is."""
        old, new = self.places[oid], _places(self.live[oid])
        return {
            place: new.get(place, _ABSENT)
            for place in {**old, **new}
            if old.get(place, _ABSENT) is not new.get(place, _ABSENT)
        }


def same_changes(recorded: Effect, before: Before, comparison: Comparison) -> None:
    """Raise `Difference` unless the live objects changed as the recorded ones did."""
    known = {changed.oid: changed.changes for changed in recorded.objects}
    for oid, live in before.live.items():
        found = before.changed(oid)
        changes = {_place(change.place, comparison): change.new for change in known.get(oid, ())}
        if isinstance(live, list) and (found or changes):
            comparison.same(Ref(oid), live, recorded.after, f"object {oid}")
            continue
        if found.keys() != changes.keys():
            raise Difference(f"object {oid} is changed at {list(found)}, not {list(changes)}")
        for place, value in changes.items():
            _same_place(f"object {oid} at {place}", value, found[place], recorded, comparison)


def _same_place(
    where: str, value: Value, live: Any, recorded: Effect, comparison: Comparison
) -> None:
    if (value is Missing.UNSET) != (live is _ABSENT):
        raise Difference(f"{where}: there is something in one run only")
    if live is not _ABSENT:
        comparison.same(value, live, recorded.after, where)


def _place(step: PathStep, comparison: Comparison) -> Hashable:
    if isinstance(step, Attr):
        return ("attribute", step.name)
    if isinstance(step, Item):
        return ("item", step.index)
    assert isinstance(step, Entry | Member)
    key = step.key
    live = comparison.rebuilt.objects.get(key.oid, key) if isinstance(key, Ref) else key
    return ("entry" if isinstance(step, Entry) else "member", live)


def _places(live: Any) -> dict[Hashable, Any]:
    found: dict[Hashable, Any] = {
        ("attribute", name): value for name, value in attributes(live).items()
    }
    if isinstance(live, list):
        found |= {("item", i): value for i, value in enumerate(live)}
    elif isinstance(live, dict):
        found |= {("entry", key): value for key, value in live.items()}
    elif isinstance(live, set):
        found |= {("member", value): value for value in live}
    return found
