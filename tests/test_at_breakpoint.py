"""``breakpoint()`` opens the recording so far."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from tests.recorder.bothways import MODULE, TRACE, environment, write_files
from wrongcall.at_breakpoint import recorded_trace
from wrongcall.recorder.settings import RecorderSettings

PROGRAM = """
import sys

def double(x):
    return x + x + 1

def go(n):
    found = [double(i) for i in range(n)]
    breakpoint()
    return found

print(go(3))
print("still no wrongcall" if "wrongcall.cli" not in sys.modules else "wrongcall")
"""


def run(folder: Path, command: list[str], answers: str) -> subprocess.CompletedProcess[str]:
    """Run a command for which ``breakpoint()`` is ours, with these answers on its standard input."""
    variables = {**environment(), "PYTHONBREAKPOINT": "wrongcall.breakpoint"}
    return subprocess.run(
        command,
        cwd=folder,
        env=variables,
        input=answers,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_a_breakpoint_asks_about_the_calls_that_have_ended_and_the_program_goes_on(
    tmp_path: Path,
) -> None:
    write_files(tmp_path, PROGRAM)
    done = run(tmp_path, [sys.executable, *MODULE, "record", "-o", TRACE, "prog.py"], "n\nq\n")
    assert done.returncode == 0
    asked, _, rest = done.stdout.partition("[1, 3, 5]")
    assert "double(x=0)" in asked
    assert "report: wrongcall report" in asked
    assert rest.strip() == "still no wrongcall"


def test_the_dialogue_is_not_recorded(tmp_path: Path) -> None:
    write_files(tmp_path, PROGRAM)
    run(tmp_path, [sys.executable, *MODULE, "record", "-o", TRACE, "prog.py"], "q\n")
    calls = subprocess.run(
        [sys.executable, *MODULE, "tree", TRACE],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "go(" in calls.stdout
    assert "wrongcall" not in calls.stdout


def test_ctrl_c_at_a_question_does_not_interrupt_the_program(tmp_path: Path) -> None:
    write_files(tmp_path, PROGRAM)
    program = subprocess.Popen(
        [sys.executable, *MODULE, "record", "-o", TRACE, "prog.py"],
        cwd=tmp_path,
        env={**environment(), "PYTHONBREAKPOINT": "wrongcall.breakpoint"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    with program:
        assert program.stdout is not None
        shown = b""
        while b"Is that right?" not in shown and (more := os.read(program.stdout.fileno(), 4096)):
            shown += more
        os.killpg(program.pid, signal.SIGINT)
        rest, _ = program.communicate(timeout=60)
    assert b"[1, 3, 5]" in rest
    assert program.returncode == 0


def test_a_trace_that_was_deleted_is_reported_and_the_program_goes_on(tmp_path: Path) -> None:
    write_files(tmp_path, f"import os\nos.unlink({TRACE!r})\n{PROGRAM}")
    done = run(tmp_path, [sys.executable, *MODULE, "record", "-o", TRACE, "prog.py"], "q\n")
    assert done.stdout.startswith("[1, 3, 5]\n")
    assert f"{TRACE} was deleted; going on" in done.stderr


def test_without_a_recording_it_is_pdb(tmp_path: Path) -> None:
    write_files(tmp_path, PROGRAM)
    done = run(tmp_path, [sys.executable, "prog.py"], "p found\nc\n")
    assert done.stdout.startswith("> ")
    assert "(Pdb) [1, 3, 5]" in done.stdout
    assert "nothing is being recorded" in done.stderr


def test_the_trace_is_found_in_the_command_of_the_process(tmp_path: Path) -> None:
    trace = tmp_path / "a.wrongcall"
    told = RecorderSettings(3, str(tmp_path))
    told.trace = str(trace)

    def command(start: str, argument: str) -> bytes:
        return f"python\0-u\0{start}\0{argument}\0script\0prog.py\0".encode()

    start = "/lib/wrongcall/recorder/start.py"
    assert recorded_trace(command(start, told.written())) == trace
    assert recorded_trace(command("prog.py", told.written())) is None
    assert recorded_trace(command(start, "not settings")) is None
