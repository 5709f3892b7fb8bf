"""Fuzz the reader: damaged traces are refused with a message, or read; nothing else ever happens.

The traces are damaged and read by separate processes (`fuzz_worker`), with a limit on memory and time, so that a crash,
a hang or a huge allocation is noticed and distinguished from a refusal. The code of a trace is never run; the worst a
damaged one could do, besides being wrong, is to crash its reader.

A damaged trace is *refused* (a clear error, at the latest when the damaged part is read), *same* (the damage is where
nothing is stored, or what was lost is also stored elsewhere), *other* (it is read as another run, which is allowed only
for forgeries), or *failed*, which must not happen.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

from fidelity.report import Options, Report, Reports, Row, table
from fidelity.runs import ROOT, Python, say
from wrongcall.trace.read.session_store import save_session

TESTED = ROOT / "tests" / "programs"
PROGRAMS = ("search_tree", "simulation", "chat")
LONG = "steady"
"""The program whose trace has what only traces of long runs have."""
SOURCES = {LONG: (ROOT / "fidelity" / "programs" / "steady.py", "1300")}
TRACES, FEW_TRACES = 10_000, 150
BATCH = 500
ANSWERS = [{"calls": [number, number], "verdict": "right"} for number in range(1, 6)]
VERDICTS = ("refused", "same", "other", "failed")


def run(python: Python, options: Options) -> Report:
    """Damage and read traces; the seeds are the same in every run."""
    report = Report()
    count = FEW_TRACES if options.small else TRACES
    tally: Counter[tuple[str, str]] = Counter()
    with TemporaryDirectory(prefix="fidelity-") as name, ThreadPoolExecutor(os.cpu_count()) as pool:
        good = _good_traces(python, Path(name))
        starts = range(0, count, BATCH)
        batches = [(good[_kind(number, len(starts))], first) for number, first in enumerate(starts)]
        results = pool.map(
            lambda batch: _batch(python, batch[0], batch[1], min(batch[1] + BATCH, count)), batches
        )
        for (chosen, _), rows in zip(batches, results, strict=True):
            for row in rows:
                tally[row["way"], row["verdict"]] += 1
                if row["verdict"] in ("refused", "same") or is_forged(row):
                    continue
                why = row.get("why", "damage is read as another run")
                report.problems.append(f"{chosen.name} {row['seed']} {row['way']}: {why}")
    for way in sorted({way for way, _ in tally}):
        counts = {verdict: tally[way, verdict] for verdict in VERDICTS}
        report.rows.append({"name": way.replace("_", " "), **counts})
    return report


def _kind(number: int, batches: int) -> str:
    """Return which trace a batch damages: the last of many batches, that of a long run."""
    return LONG if 1 < batches == number + 1 else PROGRAMS[number % len(PROGRAMS)]


def is_forged(row: Row) -> bool:
    """Return whether it was read as another run because all its checksums are right."""
    return bool(row["verdict"] == "other" and row["way"].startswith("forge"))


def _good_traces(python: Python, folder: Path) -> dict[str, Path]:
    return {name: _good_trace(python, folder, name) for name in (*PROGRAMS, LONG)}


def _good_trace(python: Python, folder: Path, program: str) -> Path:
    trace = folder / f"{program}.wrongcall"
    source, *arguments = SOURCES.get(program, (TESTED / f"{program}.py",))
    done = python.record([str(source), *arguments], folder / "program", trace)
    assert done.status == 0, done.stderr
    for name in ("first", "second"):
        save_session(trace, name, {"strategy": "top-down"}, ANSWERS)
    return trace


def _batch(python: Python, good: Path, first: int, last: int) -> list[Row]:
    """Return the result of each seed; after a crash, another process reads the rest."""
    say(f"{python.version} damaged traces {first:,} to {last - 1:,}")
    folder = good.with_name(f"from-{first}")
    rows: list[Row] = []
    while first < last:
        command = ["-m", "fidelity.fuzz_worker", str(good), str(folder), str(first)]
        env = {"PYTHONPATH": str(ROOT)}
        done = python.run([*command, str(last - first)], folder, env, seconds=3600)
        facts = [json.loads(line) for line in done.stdout.splitlines()]
        rows += [fact for fact in facts if "verdict" in fact]
        if facts and "verdict" not in facts[-1]:
            why = f"the reader died ({done.status}): {done.stderr[-500:]}"
            rows.append({**facts[-1], "way": "unknown", "verdict": "failed", "why": why})
        elif not facts:
            raise RuntimeError(f"the worker did not start: {done.stderr}")
        first = facts[-1]["seed"] + 1
    return rows


def tables(reports: Reports) -> str:
    """Return the results for each kind of damage."""
    rows = [
        [row["name"], version, sum(row[v] for v in VERDICTS), *(row[v] for v in VERDICTS)]
        for version, report in reports.items()
        for row in report.rows
    ]
    for version, report in reports.items():
        sums = [sum(row[verdict] for row in report.rows) for verdict in VERDICTS]
        rows.append(["all together", version, sum(sums), *sums])
    return table(["damage", "Python", "traces", *VERDICTS], rows)
