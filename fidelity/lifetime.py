"""Lifetime and resources: objects die when they would without recording, and recording leaks no memory.

Programs that make and drop a great many objects, generators and threads, or report which objects die when, run plain
and recorded: they print the same and end the same. A *soak* runs for minutes; its memory must not grow once it is warm.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from fidelity.report import Options, Report, Reports, Row, by_name, table
from fidelity.runs import ROOT, Python, Run, remove_trace, say, still

PROGRAMS = ROOT / "fidelity" / "programs"
LIVES = sorted(path.stem for path in (PROGRAMS / "lives").glob("*.py"))
SMALL = ("finalizers", "recursion_limit", "threads")
SOAK = "soak"
GROWTH_KB = 1500
"""How much a soaked process may grow after warming up: allocator noise."""


def run(python: Python, options: Options) -> Report:
    """Compare each program, then soak."""
    report = Report()
    for name in options.chosen(SMALL if options.small else LIVES):
        say(f"{python.version} {name}")
        report.rows.append(_compare(python, name, report))
    if not options.small and options.chosen([SOAK]):
        say(f"{python.version} {SOAK} for {options.soak_seconds:.0f} s")
        report.facts[SOAK] = _soak(python, options.soak_seconds, report)
    return report


def _compare(python: Python, name: str, report: Report) -> Row:
    with TemporaryDirectory(prefix="fidelity-") as work:
        folder = Path(work)
        shutil.copy(PROGRAMS / "lives" / f"{name}.py", folder)
        plain = python.run([f"{name}.py"], folder)
        trace = folder / "trace.wrongcall"
        recorded = python.record([f"{name}.py"], folder, trace)
        remove_trace(trace)
    problems = differences(plain, recorded)
    report.problems += [f"{name}: {text}" for text in problems]
    stats = recorded.stats or {}
    return {
        "name": name.replace("_", " "),
        "equal": not problems,
        "calls": stats.get("calls", 0),
        "events": stats.get("events", 0),
        "plain": plain.cpu,
        "recorded": recorded.cpu,
        "megabytes": plain.max_rss_kb / 1000,
        "recorded megabytes": stats.get("program_max_rss_kb", 0) / 1000,
    }


def differences(plain: Run, recorded: Run) -> list[str]:
    """Return in words what a recorded run did differently."""
    problems = []
    if recorded.status != plain.status:
        problems.append(f"exit status {recorded.status}, not {plain.status}")
    pairs = ((plain.stdout, recorded.stdout), (plain.stderr, recorded.own_stderr))
    for before, after in ((still(a), still(b)) for a, b in pairs):
        lines = zip(before.splitlines(), after.splitlines(), strict=False)
        first = next(((a, b) for a, b in lines if a != b), None)
        if before != after:
            problems.append(f"printed something else: {first or (before[-200:], after[-200:])}")
    if recorded.stats is None or not recorded.stats["calls"]:
        problems.append("it was not recorded: " + recorded.stderr[-300:])
    return problems


def _soak(python: Python, seconds: float, report: Report) -> Row:
    with TemporaryDirectory(prefix="fidelity-") as work:
        folder = Path(work)
        shutil.copy(PROGRAMS / "soak.py", folder)
        trace = folder / "trace.wrongcall"
        done = python.record(["soak.py", str(seconds)], folder, trace, seconds=2 * seconds + 60)
        size = trace.stat().st_size if trace.exists() else 0
        remove_trace(trace)
    sizes = [int(line.split()[1]) for line in done.stdout.splitlines()]
    warm, end = sizes[len(sizes) // 5], max(sizes[-5:])
    if done.status or end - warm > GROWTH_KB:
        report.problems.append(f"soak: {warm} kB grew to {end} kB, exit status {done.status}")
    stats = done.stats or {}
    figures = {"seconds": seconds, "warm": warm, "end": end, "largest": max(sizes)}
    return {**figures, "events": stats.get("events", 0), "trace": size}


def tables(reports: Reports) -> str:
    """Return the tables of the programs and of the soak."""
    lives = [
        [
            name, version, "yes" if row["equal"] else "**no**", row["calls"], row["events"],
            row["plain"], row["recorded"], f"{row['megabytes']:.0f}",
            f"{row['recorded megabytes']:.0f}",
        ]
        for name, found in by_name(reports).items()
        for version, row in found.items()
    ]  # fmt: skip
    header = ["program", "Python", "equal", "calls", "events", "plain s", "recorded s"]
    soaks = [
        [version, *(found[key] for key in ("seconds", "warm", "end", "largest", "events"))]
        for version, report in reports.items()
        if (found := report.facts.get(SOAK))
    ]
    soak_header = ["soak on", "seconds", "kB after a fifth", "kB at the end", "largest", "events"]
    return table([*header, "plain MB", "recorded MB"], lives) + "\n\n" + table(soak_header, soaks)
