"""Objects made by hand, in a trace without a program: also such as no program would have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tests.trace.emitter import Emitter
from wrongcall.events import SEEN, Kind, Layout, TypeOrigin
from wrongcall.present.forms.form import Form, Writer
from wrongcall.present.values import Viewer
from wrongcall.recording import Recording, Ref
from wrongcall.replay.heap import Peek

HOSTILE = "\x1b[2J\u202e\n"
"""Would clear a terminal, write from right to left and break a line."""


class Objects:
    """Makes objects and shows them."""

    def __init__(self, folder: Path) -> None:
        self.emitter = Emitter()
        self.emitter.new("object")
        self._folder = folder
        self._recording: Recording | None = None
        self._shown = 0
        """How many events there were when the trace was written."""

    def new(
        self,
        name: str,
        parts: Mapping[str, Any] | None = None,
        *,
        module: str = "builtins",
        layout: Layout | None = None,
        origin: TypeOrigin = TypeOrigin.UNKNOWN,
        items: Iterable[Any] = (),
        entries: Iterable[tuple[Any, Any]] = (),
        members: Iterable[Any] = (),
        length: int | None = None,
        explored: bool = True,
    ) -> Ref:
        """Make an object of a type of this name; ``length``: more than the items that are known."""
        held = list(items)
        size = (len(held) if length is None else length) if explored else None
        ref = self.emitter.new(name, length=size, layout=layout, module=module, origin=origin)
        for part, value in (parts or {}).items():
            self.emitter.attr(ref, part, value)
        for index, value in enumerate(held):
            self.emitter.item(Kind.ITEM | SEEN, ref, index, value)
        for key, value in entries:
            self.emitter.entry(ref, key, value, kind=Kind.ENTRY | SEEN)
        for value in members:
            self.emitter.member(ref, value, kind=Kind.MEMBER | SEEN)
        return ref

    def list(self, *items: Any) -> Ref:
        """Make a list."""
        return self.new("list", items=items)

    def tuple(self, *items: Any) -> Ref:
        """Make a tuple."""
        return self.new("tuple", items=items)

    @property
    def recording(self) -> Recording:
        """The recording with all objects that were made."""
        if self._recording is None or self._shown < self.emitter.now:
            self.close()
            self._shown = self.emitter.now
            self._recording = self.emitter.open(self._folder / f"{self._shown}.wrongcall")
        return self._recording

    @property
    def viewer(self) -> Viewer:
        """What shows the objects as they are at the end."""
        return Viewer(self.recording)

    def peek(self, ref: Ref) -> Peek:
        """Look into an object."""
        return self.recording.states.heap.peek(ref.oid)

    def form(self, write: Writer, ref: Ref) -> Form | None:
        """Return what a writer makes of an object."""
        return write(self.peek(ref), self.viewer)

    def text(self, write: Writer, ref: Ref) -> str | None:
        """Return what a writer makes of an object, as text; None: it is none of its kinds."""
        form = self.form(write, ref)
        if form is None:
            return None
        viewer = self.viewer
        parts = [viewer._written(prefix, value, 500) for prefix, value in form.parts]
        assert form.count >= len(parts)
        more = [f"{form.count - len(parts)} more"] if form.count > len(parts) else []
        return form.opening + ", ".join([*parts, *more]) + form.closing

    def close(self) -> None:
        """Close the trace."""
        if self._recording is not None:
            self._recording.close()
