"""Hostile files beside a trace: whatever lies there, commands touch nothing but the trace.

SQLite trusts what it finds beside a database. Each attempt puts a trace (good, damaged, or one whose last writer was
killed and left its log) among files that somebody else may have made, and lets one command open it. Afterwards,
everything in the sandbox must be as it was: what lies beside the trace, the files that were named or linked to, the
home folder, the folder for temporary files. Only the trace itself may change, if the command saves answers, and then
its own log may be gone, because it was merged into the trace.

An attempt is *answered* (a good trace gives the same answer as without these files), *refused* (with one line that says
why), or *failed*, which must not happen: something was touched, it hung, or it ended in another way.
"""

from __future__ import annotations

import os
import random
import shutil
import stat
import struct
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from fidelity.corruption import damage
from fidelity.report import Options, Report, Reports, table
from fidelity.runs import ROOT, Python, Run, say
from wrongcall.trace.file.beside import INDEX, JOURNAL, LOG, SUFFIXES, beside

PROGRAM = ROOT / "tests" / "programs" / "chat.py"
ATTEMPTS, FEW_ATTEMPTS = 400, 24
SECONDS = 60
PAGE = 8192
VERDICTS = ("answered", "refused", "failed")
TRACE = Path("trace/run.wrongcall")

KILLED = """
import os, sys
from pathlib import Path
from wrongcall.trace.file import opening
from wrongcall.trace.read.session_store import save_session
opening.Connection.close = lambda self: os.kill(os.getpid(), 9)
save_session(Path(sys.argv[1]), "left", {}, [{"calls": [1, 1], "verdict": "right"}])
"""
PAGE_SERVER = """
import sys
from pathlib import Path
from wrongcall.cli import main
from wrongcall.web import server
from wrongcall.web.workspace import Workspace
def serve(path, how, start, **more):
    workspace = Workspace(path, how, start)
    workspace.step()
    workspace.close()
server.serve = serve
sys.exit(main.main(["web", "--no-open", sys.argv[1]]))
"""
"""`wrongcall web` up to the first question, without the browser."""

READING = {
    "info": ["info", "{}"],
    "tree": ["tree", "{}"],
    "show": ["show", "{}", "1"],
    "events": ["events", "{}", "1"],
    "history": ["history", "{}", "4", "self.n"],
    "origin": ["origin", "{}", "4", "self.n"],
}
SAVING = ("debug", "web")
COMMANDS = (*READING, *SAVING)

Entry = tuple[int, int, bytes | str | None]
"""The kind and permissions of a file, its identity, and its contents or target."""
State = dict[str, Entry]


def run(python: Python, options: Options) -> Report:
    """Run the attempts; the seeds are the same in every run."""
    report = Report()
    count = FEW_ATTEMPTS if options.small else ATTEMPTS
    tally: Counter[tuple[str, str]] = Counter()
    with TemporaryDirectory(prefix="fidelity-") as name, ThreadPoolExecutor(os.cpu_count()) as pool:
        traces = _traces(python, Path(name))
        say(f"{python.version} {count:,} traces among hostile files")
        known = {
            kind: _said(python, Path(name) / f"plain-{kind}", traces, kind) for kind in ANSWERING
        }
        found = pool.map(
            lambda seed: _attempt(python, Path(name), traces, known, seed), range(count)
        )
        for seed, tried in enumerate(found):
            verdict = "failed" if tried.problems else tried.verdict
            for thing in tried.things:
                tally[thing, verdict] += 1
            report.problems += [f"{seed} {tried.name}: {text}" for text in tried.problems]
    for thing in sorted({thing for thing, _ in tally}):
        report.rows.append({"name": thing, **{v: tally[thing, v] for v in VERDICTS}})
    return report


# -- traces ----------------------------------------------------------------------------------------

GOOD, LEFT, DAMAGED = "good", "left", "damaged"
ANSWERING = (GOOD, LEFT)


def _traces(python: Python, folder: Path) -> dict[str, Path]:
    good, left = folder / "good" / TRACE.name, folder / "left" / TRACE.name
    for path in (good, left):
        path.parent.mkdir()
    done = python.record([str(PROGRAM)], folder / "program", good)
    assert done.status == 0, done.stderr
    shutil.copy(good, left)
    done = python.run(["-c", KILLED, str(left)], folder / "program")
    assert done.status == -9, done.stderr
    assert beside(left, LOG).stat().st_size
    return {GOOD: good, LEFT: left, DAMAGED: good}


@dataclass(frozen=True)
class Sandbox:
    """A folder with everything that a command could reach, including what it must not touch."""

    folder: Path

    def make(self, traces: dict[str, Path], kind: str, seed: int) -> None:
        """Fill it with a trace, precious files and a home folder."""
        for name in ("trace", "precious", "home", "temporary"):
            (self.folder / name).mkdir(parents=True)
        for number in range(4):
            (self.precious / f"file{number}").write_bytes(b"precious\n" * 9000)
        (self.precious / "pyproject.toml").write_text("[tool.wrongcall]\nnonsense = 1\n")
        if kind == DAMAGED:
            damage(traces[kind], self.trace, seed)
            return
        shutil.copy(traces[kind], self.trace)
        if kind == LEFT:
            shutil.copy(beside(traces[kind], LOG), beside(self.trace, LOG))

    @property
    def trace(self) -> Path:
        return self.folder / TRACE

    @property
    def precious(self) -> Path:
        return self.folder / "precious"

    def state(self) -> State:
        """Return everything in it: kind and permissions, identity, and contents."""
        found = {}
        for path in sorted(self.folder.rglob("*")):
            status = path.lstat()
            content: bytes | str | None = None
            if stat.S_ISLNK(status.st_mode):
                content = str(path.readlink())
            elif stat.S_ISREG(status.st_mode):
                content = path.read_bytes()
            found[str(path.relative_to(self.folder))] = (status.st_mode, status.st_ino, content)
        return found


# -- files beside them -----------------------------------------------------------------------------


def _super_journal(file: Path, sandbox: Sandbox, chance: random.Random) -> None:
    """Write a rollback journal that makes SQLite delete the file it names after playback."""
    victim = bytes(sandbox.precious / "file0")
    pages = sandbox.trace.stat().st_size // PAGE
    header = bytes.fromhex("d9d505f920a163d7") + struct.pack(">IIIII", 0, 0, pages, 512, PAGE)
    check = sum(byte - 256 if byte > 127 else byte for byte in victim) & 0xFFFFFFFF
    trailer = struct.pack(">I", (1 << 30) // PAGE + 1) + victim
    trailer += struct.pack(">II", len(victim), check) + header[:8]
    file.write_bytes(header.ljust(512, b"\0") + trailer)


def _old_journal(file: Path, sandbox: Sandbox, chance: random.Random) -> None:
    """Write a rollback journal that would empty the trace."""
    header = bytes.fromhex("d9d505f920a163d7") + struct.pack(">IIIII", 0, 0, 0, 512, PAGE)
    file.write_bytes(header.ljust(512, b"\0"))


def _forged_log(file: Path, sandbox: Sandbox, chance: random.Random) -> None:
    """Write the beginning of a log, then random bytes."""
    size = chance.choice((PAGE, 512, 1, 1 << 20))
    header = struct.pack(">IIIIII", 0x377F0682 | chance.randrange(2), 3007000, size, 0, 1, 2)
    file.write_bytes(header + chance.randbytes(chance.choice((0, 8, 50_000))))


def _forged_index(file: Path, sandbox: Sandbox, chance: random.Random) -> None:
    """Write an index of a log that claims endless pages."""
    file.write_bytes((struct.pack("=II", 3007000, 0) + b"\xff" * 128).ljust(32 << 10, b"\xff"))


def _random_bytes(file: Path, sandbox: Sandbox, chance: random.Random) -> None:
    file.write_bytes(chance.randbytes(chance.choice((1, 100, PAGE, 100_000))))


def _empty(file: Path, sandbox: Sandbox, chance: random.Random) -> None:
    file.touch()


def _symbolic_link(file: Path, sandbox: Sandbox, chance: random.Random) -> None:
    targets = (
        "file1",
        "nowhere",
        ".",
        "../trace/run.wrongcall",
        f"../trace/{file.name}",
        "pyproject.toml",
    )
    file.symlink_to(Path("..") / "precious" / chance.choice(targets))


def _device_link(file: Path, sandbox: Sandbox, chance: random.Random) -> None:
    file.symlink_to(chance.choice(("/dev/zero", "/dev/null", "/dev/tty", "/proc/self/mem")))


def _hard_link(file: Path, sandbox: Sandbox, chance: random.Random) -> None:
    file.hardlink_to(sandbox.precious / "file2")


def _pipe(file: Path, sandbox: Sandbox, chance: random.Random) -> None:
    os.mkfifo(file)


def _folder(file: Path, sandbox: Sandbox, chance: random.Random) -> None:
    file.mkdir()
    (file / "inside").write_text("precious")


def _no_rights(file: Path, sandbox: Sandbox, chance: random.Random) -> None:
    file.write_bytes(b"precious")
    file.chmod(chance.choice((0, 0o400, 0o777)))


ANYWHERE = (
    _random_bytes, _empty, _symbolic_link, _device_link, _hard_link, _pipe, _folder, _no_rights,
)  # fmt: skip
THINGS: dict[str, tuple[Callable[[Path, Sandbox, random.Random], None], ...]] = {
    JOURNAL: (_super_journal, _super_journal, _old_journal, *ANYWHERE),
    LOG: (_forged_log, *ANYWHERE),
    INDEX: (_forged_index, *ANYWHERE),
}


# -- attempts --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Tried:
    """The result of an attempt."""

    name: str
    things: list[str]
    verdict: str
    problems: list[str]


def _attempt(
    python: Python,
    folder: Path,
    traces: dict[str, Path],
    known: dict[str, dict[str, str]],
    seed: int,
) -> Tried:
    chance = random.Random(seed)
    sandbox = Sandbox(folder / f"sandbox-{seed}")
    kind = chance.choice((GOOD, GOOD, LEFT, DAMAGED))
    sandbox.make(traces, kind, seed)
    things = []
    for suffix in chance.sample(SUFFIXES, chance.choice((1, 1, 2, 3))):
        file = beside(sandbox.trace, suffix)
        if not os.path.lexists(file):
            put = chance.choice(THINGS[suffix])
            put(file, sandbox, chance)
            things.append(f"{suffix}: {put.__name__.strip('_').replace('_', ' ')}")
    command = chance.choice(COMMANDS)
    before = sandbox.state()
    done = _opened(python, sandbox, command)
    problems = _touched(before, sandbox.state(), command)
    verdict, wrong = _judged(done, known.get(kind, {}).get(command))
    if verdict == "refused" and not things and kind in ANSWERING:
        wrong = [f"refused for no reason: {done.stderr}"]
    shutil.rmtree(sandbox.folder)
    name = f"{command} of a {kind} trace, {', '.join(things) or 'nothing beside it'}"
    return Tried(name, things or ["nothing"], verdict, problems + wrong)


def _opened(python: Python, sandbox: Sandbox, command: str) -> Run:
    trace = f"../{TRACE}"
    if command == "web":
        words = ["-c", PAGE_SERVER, trace]
    else:
        given = READING.get(command, [command, "{}"])
        words = ["-m", "wrongcall", *(word.format(trace) for word in given)]
    env = {name: str(sandbox.folder / "home") for name in ("HOME", "XDG_CONFIG_HOME")}
    env |= {"TMPDIR": str(sandbox.folder / "temporary"), "PYTHONDONTWRITEBYTECODE": "1"}
    # The command's working folder is not watched: its output is kept there.
    return python.run(words, sandbox.folder / "work", env, SECONDS)


def _said(python: Python, folder: Path, traces: dict[str, Path], kind: str) -> dict[str, str]:
    """Return what each reading command prints about a trace without hostile files beside it."""
    sandbox = Sandbox(folder)
    sandbox.make(traces, kind, 0)
    said = {}
    for command in READING:
        done = _opened(python, sandbox, command)
        assert (done.status, done.stderr) == (0, ""), done
        said[command] = done.stdout
    return said


def _touched(
    before: State,
    after: State,
    command: str,
) -> list[str]:
    ours = {str(TRACE)} if command in SAVING else set()
    if command in SAVING:
        # A genuine log is merged into the trace and then removed, with its index.
        ours |= {f"{TRACE}{suffix}" for suffix in (LOG, INDEX) if f"{TRACE}{suffix}" not in after}
        ours -= {name for name in ours if not _may_go(before.get(name))}
    names = {name for name in {*before, *after} - ours if not name.startswith("work")}
    return [f"{name} was touched" for name in sorted(names) if before.get(name) != after.get(name)]


def _may_go(entry: Entry | None) -> bool:
    return entry is None or (stat.S_ISREG(entry[0]) and isinstance(entry[2], bytes))


def _judged(done: Run, expected: str | None) -> tuple[str, list[str]]:
    if done.timed_out:
        return "failed", [f"not done after {SECONDS} s"]
    if (
        done.status in (2, 3)
        and done.stderr.startswith("wrongcall: ")
        and done.stderr.count("\n") == 1
    ):
        return "refused", []
    if "Traceback" in done.stderr or done.status not in (0, 1, 2, 3):
        return "failed", [f"ended with {done.status}: {done.stderr[-300:]}"]
    if expected is not None and done.stdout != expected:
        return "failed", [f"said something else: {done.stdout[:200]!r} {done.stderr[:200]!r}"]
    return "answered", []


def tables(reports: Reports) -> str:
    """Return the results for each kind of file beside a trace."""
    rows = [
        [row["name"], version, sum(row[v] for v in VERDICTS), *(row[v] for v in VERDICTS)]
        for version, report in reports.items()
        for row in report.rows
    ]
    return table(["beside the trace", "Python", "attempts", *VERDICTS], rows)
