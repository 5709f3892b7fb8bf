"""``wrongcall info``: what was recorded: program, files, calls, events."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from wrongcall.cli.output import Output
from wrongcall.cli.progress import readable_size
from wrongcall.cli.reading import Commands, add_command
from wrongcall.events import Start
from wrongcall.present.text import safe
from wrongcall.present.unparsed import recorded_version, unparsed_words
from wrongcall.recording import Recording
from wrongcall.trace.format.program_tables import RecordedProcess

MOST_FILES = 12


def add_parser(commands: Commands[argparse.ArgumentParser]) -> None:
    """Describe the command to argparse."""
    add_command(commands, "info", "show what was recorded: program, files, calls and events", show)


def facts(recording: Recording) -> dict[str, Any]:
    """Return what is known about the run."""
    meta = recording.meta
    return {
        "trace": str(recording.path),
        "bytes": recording.path.stat().st_size,
        "program": meta.get("program", []),
        "kind": meta.get("kind"),
        "root": meta.get("root"),
        "python": meta.get("python"),
        "python_path": meta.get("python_path"),
        "python_why": meta.get("python_why"),
        "started": meta.get("started"),
        "seconds": meta.get("seconds"),
        "ended": recording.ended,
        "status": meta.get("status"),
        "stopped": meta.get("stopped"),
        "events": recording.event_count,
        "calls": recording.calls.count,
        "threads": len(recording.program.threads),
        "processes": _processes(recording),
        "files": [
            {"path": f.path, "module": f.module, "lines": f.source.count("\n")}
            for f in recording.program.files.values()
        ],
        "unparsed": unparsed_words(recording, _of_another_version(recording)),
        "unrecorded": [asdict(module) for module in recording.unrecorded],
        "functions": sum(
            f.kind not in ("module", "class") for f in recording.program.functions.values()
        ),
    }


def show(recording: Recording, args: argparse.Namespace, output: Output) -> None:
    """Show the facts."""
    found = facts(recording)
    if args.json:
        output.json(found)
        return
    program = " ".join(found["program"])
    output.line((safe(program) or "?", "heading"))
    _row(output, "trace", f"{found['trace']} ({readable_size(found['bytes'])})")
    if found["started"] is not None:
        when = datetime.fromtimestamp(found["started"], UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
        _row(output, "recorded", f"{when}, {_ending(found)}")
    if found["stopped"] is not None:
        why = f"{found['stopped']}; what the program did after that is missing"
        _row(output, "stopped", why)
    _row(output, "python", (found["python"] or "?").split("\n")[0])
    if found["python_path"] is not None:
        _row(output, "", f"{found['python_path']} ({found['python_why']})")
    _row(output, "events", f"{found['events']:,}")
    threads = f" in {found['threads']} threads" if found["threads"] > 1 else ""
    _row(output, "calls", f"{found['calls']:,} of {found['functions']:,} functions{threads}")
    for process in found["processes"] if len(found["processes"]) > 1 else ():
        _row(output, "process", _process_line(process))
    files = found["files"]
    for file in files[:MOST_FILES]:
        _row(output, "file", f"{file['path']} ({file['module']}, {file['lines']:,} lines)")
    if len(files) > MOST_FILES:
        _row(output, "", f"and {len(files) - MOST_FILES} more files (--json lists all)")
    if found["unparsed"]:
        missing = "so origins, docstrings and what calls read are not known there"
        _row(output, "missing", f"{found['unparsed']}; {missing}")
    for module in found["unrecorded"]:
        reason = f"{module['path']} ({module['module']}) was not recorded: {module['reason']}"
        _row(output, "plain", reason)


def _of_another_version(recording: Recording) -> Iterable[int]:
    """Return the files that this Python may not be able to parse; parsing takes time."""
    same = recorded_version(recording) == "{}.{}".format(*sys.version_info)
    return () if same else recording.program.files


def _processes(recording: Recording) -> list[dict[str, Any]]:
    """Return the facts about all recorded processes."""
    commands = {started.number: started.command for started in recording.questions.processes()}
    known = recording.program.processes.values()
    return [_process(recording, process, commands.get(process.id, "")) for process in known]


def _process(recording: Recording, process: RecordedProcess, command: str) -> dict[str, Any]:
    start = Start(process.how).name.lower() if process.how else "program"
    threads = sum(t.process == process.id for t in recording.program.threads.values())
    return {
        "process": process.id,
        "pid": process.pid,
        "how": start,
        "command": command,
        "parent": process.parent,
        "call": process.call,
        "threads": threads,
        "ended": process.ended,
    }


def _process_line(process: dict[str, Any]) -> str:
    """Say in a line what a process was, who started it, and how it ended."""
    pid = f"(pid {process['pid']})" if process["pid"] else "(never began)"
    what = {"program": "the program", "forked": "a fork"}.get(process["how"], process["command"])
    by = f", started by call #{process['call']}" if process["call"] else ""
    by += f" in process {process['parent']}" if process["parent"] > 1 else ""
    end = f", {_PROCESS_ENDS.get(process['ended'], process['ended'])}" if process["ended"] else ""
    return f"{process['process']} {pid} {what}{by}{end}"


_PROCESS_ENDS = {"gone": "ended, exit status unknown", "ended": "ended"}


def _ending(found: dict[str, Any]) -> str:
    if found["ended"] is None:
        return "not ended: still running, or its recorder was killed"
    seconds = found["seconds"]
    ended = f"exit status {found['status']}"
    whole = "a block of a running process" if found["kind"] == "block" else ended
    how = {"exit": whole, "killed": "killed by a signal"}
    end = how.get(found["ended"], found["ended"])
    return end if seconds is None else f"{end} after {seconds:.2f} s"


def _row(output: Output, name: str, text: str) -> None:
    output.line((f"{name:9}", "quiet"), safe(text))
