"""``wrongcall info``: what was recorded: program, files, calls, events."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from wrongcall.cli.output import Output
from wrongcall.cli.progress import readable_size
from wrongcall.cli.reading import Commands, add_command
from wrongcall.present.text import safe
from wrongcall.recording import Recording

MOST_FILES = 12


def add_parser(commands: Commands[argparse.ArgumentParser]) -> None:
    """Describe the command to argparse."""
    add_command(commands, "info", "show what was recorded: program, files, calls and events", show)


def facts(trace: Recording) -> dict[str, Any]:
    """Return what is known about the run."""
    meta = trace.meta
    return {
        "trace": str(trace.path),
        "bytes": trace.path.stat().st_size,
        "program": meta.get("program", []),
        "kind": meta.get("kind"),
        "root": meta.get("root"),
        "python": meta.get("python"),
        "started": meta.get("started"),
        "seconds": meta.get("seconds"),
        "ended": trace.ended,
        "status": meta.get("status"),
        "stopped": meta.get("stopped"),
        "events": trace.event_count,
        "calls": trace.calls.count,
        "threads": len(trace.program.threads),
        "files": [
            {"path": f.path, "module": f.module, "lines": f.source.count("\n")}
            for f in trace.program.files.values()
        ],
        "unrecorded": [asdict(module) for module in trace.unrecorded],
        "functions": sum(
            f.kind not in ("module", "class") for f in trace.program.functions.values()
        ),
    }


def show(trace: Recording, args: argparse.Namespace, output: Output) -> None:
    """Show the facts."""
    found = facts(trace)
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
    _row(output, "events", f"{found['events']:,}")
    threads = f" in {found['threads']} threads" if found["threads"] > 1 else ""
    _row(output, "calls", f"{found['calls']:,} of {found['functions']:,} functions{threads}")
    files = found["files"]
    for file in files[:MOST_FILES]:
        _row(output, "file", f"{file['path']} ({file['module']}, {file['lines']:,} lines)")
    if len(files) > MOST_FILES:
        _row(output, "", f"and {len(files) - MOST_FILES} more files (--json lists all)")
    for module in found["unrecorded"]:
        reason = f"{module['path']} ({module['module']}) was not recorded: {module['reason']}"
        _row(output, "plain", reason)


def _ending(found: dict[str, Any]) -> str:
    if found["ended"] is None:
        return "not ended: still running, or its recorder was killed"
    seconds = found["seconds"]
    how = {"exit": f"exit status {found['status']}", "killed": "killed by a signal"}
    end = how.get(found["ended"], found["ended"])
    return end if seconds is None else f"{end} after {seconds:.2f} s"


def _row(output: Output, name: str, text: str) -> None:
    output.line((f"{name:9}", "quiet"), safe(text))
