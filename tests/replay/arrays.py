"""Arrays of numpy and pandas as the recorder tells of them, for tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.trace.emitter import Emitter
from wrongcall.events import SEEN, Kind, Layout
from wrongcall.recording import Ref


class Arrays:
    """Makes arrays and what pandas builds of them."""

    def __init__(self, emitter: Emitter) -> None:
        self.emitter = emitter

    def numbers(self, values: Sequence[Any], kind: str = "tuple") -> Ref:
        """Make a tuple or list."""
        ref = self.emitter.new(kind, length=len(values))
        for index, value in enumerate(values):
            self.emitter.item(Kind.ITEM | SEEN, ref, index, value)
        return ref

    def array(self, values: Sequence[Any], dtype: str, shape: tuple[int, ...] | None = None) -> Ref:
        """Make an array of numpy's; the shape may say that there are more elements than are known."""
        length = len(values)
        ref = self.emitter.new("ndarray", layout=Layout.NDARRAY, module="numpy", length=length)
        for index, value in enumerate(values):
            self.emitter.item(Kind.ITEM | SEEN, ref, index, value)
        self.emitter.attr(ref, "shape", self.numbers(shape or (length,)))
        self.emitter.attr(ref, "dtype", dtype)
        return ref

    def object(self, kind: str, **parts: Any) -> Ref:
        """Make an object of pandas."""
        ref = self.emitter.new(kind, module="pandas.core")
        for name, value in parts.items():
            self.emitter.attr(ref, name, value)
        return ref

    def range(self, start: int, stop: int, step: int = 1) -> Ref:
        """Make the index of rows that are numbered."""
        return self.object(
            "RangeIndex", _range=self.object("range", start=start, stop=stop, step=step)
        )

    def index(self, labels: Sequence[Any], name: Any = None) -> Ref:
        """Make an index of labels."""
        return self.object("Index", _data=self.array(labels, "|O"), _name=name)
