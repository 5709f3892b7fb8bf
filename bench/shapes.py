"""Measure how fast traces of different shapes are read: part of `make bench-read`.

    shapes.py [SHAPE ...] [--scale PERCENT]

A trace may be one call, a million calls, many threads or many modules; each has about 20 million events, or as many
as its shape allows. For each of them, and each in a process of its own that has read nothing before:

- *first*: open a trace that nobody has read, build the tree, let the session choose and draw the first question, as
  `wrongcall debug` does; this includes making the indexes
- *again*: the same when the indexes are there
- *asked*: the whole question about the longest call
- *history*: find all values that a place had, and make the last page of them
- *origin*: follow a value to where it came from
- *group*: the joint effect of many calls of one caller
- *all*: the same for all calls of that caller, from the first to the last
- *round*: inside the call with the longest loop, choose and draw one question after the other (the slowest of
  ``ROUND_QUESTIONS``; reading what happened inside the call comes before that, and is only noted)

The limits apply to processor time; the last columns are the time by the clock and the peak memory.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from traces import trace_of

import wrongcall.recording
from wrongcall.present.groups import group
from wrongcall.present.inside_questions import inside_view
from wrongcall.present.questions import question
from wrongcall.present.screens.drawing import Drawing
from wrongcall.present.screens.question import Head, Size
from wrongcall.present.screens.reading import lines_to_read
from wrongcall.recording import Recording
from wrongcall.session.inside import inside_of
from wrongcall.session.search import How, Search, Start
from wrongcall.session.session import DEFAULT_STRATEGY
from wrongcall.session.steps import Question
from wrongcall.trace.format.owner_index import EXTENT_EVENTS
from wrongcall.trace.read.gc_pause import collect_rarely

PAGE = 200
"""Versions of a history that are made: more than a screen shows at once."""
GROUP = 64
"""Calls of a group."""
ROUND_QUESTIONS = 16
ROUNDS = 1_000_000
"""Of the loop that is searched."""
LIMIT_S = 3.0
ROUND_LIMIT_S = 0.1
LIMIT_MB = 500


@dataclass(frozen=True)
class Shape:
    """A trace to be measured, and what to ask about it."""

    workload: str
    scale: int
    function: str
    """The function whose first call is asked about."""
    histories: tuple[str, ...]
    """Places of that call with long histories."""
    origin: str
    parent: str = ""
    """The function whose first call made the calls of the group; none if it made none."""


SHAPES = {
    "one call": Shape(
        "long_call",
        3_100_000,
        "fill",
        ("value", "stats.total", "table[3]", "counts['word 7']"),
        "table[3]",
    ),
    "one killed call": Shape("one_call", 6_600_000, "add", ("total", "i"), "total"),
    "one growing call": Shape(
        "growing",
        4_300_000,
        "build",
        ("number", "found[3]", "waiting[5]", "seen[70]"),
        "found[1000000]",
    ),
    "a million calls": Shape(
        "reading",
        3_700,
        "main",
        ("checksum", "index.total", "index.words['word 7']"),
        "relay[10]",
        "main",
    ),
    "twelve threads": Shape(
        "threads",
        13_500,
        "work",
        ("total", "shared.balance", "results[3]", "shared.log[7]"),
        "results[3]",
        "work",
    ),
    "300 modules": Shape(
        "modules",
        300,
        "run",
        ("total", "modules[3].COUNTER", "modules[3].TABLE[5]"),
        "total",
        "run",
    ),
}


def first(trace: Path, shape: Shape, argument: str) -> dict[str, object]:
    """Open a trace and draw the first question."""
    with (
        wrongcall.recording.open(trace) as recording,
        Search(recording, How(fresh=True), measure=lines_to_read) as search,
    ):
        search.begin(Start())
        search.advance()
        asked = search.led() or search.step()
        assert isinstance(asked, Question), asked
        lines = Drawing(search).question(asked, Head(1, "about 9 left"), Size(100, 50))
        assert lines
        return {
            "note": f"{recording.event_count / 1e6:.1f} M events, {recording.calls.count:,} calls"
        }


def unread(trace: Path, shape: Shape, argument: str) -> dict[str, object]:
    """Draw the first question of a trace that has no indexes yet."""
    with tempfile.TemporaryDirectory(dir=trace.parent) as folder:
        copy = Path(shutil.copy(trace, folder))
        with closing(sqlite3.connect(copy)) as db, db:
            for table in ("owner_indexes", "owner_pages", "checkpoints", "checkpoint_chunks"):
                db.execute(f"DELETE FROM {table}")
        return measured(lambda: first(copy, shape, argument))


def again(trace: Path, shape: Shape, argument: str) -> dict[str, object]:
    """Draw the first question of a trace that has indexes."""
    with wrongcall.recording.open(trace) as recording:
        assert recording._store.extents * EXTENT_EVENTS <= recording.event_count  # makes them
    return measured(lambda: first(trace, shape, argument))


def rounds(trace: Path, shape: Shape, argument: str) -> dict[str, object]:
    """Choose and draw questions inside a call, halving its rounds."""
    with wrongcall.recording.open(trace_of(shape.workload, ROUNDS)) as recording:
        begun = time.process_time()
        inside = inside_of(recording, _call(recording, shape.function), DEFAULT_STRATEGY)
        assert inside is not None
        read = time.process_time() - begun
        taken = []
        for number in range(ROUND_QUESTIONS):
            begun, clock = time.process_time(), time.perf_counter()
            asked = inside.step()
            assert isinstance(asked, Question), asked
            inside_view(recording, inside, asked.calls[0])
            taken.append((time.process_time() - begun, time.perf_counter() - clock))
            inside.answer("right" if number % 2 else "wrong")
        middle = sorted(taken)[len(taken) // 2][0]
        note = f"{len(inside.inside):,} executions, read in {read:.1f} s; median {middle * 1000:.0f} ms"
        return {"note": note, "cpu": max(taken)[0], "clock": max(taken)[1]}


def asked(trace: Path, shape: Shape, argument: str) -> dict[str, object]:
    """Make the question about the call with the long histories."""
    with wrongcall.recording.open(trace) as recording:
        view = question(recording, _call(recording, shape.function))
        return {"note": f"{view.where.function}: {len(view.changed):,} changes"}


def history(trace: Path, shape: Shape, argument: str) -> dict[str, object]:
    """Find the history of a place and make its last page."""
    with wrongcall.recording.open(trace) as recording:
        versions = recording.places.history(_call(recording, shape.function), argument)
        assert versions[-PAGE:][-1].time == versions.times[-1]
        return {"note": f"{argument}: {len(versions):,} values"}


def origin(trace: Path, shape: Shape, argument: str) -> dict[str, object]:
    """Follow a value to where it came from."""
    with wrongcall.recording.open(trace) as recording:
        found = recording.places.origin(_call(recording, shape.function), argument)
        return {"note": f"{argument}: {len(found.links)} links"}


def joint(trace: Path, shape: Shape, argument: str) -> dict[str, object]:
    """Compute the joint effect of calls of one caller; ``argument``: how many, or all."""
    with wrongcall.recording.open(trace) as recording:
        children = [each.id for each in recording.call(_call(recording, shape.parent)).children]
        view = group(recording, children if argument == "all" else children[:GROUP])
        return {"note": f"{view.count:,} calls"}


MEASUREMENTS = {
    "first": unread,
    "again": again,
    "round": rounds,
    "asked": asked,
    "history": history,
    "origin": origin,
    "group": joint,
}


def _call(recording: Recording, name: str) -> int:
    wanted = {f.id for f in recording.program.functions.values() if f.qualname == name}
    main = {f for f in wanted if recording.program.functions[f].file == 1} or wanted
    return next(recording.calls.of_functions(main))


def measurements(shape: Shape) -> Iterator[tuple[str, str]]:
    """Iterate over what is measured for a shape: the measurement and its argument."""
    yield "first", ""
    yield "again", ""
    yield "asked", ""
    for place in shape.histories:
        yield "history", place
    yield "origin", shape.origin
    if shape.workload == "long_call":
        yield "round", ""
    if shape.parent:
        yield "group", str(GROUP)
        yield "group", "all"


def in_process(name: str, measurement: str, argument: str, trace: Path) -> dict[str, object]:
    """Measure one thing in a process of its own."""
    command = [sys.executable, __file__, name, "--only", measurement, argument, str(trace)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        return {
            "note": done.stderr.strip().rpartition("\n")[2],
            "cpu": -1.0,
            "clock": -1.0,
            "mb": 0.0,
        }
    found: dict[str, object] = json.loads(done.stdout)
    return found


def measured(work: Callable[[], dict[str, object]]) -> dict[str, object]:
    """Measure some work, all of which happens in this process, set up as the commands do it."""
    collect_rarely()
    began, clock = time.process_time(), time.perf_counter()
    found = work()
    cpu, wall = time.process_time() - began, time.perf_counter() - clock
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"cpu": cpu, "clock": wall, **found, "mb": peak}


def report(names: list[str], percent: int = 100) -> bool:
    """Measure shapes and print a table; return whether everything is within its limits."""
    print("| shape | measured | s | by the clock | MB | |")
    print("| --- | --- | --: | --: | --: | --- |")
    good = True
    for name in names:
        shape = SHAPES[name]
        trace = trace_of(shape.workload, shape.scale * percent // 100)
        for measurement, argument in measurements(shape):
            found = in_process(name, measurement, argument, trace)
            cpu, clock, mb = (float(str(found[key])) for key in ("cpu", "clock", "mb"))
            limit = ROUND_LIMIT_S if measurement == "round" else LIMIT_S
            over = not 0 <= cpu <= limit or mb > LIMIT_MB
            good = good and not over
            note = f"{found['note']}{' **over**' if over else ''}"
            print(
                f"| {name} | {measurement} | {cpu:.2f} | {clock:.2f} | {mb:.0f} | {note} |",
                flush=True,
            )
    print(
        f"\nLimits: {LIMIT_S:.0f} s of processor time, {LIMIT_MB} MB. Load: {os.getloadavg()[0]:.1f}"
    )
    return good


def main() -> None:
    """Parse the arguments and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shapes", nargs="*", choices=[[], *SHAPES], help="only these shapes")
    parser.add_argument("--scale", type=int, default=100, help="size of the traces, in percent")
    parser.add_argument("--only", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.only:
        measurement, argument, trace = options.only
        shape = SHAPES[options.shapes[0]]
        work = MEASUREMENTS[measurement]
        print(json.dumps(measured(lambda: work(Path(trace), shape, argument))))
        return
    report(options.shapes or list(SHAPES), options.scale)


if __name__ == "__main__":
    main()
