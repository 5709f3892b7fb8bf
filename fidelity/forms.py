"""Harmless and exact, the forms of the language: generated programs do the same and are recorded correctly.

Each seed makes a program of random statements (`fidelity.forms_programs`), in which every expression passes through a
witness: ``w(n, value)`` writes down that place n was reached. The program runs once undisturbed, then with an exception
raised at one witness call after the other. What was written down, the tracebacks and the variables at the end must be
the same plain and recorded.

At marked snapshots, ``probe(label)``, everything that the variables of the running function lead to is written down
(`tests.recorder.heap_witness`); the trace must show the same at that time.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import wrongcall.recording
from fidelity.forms_programs import Programs
from fidelity.report import Options, Report, Reports, table
from fidelity.runs import Python, say, still
from tests.recorder import heap_witness
from tests.recorder.heap_compare import Snapshot, local_differences, read_snapshots
from wrongcall.recording import Call, Recording

FEW_PROGRAMS = 10
COUNTS = ("programs", "different", "snapshots", "wrong")
SECONDS = 120
SAID_PROBLEMS = 3
"""For each program."""


def run(python: Python, options: Options) -> Report:
    """Run each seed's program both ways."""
    report = Report()
    count = FEW_PROGRAMS if options.small else options.programs
    seeds = range(options.first_seed, options.first_seed + count)
    row = dict.fromkeys(COUNTS, 0)
    for seed in seeds:
        with TemporaryDirectory(prefix="fidelity-") as name:
            _compare(python, Path(name), seed, report, row)
    say(f"{python.version} forms: {row['programs']} of {count} programs compiled and compared")
    report.rows.append({"name": "generated", **row, "seeds": f"{seeds[0]} to {seeds[-1]}"})
    return report


def write(folder: Path, seed: int, version: tuple[int, int]) -> None:
    """Write the program of a seed."""
    for name, text in Programs(seed, version).files().items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    shutil.copy(heap_witness.__file__, folder / "heap_witness.py")


def _compare(python: Python, folder: Path, seed: int, report: Report, row: dict[str, int]) -> None:
    major, minor, *_ = python.version.split(".")
    write(folder, seed, (int(major), int(minor)))
    plain = python.run(["prog.py"], folder, {"PYTHONHASHSEED": "0"}, SECONDS)
    if "SyntaxError" in plain.stderr and not plain.stdout:
        return  # for example a name that is both a parameter and global
    options = ["--exclude", "heap_witness"]
    env = {"PYTHONHASHSEED": "0"}
    trace, witness = folder / "trace.wrongcall", folder / "witness.jsonl"
    witness.unlink(missing_ok=True)
    done = python.record(["prog.py"], folder, trace, options, env, SECONDS)
    row["programs"] += 1
    one = (plain.status, still(plain.stdout), still(plain.stderr))
    other = (done.status, still(done.stdout), still(done.own_stderr))
    if one != other:
        row["different"] += 1
        text = f"{first_difference(one[1], other[1])} {other[2][-300:]}"
        report.problems.append(f"seed {seed}: {text}")
    # A program that fails at once may take no snapshot at all.
    snapshots = read_snapshots(folder) if witness.exists() else {}
    with wrongcall.recording.open(trace) as opened:
        wrong = wrong_snapshots(opened, snapshots)
    row["snapshots"] += len(snapshots)
    row["wrong"] += len(wrong)
    report.problems += [f"seed {seed}: {text}" for text in wrong[:SAID_PROBLEMS]]


def wrong_snapshots(recording: Recording, snapshots: dict[str, Snapshot]) -> list[str]:
    """Return the snapshots at which the trace has other variables than the program had."""
    calls = _probes(recording)
    found = []
    for label, snapshot in snapshots.items():
        differences = local_differences(recording, snapshot, calls[label])
        if differences:
            found.append(f"at {label}: {differences[0]}")
    return found


def _probes(recording: Recording) -> dict[str, Call]:
    """Return the calls of ``probe`` by label."""
    wanted = {number for number, f in recording.program.functions.items() if f.qualname == "probe"}
    calls = recording.calls.columns()
    pairs = zip(calls.id.tolist(), calls.function.tolist(), strict=True)
    found = [recording.call(call) for call, function in pairs if function in wanted]
    return {str(call.args[0].value): call for call in found}


def first_difference(plain: str, recorded: str) -> str:
    """Return the first line that differs."""
    one, other = plain.splitlines(), recorded.splitlines()
    pairs = zip(one, other, strict=False)
    lengths = f"{len(one)} lines, {len(other)} recorded"
    return next((f"{a!r} became {b!r}" for a, b in pairs if a != b), lengths)


def tables(reports: Reports) -> str:
    """Return how many programs ran, and how many differed."""
    rows = [
        [
            version,
            row["seeds"],
            *(row[key] for key in COUNTS),
        ]
        for version, report in reports.items()
        for row in report.rows
    ]
    header = ["Python", "seeds", "programs that compile", "that differ", "snapshots", "that differ"]
    return table(header, rows)
