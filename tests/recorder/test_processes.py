"""Calls say which processes they started, recorded or not."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from tests.cli.ask.talking import talk
from tests.recorder.bothways import plain, runs_the_same, write_files
from tests.recorder.conftest import Record
from wrongcall.events import Start
from wrongcall.present import question
from wrongcall.present.lines import text_of
from wrongcall.present.processes import process_words
from wrongcall.present.screens.question import Head, Size, question_lines

WORKER = """
    import multiprocessing, os, subprocess, sys
    from concurrent.futures import ProcessPoolExecutor

    def work(n):
        return n + 1

    def start():
        {}

    def other():
        return work(1)

    if __name__ == "__main__":
        start()
        other()
"""

STARTS = {
    "subprocess.run": (
        'subprocess.run([sys.executable, "-V"])',
        "1 process that was not recorded (python -V)",
    ),
    "subprocess without closing": (
        'subprocess.run(["/bin/sh", "-c", "true"], close_fds=False)',
        "1 process that was not recorded (sh -c true)",
    ),
    "shell": ('subprocess.run("true", shell=True)', "1 process that was not recorded (sh -c true)"),
    "os.system": ('os.system("true")', "1 process that was not recorded (true)"),
    "os.posix_spawn": (
        'os.waitpid(os.posix_spawn("/bin/true", ["true", "x"], {}), 0)',
        "1 process that was not recorded (true x)",
    ),
}

RECORDED = {
    "multiprocessing, fork": (
        "p = multiprocessing.get_context('fork').Process(target=work, args=(1,))\n        p.start(); p.join()",
        "process 2 (pid PID), a fork of the program: called work #N",
    ),
    "multiprocessing, spawn": (
        "p = multiprocessing.get_context('spawn').Process(target=work, args=(1,))\n        p.start(); p.join()",
        "process 2 (pid PID), a worker of multiprocessing: called <module> #N, work #N",
    ),
    "multiprocessing, forkserver": (
        "p = multiprocessing.get_context('forkserver').Process(target=work, args=(1,))\n        p.start(); p.join()",
        # From 3.14 on, the fork server loads the main module once, for all its children.
        "process 2 (pid PID), the fork server of multiprocessing: called no recorded function"
        if sys.version_info < (3, 14)
        else "process 2 (pid PID), the fork server of multiprocessing: called <module> #N;"
        " process 3 (pid PID), a fork of the program: called work #N",
    ),
    "a command": (
        'subprocess.run([sys.executable, "-c", "print(1)"])',
        "process 2 (pid PID), python -c print(1): called <module> #N",
    ),
}


@pytest.mark.parametrize("name", STARTS)
def test_the_call_that_started_a_process_says_so(record: Record, name: str) -> None:
    code, words = STARTS[name]
    run = record(WORKER.format(code))
    start = run.call("start")
    assert process_words(run.recording.questions.processes(start.id)) == words
    assert question(run.recording, start.id).started == words
    (main,) = run.recording.calls.roots()
    assert question(run.recording, main.id).started == words
    assert question(run.recording, run.call("other").id).started == ""
    lines = {process.line for process in run.recording.questions.processes()}
    assert lines <= set(range(9, 13)), lines
    assert {process.call for process in run.recording.questions.processes()} == {start.id}


@pytest.mark.parametrize("name", RECORDED)
def test_the_call_that_started_a_recorded_process_says_what_that_called(
    record: Record, name: str
) -> None:
    code, words = RECORDED[name]
    run = record(WORKER.format(code))
    asked = question(run.recording, run.calls("start")[0].id)
    found = re.sub(r"#\d+", "#N", re.sub(r"pid \d+", "pid PID", asked.started))
    assert found == words
    assert asked.unrecorded == asked.process == ""


def test_a_question_about_a_call_in_another_process_says_so(record: Record) -> None:
    run = record(WORKER.format(RECORDED["multiprocessing, fork"][0]))
    (child, _) = run.calls("work")
    pid = run.recording.program.processes[2].pid
    asked = question(run.recording, child.id)
    assert asked.process == f"process 2 (pid {pid})"
    shown = " ".join(text_of(line) for line in question_lines(asked, Head(1, ""), Size(80, 40)))
    assert f"in process 2 (pid {pid})" in " ".join(shown.split())


def test_a_program_that_becomes_another_one(record: Record) -> None:
    run = record("import os\ndef go():\n    os.execv('/bin/echo', ['echo', 'other'])\ngo()\n")
    assert run.stdout == "other\n"
    (process,) = run.recording.questions.processes()
    assert (process.how, process.command, process.line) == (Start.REPLACED, "echo other", 3)
    assert question(run.recording, process.call).started == (
        "1 process that was not recorded (in place of the program: echo other)"
    )


def test_a_command_that_failed_to_start_is_not_listed(record: Record) -> None:
    run = record(
        "import subprocess\ntry:\n    subprocess.run(['/nowhere/x'], cwd=3.5)\nexcept TypeError:\n    pass\n"
    )
    assert run.recording.questions.processes() == []


def test_the_words_of_a_command_are_read_without_calling_their_methods(record: Record) -> None:
    program = """
        import subprocess
        class Word(str):
            def __str__(self): raise SystemExit("was asked")
            __repr__ = __fspath__ = encode = __str__
        class Words(list):
            def __iter__(self):
                seen.append(1)
                return super().__iter__()
        seen = []
        subprocess.run(Words(["true"]))
        print(len(seen))
    """
    run = record(program)
    write_files(run.path.parent, {"alone.py": program})
    assert run.stdout == plain(run.path.parent, "alone.py").stdout
    (process,) = run.recording.questions.processes()
    assert process.how is Start.COMMAND


AUDITED = """
import json, os, subprocess, sys
heard = []
before = set(sys.modules)
def hear(event, args):
    if event.split(".")[0] in ("os", "subprocess", "sys"):
        heard.append(event)
sys.addaudithook(hear)
os.system("true")
subprocess.run(["true"])
sys.addaudithook(lambda event, args: None)
print(json.dumps(heard))
print(subprocess._fork_exec.__name__ if hasattr(subprocess, "_fork_exec") else "")
"""


def test_audit_hooks_of_the_program_see_the_same_events(tmp_path: Path) -> None:
    alone = runs_the_same(tmp_path, AUDITED)
    heard = json.loads(alone.stdout.splitlines()[0])
    assert {"os.system", "subprocess.Popen", "sys.addaudithook"} <= set(heard)


def test_a_finding_says_that_the_bug_may_be_in_a_process(record: Record) -> None:

    run = record(WORKER.format('return subprocess.run(["true"]).returncode'))
    shown, _ = talk(run.path, "n", "y", first=[run.call("start").id])
    text = " ".join(shown.split())
    assert "started 1 process that was not recorded (true)" in text
    assert (
        "It started 1 process that was not recorded (true): the bug may be in what that one did."
        in text
    )
