"""Exact, the states: at any time the trace gives what the program really had.

*Random programs*: Hypothesis makes programs full of aliases, cycles and C mutators; at sampled snapshots an independent
witness writes down everything that can be reached, ids and values. *Workloads and libraries*: for sampled calls, the
arguments with everything they lead to are written down when the call begins and when it ends, and what it returned.
Recording and snapshot are equal if one assignment of object ids makes everything equal.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import wrongcall.recording
from fidelity.outcomes import allowed_differences
from fidelity.report import Options, Report, Reports, Row, by_name, table
from fidelity.runs import INSIDE, ROOT, Python, say
from fidelity.tree import IN_COMPREHENSION, PROGRAMS, Program
from tests.recorder.heap_compare import Comparison
from wrongcall.recording import Call, ObjectState, Recording

RANDOM = "random programs"
EXAMPLES, FEW_EXAMPLES = 60, 2
CHOSEN = ("fib", "queens", "msort", "avl", "calc", "sqlparse", "markdown", "jinja2", "networkx")
SMALL = ("queens", "calc")
PICTURES = 60
"""About how many calls of a program are sampled."""
WORD = re.compile(r"[A-Za-z_]\w*")
CLASS = re.compile(r"^\s*class (\w+)", re.MULTILINE)


def run(python: Python, options: Options) -> Report:
    """Compare random programs, then workloads and libraries."""
    report = Report()
    if options.chosen([RANDOM]):
        count = FEW_EXAMPLES if options.small else EXAMPLES
        say(f"{python.version} {count} {RANDOM}")
        report.rows.append(_random(python, count, report))
    known = {program.name: program for program in PROGRAMS}
    for name in options.chosen(SMALL if options.small else CHOSEN):
        say(f"{python.version} states of {name}")
        with TemporaryDirectory(prefix="fidelity-") as folder:
            report.rows.append(_program(python, known[name], Path(folder), report))
    return report


def _random(python: Python, count: int, report: Report) -> Row:
    env = {"PYTHONPATH": str(ROOT)}
    with TemporaryDirectory(prefix="fidelity-") as folder:
        command = ["-m", "fidelity.replay_worker", str(count)]
        done = python.run(command, Path(folder), env, seconds=3600)
    if done.status:
        report.problems.append(f"{RANDOM}: {done.stderr[-1000:]}")
        return {"name": RANDOM, "runs": 0, "snapshots": 0, "objects": 0, "differing": 0}
    found = json.loads(done.stdout.splitlines()[-1])
    report.problems += [f"{RANDOM}, seed {found['seed']}: {text}" for text in found["first"]]
    counts = {"snapshots": found["snapshots"], "differing": found["differing"]}
    return {"name": RANDOM, "runs": found["programs"], "objects": None, **counts}


# -- workloads and libraries -----------------------------------------------------------------------


def _program(python: Python, program: Program, folder: Path, report: Report) -> Row:
    script = folder / program.script.name
    shutil.copy(program.script, script)
    command = [script.name, *program.args]
    options = ["--include", program.library] if program.library else []
    trace = folder / "first.wrongcall"
    python.record(command, folder, trace, options)
    with wrongcall.recording.open(trace) as opened:
        every = max(1, len(_functions(opened)) // PICTURES)
        settings = _settings(folder, opened, every)
    trace, pictures = folder / "trace.wrongcall", folder / "pictures.jsonl"
    paths = f"{INSIDE}:{ROOT / 'tests' / 'recorder'}"
    env = {"PYTHONPATH": paths, "WATCH_HEAP": "|".join([str(pictures), *settings])}
    done = python.record(command, folder, trace, options, env)
    if done.status or not pictures.exists():
        report.problems.append(f"{program.name}: {done.stderr[-500:]}")
        return {"name": program.name, "runs": 1, "snapshots": 0, "objects": 0, "differing": 0}
    snapshots = [json.loads(line) for line in pictures.read_text().splitlines()]
    with wrongcall.recording.open(trace) as opened:
        names = frozenset((folder / "names.txt").read_text().split())
        found = _differences(opened, snapshots, names)
    allowed = allowed_differences()
    keys = [f"{program.name}: states at {where}" for where, _ in found]
    texts = [text for key, (_, text) in zip(keys, found, strict=True) if key not in allowed]
    report.problems += [f"{program.name}: {text}" for text in texts[:3]]
    counts = {"snapshots": len(snapshots), "objects": sum(len(m["nodes"]) for m in snapshots)}
    known = sorted({key for key in keys if key in allowed})
    return {
        "name": program.name, "runs": 1, **counts, "differing": len(found), "explained": known
    }  # fmt: skip


def _settings(folder: Path, recording: Recording, every: int) -> list[str]:
    """Return the settings of the witness: which folders, how often, which attribute names."""
    names: set[str] = set()
    for file in recording.program.files.values():
        found = set(WORD.findall(file.source))
        private = {name for name in found if name.startswith("__") and not name.endswith("__")}
        classes = {name.lstrip("_") for name in CLASS.findall(file.source)}
        names |= found | {f"_{owner}{name}" for owner in classes for name in private}
    words = folder / "names.txt"
    words.write_text(" ".join(sorted(n for n in names if not n.startswith("__"))))
    folders = {str(Path(file.path).parent) for file in recording.program.files.values()}
    return [":".join(sorted(folders)), str(every), str(words)]


def _functions(recording: Recording) -> list[int]:
    """Return the calls that the witness counts, in order."""
    calls = recording.calls.columns()
    kinds = {number: function.kind for number, function in recording.program.functions.items()}
    pairs = zip(calls.id.tolist(), calls.function.tolist(), strict=True)
    return [call for call, function in pairs if kinds[function] in ("function", "lambda")]


class Comparing(Comparison):
    """Compares the attributes whose names the witness could know: those that the source mentions."""

    names: frozenset[str] = frozenset()

    def attrs(self, path: str, want: dict[str, Any], have: ObjectState) -> Iterator[str]:
        """Leave out what libraries keep in objects under names of their own."""
        known = {name: value for name, value in have.attrs.items() if name in self.names}
        return super().attrs(path, want, replace(have, attrs=known))


def _differences(
    recording: Recording, snapshots: list[dict[str, Any]], names: frozenset[str]
) -> list[tuple[str, str]]:
    """Return the function and the difference for each snapshot that does not match the trace."""
    numbers = _functions(recording)
    found = []
    for snapshot in snapshots:
        call = recording.call(numbers[snapshot["number"]])
        if IN_COMPREHENSION.sub("", snapshot["name"]) != call.function.qualname:
            text = f"call {snapshot['number']} is {call.function.qualname}, not {snapshot['name']}"
            return [(snapshot["name"], text)]
        differences = _snapshot(recording, call, snapshot, names)
        if differences:
            place = f"{call.function.qualname} (call {call.id}) at {snapshot['when']}"
            found.append((call.function.qualname, f"{place}: {differences[0]}"))
    return found


def _snapshot(
    recording: Recording, call: Call, snapshot: dict[str, Any], names: frozenset[str]
) -> list[str]:
    time = call.entered if snapshot["when"] == "entry" else call.exit
    known = {passed.name: passed.value for passed in call.args}
    comparison = Comparing(recording, snapshot["nodes"], time)
    comparison.names = names
    differences = []
    for name, value in snapshot["values"].items():
        have = call.value if name == "return" else known.get(name, wrongcall.recording.UNSET)
        differences += list(comparison.value(name, value, have))
    return differences


def tables(reports: Reports) -> str:
    """Return what was compared, and where it differed."""
    rows = [
        [name, version, row["runs"], row["snapshots"], row["objects"] or "", row["differing"]]
        for name, found in by_name(reports).items()
        for version, row in found.items()
    ]
    header = ["program", "Python", "runs", "snapshots", "objects", "snapshots that differ"]
    return table(header, rows) + "\n\n" + _explained(reports)


def _explained(reports: Reports) -> str:
    """Return where states differ for a known reason."""
    allowed = allowed_differences()
    found = {
        key
        for report in reports.values()
        for row in report.rows
        for key in row.get("explained", ())
    }
    return table(["states that differ", "reason"], [[key, allowed[key]] for key in sorted(found)])
