"""Processes that the program starts are not recorded, and the trace says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.ask.talking import talk
from tests.recorder.bothways import plain, runs_the_same, write_files
from tests.recorder.conftest import Record
from wrongcall.events import Start
from wrongcall.present import question
from wrongcall.present.processes import process_words

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
        'subprocess.run([sys.executable, "-c", "print(1)"])',
        "1 process that was not recorded (python -c print(1))",
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
    "fork and exec": (
        "pid = os.fork()\n        if pid == 0:\n            os.execvp('true', ['true'])\n        os.waitpid(pid, 0)",
        "1 process that was not recorded (a fork of the program)",
    ),
    "multiprocessing, fork": (
        "with multiprocessing.get_context('fork').Pool(2) as pool:\n            pool.map(work, [1])",
        "2 processes that were not recorded (2 times a fork of the program)",
    ),
    "multiprocessing, spawn": (
        "p = multiprocessing.get_context('spawn').Process(target=other)\n        p.start()",
        "1 process that was not recorded (a worker of multiprocessing)",
    ),
    "multiprocessing, forkserver": (
        "p = multiprocessing.get_context('forkserver').Process(target=other)\n        p.start()",
        "1 process that was not recorded (the fork server of multiprocessing)",
    ),
    "ProcessPoolExecutor": (
        "with ProcessPoolExecutor(1, multiprocessing.get_context('fork')) as p:\n            p.submit(work, 1)",
        "1 process that was not recorded (a fork of the program)",
    ),
}


@pytest.mark.parametrize("name", STARTS)
def test_the_call_that_started_a_process_says_so(record: Record, name: str) -> None:
    code, words = STARTS[name]
    run = record(WORKER.format(code))
    start = run.call("start")
    assert process_words(run.trace.questions.processes(start.id)) == words
    assert question(run.trace, start.id).started == words
    (main,) = run.trace.calls.roots()
    assert question(run.trace, main.id).started == words
    assert question(run.trace, run.call("other").id).started == ""
    lines = {process.line for process in run.trace.questions.processes()}
    assert lines <= set(range(9, 13)), lines
    assert {process.call for process in run.trace.questions.processes()} == {start.id}


def test_a_program_that_becomes_another_one(record: Record) -> None:
    run = record("import os\ndef go():\n    os.execv('/bin/echo', ['echo', 'other'])\ngo()\n")
    assert run.stdout == "other\n"
    (process,) = run.trace.questions.processes()
    assert (process.how, process.command, process.line) == (Start.REPLACED, "echo other", 3)
    assert question(run.trace, process.call).started == (
        "1 process that was not recorded (in place of the program: echo other)"
    )


def test_a_command_that_failed_to_start_is_not_listed(record: Record) -> None:
    run = record(
        "import subprocess\ntry:\n    subprocess.run(['/nowhere/x'], cwd=3.5)\nexcept TypeError:\n    pass\n"
    )
    assert run.trace.questions.processes() == []


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
    (process,) = run.trace.questions.processes()
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
