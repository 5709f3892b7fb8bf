"""Values of library types that the recorder knows: dates, decimals, paths, patterns, arrays of numbers.

They are made again by their own constructors, from what was recorded of them, and compared by that.
"""

from __future__ import annotations

import datetime
import decimal
import pathlib
import re
from collections.abc import Callable, Iterator
from types import BuiltinFunctionType
from typing import Any

from wrongcall.events import Layout, TypeOrigin
from wrongcall.oracles.reference.causes import Cause, UnanswerableError
from wrongcall.recording import Missing, ObjectState, Ref, Value
from wrongcall.replay.literals import is_partly_known, is_value_type

_POSITIONAL = re.compile(r"(?<![\w=-])\d+(?![\w.])")
_NAMED = re.compile(r"(\w+)=(-?\d+)")
_TEXT = "__repr__"
_PATH = "__posix_path__"
_DATES = (datetime.date, datetime.time, datetime.timedelta)
_PLAIN_KINDS = "biufc"
BUILTIN = "builtin_function_or_method"
"""The type of functions that are written in C."""


def is_opaque(state: ObjectState) -> bool:
    """Return whether an instance may hold something that was not recorded."""
    if state.layout == Layout.OPAQUE or is_partly_known(state):
        return True
    if state.layout != Layout.INSTANCE or is_value_type(state.type):
        return False
    native = state.type.origin in (TypeOrigin.NATIVE, TypeOrigin.BUILTIN, TypeOrigin.UNKNOWN)
    return native and state.type.qualname not in ("object", BUILTIN)


def was_renamed(state: ObjectState) -> bool:
    """Return whether a recorded function has the name of another one, as ``functools.wraps`` gives it."""
    own = state.cells.keys() - {"__class__"}
    return bool(own) and "<locals>" not in str(state.attrs.get("__qualname__", ""))


def made_value(
    state: ObjectState,
    kind: type,
    made: Callable[[Value], Any],
    items: Callable[[int], list[Any]],
) -> Any:
    """Return a value made again; None: its type is none of these.

    ``made`` makes a value, ``items`` those of a list.
    """
    text = state.attrs.get(_TEXT)
    if issubclass(kind, decimal.Decimal) and isinstance(text, str):
        return kind(text.partition("'")[2].rpartition("'")[0])
    if issubclass(kind, (*_DATES, datetime.timezone)) and isinstance(text, str):
        return _date(kind, text, state, made)
    if kind is re.Pattern:
        pattern, flags = state.attrs.get("pattern"), state.attrs.get("flags")
        if not isinstance(pattern, str | bytes) or not isinstance(flags, int):
            raise UnanswerableError("not all of a pattern is known")
        return re.compile(pattern, flags)
    if issubclass(kind, pathlib.PurePath):
        held = state.attrs.get(_PATH)
        if not isinstance(held, Ref):
            raise UnanswerableError("not all of a path is known")
        return kind(*items(held.oid))
    return None


def _date(kind: Any, text: str, state: ObjectState, made: Callable[[Value], Any]) -> Any:
    """Make a date or time again from how it is written, as in ``datetime.timedelta(days=1)``."""
    if issubclass(kind, datetime.timezone):
        if text == "datetime.timezone.utc":
            return datetime.UTC
        raise UnanswerableError("time zones with an offset are not made again")
    inside = text.partition("(")[2]
    named: dict[str, Any] = {name: int(number) for name, number in _NAMED.findall(inside)}
    positional = [int(number) for number in _POSITIONAL.findall(inside)]
    zone = state.attrs.get("tzinfo", Missing.UNSET)
    if not isinstance(zone, Missing) and zone is not None:
        named["tzinfo"] = made(zone)
    return kind(*positional, **named)


def known_parts(
    place: str, state: ObjectState, live: Any, items: Callable[[int], list[Value]]
) -> Iterator[tuple[str, Value, Any]] | None:
    """Return what is to be the same in a recorded value and a live one; None: its type is none of these.

    ``items`` reads those of a recorded list.
    """
    text = state.attrs.get(_TEXT)
    if isinstance(live, (*_DATES, datetime.timezone, decimal.Decimal)) and isinstance(text, str):
        return _dates(place, state, text, live)
    if isinstance(live, re.Pattern):
        names = ("pattern", "flags")
        return iter([(f"{place}.{n}", state.attrs[n], getattr(live, n)) for n in names])
    if isinstance(live, BuiltinFunctionType):
        known = [n for n in ("__name__", "__module__", "__self__") if n in state.attrs]
        return iter([(f"{place}.{n}", state.attrs[n], getattr(live, n)) for n in known])
    if isinstance(live, pathlib.PurePath):
        return _path(place, state, live, items)
    if state.layout == Layout.NDARRAY:
        return _array(place, state, live)
    return None


def _path(
    place: str, state: ObjectState, live: Any, items: Callable[[int], list[Value]]
) -> Iterator[tuple[str, Value, Any]]:
    held = state.attrs.get(_PATH)
    parts = items(held.oid) if isinstance(held, Ref) else [None]
    texts = [part for part in parts if isinstance(part, str)]
    if len(texts) < len(parts):
        raise UnanswerableError(f"not all of {place}, a path, is known", Cause.OUTCOME)
    yield place, str(pathlib.PurePosixPath(*texts)), str(live)


def _dates(
    place: str, state: ObjectState, text: str, live: Any
) -> Iterator[tuple[str, Value, Any]]:
    zone = getattr(live, "tzinfo", None)
    without = live.replace(tzinfo=None) if zone is not None else live
    base = next(b for b in _REPRS if isinstance(live, b))
    yield place, text.partition("(")[2], base.__repr__(without).partition("(")[2]
    if hasattr(live, "tzinfo"):
        recorded = state.attrs.get("tzinfo", None)
        yield f"{place}.tzinfo", None if isinstance(recorded, Missing) else recorded, zone


_REPRS: tuple[Any, ...] = (
    datetime.datetime,
    datetime.date,
    datetime.time,
    datetime.timedelta,
    datetime.timezone,
    decimal.Decimal,
)


def _array(place: str, state: ObjectState, live: Any) -> Iterator[tuple[str, Value, Any]]:
    """Compare an array of numbers element by element, if all of it was recorded."""
    if len(state.items) != state.length or live.dtype.kind not in _PLAIN_KINDS:
        raise UnanswerableError(f"not all of {place}, an array, is known", Cause.OUTCOME)
    yield f"{place}.dtype", state.attrs.get("dtype", Missing.UNKNOWN), str(live.dtype)
    yield f"{place}.size", state.length, live.size
    for i, (value, found) in enumerate(zip(state.items, live.ravel().tolist(), strict=False)):
        yield f"{place}[{i}]", value, found
