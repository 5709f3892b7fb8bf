"""The program's objects at one time, as expressions use them.

A `Snapshot` is at one time and can move to a later one. Its objects stay the same Python objects then; what they tell
is what is recorded for the current time.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from typing import Any

from wrongcall.analysis.asking.natures import NOTHING, Known, Natures
from wrongcall.errors import NotKnownError
from wrongcall.events import Layout, Tag
from wrongcall.languages.python.asked.budget import MAX_SIZE
from wrongcall.languages.python.asked.pure_calls import TypeOf
from wrongcall.languages.python.asked.recorded import Nature, Recorded, Unread
from wrongcall.replay.elements import Slot
from wrongcall.replay.heap import BOOKKEEPING, SEQUENCES
from wrongcall.replay.moving_heap import MovingHeap
from wrongcall.replay.object_replay import Replay
from wrongcall.replay.writes import read_slot
from wrongcall.trace.format.program_tables import Program, Type
from wrongcall.trace.read.values import Clipped, Missing, Ref, TupleKey, Value, Values, same_key

MAX_OBJECTS = 100_000
"""Objects that a snapshot keeps."""
_INDEXED = SEQUENCES - {Layout.NDARRAY, Layout.ELEMENT}
_ENUM = {"name": "_name_", "value": "_value_"}
_NO_TYPE = Type(0, "", "?", Layout.OPAQUE)


class Snapshot:
    """All objects at a time."""

    def __init__(
        self,
        program: Program,
        values: Values,
        moving: MovingHeap,
        natures: Natures,
        module: Callable[[str], int | None],
    ) -> None:
        """``module`` returns the object of a module of the program."""
        self._module = module
        self.program = program
        self.time = 0
        self.natures = natures
        self._values = values
        self._moving = moving
        self._objects: dict[int, RecordedObject] = {}

    def move(self, time: int) -> None:
        """Go to a time; later ones are faster to reach."""
        self.time = time

    def value(self, value: Value) -> Any:
        """Return a value as expressions use it."""
        if isinstance(value, Ref):
            return self.found(value.oid)
        if isinstance(value, Clipped):
            what = f"only the beginning of this text is recorded ({value.length:,} characters)"
            return Unread(what, value, value.length if isinstance(value.beginning, str) else None)
        if isinstance(value, Missing | TupleKey):
            return Unread("this value is not recorded")
        return value

    def slot(self, slot: Slot | None) -> Any:
        """Return what a slot holds, as expressions use it."""
        if slot is not None and slot.tag == Tag.INT:
            return slot.bits
        return self.value(read_slot(self._values, slot))

    def found(self, oid: int) -> RecordedObject:
        """Return an object."""
        found = self._objects.get(oid)
        if found is None:
            if len(self._objects) >= MAX_OBJECTS:
                self._objects.clear()
            found = self._objects[oid] = RecordedObject(self, oid)
        return found

    def contents(self, oid: int) -> tuple[Replay, object]:
        """Return what an object holds, and a mark that changes when it does."""
        return self._moving.contents(oid, self.time)

    def class_of(self, module: str, qualname: str) -> RecordedObject | None:
        """Return a class of the program, found by its name in its module; None if it is not there."""
        oid = self._module(module)
        found = None if oid is None else self.found(oid)
        for name in qualname.split("."):
            if found is None:
                return None
            slot = found._stored(found._replay, name)
            value = None if slot is None else self.slot(slot)
            found = value if isinstance(value, RecordedObject) else None
        return found if found is not None and found.layout == Layout.CLASS else None

    def type(self, number: int) -> Type:
        """Return a type."""
        return self.program.types[number] if number else _NO_TYPE


class RecordedObject(Recorded):
    """One object of the program."""

    def __init__(self, snapshot: Snapshot, oid: int) -> None:
        self._snapshot = snapshot
        self.oid = oid
        self._opened: tuple[object, Any] = (None, None)
        self._known_type: tuple[int, Known] = (-1, NOTHING)
        replay = self._replay
        self.layout = replay.layout
        type = snapshot.type(replay.type)
        self.module, self.qualname = type.module, type.qualname

    @property
    def _replay(self) -> Replay:
        return self._snapshot.contents(self.oid)[0]

    @property
    def _known(self) -> Known:
        replay = self._replay
        if self._known_type[0] != replay.type:  # first time, or its class was replaced
            type = self._snapshot.type(replay.type)
            names = self._snapshot.program.names.numbers("_name_")
            is_enum = any(number in replay.attrs for number in names)
            known = self._snapshot.natures.of(type, replay.layout, is_enum)
            self._known_type = (replay.type, known)
        return self._known_type[1]

    @property
    def nature(self) -> Nature:
        """What is known about its operations."""
        return self._known.nature

    @property
    def is_text_known(self) -> bool:
        """Whether its text is that of the value it opens into."""
        return self._known.is_text_known

    @property
    def is_always_true(self) -> bool:
        """Whether its truth value is known to be true."""
        return self._known.is_always_true

    def _explored(self) -> Replay:
        replay = self._replay
        if not replay.explored:
            raise NotKnownError(f"the contents of this {self.qualname} are not recorded")
        return replay

    # -- elements ----------------------------------------------------------------------------------

    def length(self) -> int | None:
        """Return its length without opening it."""
        replay = self._explored()
        if self.layout == Layout.NDARRAY:
            shape = self._shape(replay)
            return shape[0] if shape else None
        if self.layout in SEQUENCES:
            return max(replay.length, len(replay.items))
        if self.layout in (Layout.SET, Layout.FROZENSET):
            return len(replay.members)
        if self.layout == Layout.DICT and not replay.alias:
            return len(replay.entries)
        return None

    def __len__(self) -> int:
        if self.layout in (Layout.ARRAY, Layout.NDARRAY):
            return self.length() or 0
        return super().__len__()

    def opened(self) -> Any:
        """Return the Python value that it equals."""
        mark = self._snapshot.contents(self.oid)[1]
        if self._opened[0] is None or self._opened[0] != mark:
            self._opened = (mark, self._open(self._explored()))
        return self._opened[1]

    def _open(self, replay: Replay) -> Any:
        if (self.length() or 0) > MAX_SIZE:
            raise NotKnownError(f"this {self.qualname} has more than {MAX_SIZE:,} elements")
        if self.layout in _INDEXED:
            return self._sequence(replay)
        read = self._snapshot.value
        if self.layout == Layout.SET:
            return {read(key) for key, _ in replay.members.values()}
        if self.layout == Layout.FROZENSET:
            return frozenset(read(key) for key, _ in replay.members.values())
        if self.layout == Layout.DICT:
            return self._dict(replay)
        if self.layout in (Layout.RANGE, Layout.SLICE):
            make = range if self.layout == Layout.RANGE else slice
            return make(*(self._attr(replay, name) for name in ("start", "stop", "step")))
        if self.layout == Layout.SCALAR:
            return self._attr(replay, "__value__")
        raise NotKnownError(f"the contents of this {self.qualname} are not recorded")

    def _sequence(self, replay: Replay) -> Any:
        items = [self._snapshot.slot(slot) for slot in replay.items]
        missing = replay.length - len(items)
        items += [Unread("this element is not recorded") for _ in range(missing)]
        if self.layout == Layout.TUPLE:
            return tuple(items)
        if self.layout == Layout.DEQUE:
            bound = self._attr(replay, "maxlen")
            return deque(items, bound if isinstance(bound, int) else None)
        return bytearray(items) if self.layout == Layout.BYTEARRAY else items

    def _dict(self, replay: Replay) -> dict[Any, Any]:
        read = self._snapshot.slot
        found: dict[Any, Any] = {}
        if replay.alias:
            holder = self._snapshot.contents(replay.alias)[0]
            found = {n: read(s) for n, s in holder.named_attrs() if n not in BOOKKEEPING}
        for key, slot in replay.entries.values():
            found[self._snapshot.value(key)] = read(slot)
        if self.module == "collections" and self.qualname in ("Counter", "OrderedDict"):
            return Counter(found) if self.qualname == "Counter" else OrderedDict(found)
        return found

    def item(self, key: object) -> object:
        """Return the element for a subscript that is not a slice."""
        if self.layout == Layout.DICT and self.nature is Nature.VALUE:
            return self._entry(key)
        replay = self._explored()
        is_flat = self.layout == Layout.NDARRAY and len(self._shape(replay)) == 1
        is_known = self.layout in _INDEXED and self._known.nature is Nature.VALUE
        is_known |= self.layout == Layout.ELEMENT and self._known.nature is Nature.IDENTITY
        if self.layout == Layout.ARRAY or is_flat or is_known:
            index = key.__index__() if isinstance(key, Recorded) else key
            if isinstance(index, int):
                return self._element(replay, index)
        return self.plain("a subscript")[key]

    def _shape(self, replay: Replay) -> list[int]:
        """Return the shape of an ndarray."""
        held = self._attr(replay, "shape")
        return list(held.opened()) if isinstance(held, Recorded) else []

    def _element(self, replay: Replay, index: int) -> object:
        count = max(replay.length, len(replay.items))
        place = index + count if index < 0 else index
        if not 0 <= place < count:
            raise IndexError(f"{self.qualname} index out of range")
        if place >= len(replay.items):
            return Unread("this element is not recorded")
        return self._snapshot.slot(replay.items[place])

    def get(self, key: object, default: object = None) -> object:
        """Return the value for a key of a dict, or the default."""
        known = self._quick(key) if self.nature is Nature.VALUE else None
        return super().get(key, default) if known is None else self._snapshot.slot(known)

    def _quick(self, key: object) -> Slot | None:
        """Return what an entry holds whose key is an atom, without opening the dict."""
        replay = self._explored()
        if not isinstance(key, int | str | bytes | None) or replay.alias:
            return None
        found = replay.entries.get(same_key(key))
        return None if found is None else found[1]

    def _entry(self, key: object) -> object:
        known = self._quick(key)
        if known is not None:
            return self._snapshot.slot(known)
        opened = self.opened()
        if key in opened:
            return opened[key]
        if self._known.is_missing_computed:
            raise NotKnownError(f"{self.qualname} would call its default_factory for this key")
        return opened[key]  # raises, or what a Counter has

    # -- attributes --------------------------------------------------------------------------------

    def _attr(self, replay: Replay, name: str) -> Any:
        for number in self._snapshot.program.names.numbers(name):
            if number in replay.attrs:
                return self._snapshot.slot(replay.attrs[number])
        return None

    def _stored(self, replay: Replay, name: str) -> Slot | None:
        for number in self._snapshot.program.names.numbers(name):
            if number in replay.attrs:
                return replay.attrs[number]
        return None

    def attribute(self, name: str) -> object:
        """Return an attribute that it stores."""
        replay = self._replay
        found = self._stored(replay, name) or self._stored_otherwise(replay, name)
        if found is not None and (name not in BOOKKEEPING or name == "__value__"):
            return self._snapshot.slot(found)
        if name == "__class__":
            return TypeOf(self.module, self.qualname)
        if name == "__name__" and self.layout in (Layout.FUNCTION, Layout.CLASS):
            return str(self.attribute("__qualname__")).rpartition(".")[2]
        field = self._field(replay, name)
        if field is not None:
            return field
        if self.layout in (Layout.INSTANCE, Layout.EXCEPTION, Layout.SCALAR):
            inherited = self._snapshot.class_of(self.module, self.qualname)
            if inherited is not None and inherited._stored(inherited._replay, name) is not None:
                return inherited.attribute(name)
        raise NotKnownError(self._no_attribute(name))

    def _stored_otherwise(self, replay: Replay, name: str) -> Slot | None:
        """Return an attribute that is stored under another name: private, or of an enum's member."""
        if name in _ENUM and self._stored(replay, "_name_") is not None:
            return self._stored(replay, _ENUM[name])
        if name.startswith("__") and not name.endswith("__"):
            private = [n for n, _ in replay.named_attrs() if n[:1] == "_" and n.endswith(name)]
            return self._stored(replay, private[0]) if len(private) == 1 else None
        return None

    def _field(self, replay: Replay, name: str) -> object:
        """Return a field of a named tuple."""
        names = self._attr(replay, "__fields__") if self.layout == Layout.TUPLE else None
        if not isinstance(names, Recorded):
            return None
        fields = list(names.opened())
        return self._element(replay, fields.index(name)) if name in fields else None

    def _no_attribute(self, name: str) -> str:
        stored = [n for n, _ in self._replay.named_attrs() if n not in BOOKKEEPING]
        has = f"it stores {', '.join(stored[:8])}" if stored else "it stores no attributes"
        return f"{self.qualname} objects don't store {name!r}; properties and methods do not run ({has})"
