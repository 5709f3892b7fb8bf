"""Faults: whatever happens to the program, the disk or the recorder, nothing false is left behind.

*Killed*: SIGKILL at random times, to the program alone or to it and the process that writes the trace together. The
trace opens, is whole, and its events are, byte for byte, the beginning of those of the undisturbed run. *Hindered*: the
trace cannot be written, or stops being writable; the program ends as it does plain, and the user is told once.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import wrongcall.recording
from fidelity.integrity import problems_of
from fidelity.report import Options, Report, Reports, by_name, table
from fidelity.runs import (
    ROOT,
    SUMMARY,
    Python,
    Run,
    environment,
    killed_after,
    remove_trace,
    run_command,
    say,
)
from wrongcall.errors import WrongcallError
from wrongcall.events import Kind
from wrongcall.trace.format.event_records import Events

PROGRAM = ROOT / "fidelity" / "programs" / "steady.py"
ROUNDS = 3000
LONGER = 12_000
"""Rounds of a run that is hindered on the way."""
KILLS, FEW_KILLS = 100, 6


def run(python: Python, options: Options) -> Report:
    """Kill, then hinder."""
    report = Report()
    kills = FEW_KILLS if options.small else KILLS
    with TemporaryDirectory(prefix="fidelity-") as name:
        folder = Path(name)
        shutil.copy(PROGRAM, folder)
        for victim in options.chosen(VICTIMS):
            say(f"{python.version} {kills // 2} times: {victim}")
            _kill(python, folder, victim, kills // 2, report)
        for hindrance in HINDRANCES:
            if options.chosen([hindrance.name]):
                say(f"{python.version} {hindrance.name}")
                _hinder(python, folder, hindrance, report)
    return report


# -- killed ----------------------------------------------------------------------------------------

VICTIMS = ("the program is killed", "program and drain are killed")


def _kill(python: Python, folder: Path, victim: str, times: int, report: Report) -> None:
    trace = _recorded(python, folder, None, victim)
    whole = _events(trace)
    with wrongcall.recording.open(trace) as opened:
        takes = opened.meta["seconds"]
    chance = random.Random(victim)
    shares, problems = [], []
    for attempt in range(times):
        after = chance.uniform(0, takes)
        trace = _recorded(python, folder, after, victim)
        share, found = _judged(trace, whole)
        shares.append(share)
        problems += [f"{victim}, attempt {attempt}, after {after:.3f} s: {text}" for text in found]
    report.problems += problems
    report.rows.append(
        {
            "name": victim,
            "times": times,
            "good": times - len({text.partition(": ")[0] for text in problems}),
            "what": f"{sum(0 < share < 1 for share in shares)} in the middle of the run, on "
            f"average after {sum(shares) / len(shares):.0%} of its {len(whole):,} events",
        }
    )


def _recorded(python: Python, folder: Path, after: float | None, victim: str) -> Path:
    """Record the program, killed this many seconds after the trace appeared."""
    trace = folder / "trace.wrongcall"
    remove_trace(trace)
    command = [*python.recording, "-o", trace.name, PROGRAM.name]
    with (folder / "output").open("wb") as output:
        process = subprocess.Popen(
            [*command, str(ROUNDS)], cwd=folder, env=environment(), stdout=output, stderr=output,
            start_new_session=True,
        )  # fmt: skip
        with killed_after(process.pid, 300):
            if after is not None:
                _strike(process.pid, trace, after, victim)
            process.wait()
    return trace


def _strike(leader: int, trace: Path, after: float, victim: str) -> None:
    while not trace.exists():
        time.sleep(0.001)
    time.sleep(after)
    with suppress(ProcessLookupError):
        if victim == VICTIMS[0]:
            for child in _children(leader):
                os.kill(child, signal.SIGKILL)
        else:
            os.killpg(leader, signal.SIGKILL)


def _children(process: int) -> list[int]:
    try:
        text = Path(f"/proc/{process}/task/{process}/children").read_text()
    except FileNotFoundError:
        return []
    return [int(number) for number in text.split()]


def _events(trace: Path) -> Events:
    """Return the events without what differs from run to run: the system's names of threads."""
    with wrongcall.recording.open(trace) as opened:
        events = opened.events.between().copy()
    events["key"][events["kind"] == Kind.THREAD] = 0
    return events


def _judged(path: Path, whole: Events) -> tuple[float, list[str]]:
    """Return how much of the run the trace has, and its problems."""
    if not path.exists():  # the program had not begun: there is nothing to show
        return 0.0, []
    try:
        problems = problems_of(path)
        events = _events(path)
    except WrongcallError as exc:
        # If it was killed before its tables were made, it is not a trace: its first page is written last.
        early = "not a trace" in str(exc) and not any(path.read_bytes()[:100])
        return 0.0, [] if early else [str(exc)]
    same = len(events) <= len(whole) and np.array_equal(events, whole[: len(events)])
    if not same:
        problems.append("its events are not the beginning of the run")
    return len(events) / len(whole), problems


# -- hindered --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Hindrance:
    """Something that keeps a trace from being written."""

    name: str
    run: Callable[[Python, Path], Run]
    refused: bool = False
    """The program is not started at all, because nothing could be recorded."""
    lossless: bool = False
    """The trace is complete all the same: there is nothing to report."""


SMALL_DISK = """
mkdir -p disk && mount -t tmpfs -o size=700k tmpfs disk || exit 99
"$@"
status=$?
cp disk/* .
exit $status
"""
READ_ONLY_DISK = """
mkdir -p disk && mount -t tmpfs -o size=64m tmpfs disk || exit 99
[ -z "$TRACE_THERE" ] || cp trace.wrongcall disk/
mount -o remount,ro disk || exit 99
"$@"
"""


def _command(python: Python, output: str) -> list[str]:
    return [*python.recording, "-o", output, PROGRAM.name, str(LONGER)]


def _mounted(script: str, **more: str) -> Callable[[Python, Path], Run]:
    def start(python: Python, folder: Path) -> Run:
        command = _command(python, "disk/trace.wrongcall")
        return run_command(
            ["unshare", "-rm", "sh", "-c", script, "sh", *command], folder, more, 300
        )

    return start


def _no_folder(python: Python, folder: Path) -> Run:
    return run_command(_command(python, "missing/trace.wrongcall"), folder, None, 300)


WATCHED = """
import os, resource, select, shutil, subprocess, sys, time
trace = sys.argv[1]
if os.path.dirname(trace):
    shutil.rmtree(os.path.dirname(trace), ignore_errors=True)
    os.mkdir(os.path.dirname(trace))
process = subprocess.Popen(sys.argv[2:])
while not os.path.exists(trace + "-wal") or not os.path.getsize(trace):
    time.sleep(0.001)
"""
KILL_DRAIN = """
time.sleep(0.4)
with open(f"/proc/{process.pid}/task/{process.pid}/children") as file:
    (program,) = file.read().split()
ending = os.pidfd_open(int(program))
process.kill()
process.wait()
select.select([ending], [], [], 200)
"""
LIMIT_FILES = """
resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (200_000, 200_000))
sys.exit(process.wait())
"""
WELL_BEGUN = """
while os.path.getsize(trace + "-wal") < 200_000:
    time.sleep(0.001)
"""
CLOSE_FOLDER = """
os.chmod("disk", 0o555)
status = process.wait()
os.chmod("disk", 0o755)
shutil.copy(trace, ".")
sys.exit(status)
"""
REMOVE_FOLDER = """
shutil.rmtree("disk")
sys.exit(process.wait())
"""
NO_PRIVILEGES = ("setpriv", "--bounding-set=-dac_override,-dac_read_search")
"""With these, even root must obey file permissions."""


def _watched(code: str, trace: str = "trace.wrongcall") -> Callable[[Python, Path], Run]:
    """Do something to the recording process or its folder as soon as there is a trace."""

    def start(python: Python, folder: Path) -> Run:
        plain = () if os.geteuid() else NO_PRIVILEGES
        command = [*plain, sys.executable, "-c", WATCHED + code, trace]
        return run_command([*command, *_command(python, trace)], folder, None, 300)

    return start


HINDRANCES = (
    Hindrance("the disk is full", _mounted(SMALL_DISK)),
    Hindrance("the trace reaches the limit on the size of files", _watched(LIMIT_FILES)),
    Hindrance("the drain is killed", _watched(KILL_DRAIN)),
    Hindrance(
        "the folder is removed", _watched(WELL_BEGUN + REMOVE_FOLDER, "disk/trace.wrongcall")
    ),
    Hindrance(
        "the folder cannot be written to any more",
        _watched(WELL_BEGUN + CLOSE_FOLDER, "disk/trace.wrongcall"),
        lossless=True,
    ),
    Hindrance("the folder cannot be written to", _mounted(READ_ONLY_DISK), refused=True),
    Hindrance(
        "an older trace cannot be replaced", _mounted(READ_ONLY_DISK, TRACE_THERE="1"), refused=True
    ),
    Hindrance("there is no such folder", _no_folder, refused=True),
)


def _hinder(python: Python, folder: Path, hindrance: Hindrance, report: Report) -> None:
    plain = python.run([PROGRAM.name, str(LONGER)], folder)
    trace = folder / "trace.wrongcall"
    if not hindrance.refused:
        remove_trace(trace)
    done = hindrance.run(python, folder)
    problems = _hindered(hindrance, plain, done)
    if not hindrance.refused and trace.exists():
        problems += problems_of(trace)
    told = "nothing: the trace is complete" if hindrance.lossless else " ".join(_told(done)).strip()
    report.problems += [f"{hindrance.name}: {text}" for text in problems]
    row = {"name": hindrance.name, "times": 1, "good": int(not problems), "what": told}
    report.rows.append(row)


def _hindered(hindrance: Hindrance, plain: Run, done: Run) -> list[str]:
    problems = []
    if hindrance.refused:
        if done.stdout or done.status != 3:
            problems.append(f"not refused: exit status {done.status}")
    elif hindrance.name != "the drain is killed" and done.status != plain.status:
        problems.append(f"exit status {done.status}, not {plain.status}")
    if not hindrance.refused and done.stdout != plain.stdout:
        problems.append("the program printed something else")
    wanted = 0 if hindrance.lossless else 1
    if len(_told(done)) != wanted or not done.stderr.startswith("wrongcall: "):
        problems.append(f"the user should be told {wanted} times: {done.stderr!r}")
    return problems


def _told(done: Run) -> list[str]:
    """Return what the user is told besides the usual last line, which may say it too."""
    lines = done.stderr.splitlines(keepends=True)
    return [line for line in lines if not SUMMARY.fullmatch(line) or "; the disk is full" in line]


# -- tables ----------------------------------------------------------------------------------------


def tables(reports: Reports) -> str:
    """Return what was done to recordings, and how often all went well."""
    rows = [
        [name, version, row["times"], row["good"], row["what"]]
        for name, found in by_name(reports).items()
        for version, row in found.items()
    ]
    return table(["fault", "Python", "times", "all well", "when, or what the user is told"], rows)
