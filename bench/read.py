"""Measure how fast a large trace is read: `make bench-read`.

    read.py [--trace FILE] [--rounds N] [--questions N] [--long FILE] [--scale N] [--one FILE] [--asking FILE]

Records `workloads/reading.py` (some 22 million events; or takes a trace of it) and queries it; `workloads/accounts.py`
(ten million calls), for questions about calls that last for the whole run; `workloads/asking.py` (a line that runs
100,000 times in one call, another in 100,000 calls, and a million calls), for expressions and searches; and
`workloads/one_call.py` (18 million events in one call, killed in an endless loop). Traces are recorded once and kept
(`traces`). Then come traces of different shapes (`shapes`). Each figure is taken in a process of its own that has
opened nothing before: everything is cold but the operating system's file cache. The limits are the project's own; they
apply to processor time, as others may use the machine. The output also has the time by the clock, and how long a loop
of plain Python takes: that shows how busy the machine was.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import shapes
from traces import trace_of

import wrongcall.recording
from wrongcall.events import Kind
from wrongcall.present import excerpt, question
from wrongcall.recording import Recording
from wrongcall.session.search import How, Search, Start
from wrongcall.trace.format.event_records import kind_table

Figures = dict[str, Any]


class Taken(NamedTuple):
    """How long something took, in seconds."""

    processor: float
    clock: float


def measured(work: Callable[[], object]) -> Taken:
    """Measure some work.

    It all happens in one thread, so on an idle machine both times are the same.
    """
    began, clock = time.process_time(), time.perf_counter()
    work()
    return Taken(time.process_time() - began, time.perf_counter() - clock)


def figures(taken: Taken) -> Figures:
    """Return the figures for something that was measured once."""
    return {"seconds": taken.processor, "clock": {"seconds": taken.clock}}


def reference() -> float:
    """Return the processor time, in seconds, of a million additions in plain Python, at best."""

    def loop() -> None:
        total = 0
        for number in range(1_000_000):
            total += number

    return min(measured(loop).processor for _ in range(5))


def opening(path: str, options: argparse.Namespace) -> Figures:
    """Open the trace and show the first call."""

    def work() -> None:
        with wrongcall.recording.open(path) as recording:
            call = recording.call(1)
            assert call.function.kind == "module"
            assert call.exit >= 0

    return figures(measured(work))


def questions(path: str, options: argparse.Namespace) -> Figures:
    """Ask the whole question about randomly chosen calls, each on a newly opened trace."""
    chance = random.Random(options.seed)
    taken: list[Taken] = []
    spans = []
    for _ in range(options.questions):
        with wrongcall.recording.open(path) as recording:
            number = chance.randrange(1, recording.calls.count + 1)
            taken.append(measured(lambda: question(recording, number)))  # noqa: B023 - called at once
            call = recording.call(number)
            spans.append((taken[-1], call.function.qualname, call.exit - call.entry))
    slowest = max(spans)
    return {
        **_ranks([each.processor for each in taken]),
        "clock": _ranks([each.clock for each in taken]),
        "slowest": f"{slowest[1]}, {slowest[2]:,} events",
    }


def _ranks(taken: list[float]) -> dict[str, float]:
    taken = sorted(taken)
    return {
        "median": taken[len(taken) // 2],
        "p90": taken[len(taken) * 9 // 10],
        "worst": taken[-1],
    }


def _main_call(recording: Recording) -> int:
    (function,) = [f.id for f in recording.program.functions.values() if f.qualname == "main"]
    return next(recording.calls.of_functions([function]))


def long_calls(path: str, options: argparse.Namespace) -> Figures:
    """Ask about the module and its main function, each on a newly opened trace."""
    taken: dict[str, Taken] = {}
    for name in ("<module>", "main"):
        with wrongcall.recording.open(path) as recording:
            (function,) = [f.id for f in recording.program.functions.values() if f.qualname == name]
            number = next(recording.calls.of_functions([function]))
            taken[name] = measured(lambda: question(recording, number))  # noqa: B023 - called at once
    found: Figures = {name: each.processor for name, each in taken.items()}
    return {**found, "clock": {name: each.clock for name, each in taken.items()}}


def coverage(path: str, options: argparse.Namespace) -> Figures:
    """Compute the coverage of all calls."""
    with wrongcall.recording.open(path) as recording:
        return figures(measured(recording.execution.covered))


def history(path: str, options: argparse.Namespace) -> Figures:
    """Read every value that a variable of main had."""
    with wrongcall.recording.open(path) as recording:
        call = _main_call(recording)
        found: list[object] = []
        taken = measured(lambda: found.extend(recording.places.history(call, "checksum")))
        return {**figures(taken), "versions": len(found)}


def slot_history(path: str, options: argparse.Namespace) -> Figures:
    """Read every value that an attribute of a frequently used object had."""
    with wrongcall.recording.open(path) as recording:
        call = _main_call(recording)
        found: list[object] = []
        taken = measured(lambda: found.extend(recording.places.history(call, "index.total")))
        return {**figures(taken), "versions": len(found)}


def origin(path: str, options: argparse.Namespace) -> Figures:
    """Follow a value that was passed on in ten calls, twice in each, over the whole run."""
    with wrongcall.recording.open(path) as recording:
        call = _main_call(recording)
        found: list[wrongcall.recording.Origin] = []
        taken = measured(lambda: found.append(recording.places.origin(call, "relay[10]")))
        assert found[0].text == "rounds * 1000 + 7", found[0]
        return {**figures(taken), "links": len(found[0].links)}


def columns(path: str, options: argparse.Namespace) -> Figures:
    """Read all calls as columns."""
    with wrongcall.recording.open(path) as recording:
        return {
            **figures(measured(recording.calls.columns)),
            "calls": len(recording.calls.columns()),
        }


def scan(path: str, options: argparse.Namespace) -> Figures:
    """Read the kind of every event."""
    table = kind_table({Kind.PRINT})
    with wrongcall.recording.open(path) as recording:
        segments = recording._store.segments

        def work() -> None:
            for number in range(len(segments.index.count)):
                table[segments.column(number, "kind")].sum()

        taken = measured(work)
        return {**figures(taken), "rate": recording.event_count / taken.processor}


def one_first(path: str, options: argparse.Namespace) -> Figures:
    """Open the trace of a killed run, and show the first question: the endless call."""
    shown: list[str] = []

    def work() -> None:
        with (
            wrongcall.recording.open(path) as recording,
            Search(recording, How(fresh=True)) as search,
        ):
            search.begin(Start())
            asked = search.led()
            assert asked is not None
            shown.append(question(recording, asked.calls[0]).where.function)

    taken = measured(work)
    assert shown == ["add"], shown
    return figures(taken)


def one_history(path: str, options: argparse.Namespace) -> Figures:
    """Find every value that a variable of the endless call had, and show the last ones."""
    with wrongcall.recording.open(path) as recording:
        (call,) = recording.calls.of_functions(
            [f.id for f in recording.program.functions.values() if f.qualname == "add"]
        )
        found: list[object] = []
        taken = measured(lambda: found.extend(recording.places.history(call, "total")[-200:]))
        return {**figures(taken), "versions": len(found)}


def one_source(path: str, options: argparse.Namespace) -> Figures:
    """Show the source of the endless call: how often its lines ran, and the last values."""
    with wrongcall.recording.open(path) as recording:
        (call,) = recording.calls.of_functions(
            [f.id for f in recording.program.functions.values() if f.qualname == "add"]
        )
        return figures(measured(lambda: excerpt(recording, call)))


def printing(source: str, *expressions: str) -> Callable[[str, argparse.Namespace], Figures]:
    """Return a measurement of expressions at every execution of the line with this source."""

    def measure(path: str, options: argparse.Namespace) -> Figures:
        with wrongcall.recording.open(path) as recording:
            (file,) = recording.program.files.values()
            line = [text.strip() for text in file.source.splitlines()].index(source) + 1
            counts: list[int] = []

            def work() -> None:
                counts.append(len(recording.print(f"asking.py:{line}", *expressions).rows))

            taken = measured(work)
            assert counts == [100_000], counts
            return figures(taken)

    return measure


def finding(search: str, expected: int) -> Callable[[str, argparse.Namespace], Figures]:
    """Return a measurement of a search for returned values among a million calls."""

    def measure(path: str, options: argparse.Namespace) -> Figures:
        with wrongcall.recording.open(path) as recording:
            assert recording.calls.count > 1_000_000
            found: list[object] = []
            taken = measured(lambda: found.extend(recording.find(search, what="calls")))
            assert len(found) == expected, len(found)
            return figures(taken)

    return measure


ASKING = {
    "print, local variables": printing("account.total += recent[i % 1000]", "i + best > 100"),
    "print, objects": printing(
        "account.total += recent[i % 1000]", "recent[i % 1000] + account.total"
    ),
    "print, 100,000 calls": printing("account.total = y", "account.total + y"),
    "find, absent": finding("value == -1", 0),
    "find, 1,000 of a million": finding("value == 998", 1000),
}
"""Measurements of expressions and searches."""

MEASUREMENTS = {
    work.__name__: work
    for work in (
        opening,
        questions,
        long_calls,
        history,
        slot_history,
        origin,
        columns,
        coverage,
        scan,
        one_first,
        one_history,
        one_source,
    )
} | ASKING
LIMITS = {  # what is measured, and its limit in seconds
    ("opening", "seconds"): 0.3,
    ("questions", "median"): 0.05,
    ("questions", "p90"): 0.05,
    ("questions", "worst"): 0.05,
    ("long_calls", "<module>"): 0.3,
    ("long_calls", "main"): 0.3,
    ("history", "seconds"): 0.3,
    ("slot_history", "seconds"): 0.3,
    ("origin", "seconds"): 0.5,
    ("columns", "seconds"): None,
    ("coverage", "seconds"): 20.0,
    ("one_first", "seconds"): 3.0,
    ("one_history", "seconds"): 3.0,
    ("one_source", "seconds"): 20.0,
    **{(name, "seconds"): 2.0 for name in ASKING},
}
MOST_MEMORY = 400.0  # MB
MOST_OF_ONE = 500.0  # MB


def in_process(name: str, path: str, options: argparse.Namespace) -> Figures:
    """Measure one thing in a process of its own."""
    command = [sys.executable, __file__, "--only", name, "--trace", path]
    command += ["--questions", str(options.questions), "--seed", str(options.seed)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: Figures = json.loads(done.stdout)
    return found


def report(path: str, long: str, one: str, asking: str, options: argparse.Namespace) -> None:
    """Measure everything and print a table."""
    others = {
        "long_calls": long,
        **dict.fromkeys(ASKING, asking),
        **dict.fromkeys(("one_first", "one_history", "one_source"), one),
    }
    with wrongcall.recording.open(path) as recording:
        print(f"{recording.event_count:,} events, {recording.calls.count:,} calls")
    found = {name: in_process(name, others.get(name, path), options) for name in MEASUREMENTS}
    print(f"{'':28}{'ms':>10}{'clock':>10}{'limit':>8}")
    for (name, figure), limit in LIMITS.items():
        seconds = found[name][figure]
        label = name if figure == "seconds" else f"{name}, {figure}"
        allowed = "" if limit is None else f"{limit * 1000:8.0f}"
        over = "" if limit is None or seconds <= limit else "  over"
        clock = found[name]["clock"][figure]
        print(f"{label:28}{seconds * 1000:10.1f}{clock * 1000:10.1f}{allowed}{over}")
    memory = max(each["memory"] for name, each in found.items() if not name.startswith("one_"))
    print(f"{'peak memory, MB':28}{memory:10.0f}{'':10}{MOST_MEMORY:8.0f}")
    for name in ("one_first", "one_history", "one_source"):
        print(f"{name + ', MB':28}{found[name]['memory']:10.0f}{'':10}{MOST_OF_ONE:8.0f}")
    print(f"{'scan, million events/s':28}{found['scan']['rate'] / 1e6:10.1f}")
    print(f"{'a million additions, ms':28}{reference() * 1000:10.1f}")
    print(f"slowest question: {found['questions']['slowest']}")
    print(f"history: {found['history']['versions']:,} and {found['slot_history']['versions']:,}")
    print(f"origin: {found['origin']['links']} links back")


def main() -> None:
    """Parse the arguments and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trace", help="use this trace of the workload instead of recording one")
    parser.add_argument("--rounds", type=int, default=4200, help="scale of the workload")
    parser.add_argument("--long", help="use this trace of accounts.py instead of recording one")
    parser.add_argument("--scale", type=int, default=4600, help="scale of accounts.py")
    parser.add_argument("--one", help="use this trace of one_call.py instead of recording one")
    parser.add_argument("--loop", type=int, default=6_000_000, help="rounds of one_call.py")
    parser.add_argument("--asking", help="use this trace of asking.py instead of recording one")
    parser.add_argument("--questions", type=int, default=40, help="random calls to ask about")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=MEASUREMENTS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.only:
        found = MEASUREMENTS[options.only](options.trace, options)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(json.dumps({**found, "memory": peak}))
        return
    path = options.trace or str(trace_of("reading", options.rounds))
    long = options.long or str(trace_of("accounts", options.scale))
    one = options.one or str(trace_of("one_call", options.loop))
    asking = options.asking or str(trace_of("asking", 100_000))
    report(path, long, one, asking, options)
    print()
    shapes.report(list(shapes.SHAPES))


if __name__ == "__main__":
    main()
