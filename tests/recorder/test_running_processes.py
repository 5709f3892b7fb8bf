"""A recorded program is the process it would be: its signals, children, descriptors and streams."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import random
import re
import resource
import signal
import subprocess
import sys
import termios
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import wrongcall.recording
from tests.recorder.bothways import (
    MODULE,
    RECORD,
    SUMMARY,
    TRACE,
    environment,
    plain,
    recorded,
    runs_the_same,
    write_files,
)

# -- signals ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["SIGTERM", "SIGKILL", "SIGSEGV", "SIGABRT", "SIGINT"])
def test_program_that_kills_itself_dies_of_the_same_signal(tmp_path: Path, name: str) -> None:
    program = "import os, signal\nsignal.signal(signal.SIGINT, signal.SIG_DFL)\n"
    program += f"print('before', flush=True)\nos.kill(os.getpid(), signal.{name})\nprint('after')"
    done = runs_the_same(tmp_path, program)
    assert done.status == -getattr(signal, name)
    with wrongcall.recording.open(tmp_path / TRACE) as recording:
        assert recording.ended == "killed"


READY = "print('ready', flush=True)\n"
ENOUGH_TICKS = 5  # of processor time, 10 ms each: it is where it computes
WAIT = "import time\n" + READY + "time.sleep(2)\n"


@contextlib.contextmanager
def started(folder: Path, record: bool, **how: Any) -> Iterator[subprocess.Popen[str]]:
    """prog.py running in a process group of its own, after it has printed "ready"."""
    how = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "process_group": 0, **how}
    start = [*MODULE, *RECORD] if record else []
    with subprocess.Popen(
        [sys.executable, *start, "prog.py"],
        cwd=folder, env=environment(), text=True, **how,
    ) as process:  # fmt: skip
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            yield process
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def program_of(pid: int) -> int:
    """The program that a wrongcall runs."""
    return int(Path(f"/proc/{pid}/task/{pid}/children").read_text())


def wait_until_busy(pid: int) -> None:
    """Wait until a program that has printed "ready" sleeps, or has computed for a while since."""
    asleep, begun = 0, computed(pid)
    while asleep < 3 and computed(pid) - begun < ENOUGH_TICKS:
        asleep = asleep + 1 if state(pid)[0] == "S" else 0
        time.sleep(0.005)


def computed(pid: int) -> int:
    """The processor time of a program, in ticks."""
    return sum(map(int, state(pid)[11:13]))


def state(pid: int) -> list[str]:
    """What Linux tells of a process from its state on."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def seen_after(
    folder: Path, record: bool, act: Callable[[subprocess.Popen[str]], None], **how: Any
) -> tuple[str, str, int]:
    with started(folder, record, **how) as process:
        wait_until_busy(program_of(process.pid) if record else process.pid)
        act(process)
        stdout, stderr = process.communicate(timeout=20)
    return stdout, SUMMARY.sub("", stderr), process.returncode


def seen_after_key(folder: Path, record: bool, key: bytes) -> tuple[str, str, int]:
    """What a program says and how it ends when a key is pressed on its terminal."""

    def own_terminal() -> None:
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    ours, its = pty.openpty()
    how = {"stdin": its, "process_group": None, "start_new_session": True}
    try:
        return seen_after(
            folder, record, lambda _: (os.write(ours, key), None)[1], preexec_fn=own_terminal, **how
        )
    finally:
        os.close(ours)
        os.close(its)


CTRL_C, CTRL_BACKSLASH = b"\x03", b"\x1c"
INTERRUPTED = {
    "while it sleeps": "def f():\n    time.sleep(30)\nimport time\n" + READY + "f()",
    "while it computes": "def f(n):\n    while True: n += 1\n" + READY + "f(0)",
    "with a handler": "import signal, sys, time\ndef h(n, f):\n    print('handled', n)\n"
    "    sys.exit(3)\nsignal.signal(signal.SIGINT, h)\n" + READY + "time.sleep(30)",
    "and it goes on": "import time\n" + READY + "try:\n    time.sleep(30)\n"
    "except KeyboardInterrupt as e:\n    print('caught', repr(e))\nprint('on')",
    "with atexit and finally": "import atexit, time\natexit.register(print, 'atexit')\n" + READY
    + "try:\n    time.sleep(30)\nfinally:\n    print('finally')",
    "under asyncio": "import asyncio\nasync def main():\n    print('ready', flush=True)\n"
    "    await asyncio.sleep(30)\nasyncio.run(main())",
}  # fmt: skip


@pytest.mark.parametrize("when", INTERRUPTED)
def test_ctrl_c_interrupts_the_program(tmp_path: Path, when: str) -> None:
    write_files(tmp_path, INTERRUPTED[when])
    expected = seen_after_key(tmp_path, False, CTRL_C)
    actual = seen_after_key(tmp_path, True, CTRL_C)
    if when == "while it computes":  # at which of its instructions is chance
        actual, expected = (
            (o, re.sub(r" *while.*\n( *\^+\n)?", "", e), s) for o, e, s in (actual, expected)
        )
    assert actual == expected


@pytest.mark.parametrize(
    "name",
    [
        "SIGTERM",
        "SIGHUP",
        "SIGUSR1",
        "SIGINT",
    ],
)
@pytest.mark.parametrize("handler", ["default", "own"])
def test_signal_sent_to_wrongcall_reaches_the_program(
    tmp_path: Path, name: str, handler: str
) -> None:
    number = getattr(signal, name)
    own = f"import signal, sys\nsignal.signal(signal.{name}, lambda n, f: sys.exit(n + 10))\n"
    write_files(tmp_path, (own if handler == "own" else "") + WAIT)

    def send(process: subprocess.Popen[str]) -> None:
        process.send_signal(number)

    expected, actual = seen_after(tmp_path, False, send), seen_after(tmp_path, True, send)
    assert actual == expected
    assert actual[2] == (number + 10 if handler == "own" else -number)


def test_quitting_from_the_terminal_ends_the_program_and_keeps_the_trace(tmp_path: Path) -> None:
    write_files(tmp_path, WAIT)
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    expected = seen_after_key(tmp_path, False, CTRL_BACKSLASH)
    assert seen_after_key(tmp_path, True, CTRL_BACKSLASH) == expected
    with wrongcall.recording.open(tmp_path / TRACE) as recording:
        assert recording.ended == "killed"


def test_signals_that_are_ignored_stay_ignored(tmp_path: Path) -> None:
    program = """
        import os, signal
        for s in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM, signal.SIGUSR1):
            print(s, signal.getsignal(s))
            os.kill(os.getpid(), s)
    """

    def ignore() -> None:
        for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM, signal.SIGUSR1):
            signal.signal(number, signal.SIG_IGN)

    runs_the_same(tmp_path, program, preexec_fn=ignore)


def test_ctrl_c_before_the_program_runs_is_quiet(tmp_path: Path) -> None:
    write_files(tmp_path, "import time\ntime.sleep(30)")
    process = subprocess.Popen(
        [sys.executable, *MODULE, *RECORD, "prog.py"],
        cwd=tmp_path, env=environment(), stderr=subprocess.PIPE, text=True, process_group=0,
    )  # fmt: skip
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    while "_hashlib" not in Path(f"/proc/{process.pid}/maps").read_text():
        assert process.poll() is None
    assert children.read_text() == ""
    os.killpg(process.pid, signal.SIGINT)
    _, stderr = process.communicate(timeout=20)
    assert (process.returncode, stderr) == (-signal.SIGINT, "")


def test_alarms_and_timers_work(tmp_path: Path) -> None:
    program = """
        import signal
        def handler(number, frame):
            raise TimeoutError(frame.f_code.co_name)
        def f():
            signal.pause()
        signal.signal(signal.SIGALRM, handler)
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        f()
    """
    runs_the_same(tmp_path, program)


# -- children --------------------------------------------------------------------------------------

CHILDREN = {
    "fork": """
        import os, sys
        def child():
            items = []
            for i in range(1000):
                items.append(i)
            print("child", sum(items), flush=True)
            return 5
        print("before", flush=True)
        pid = os.fork()
        if pid == 0:
            sys.exit(child())
        print("parent", os.waitpid(pid, 0)[1], flush=True)
    """,
    "fork whose child falls off the end": """
        import atexit, os
        atexit.register(lambda: print("atexit", flush=True))
        pid = os.fork()
        if pid:
            print(os.waitpid(pid, 0)[1], flush=True)
        else:
            print("child", flush=True)
    """,
    "fork whose child raises": """
        import os
        def f(x):
            return 1 / x
        pid = os.fork()
        if pid:
            print(os.waitpid(pid, 0)[1])
        f(pid)
    """,
    "fork in a function and a generator": """
        import os
        def g():
            for i in range(3):
                pid = os.fork()
                if not pid:
                    yield "child", i
                    os._exit(i)
                yield "parent", os.waitpid(pid, 0)[1]
        for x in g():
            print(x, flush=True)
    """,
    "fork of a fork": """
        import os
        for i in range(2):
            pid = os.fork()
            if pid:
                os.waitpid(pid, 0)
        print("one", flush=True)
    """,
    "fork with threads": """
        import os, threading, warnings
        warnings.simplefilter("ignore")
        stop = threading.Event()
        def work(n=0):
            while not stop.wait(0.001):
                n += 1
        t = threading.Thread(target=work); t.start()
        pid = os.fork()
        if not pid:
            print("child", flush=True); os._exit(0)
        print(os.waitpid(pid, 0)[1]); stop.set(); t.join()
    """,
    "a child that outlives its parent": """
        import os, time
        if not os.fork():
            time.sleep(0.2)
            print("late child", flush=True)
            os._exit(0)
        print("parent", flush=True)
    """,
    "multiprocessing with fork": """
        import multiprocessing as mp
        def square(x):
            y = [x]
            y.append(x * x)
            return y
        if __name__ == "__main__":
            with mp.get_context("fork").Pool(2) as pool:
                print(pool.map(square, range(5)))
    """,
    "multiprocessing with spawn": """
        import multiprocessing as mp
        def square(x, queue):
            queue.put((__name__, x * x))
        if __name__ == "__main__":
            context = mp.get_context("spawn")
            queue = context.Queue()
            process = context.Process(target=square, args=(3, queue))
            process.start(); print(queue.get()); process.join(); print(process.exitcode)
    """,
    "a process pool that fails": """
        from concurrent.futures import ProcessPoolExecutor
        import multiprocessing as mp
        def bad(x):
            raise ValueError(x)
        if __name__ == "__main__":
            with ProcessPoolExecutor(1, mp_context=mp.get_context("fork")) as pool:
                try:
                    pool.submit(bad, 1).result()
                except ValueError as e:
                    print(repr(e), str(e.__cause__))
    """,
    "a subprocess of the same interpreter": """
        import subprocess, sys
        code = "import sys; print(sys.argv, sys.flags, 'wrongcall.recorder' in sys.modules)"
        print(subprocess.run([sys.executable, "-c", code, "x"], capture_output=True, text=True))
        print(subprocess.check_output([sys.executable, "other.py"], text=True))
    """,
    "a shell": "import os; print(os.system('echo shell; exit 3'), os.popen('echo x').read())",
    "a thread pool": """
        from concurrent.futures import ThreadPoolExecutor
        def f(x):
            return x * 2
        with ThreadPoolExecutor(4) as pool:
            print(list(pool.map(f, range(20))))
    """,
}  # fmt: skip


@pytest.mark.parametrize("child", CHILDREN)
def test_children_run_on_and_harm_nothing(tmp_path: Path, child: str) -> None:
    write_files(tmp_path, {"other.py": "def f(x):\n    return x\nprint('other', f(1))"})
    runs_the_same(tmp_path, CHILDREN[child])
    with wrongcall.recording.open(tmp_path / TRACE) as recording:
        assert recording.ended == "exit"
        assert recording.call(1).function.qualname == "<module>"


def test_a_forked_child_is_not_recorded_with_no_children(tmp_path: Path) -> None:
    program = """
        import os
        def in_child(): return 1
        def in_parent(): return 2
        pid = os.fork()
        if pid:
            os.waitpid(pid, 0); in_parent()
        else:
            for i in range(100): in_child()
            os._exit(0)
    """
    write_files(tmp_path, program)
    recorded(tmp_path, "prog.py", options=["--no-children"])
    with wrongcall.recording.open(tmp_path / TRACE) as recording:
        names = [recording.call(int(n)).function.name for n in recording.calls.columns().id]
    assert names == ["<module>", "in_parent"]


# -- descriptors and streams -----------------------------------------------------------------------


def test_descriptors_that_were_handed_over_are_there(tmp_path: Path) -> None:
    given = [os.open(os.devnull, os.O_RDONLY) for _ in range(2)]
    try:
        program = f"import os\nprint([os.fstat(fd).st_rdev for fd in {given}])\n"
        program += "print(os.listdir('/proc/self/fd'))"
        runs_the_same(tmp_path, program, pass_fds=given)
    finally:
        for descriptor in given:
            os.close(descriptor)


@pytest.mark.parametrize("closed", [[0], [1], [2], [0, 1, 2]], ids=str)
def test_streams_that_are_closed_stay_closed(tmp_path: Path, closed: list[int]) -> None:
    program = """
        import os, sys
        def f(x):
            print("on stdout")
            print("on stderr", file=sys.stderr)
            return x
        result = [s is None for s in (sys.stdin, sys.stdout, sys.stderr)]
        f(1)
        with open("seen", "a") as file:
            print(result, os.listdir("/proc/self/fd"), os.dup(file.fileno()), file=file)
        sys.exit(4)
    """

    def close() -> None:
        for descriptor in closed:
            os.close(descriptor)

    write_files(tmp_path, program)
    summaries = 0 if 2 in closed else 1
    expected = plain(tmp_path, "prog.py", preexec_fn=close)
    actual = recorded(tmp_path, "prog.py", preexec_fn=close, summaries=summaries)
    assert actual == expected
    assert actual.status == 4
    before, after = (tmp_path / "seen").read_text().splitlines()
    assert after == before
    wrongcall.recording.open(tmp_path / TRACE).close()


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_closed_pipe_ends_the_program_as_without_recording(tmp_path: Path, stream: str) -> None:
    program = f"import sys\nfor i in range(3000):\n    print('x' * 100, file=sys.{stream})\n"
    write_files(tmp_path, program)

    def status(*start: str) -> tuple[int, str]:
        read, write = os.pipe()
        os.close(read)
        streams: Any = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, stream: write}
        done = subprocess.run(
            [sys.executable, *start, "prog.py"], cwd=tmp_path, env=environment(), text=True,
            check=False, timeout=20, **streams,
        )  # fmt: skip
        os.close(write)
        return done.returncode, SUMMARY.sub("", done.stderr or "")

    assert status(*MODULE, *RECORD) == status()


def on_a_terminal(folder: Path, *start: str) -> str:
    """What prog.py shows on a terminal, after "yes" was typed, up to "end? ".

    There it waits: what is written last may get lost when a terminal is closed.
    """
    with warnings.catch_warnings():
        # The child calls exec at once: that other threads (of the test runner) are not there does no harm.
        warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)
        pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(folder)
        os.execve(sys.executable, [sys.executable, *start, "prog.py"], environment())
    os.write(terminal, b"yes\n")
    shown = b""
    while b"end? " not in shown:
        shown += os.read(terminal, 4096)
    os.write(terminal, b"\n")
    with contextlib.suppress(OSError):
        while os.read(terminal, 4096):
            pass
    os.close(terminal)
    assert os.waitpid(pid, 0)[1] == 0
    return shown.decode()


def test_terminal_is_the_programs(tmp_path: Path) -> None:
    program = """
        import os, sys
        print([s.isatty() for s in (sys.stdin, sys.stdout, sys.stderr)], sys.stdout.line_buffering)
        print(os.get_terminal_size(), os.tcgetpgrp(0) == os.getpgrp())
        answer = input("sure? ")
        print(answer)
        input("end? ")
    """
    write_files(tmp_path, program)
    expected = on_a_terminal(tmp_path)
    assert expected.endswith("sure? yes\r\nend? ")
    assert on_a_terminal(tmp_path, *MODULE, *RECORD) == expected


# -- killed ----------------------------------------------------------------------------------------

COUNTS = """
def show(i):
    for k in range(20):
        x = [k]
    print(i, flush=True)
i = 0
print("ready", flush=True)
while True:
    i += 1
    show(i)
"""
SOME_CALLS = 50


def killed(folder: Path, kill: Callable[[int, int], None]) -> tuple[int, int, int]:
    """Record COUNTS and kill it at a random moment.

    The number in the last line that it printed, in the last recorded, and in the last that a reader saw before.
    kill: is given the process ids of wrongcall and of the program.
    """
    write_files(folder, COUNTS)
    with (folder / "output").open("w") as output:
        process = subprocess.Popen(
            [sys.executable, *MODULE, *RECORD, "prog.py"],
            cwd=folder, env=environment(), stdout=output, stderr=subprocess.PIPE, text=True,
            process_group=0,
        )  # fmt: skip
        while b"ready" not in (folder / "output").read_bytes():
            assert process.poll() is None
            time.sleep(0.01)
        seen = seen_by_a_reader(folder / TRACE)
        time.sleep(random.uniform(0, 0.5))
        kill(process.pid, program_of(process.pid))
        process.communicate(timeout=20)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    whole_lines = (folder / "output").read_text().rpartition("\n")[0]
    with wrongcall.recording.open(folder / TRACE) as recording:
        return int(whole_lines.splitlines()[-1]), last_printed(recording), seen


def seen_by_a_reader(path: Path) -> int:
    """Return the last number that is in a trace while it grows; there are several soon."""
    with wrongcall.recording.open(path) as recording:
        while recording.calls.count < SOME_CALLS:
            time.sleep(0.01)
            recording.refresh()
        return last_printed(recording)


def last_printed(recording: wrongcall.recording.Recording) -> int:
    """Return the last number that was printed as a whole line."""
    prints = [recording.call(int(number)).printed for number in recording.calls.columns().id[-2:]]
    return int([text for text in prints if text.endswith("\n")][-1])


@pytest.mark.parametrize("attempt", range(3))
def test_program_killed_at_any_moment_is_recorded_to_the_end(tmp_path: Path, attempt: int) -> None:
    shown, found, _ = killed(tmp_path, lambda _, program: os.kill(program, signal.SIGKILL))
    assert found >= shown, "the memory outlives the program: nothing is lost"
    with wrongcall.recording.open(tmp_path / TRACE) as recording:
        assert recording.ended == "killed"


@pytest.mark.parametrize("attempt", range(3))
def test_program_and_wrongcall_killed_together_leave_a_trace(tmp_path: Path, attempt: int) -> None:
    def kill(leader: int, program: int) -> None:
        os.killpg(leader, signal.SIGKILL)

    _, found, seen = killed(tmp_path, kill)
    # What was not flushed is lost; tests of the drain tell when it flushes.
    assert found >= seen > 0
    with wrongcall.recording.open(tmp_path / TRACE) as recording:
        assert recording.ended is None


def test_program_goes_on_when_wrongcall_is_killed(tmp_path: Path) -> None:
    program = """
        import os, sys
        print("ready", flush=True)
        total = 0
        for i in range(2_000_000):
            total += i
        with open("done", "w") as file:
            file.write(str(total))
        sys.stderr.write("at the end of a line\\n")
    """
    _, stderr = after_the_death_of_wrongcall(tmp_path, program)
    assert (tmp_path / "done").read_text() == str(sum(range(2_000_000)))
    first, second, rest = stderr.split("\n")
    assert first == "at the end of a line"
    assert second.startswith("wrongcall: the process that writes the trace was killed")
    assert rest == ""
    wrongcall.recording.open(tmp_path / TRACE).close()


def test_file_that_took_the_place_of_standard_error_is_the_programs(tmp_path: Path) -> None:
    program = """
        import os
        print("ready", flush=True)
        os.close(2)
        assert os.open("precious", os.O_WRONLY | os.O_CREAT) == 2
        total = 0
        for i in range(2_000_000):
            total += i
        os.write(2, str(total).encode())
    """
    _, stderr = after_the_death_of_wrongcall(tmp_path, program)
    assert (tmp_path / "precious").read_text() == str(sum(range(2_000_000)))
    assert stderr == ""


def after_the_death_of_wrongcall(folder: Path, program: str) -> tuple[str, str]:
    """Kill wrongcall when the program is ready; what the program writes from then on."""
    write_files(folder, program)
    with started(folder, record=True) as process:
        process.kill()
        return process.communicate(timeout=60)  # the program holds the pipes until it ends
