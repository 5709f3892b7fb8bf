"""Recorded objects for tests that need no recording."""

from __future__ import annotations

from typing import Any

from wrongcall.events import Layout
from wrongcall.languages.python.asked.recorded import Nature, Recorded


class Held(Recorded):
    """An object that opens into a value, or has an identity, or tells nothing."""

    module = "prog"

    def __init__(self, value: Any, nature: Nature = Nature.VALUE, oid: int = 7) -> None:
        self.value = value
        self._nature = nature
        self.oid = oid
        self.layout = Layout.LIST if isinstance(value, list) else Layout.INSTANCE
        self.qualname = "Thing"

    @property
    def nature(self) -> Nature:
        return self._nature

    @property
    def is_text_known(self) -> bool:
        return True

    def opened(self) -> Any:
        return self.value

    def length(self) -> int | None:
        return None

    def item(self, key: object) -> object:
        return self.plain("a subscript")[key]

    def attribute(self, name: str) -> object:
        return self.value[name]
