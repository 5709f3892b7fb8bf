"""``wrongcall record``: its arguments, its output file, what it says, what it does in trouble."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

import wrongcall.recording
from tests.recorder.bothways import (
    COMMAND,
    MODULE,
    SUMMARY,
    TRACE,
    Outcome,
    environment,
    plain,
    recorded,
    run,
    write_files,
)
from wrongcall.errors import TraceVersionError
from wrongcall.trace.format.schema import FILE_VERSION

SHOW = "import sys\nprint(sys.argv[1:])\n"


def record(folder: Path, *args: str, command: bool = False) -> Outcome:
    """Run ``wrongcall record args`` as it is."""
    return run([*(COMMAND if command else MODULE), "record", *args], folder)


# -- arguments -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "args",
    [
        ["prog.py", "-o", "x", "--force", "-m", "y", "--help"],
        ["prog.py", "--", "a", "--", "b"],
        ["--", "prog.py", "--", "a"],
        ["--include", "lib", "prog.py", "--include", "z"],
        ["-m", "prog", "-m", "x", "--", "-o"],
        ["--", "-m", "prog", "x"],
        ["-mprog", "x", "-o"],
        ["--exclude=a", "--exclude", "b", "-m", "prog", "--exclude=c"],
    ],
    ids=" ".join,
)
def test_arguments_after_the_program_are_its_own(tmp_path: Path, args: list[str]) -> None:
    write_files(tmp_path, SHOW)
    start = next(i for i, arg in enumerate(args) if arg in ("prog.py", "-m", "-mprog"))
    expected = plain(tmp_path, *args[start:])
    assert recorded(tmp_path, *args) == expected


def test_command_and_module_do_the_same(tmp_path: Path) -> None:
    write_files(tmp_path, SHOW)
    expected = plain(tmp_path, "prog.py", "x")
    assert recorded(tmp_path, "prog.py", "x", command=True) == expected


@pytest.mark.parametrize(
    "args, name",
    [(["prog.py"], "prog"), (["-m", "pkg"], "pkg"), (["-m", "pkg.part"], "part"), (["pkg"], "pkg"),
     (["sub/tool"], "tool")],
    ids=str,
)  # fmt: skip
def test_trace_is_named_after_the_program(tmp_path: Path, args: list[str], name: str) -> None:
    names = ["prog.py", "pkg/__init__.py", "pkg/__main__.py", "pkg/part.py", "sub/tool"]
    write_files(tmp_path, dict.fromkeys(names, "x = 1"))
    done = record(tmp_path, *args)
    assert (tmp_path / f"{name}.wrongcall").exists()
    assert f" -> {name}.wrongcall (" in done.stderr


# -- what it says ----------------------------------------------------------------------------------


def test_summary_tells_calls_events_seconds_file_and_size(tmp_path: Path) -> None:
    write_files(tmp_path, "def f(x):\n    return x\nfor i in range(2000):\n    f(i)\n")
    done = record(tmp_path, "-o", "out.wrongcall", "prog.py")
    assert done.stdout == ""
    told = SUMMARY.fullmatch(done.stderr)
    assert told is not None, done.stderr
    with wrongcall.recording.open(tmp_path / "out.wrongcall") as recording:
        assert told["calls"] == f"{len(recording.calls.columns().id):,}" == "2,001"
        assert told["events"] == f"{recording.event_count:,}"
        assert told["seconds"] == f"{recording.meta['seconds']:.2f}"
    assert told["file"] == "out.wrongcall"
    size, unit = told["size"].split()
    bytes_ = (tmp_path / "out.wrongcall").stat().st_size
    assert float(size) * {"bytes": 1, "kB": 1e3, "MB": 1e6}[unit] == pytest.approx(bytes_, rel=0.1)
    assert told["note"] == ""


def test_the_trace_stores_facts_of_the_run(tmp_path: Path) -> None:
    write_files(tmp_path, {"prog.py": "import sys\nsys.exit(3)", "setup.cfg": ""})
    recorded(tmp_path, "prog.py", "a", "b")
    with wrongcall.recording.open(tmp_path / TRACE) as recording:
        meta = dict(recording.meta)
    assert meta["program"] == ["prog.py", "a", "b"]
    assert (meta["kind"], meta["status"], meta["ended"]) == ("script", 3, "exit")
    assert (meta["folder"], meta["root"]) == (str(tmp_path), str(tmp_path))
    assert meta["python"] == sys.version


# -- the output file -------------------------------------------------------------------------------


def test_force_overwrites_a_file_that_is_not_a_trace(tmp_path: Path) -> None:
    write_files(tmp_path, {"prog.py": SHOW, TRACE: "precious"})
    done = recorded(tmp_path, "prog.py", options=["--force"])
    assert done.status == 0
    wrongcall.recording.open(tmp_path / TRACE).close()


KILLED = """
import os, sys
from pathlib import Path
from wrongcall.trace.write.writer import TraceWriter
TraceWriter(Path(sys.argv[1]), {"program": ["prog.py"]})
os.kill(os.getpid(), 9)
"""


@pytest.mark.parametrize("left", ["nothing", "the log of a killed recording", "an empty file"])
def test_older_trace_is_replaced(tmp_path: Path, left: str) -> None:
    write_files(tmp_path, SHOW)
    if left == "an empty file":
        (tmp_path / TRACE).touch()
    else:
        recorded(tmp_path, "prog.py", "old")
    if left == "the log of a killed recording":
        command = [sys.executable, "-c", KILLED, str(tmp_path / TRACE)]
        assert subprocess.run(command, check=False).returncode == -9
        assert (tmp_path / (TRACE + "-wal")).stat().st_size
    recorded(tmp_path, "prog.py", "new")
    with wrongcall.recording.open(tmp_path / TRACE) as recording:
        assert recording.meta["program"] == ["prog.py", "new"]
    assert not (tmp_path / (TRACE + "-wal")).exists()


def test_trace_of_another_version_is_refused_by_readers_and_replaced_by_record(
    tmp_path: Path,
) -> None:
    write_files(tmp_path, SHOW)
    recorded(tmp_path, "prog.py")
    for version, age in ((FILE_VERSION + 7, "newer"), (0, "older")):
        db = sqlite3.connect(tmp_path / TRACE)
        db.execute(f"PRAGMA user_version = {version}")
        db.close()
        with pytest.raises(TraceVersionError, match=f"format {version} by an? {age} wrongcall"):
            wrongcall.recording.open(tmp_path / TRACE)
    recorded(tmp_path, "prog.py")
    wrongcall.recording.open(tmp_path / TRACE).close()


def test_recording_leaves_the_bytecode_that_python_leaves(tmp_path: Path) -> None:
    """The cache has the plain code: it is there for runs that are not recorded."""
    files = {"prog.py": "import other, pkg\nprint(other.f(1))", "other.py": "def f(x): return x"}
    write_files(tmp_path, {**files, "pkg/__init__.py": ""})

    def left() -> dict[str, bytes]:
        found = {path.name: path.read_bytes() for path in tmp_path.rglob("*.pyc")}
        for folder in tmp_path.rglob("__pycache__"):
            shutil.rmtree(folder)
        return found

    recorded(tmp_path, "prog.py")
    by_recording = left()
    plain(tmp_path, "prog.py")
    assert by_recording == left() != {}


def test_bytecode_of_earlier_runs_is_neither_used_nor_changed(tmp_path: Path) -> None:
    write_files(tmp_path, {"prog.py": "import other\nother.f(1)", "other.py": "def f(x): return x"})
    plain(tmp_path, "prog.py")
    (cached,) = tmp_path.rglob("*.pyc")
    before = cached.read_bytes()
    recorded(tmp_path, "prog.py")
    assert cached.read_bytes() == before
    with wrongcall.recording.open(tmp_path / TRACE) as recording:
        assert {f.name for f in recording.program.functions.values()} == {"<module>", "f"}


def test_program_that_deletes_its_trace_runs_to_its_end(tmp_path: Path) -> None:
    program = """
        import glob, os, time
        for name in glob.glob("trace*"):
            os.remove(name)
        end = time.monotonic() + 0.4
        while time.monotonic() < end:
            time.sleep(0.01)
        print("done")
        raise SystemExit(5)
    """
    write_files(tmp_path, program)
    done = record(tmp_path, "-o", TRACE, "prog.py")
    assert (done.stdout, done.status) == ("done\n", 5)
    assert "Traceback" not in done.stderr
    assert done.stderr.count("\n") <= 2


def test_trace_that_cannot_be_written_any_more_costs_the_program_nothing(tmp_path: Path) -> None:
    program = """
        import sys
        total = 0
        for i in range(200_000):
            total += i
        print(total)
        sys.stderr.write("the end\\n")
        raise SystemExit(5)
    """
    write_files(tmp_path, program)
    failing = """
import sys
from wrongcall.cli.main import main
from wrongcall.errors import TraceError
from wrongcall.trace.write.writer import TraceWriter
plain, calls = TraceWriter.add_batch, []
def add(self, batch):
    calls.append(1)
    if len(calls) > 2:
        raise TraceError("the trace: the disk fell out")
    plain(self, batch)
TraceWriter.add_batch = add
sys.exit(main(sys.argv[1:]))
"""
    done = run(["-c", failing, "record", "-o", TRACE, "prog.py"], tmp_path)
    assert (done.stdout, done.status) == (f"{sum(range(200_000))}\n", 5)
    # While the program runs, standard error is the program's.
    assert done.stderr.startswith(
        "the end\nwrongcall: the trace: the disk fell out; the rest of the program was not recorded\n"
    )
    assert "Traceback" not in done.stderr
    wrongcall.recording.open(tmp_path / TRACE).close()


@pytest.mark.parametrize("reader", ["closed", "gone"])
def test_output_that_nobody_reads_does_not_block_the_program(tmp_path: Path, reader: str) -> None:
    write_files(tmp_path, SHOW + "sys.exit(6)")
    read, write = os.pipe()
    os.close(read)
    closing = {"preexec_fn": lambda: os.close(2)} if reader == "closed" else {"stderr": write}
    done = subprocess.run(
        [sys.executable, *MODULE, "record", "-o", TRACE, "prog.py"],
        cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, check=False, text=True, **closing,
    )  # fmt: skip
    os.close(write)
    assert (done.stdout, done.returncode) == ("[]\n", 6)


# -- a full disk -----------------------------------------------------------------------------------

MANY = """
import glob, os, random, sys, time
def f(x):
    y = x + random.getrandbits(500)
    return y
trace = sys.argv[1] + "*"
before = sum(map(os.path.getsize, glob.glob(trace)))
for i in range(60_000):
    f(i)
    while i == 20_000 and sum(map(os.path.getsize, glob.glob(trace))) == before:
        time.sleep(0.01)  # the trace is written while the program runs
print("finished")
sys.exit(5)
"""

WITHOUT_RESERVE = """
import sys
from wrongcall.cli.main import main
from wrongcall.trace.write import writer
writer.RESERVED_DISK_BYTES = 0
sys.exit(main(sys.argv[1:]))
"""

# In a name space of its own the folder is a small disk; what is on it at the end is copied out.
SMALL_DISK = """
mount -t tmpfs -o size=$1 tmpfs disk || exit 99
shift
"$@"
status=$?
cp disk/* .
exit $status
"""


def can_mount(folder: Path) -> bool:
    if shutil.which("unshare") is None:
        return False
    mount = ["unshare", "-rm", "mount", "-t", "tmpfs", "tmpfs", str(folder)]
    return subprocess.run(mount, capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize("size, start", [("3m", MODULE), ("2m", ("-c", WITHOUT_RESERVE))])
def test_full_disk_ends_the_trace_and_not_the_program(
    tmp_path: Path, size: str, start: tuple[str, ...]
) -> None:
    if not can_mount(tmp_path):
        pytest.skip("no small disk can be mounted here")
    write_files(tmp_path, MANY)
    (tmp_path / "disk").mkdir()
    command = [sys.executable, *start, "record", "-o", "disk/x.wrongcall", "prog.py", "disk/x"]
    done = subprocess.run(
        ["unshare", "-rm", "sh", "-c", SMALL_DISK, "sh", size, *command],
        cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert (done.stdout, done.returncode) == ("finished\n", 5)
    told = SUMMARY.fullmatch(done.stderr)
    assert told is not None, done.stderr
    assert told["note"] == "; the disk is full, so the end of the run is missing"
    # Without a reserve there may be no room for the last words.
    check_ends_early(tmp_path / "x.wrongcall", *([] if start == MODULE else [None]))


def test_disk_that_fills_up_ends_the_trace_and_not_the_program(tmp_path: Path) -> None:
    write_files(tmp_path, MANY)
    filling = """
import glob, os, sys
from wrongcall.cli.main import main
from wrongcall.trace.write import writer
class Disk:
    f_blocks, f_bavail, f_frsize = 1 << 40, writer.RESERVED_DISK_BYTES + 2_000_000, 1
    sizes = []
plain_statvfs = os.statvfs
def statvfs(path):
    if not str(path).endswith("trace.wrongcall"):
        return plain_statvfs(path)
    Disk.sizes.append(sum(map(os.path.getsize, glob.glob("trace.wrongcall*"))))
    if Disk.sizes[-1] > Disk.sizes[0] + 300_000:  # the program waits until the trace has grown
        Disk.f_bavail = 0
    return Disk
os.statvfs = statvfs
sys.exit(main(sys.argv[1:]))
"""
    done = run(["-c", filling, "record", "-o", TRACE, "prog.py", TRACE], tmp_path)
    assert (done.stdout, done.status) == ("finished\n", 5)
    told = SUMMARY.fullmatch(done.stderr)
    assert told is not None, done.stderr
    assert told["note"] == "; the disk is full, so the end of the run is missing"
    check_ends_early(tmp_path / TRACE)


def check_ends_early(path: Path, *other_ends: None) -> None:
    """The trace says that the disk was full, and what it has can be read."""
    with wrongcall.recording.open(path) as recording:
        assert recording.ended in ("disk full", *other_ends)
        calls = len(recording.calls.columns().id)
        assert 1 <= calls < 60_001
        assert recording.call(calls).function.name in ("f", "<module>")


def test_one_process_is_recorded_without_loading_slow_libraries(tmp_path: Path) -> None:
    """The program waits until the recorder is ready; numpy alone takes longer than everything else."""
    write_files(tmp_path, "def f(x):\n    return [x, str(x)]\n\nprint(len(f(2)))\n")
    told = """
import sys
from wrongcall.cli.main import main
main(sys.argv[1:])
slow = {"numpy", "concurrent.futures", "logging", "difflib", "wrongcall.trace.write.merging"}
print(sorted(slow & sys.modules.keys()))
"""
    done = run(["-c", told, "record", "-o", TRACE, "prog.py"], tmp_path)
    assert done.stdout == "2\n[]\n"
