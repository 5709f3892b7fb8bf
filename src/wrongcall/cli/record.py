"""``wrongcall record``: run a program as ``python`` would and leave a trace of the run.

This process starts the program as a child, writes the trace while it runs, and ends as it
ended: same exit code, or the same signal.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any

from wrongcall.cli import config
from wrongcall.cli.notebook_program import is_notebook, program_from, program_text
from wrongcall.cli.progress import (
    lingering_line,
    summary_line,
    tell,
    tell_python,
    telling_if_slow,
    unrecorded_line,
)
from wrongcall.cli.signals import Signals
from wrongcall.errors import TraceError, UsageError, WrongcallError
from wrongcall.interpreters.code_store import CodeStore
from wrongcall.interpreters.prepare import ProgramPython, prepare
from wrongcall.recorder import boot
from wrongcall.recorder.settings import RecorderSettings
from wrongcall.trace.file.replacing import Earlier
from wrongcall.trace.format.run_facts import FIRST_PROCESS
from wrongcall.trace.format.schema import format_version
from wrongcall.trace.read.session_store import load_session, meta_of, session_names
from wrongcall.trace.write.drain import Drain
from wrongcall.trace.write.ring import ProgramState, Ring
from wrongcall.trace.write.rings import Rings
from wrongcall.trace.write.shared_folder import SharedFolder
from wrongcall.trace.write.writer import TraceWriter

STDERR = 2
LONGEST_DEAFNESS = 0.05  # seconds without looking for signals
PATIENCE_S = 0.3
"""How long to wait in silence for processes that the program left running."""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command to argparse."""
    parser = commands.add_parser(
        "record",
        help="run a program and record it",
        usage="wrongcall record [options] [--] (prog.py | -m module) [arguments]",
        description="Runs a program as python would and leaves a trace of the run in one file.",
        allow_abbrev=False,
    )
    add_recording_options(parser)
    parser.add_argument("--quiet", action="store_true", help="print nothing about the recording")
    parser.set_defaults(run=run)


def add_recording_options(parser: argparse.ArgumentParser) -> None:
    """Describe what can be said about a recording to argparse."""
    parser.add_argument("-o", "--output", metavar="FILE", help="the trace (NAME.wrongcall)")
    parser.add_argument(
        "--include", metavar="PKG", action="append", default=[],
        help="record this package too, wherever it is installed",
    )  # fmt: skip
    parser.add_argument(
        "--exclude", metavar="GLOB", action="append", default=[],
        help="skip files (paths below the project root) or modules that match",
    )  # fmt: skip
    parser.add_argument(
        "--force", action="store_true",
        help="overwrite the output even if it is a trace with answers, or not a trace",
    )  # fmt: skip
    parser.add_argument(
        "--no-children", dest="children", action="store_false",
        help="do not record the processes that the program starts",
    )  # fmt: skip
    parser.add_argument(
        "--stats", metavar="FILE", help="write statistics about the recording as JSON"
    )
    parser.add_argument(
        "--python", metavar="PYTHON",
        help="the program's interpreter: a path, a virtual environment or a version (default: the active "
        "environment, else .venv or venv in the project root, else wrongcall's own)",
    )  # fmt: skip
    parser.add_argument(
        "--untested-python", action="store_true",
        help="record even if the program's interpreter is newer than those wrongcall is tested with",
    )  # fmt: skip
    parser.add_argument("-m", metavar="MODULE", help="run a module, as python -m does")


def split(arguments: list[str], parser: argparse.ArgumentParser) -> tuple[list[str], list[str]]:
    """Our own arguments, and from the program on what belongs to it.

    Not left to argparse, which would look for options among the program's arguments.
    """
    with_value = {name for a in parser._actions if a.nargs != 0 for name in a.option_strings}
    at = 0
    while at < len(arguments):
        argument = arguments[at]
        if argument == "--":
            return arguments[:at], arguments[at + 1 :]
        if argument.startswith("-m") or not argument.startswith("-"):
            return arguments[:at], arguments[at:]
        at += 2 if argument in with_value else 1
    return arguments, []


def run(args: argparse.Namespace) -> int:
    """Record; the program's exit code."""
    kind, program = program_of(args)
    output = Path(args.output or default_name(kind, program[0]))
    root = project_root(kind, program[0])
    settings = config.read(Path(root))
    include, exclude = [*settings.include, *args.include], [*settings.exclude, *args.exclude]
    python = program_python(args, root, settings, quiet=args.quiet)
    _reserve_standard_descriptors()
    meta = _meta(kind, program, root, python)
    with Ring.create() as ring, _shared_folder(wanted=args.children) as folder:
        precious = partial(is_precious, meta, named=args.output is not None)
        writer = TraceWriter(output, meta, force=args.force, precious=precious)
        told = RecorderSettings(ring.fd, root, include, exclude, python.native, _kept_code(writer))
        told.folder = None if folder is None else str(folder.path)
        told.trace = str(output.absolute())
        words = _runnable(kind, program, told)
        command = [python.path, *interpreter_flags(), *boot.command(told, kind, words)]
        recording = _Recording(ring, folder, writer, output, python, quiet=args.quiet)
        return recording.run(command, args.stats)


@contextmanager
def _shared_folder(*, wanted: bool) -> Iterator[SharedFolder | None]:
    """Make the folder for the processes that the program starts, if they are to be recorded, and remove it."""
    if not wanted:
        yield None
        return
    folder = SharedFolder()
    try:
        yield folder
    finally:
        folder.close()


def program_python(
    args: argparse.Namespace, root: str, settings: config.Settings, *, quiet: bool
) -> ProgramPython:
    """Return the interpreter that runs the program, ready for recording."""
    announce = (lambda text: nullcontext()) if quiet else telling_if_slow
    setting = settings.python
    return prepare(args.python, setting, Path(root), announce, untested=args.untested_python)


def _kept_code(writer: TraceWriter) -> str | None:
    """Keep the code that is instrumented; return the folder for the next run, if there is one."""
    store = CodeStore.open()
    if store is None:
        return None
    writer.keep_code = store.keep
    return str(store.folder)


def program_of(args: argparse.Namespace) -> tuple[str, list[str]]:
    """What to run: kind, and the target with its arguments."""
    program: list[str] = args.program
    if not program:
        raise UsageError(f"no program given; try: wrongcall {args.command} prog.py")
    if program[0].startswith("-m"):
        module = [program[0][2:], *program[1:]] if program[0] != "-m" else program[1:]
        if not module:
            raise UsageError("-m needs a module name")
        return boot.MODULE, module
    _check_script(program[0], args.command)
    if args.output is not None and _is_same_file(program[0], args.output):
        raise UsageError(f"-o {args.output} would overwrite the program")
    return boot.SCRIPT, program


def _runnable(kind: str, program: list[str], told: RecorderSettings) -> list[str]:
    """Return the program as Python can run it: a notebook becomes a script that imports from its folder."""
    if kind != boot.SCRIPT or not is_notebook(program[0]):
        return program
    notebook = Path(program[0])
    told.import_folder = str(notebook.resolve().parent)
    return [str(program_from(notebook)), *program[1:]]


def _is_same_file(one: str, other: str) -> bool:
    return Path(other).exists() and Path(other).samefile(one)


def _check_script(script: str, command: str) -> None:
    path = Path(script)
    if not path.exists():
        raise UsageError(f"no such file: {script}")
    if path.is_dir() and not (path / "__main__.py").exists():
        raise UsageError(f"{script} is a directory without a __main__.py")
    if not os.access(path, os.R_OK):
        raise UsageError(f"can't read {script}")
    if is_notebook(script):
        program_text(path)  # report a mistake before anything runs
    elif path.is_file() and format_version(path) is not None:
        raise UsageError(
            f"{script} is a trace, not a program to {command}; try: wrongcall debug {script}"
        )


def default_name(kind: str, target: str) -> str:
    """The name of a program's trace."""
    stem = target.rpartition(".")[2] if kind == boot.MODULE else Path(target).resolve().stem
    return f"{stem}.wrongcall"


def project_root(kind: str, target: str) -> str:
    """The script's folder, or the nearest one above it that looks like a project."""
    start = Path.cwd() if kind == boot.MODULE else Path(target).resolve().parent
    if kind == boot.SCRIPT and Path(target).is_dir():
        start = Path(target).resolve()
    return str(config.project_above(start))


def _meta(kind: str, program: list[str], root: str, python: ProgramPython) -> dict[str, Any]:
    return {
        "kind": kind,
        "program": program,
        "root": root,
        "folder": str(Path.cwd()),
        "python": python.version,
        "python_path": python.path,
        "python_why": python.why,
        "started": time.time(),
        "recorder": os.getpid(),
    }


def is_precious(meta: Mapping[str, Any], path: Path, *, named: bool) -> bool:
    """Return whether to keep an older trace: it has answers, or is of another program.

    ``named``: the user named this file, whatever it is a trace of. What cannot be read may have answers.
    """
    try:
        if any(_has_answers(path, name) for name in session_names(path)):
            return True
        known = meta_of(path)
    except TraceError:
        return True
    same = all(known.get(key) == meta[key] for key in ("kind", "root"))
    return not named and not (same and known.get("program", [])[:1] == meta["program"][:1])


def _has_answers(path: Path, name: str) -> bool:
    # Only if there is an older trace: the program waits until this is done.
    from wrongcall.session.answers import ASSUMED  # noqa: PLC0415

    return any(entry.get("by") != ASSUMED for entry in load_session(path, name).entries)


def _tell_what_is_kept(earlier: Earlier) -> None:
    if earlier.is_precious:
        tell(f"wrongcall: kept the earlier trace as {earlier.aside} (--force overwrites it)")


class _Recording:
    """One program being recorded."""

    def __init__(
        self,
        ring: Ring,
        folder: SharedFolder | None,
        writer: TraceWriter,
        output: Path,
        python: ProgramPython,
        *,
        quiet: bool,
    ) -> None:
        self.ring = ring
        self.rings = None if folder is None else Rings(ring, folder)
        self.python = python
        self.quiet = quiet
        self.writer = writer
        self.output = output
        self.drain = Drain(self.rings or ring, writer)
        self._told = False  # that we wait for processes
        self._looked = False  # whether processes outlive the program
        self.lost: str | None = None  # why the trace could not be written any further
        self.began = time.monotonic()
        self.ended: float | None = None  # when the program itself had ended

    def run(self, command: list[str], stats: str | None) -> int:
        """Start the program, drain it to its end, sum up, and end as it did."""
        gc.freeze()  # what is loaded stays: collecting garbage need not look at it again and again
        signals = Signals()
        # Descriptors that we were given belong to the program, and so does the ring's; none of
        # our own are inherited.
        child = subprocess.Popen(command, close_fds=False)
        self.writer.process_began(FIRST_PROCESS, child.pid)
        signals.begin(child)
        try:
            status = self._drained(child, signals)
        finally:
            signals.end()
            gc.unfreeze()
        self._finish(status, stats)
        return end_as(status)

    def _drained(self, child: subprocess.Popen[bytes], signals: Signals) -> int:
        """Drain the program until it has ended; its status."""

        def ended() -> bool:
            if self.drain.calls:
                self.writer.earlier.forget()
            signals.poll()
            return child.poll() is not None and not self._lingers(signals)

        try:
            self.drain.run_until(ended)
        except (WrongcallError, OSError) as error:  # the trace is lost, the program is not
            (self.rings or self.ring).stop()
            self.lost = str(error)
        while child.poll() is None:
            signals.poll()
            time.sleep(LONGEST_DEAFNESS)
        return child.returncode

    def _lingers(self, signals: Signals) -> bool:
        """Return whether processes that the program left running are still to be recorded."""
        now = time.monotonic()
        first, self.ended = self.ended is None, self.ended or now
        if first:
            signals.linger()
        if self.rings is None or self.drain.full or not self.rings.folder.started:
            return False
        if first:
            return True  # what it told last, of processes that it started, has to be read
        self.rings.first_ended()
        running = self.rings.running(now=not self._looked)
        self._looked = True
        if not running:
            return False
        if signals.stopped:
            self.rings.stop()
            return False
        if now - self.ended >= PATIENCE_S and not self._told:
            self._told = True
            tell(lingering_line(len(running)))
        return True

    def _finish(self, status: int, stats: str | None) -> None:
        seconds = (self.ended or time.monotonic()) - self.began
        ended = "killed" if status < 0 else "exit"
        facts: dict[str, object] = {"status": status, "seconds": seconds, "calls": self.drain.calls}
        if self.ring.program_state == ProgramState.OUT_OF_MEMORY:
            facts["stopped"] = self.lost = "out of memory"
        if self.lost is not None:  # not told before: the terminal was the program's
            tell(f"wrongcall: {self.lost}; the rest of the program was not recorded")
        try:
            if self._has_begun(status):
                self._tell_of_processes(status)
                self.writer.close(ended, facts)
                _tell_what_is_kept(self.writer.earlier)
                if not self.quiet:
                    tell_python(self.python)
                    for module in self.writer.unrecorded:
                        tell(unrecorded_line(module))
                    tell(summary_line(self.drain, seconds, self.output))
            else:
                self.writer.discard()
            if stats is not None:
                self._write_stats(Path(stats), seconds)
        except (WrongcallError, OSError) as error:
            if self.lost is None:  # else the user has been told
                tell(f"wrongcall: {error}")

    def _tell_of_processes(self, status: int) -> None:
        """Write down how the processes ended; say so if some were not recorded."""
        self.writer.process_ended(
            FIRST_PROCESS, f"signal {-status}" if status < 0 else f"exit {status}"
        )
        if self.rings is not None:
            self.rings.close()
            for number, words in self.rings.endings():
                self.writer.process_ended(number, words)
        elif self.writer.starts and not self.quiet:
            tell(
                "wrongcall: the processes that the program started were not recorded (--no-children)"
            )

    def _has_begun(self, status: int) -> bool:
        """Return whether a program ran at all, and python did not just fail to find it."""
        failed = status > 0 and not self.drain.calls
        return not failed and self.ring.program_state != ProgramState.NOT_BEGUN

    def _write_stats(self, path: Path, seconds: float) -> None:
        child = resource.getrusage(resource.RUSAGE_CHILDREN)
        own = resource.getrusage(resource.RUSAGE_SELF)
        figures = {
            "program_cpu": child.ru_utime + child.ru_stime,
            "drain_cpu": own.ru_utime + own.ru_stime,
            "wall": seconds,
            "events": self.drain.events,
            "calls": self.drain.calls,
            "ring_bytes": self.drain.events * 32 + self.drain.bytes,
            "file_bytes": self.output.stat().st_size if self.output.exists() else 0,
            "program_max_rss_kb": child.ru_maxrss,
            "drain_max_rss_kb": own.ru_maxrss,
            "waits": self.ring.waits,
            "wait_seconds": self.ring.waited_ns / 1e9,
        }
        path.write_text(json.dumps(figures) + "\n")


def _reserve_standard_descriptors() -> None:
    """Let no file of ours become descriptor 0, 1 or 2, which would be the program's streams."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= STDERR:
        pass
    os.close(descriptor)


def interpreter_flags() -> list[str]:
    """The options that the user gave to python itself, for the program's python.

    Those in the first line of the command ``wrongcall`` are not the user's.
    """
    own = sys.orig_argv[1 : len(sys.orig_argv) - len(sys.argv) + 1]
    if own[-2:] == ["-m", "wrongcall"]:
        return own[:-2]
    if own[-1:] == sys.argv[:1]:  # the command `wrongcall` is a script
        return [] if own[:-1] == _script_options(Path(own[-1])) else own[:-1]
    flags: list[str] = subprocess._args_from_interpreter_flags()  # type: ignore[attr-defined]
    return flags


def _script_options(script: Path) -> list[str]:
    """Return the options in the first line of a script, which the system passes as one word."""
    try:
        with script.open("rb") as file:
            line = file.readline(512)
    except OSError:
        return []
    words = line.removeprefix(b"#!").split(None, 1) if line.startswith(b"#!") else []
    return [os.fsdecode(words[1].rstrip())] if len(words) > 1 else []


def end_as(status: int) -> int:
    """The program's exit code; if a signal killed it, the same signal kills us."""
    if status >= 0:
        return status
    number = -status
    if number not in (signal.SIGKILL, signal.SIGSTOP):
        signal.signal(number, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # one core dump, the program's, is enough
    os.kill(os.getpid(), number)
    return 128 + number
