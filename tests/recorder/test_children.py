"""Processes that the program starts are recorded into the same recording, and run as without recording."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.recorder.bothways import (
    MODULE,
    SUMMARY,
    TRACE,
    environment,
    plain,
    recorded,
    run,
    runs_the_same,
    write_files,
)
from wrongcall.present import question
from wrongcall.recording import Call, Recording

WORK = """
    import multiprocessing, os, subprocess, sys, time
    from concurrent.futures import ProcessPoolExecutor

    def work(n):
        total = n * 10
        return total

    def start():
        {}

    if __name__ == "__main__":
        start()
"""

OTHER = """
    import sys

    def helper(word):
        return word.upper()

    if __name__ == "__main__":
        print(helper(sys.argv[1]), sys.argv, __name__, flush=True)
"""


_open: list[Recording] = []


@pytest.fixture(autouse=True)
def closed(tmp_path: Path) -> Iterator[None]:
    """Close what a test has opened, and let processes go that wait for it."""
    yield
    (tmp_path / "go").touch()
    while _open:
        _open.pop().close()


def opened(folder: Path) -> Recording:
    _open.append(Recording(folder / TRACE))
    return _open[-1]


def calls_of(recording: Recording, name: str) -> list[Call]:
    every = (recording.call(int(number)) for number in recording.calls.columns().id)
    return [call for call in every if call.function.qualname == name]


def same(folder: Path, body: str, **more: str) -> Recording:
    """Run a program both ways, with `body` in its function start, and open the recording."""
    runs_the_same(folder, {"prog.py": WORK.format(body), "other.py": OTHER, **more})
    assert_nothing_is_left()
    return opened(folder)


def assert_nothing_is_left() -> None:
    """No folder of shared memory of a recording that has ended is there."""
    mine = [
        path for path in Path("/dev/shm").glob("wrongcall-*") if path.stat().st_uid == os.getuid()
    ]
    for path in mine:  # of tests that run at the same time
        assert (path / "control").exists() or not path.exists()


def values(recording: Recording, name: str) -> list[object]:
    return sorted(call.value for call in calls_of(recording, name))  # type: ignore[type-var, return-value]


KINDS = {
    "fork": """
        pid = os.fork()
        if pid == 0:
            print(work(4), flush=True)
            os._exit(3)
        print(os.waitpid(pid, 0)[1] >> 8)""",
    "multiprocessing fork": """
        with multiprocessing.get_context("fork").Pool(2) as pool:
            print(pool.map(work, [4]))""",
    "multiprocessing spawn": """
        with multiprocessing.get_context("spawn").Pool(2) as pool:
            print(pool.map(work, [4]))""",
    "multiprocessing forkserver": """
        with multiprocessing.get_context("forkserver").Pool(2) as pool:
            print(pool.map(work, [4]))""",
    "one process by spawn": """
        process = multiprocessing.get_context("spawn").Process(target=work, args=(4,))
        process.start(); process.join(); print(process.exitcode)""",
    "ProcessPoolExecutor": """
        with ProcessPoolExecutor(1, multiprocessing.get_context("fork")) as pool:
            print(pool.submit(work, 4).result())""",
    "nested forks": """
        pid = os.fork()
        if pid == 0:
            inner = os.fork()
            if inner == 0:
                work(4)
                os._exit(0)
            os.waitpid(inner, 0)
            os._exit(5)
        print(os.waitpid(pid, 0)[1] >> 8)""",
    "a daemon that forks twice": """
        out, into = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.setsid()
            if os.fork() == 0:
                os.write(into, str(work(4)).encode())
                os._exit(0)
            os._exit(0)
        os.waitpid(pid, 0)
        os.close(into)
        print(os.read(out, 10), os.read(out, 10))""",
    "threads that fork": """
        import threading, warnings
        warnings.simplefilter("ignore")  # one about forks, from 3.12 on, contains the pid
        def forks():
            pid = os.fork()
            if pid == 0:
                work(4)
                os._exit(0)
            os.waitpid(pid, 0)
        thread = threading.Thread(target=forks)
        thread.start(); thread.join()""",
}


@pytest.mark.parametrize("name", KINDS)
def test_what_a_child_calls_hangs_below_the_call_that_started_it(tmp_path: Path, name: str) -> None:
    recording = same(tmp_path, KINDS[name])
    (call,) = calls_of(recording, "work")
    assert call.value == 40
    assert recording.states.local(call.id, "total") == 40
    assert call.process > 1
    above: list[str] = []
    parent = call.parent
    while parent is not None:
        above.append(parent.function.qualname)
        parent = parent.parent
    assert "start" in above or name == "threads that fork"
    (start,) = [c for c in calls_of(recording, "start") if not c.continues]
    assert start.process == 1
    question(recording, call.id)
    question(recording, start.id)


COMMANDS = {
    "script": '[sys.executable, "other.py", "x"]',
    "script by its path object": '[sys.executable, __import__("pathlib").Path("other.py"), "x"]',
    "module": '[sys.executable, "-m", "other", "x"]',
    "command": '[sys.executable, "-c", "import other, sys; print(other.helper(\'x\'), sys.argv)", "y"]',
    "options": '[sys.executable, "-B", "-W", "ignore", "-Xutf8", "-O", "other.py", "x"]',
}


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize(
    "how", ["subprocess.run({})", "subprocess.run({}, close_fds=False)", "subprocess.run({}, env={{}})",
            "os.waitpid(os.posix_spawn(sys.executable, {}, os.environ), 0)"]
)  # fmt: skip
def test_a_command_of_python_is_recorded(tmp_path: Path, name: str, how: str) -> None:
    recording = same(tmp_path, how.format(COMMANDS[name]))
    (call,) = calls_of(recording, "helper")
    assert call.value == "X"
    (start,) = calls_of(recording, "start")
    top = call.parent
    assert top is not None
    assert top.parent is not None
    assert top.parent.id == start.id
    assert [p.number for p in recording.questions.processes()] == [2]
    assert "called" in question(recording, start.id).started


SEES = """
    import json, os, sys
    main = sys.modules["__main__"]
    names = {k: repr(v) for k, v in vars(main).items() if k.startswith("__") and k != "__builtins__"}
    for line in (names, sys.argv, sys.orig_argv, sys.flags, sys.path, sys.executable, sorted(os.environ),
                 sorted(sys.modules), sorted(os.listdir("/proc/self/fd")), sys.warnoptions, sys._xoptions):
        print(line)
"""


@pytest.mark.parametrize(
    "command",
    [
        '[sys.executable, "sees.py", "a"]',
        '[sys.executable, "-m", "sees"]',
        '[sys.executable, "-c", open("sees.py").read(), "a"]',
        '[sys.executable, "-I", "-c", open("sees.py").read()]',
        '[sys.executable, "-E", "-s", "-W", "error", "-X", "dev", "sees.py"]',
    ],
)
def test_a_child_sees_what_it_would_see(tmp_path: Path, command: str) -> None:
    files = {
        "prog.py": f"import subprocess, sys\nsubprocess.run({command}, check=True)\n",
        "sees.py": SEES,
    }
    runs_the_same(tmp_path, files)
    assert len(opened(tmp_path).program.processes) == 2


FAILS = {
    "a syntax error": '[sys.executable, "-c", "a b"]',
    "an exception": '[sys.executable, "-c", "def f():\\n    1/0\\nf()"]',
    "no such script": '[sys.executable, "nothing.py"]',
    "no such module": '[sys.executable, "-m", "nothing"]',
    "an exit status": '[sys.executable, "-c", "import sys; sys.exit(7)"]',
    "a signal": '[sys.executable, "-c", "import os; os.kill(os.getpid(), 9)"]',
    "standard input": '[sys.executable], input=b"print(1)"',
    "another program": '["sh", "-c", "exit 3"]',
    "the version": '[sys.executable, "-V"]',
}


@pytest.mark.parametrize("name", FAILS)
def test_a_command_ends_as_it_would(tmp_path: Path, name: str) -> None:
    same(tmp_path, f"print(subprocess.run({FAILS[name]}).returncode)")


def test_a_program_that_becomes_another_one_goes_on_being_recorded(tmp_path: Path) -> None:
    recording = same(
        tmp_path, 'work(1)\n        os.execv(sys.executable, [sys.executable, "other.py", "x"])'
    )
    assert [call.value for call in calls_of(recording, "helper")] == ["X"]
    processes = recording.program.processes
    assert processes[1].pid == processes[2].pid
    assert processes[2].call == calls_of(recording, "start")[0].id


def test_a_script_whose_first_line_names_the_interpreter(tmp_path: Path) -> None:
    write_files(
        tmp_path, {"tool": f"#!{sys.executable}\n{OTHER.replace(chr(10) + '    ', chr(10))}"}
    )
    (tmp_path / "tool").chmod(0o755)
    recording = same(tmp_path, 'subprocess.run(["./tool", "x"], check=True)')
    assert calls_of(recording, "helper") == []  # a relative path is not searched
    recording = same(tmp_path, 'subprocess.run([os.path.abspath("tool"), "x"], check=True)')
    assert [call.value for call in calls_of(recording, "helper")] == ["X"]


def test_a_write_in_a_child_does_not_show_in_the_parents_object(tmp_path: Path) -> None:
    program = """
        import os
        TABLE = {"n": 1}
        def change(by):
            TABLE["n"] += by
            return TABLE["n"]
        def start():
            shared = [1]
            pid = os.fork()
            if pid == 0:
                shared.append(2)
                change(10)
                os._exit(0)
            os.waitpid(pid, 0)
            change(100)
            return shared
        start()
    """
    runs_the_same(tmp_path, program)
    recording = opened(tmp_path)
    child, parent = sorted(calls_of(recording, "change"), key=lambda call: -call.process)
    assert (child.value, parent.value) == (11, 101)
    for call, before in ((child, 1), (parent, 1)):
        (table,) = recording.questions.input(call.id).globals
        kind, _, held = recording.states.plain(table.value, call.entry)
        assert (table.name, kind, held) == ("TABLE", "dict", [("n", before)])
    (start,) = [c for c in calls_of(recording, "start") if not c.continues]
    assert recording.states.plain(start.value)[2] == [1]
    (change,) = question(recording, child.id).changed
    assert (change.place, change.old, change.new) == ("TABLE['n']", "1", "11")


def test_a_call_that_was_running_at_the_fork_continues_in_the_child(tmp_path: Path) -> None:
    program = """
        import os
        def gen():
            yield 1
            yield 2
        def inner():
            values = gen()
            next(values)
            pid = os.fork()
            if pid:
                os.waitpid(pid, 0)
            rest = [n + 1 for n in values]
            return (pid == 0, rest)
        def outer():
            found = inner()
            return found
        result = outer()
        print(result[0], flush=True)
    """
    runs_the_same(tmp_path, program)
    recording = opened(tmp_path)
    for name in ("inner", "outer", "<module>"):
        first, continued = calls_of(recording, name)
        assert (first.process, continued.process) == (1, 2)
        assert (first.continues, continued.continues) == (False, True)
        assert continued.parent is not None
        assert continued.parent.function.qualname == "inner"
    assert recording.states.local(calls_of(recording, "inner")[1].id, "pid") == 0
    generators = calls_of(recording, "gen")
    assert [(call.process, call.continues) for call in generators] == [(1, False), (2, True)]
    is_child, rest = recording.states.plain(calls_of(recording, "outer")[1].value)[2]
    assert (is_child, rest[2]) == (True, [3])


def test_a_child_that_is_killed_loses_nothing(tmp_path: Path) -> None:
    body = """
        pid = os.fork()
        if pid == 0:
            for n in range(300):
                work(n)
            os.kill(os.getpid(), 9)
        print(os.waitpid(pid, 0)[1])"""
    recording = same(tmp_path, body)
    assert values(recording, "work") == [n * 10 for n in range(300)]
    assert recording.program.processes[2].ended == "signal 9"


def test_a_hundred_short_children(tmp_path: Path) -> None:
    body = """
        pids = []
        for n in range(100):
            pid = os.fork()
            if pid == 0:
                work(n)
                os._exit(0)
            pids.append(pid)
        print(sum(os.waitpid(pid, 0)[1] for pid in pids))"""
    recording = same(tmp_path, body)
    assert values(recording, "work") == [n * 10 for n in range(100)]
    assert Counter(p.ended for p in recording.program.processes.values()) == {"exit 0": 101}
    assert len({call.process for call in calls_of(recording, "work")}) == 100


def test_many_events_of_two_processes_at_once(tmp_path: Path) -> None:
    """More than a ring holds, so that both wait for the drain."""
    body = """
        pid = os.fork()
        for n in range(20_000):
            work(n)
        if pid == 0:
            os._exit(0)
        os.waitpid(pid, 0)"""
    recording = same(tmp_path, body)
    calls = calls_of(recording, "work")
    assert Counter(call.process for call in calls) == {1: 20_000, 2: 20_000}
    for process in (1, 2):
        assert [c.value for c in calls if c.process == process] == [n * 10 for n in range(20_000)]


def test_a_child_that_outlives_the_program_is_recorded_to_its_end(tmp_path: Path) -> None:
    body = """
        if os.fork() == 0:
            os.close(1); os.close(2)
            while not os.path.exists("go"):
                time.sleep(0.01)
            work(4)
            os._exit(0)
        print("over", flush=True)
        os._exit(5)"""
    write_files(tmp_path, WORK.format(body))
    with started(tmp_path) as process:
        assert process.stderr is not None
        assert process.stdout is not None
        assert process.stdout.readline() == "over\n"
        assert process.stderr.readline() == (
            "wrongcall: waiting for 1 process that the program left running; "
            "Ctrl-C stops recording it\n"
        )
        (tmp_path / "go").touch()
        assert process.wait() == 5
    recording = opened(tmp_path)
    assert values(recording, "work") == [40]
    assert recording.meta["status"] == 5


def started(folder: Path) -> subprocess.Popen[str]:
    """Begin to record prog.py."""
    command = [sys.executable, *MODULE, "record", "-o", TRACE, "prog.py"]
    pipe = subprocess.PIPE
    return subprocess.Popen(
        command, cwd=folder, env=environment(), stdout=pipe, stderr=pipe, text=True
    )


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_the_recording_of_what_the_program_left(tmp_path: Path, number: int) -> None:
    body = """
        if os.fork() == 0:
            os.setsid()
            os.close(1); os.close(2)
            while not os.path.exists("go"):
                time.sleep(0.01)
            work(4)
            open("done", "w").close()
            os._exit(0)"""
    write_files(tmp_path, WORK.format(body))
    with started(tmp_path) as process:
        assert process.stderr is not None
        assert "waiting for 1 process" in process.stderr.readline()
        process.send_signal(number)
        assert SUMMARY.search(process.stderr.read())
        assert process.wait() == 0
    recording = opened(tmp_path)
    assert values(recording, "work") == []
    assert recording.program.processes[2].ended == "still running"
    (tmp_path / "go").touch()
    wait_for(tmp_path / "done")


def wait_for(path: Path) -> None:
    for _ in range(2000):
        if path.exists():
            return
        time.sleep(0.01)
    raise AssertionError(f"{path} did not appear")


def test_children_go_on_when_the_drain_is_killed(tmp_path: Path) -> None:
    body = """
        if os.fork() == 0:
            os.setsid()
            while not os.path.exists("go"):
                time.sleep(0.01)
            for n in range(60_000):
                work(n)
            open("done", "w").close()
            os._exit(0)
        print("ready", flush=True)
        while not os.path.exists("done"):
            time.sleep(0.01)"""
    write_files(tmp_path, WORK.format(body))
    process = started(tmp_path)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    process.kill()
    (tmp_path / "go").touch()
    wait_for(tmp_path / "done")
    process.communicate()


def test_no_children_records_the_program_alone_and_says_so(tmp_path: Path) -> None:
    write_files(tmp_path, {"prog.py": WORK.format(KINDS["fork"]), "other.py": OTHER})
    expected = plain(tmp_path, "prog.py")
    done = recorded(tmp_path, "prog.py", options=["--no-children"])
    assert (done.stdout, done.status) == (expected.stdout, expected.status)
    assert done.stderr == (
        "wrongcall: the processes that the program started were not recorded (--no-children)\n"
    )
    recording = opened(tmp_path)
    assert calls_of(recording, "work") == []
    assert list(recording.program.processes) == [1]
    assert question(recording, calls_of(recording, "start")[0].id).started == (
        "1 process that was not recorded (a fork of the program)"
    )


def test_globals_of_a_spawned_worker_are_its_own(tmp_path: Path) -> None:
    program = """
        import multiprocessing
        COUNT = 0
        def count(by):
            global COUNT
            COUNT += by
            return COUNT
        if __name__ == "__main__":
            count(5)
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                print(pool.apply(count, (100,)))
            count(5)
    """
    runs_the_same(tmp_path, program)
    recording = opened(tmp_path)
    mine, child, later = calls_of(recording, "count")
    assert (mine.value, child.value, later.value) == (5, 100, 10)
    assert (mine.process, child.process > 1, later.process) == (1, True, 1)
    read = [recording.questions.input(call.id).globals for call in (mine, child, later)]
    assert [[g.value for g in each] for each in read] == [[0], [0], [5]]


ORDER = """
    import os, random, sys
    def note(number):
        return number
    def play(me, read, write, rounds):
        rng = random.Random(me)
        for _ in range(rounds):
            for _ in range(rng.randrange(4)):
                note(-1)
            token = int(os.read(read, 8))
            note(token)
            note(token + 1)
            os.write(write, b"%8d" % (token + 1))
    def main(count, rounds):
        pipes = [os.pipe() for _ in range(count)]
        pids = []
        for me in range(count):
            pid = os.fork()
            if pid == 0:
                play(me, pipes[me][0], pipes[(me + 1) % count][1], rounds)
                os._exit(0)
            pids.append(pid)
        os.write(pipes[0][1], b"%8d" % 0)
        for pid in pids:
            os.waitpid(pid, 0)
    main(int(sys.argv[1]), int(sys.argv[2]))
"""


@pytest.mark.parametrize("count, rounds", [(2, 200), (3, 100), (5, 40)])
def test_the_order_of_the_trace_respects_every_message(
    tmp_path: Path, count: int, rounds: int
) -> None:
    """Processes in a ring hand a number on, one higher each time: it says what came before what."""
    runs_the_same(tmp_path, ORDER, "prog.py", str(count), str(rounds))
    tokens = [
        int(str(call.value)) for call in calls_of(opened(tmp_path), "note") if call.value != -1
    ]
    assert tokens == sorted(tokens)
    assert len(tokens) == 2 * count * rounds
    assert tokens[-1] == count * rounds


FILLING = """
import sys
from wrongcall.cli.main import main
from wrongcall.trace.write import writer
looks = []
class Disk:
    f_blocks, f_bavail, f_frsize = 1 << 40, 0, 1
def statvfs(path):
    looks.append(path)
    if len(looks) < 5:
        Disk.f_bavail = 1 << 40
    else:
        Disk.f_bavail = 0
        open("full", "w").close()
    return Disk
writer.os = type("Os", (), {"statvfs": staticmethod(statvfs)})
sys.exit(main(sys.argv[1:]))
"""


def test_two_processes_go_on_when_the_disk_is_full(tmp_path: Path) -> None:
    """Both hand over more than their rings hold after the trace has ended."""
    body = """
        pid = os.fork()
        while not os.path.exists("full"):
            time.sleep(0.01)
        for n in range(200_000):
            work(n)
        if pid == 0:
            os._exit(4)
        print(os.waitpid(pid, 0)[1] >> 8)"""
    write_files(tmp_path, WORK.format(body))
    done = run(["-c", FILLING, "record", "-o", TRACE, "prog.py"], tmp_path, timeout=200)
    assert (done.stdout, done.status) == ("4\n", 0)
    told = SUMMARY.fullmatch(done.stderr)
    assert told is not None, done.stderr
    assert told["note"] == "; the disk is full, so the end of the run is missing"
    recording = opened(tmp_path)
    assert recording.ended == "disk full"
    assert len(calls_of(recording, "work")) < 400_000
