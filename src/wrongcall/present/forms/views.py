"""Forms of what shows other objects: views of dicts and of memory, proxies, chained maps."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from wrongcall.events import Layout
from wrongcall.present.forms.form import Form, Sight, few, is_type, type_name
from wrongcall.recording import Ref, Value
from wrongcall.replay.heap import Peek

_KEY_WIDTH = 30


def dict_view(peek: Peek, sight: Sight) -> Form | None:
    """Write what a view shows of a dict at this time: ``dict_keys(['a', 'b'])``."""
    name, held = peek.type.qualname, peek.attr("mapping")
    if peek.type.module != "builtins" or name not in _VIEWS:
        return None
    if not isinstance(held, Ref):
        return Form(f"<{name}>")
    if name == "mappingproxy":
        return Form("mappingproxy(", ")", [("", held)], 1)
    opening, closing, shown = _VIEWS[name]
    dictionary = sight.peek(held.oid)
    count = dictionary.counts[2] if dictionary.layout == Layout.DICT else dictionary.counts[0]
    return Form(f"{name}({opening}", f"{closing})", shown(dictionary, sight), count)


def _entries(dictionary: Peek) -> Iterator[tuple[Value, Value]]:
    # The dictionary of an instance shows as the instance, whose attributes are its entries.
    if dictionary.layout != Layout.DICT:
        yield from few(dictionary.attrs)
    yield from few(dictionary.entries)


def _keys(dictionary: Peek, _sight: Sight) -> Iterator[tuple[str, Value]]:
    return (("", key) for key, _ in _entries(dictionary))


def _values(dictionary: Peek, _sight: Sight) -> Iterator[tuple[str, Value]]:
    return (("", value) for _, value in _entries(dictionary))


def _items(dictionary: Peek, sight: Sight) -> Iterator[tuple[str, Value]]:
    return ((f"{sight.line(key, _KEY_WIDTH)}: ", value) for key, value in _entries(dictionary))


Shown = Callable[[Peek, Sight], Iterator[tuple[str, Value]]]
_KINDS: dict[str, tuple[str, str, Shown]] = {
    "keys": ("[", "]", _keys),
    "values": ("[", "]", _values),
    "items": ("{", "}", _items),
}
_VIEWS = {f"{kind}_{part}": how for kind in ("dict", "odict") for part, how in _KINDS.items()}
_VIEWS["mappingproxy"] = _KINDS["items"]


def memory_view(peek: Peek, sight: Sight) -> Form | None:
    """Write a memoryview by what it shows: ``<memoryview of bytearray, 12 bytes>``."""
    if not is_type(peek, "builtins", "memoryview"):
        return None
    held, size = peek.attr("obj"), peek.attr("nbytes")
    if peek.attr("released") is True:
        return Form("<released memoryview>")
    if not isinstance(size, int):
        return Form("<memoryview>")
    of = "memory" if held is None else type(held).__name__
    if isinstance(held, Ref):
        of = type_name(sight.peek(held.oid))
    return Form(f"<memoryview of {of}, {size:,} byte{'' if size == 1 else 's'}>")


def chain_map(peek: Peek, sight: Sight) -> Form | None:
    """Write a ChainMap with the maps that it looks into, the first one first."""
    maps = peek.attr("maps")
    if not is_type(peek, "collections", "ChainMap") or not isinstance(maps, Ref):
        return None
    held = sight.peek(maps.oid)
    parts = (("", value) for value in few(held.items))
    return Form("ChainMap(", ")", parts, held.length)
