from __future__ import annotations

import random
from pathlib import Path

from tests.recorder.conftest import Record
from tests.trace.emitter import Emitter
from wrongcall.events import Kind, Layout, Scope, SiteKind
from wrongcall.recording import Recording
from wrongcall.trace.format.event_records import obj_ids
from wrongcall.trace.write.writer import TraceWriter


def obvious(recording: Recording, name: str) -> int | None:
    """Find a module as the definition says: by the first write to one of its globals, or by its name."""
    program = recording.program
    files = {file.id for file in program.files.values() if file.module == name}
    functions = {function.id for function in program.functions.values() if function.file in files}
    for event in recording.events.between():
        site = program.sites.get(int(event["site"]))
        if site is None or site.scope != Scope.GLOBAL or site.function not in functions:
            continue
        if event["kind"] in (Kind.ATTR, Kind.ATTR_DEL):
            return int(obj_ids(event.reshape(1))[0])
    seen = recording.events.select({Kind.OBJ})
    for oid in obj_ids(seen.events[seen.events["ktag"] == Layout.MODULE]).tolist():
        if recording.states.heap.state(oid).attrs.get("__name__") == name:
            return int(oid)
    return None


MODULES = {
    "first.py": "import second\nLIMIT = 1\n\ndef get():\n    return LIMIT + second.SIZE\n",
    "second.py": "SIZE = 2\ndel SIZE\nSIZE = 3\n",
    "empty.py": "",
    "only_doc.py": '"""Nothing."""\n',
}


def test_every_module_is_found_as_the_definition_says(record: Record, tmp_path: Path) -> None:
    for name, text in MODULES.items():
        (tmp_path / name).write_text(text)
    run = record(
        """
        import empty, first, only_doc
        COUNT = 0

        def count():
            global COUNT
            COUNT += first.get()

        for _ in range(10):
            count()
        """
    )
    names = ["__main__", "first", "second", "empty", "only_doc", "missing", "sys"]
    chance = random.Random(1)
    for _ in range(5):
        chance.shuffle(names)
        with Recording(run.recording.path) as recording:
            found = {name: recording.states.variables.module(name) for name in names}
            assert found == {name: obvious(recording, name) for name in names}
            assert None not in (found["__main__"], found["first"], found["second"])


def emitted(emitter: Emitter, order: list[int]) -> dict[str, int]:
    """Write to the globals of some modules, each of which has one site; return their objects."""
    objects = {number: emitter.new("module") for number in set(order)}
    for number in range(1, 5):
        functions = [{"name": "<module>", "kind": "module"}]
        sites = [(SiteKind.WRITE, 1, 1, "x", 0, Scope.GLOBAL)]
        emitter.file(functions, sites, module=f"m{number}", first=(number, number, number))
    for number in order:
        emitter.attr(objects[number], "x", number, site=number, call=1)
    return {f"m{number}": ref.oid for number, ref in objects.items()}


def test_a_module_that_is_written_later_is_found_after_a_refresh(tmp_path: Path) -> None:
    emitter = Emitter()
    objects = emitted(emitter, [1, 2, 1, 3])
    events, path = emitter.events(), tmp_path / "t.wrongcall"
    writer = TraceWriter(path)
    writer.add(events[:-1], bytes(emitter.data))
    writer.flush()
    with Recording(path) as recording:
        find = recording.states.variables.module
        assert [find(f"m{number}") for number in range(1, 5)] == [
            objects["m1"],
            objects["m2"],
            None,
            None,
        ]
        writer.add(events[-1:], b"")
        writer.close("exit")
        recording.refresh()
        assert find("m3") == objects["m3"]
        assert find("m4") is None


def test_the_trace_is_searched_once_for_all_modules(tmp_path: Path) -> None:
    emitter = Emitter()
    objects = emitted(emitter, [3, 2, 1])
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        find = recording.states.variables.module
        assert find("m1") == objects["m1"]
        recording._store.segments.once = None  # type: ignore[method-assign, assignment]
        assert {name: find(name) for name in objects} == objects
