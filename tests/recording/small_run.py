"""A small run, made by hand, with everything the queries are about."""

from __future__ import annotations

from pathlib import Path

from tests.trace.described import described
from wrongcall.events import Kind, SiteKind, Start, Tag
from wrongcall.recording import Recording

SOURCE = """\
def work(items):
    total = 0
    for x in items:
        total += x
    print(total)
    return total

work([1, 2])
"""


class SmallRun:
    """``work([1, 2])``, which adds its items, prints the sum and starts a process."""

    def __init__(self, folder: Path) -> None:
        with described(SOURCE).open(folder / "tables.wrongcall") as tables:
            functions = {f.qualname: f for f in tables.program.functions.values()}
            self.module_function = functions["<module>"].id
            self.work_function = functions["work"].id
            sites = list(tables.program.sites.values())
        self.sites = {(s.kind, s.function, s.line): s.id for s in sites}
        emitter = described(SOURCE)
        self.module = emitter.enter(self._site(SiteKind.ENTRY, self.module_function, None))
        self.items = emitter.new("list", length=2)
        for index, value in enumerate((1, 2)):
            emitter.item(Kind.INSERT, self.items, index, value)
        self.work = emitter.enter(
            self._site(SiteKind.ENTRY, self.work_function, None),
            self.module,
            self._site(SiteKind.CALL, self.module_function, 8),
        )
        emitter.local(self.work, self._site(SiteKind.PARAM, self.work_function, 1), self.items)
        total = self._site(SiteKind.WRITE, self.work_function, 2)
        adds = self._site(SiteKind.WRITE, self.work_function, 4)
        each = self._site(SiteKind.WRITE, self.work_function, 3)
        self.first = emitter.local(self.work, total, 0)
        self.added = []
        for x, held in ((1, 1), (2, 3)):
            emitter.local(self.work, each, x)
            self.added.append(emitter.local(self.work, adds, held))
        self.call_site = self._site(SiteKind.CALL, self.work_function, 5)
        self.printed = emitter.event(
            Kind.PRINT,
            site=self.call_site,
            call=self.work,
            key=(Tag.INT, 1),
            value=emitter.value("3\n"),
        )
        self.started = emitter.event(
            Kind.PROCESS,
            site=self.call_site,
            call=self.work,
            key=(Tag.INT, Start.COMMAND),
            value=emitter.value("ls"),
        )
        self.returned = emitter.leave(
            self.work, 3, self._site(SiteKind.RETURN, self.work_function, 6)
        )
        self.last = emitter.leave(self.module)
        self.recording: Recording = emitter.open(folder / "t.wrongcall")

    def _site(self, kind: SiteKind, function: int, line: int | None) -> int:
        found = (
            number
            for (k, f, at), number in self.sites.items()
            if (k, f) == (kind, function) and line in (None, at)
        )
        return next(found)
