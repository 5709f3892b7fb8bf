"""Processes that the program started, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import PurePosixPath

from wrongcall.events import Start
from wrongcall.present.text import fit, safe
from wrongcall.recording import Call, Process, Recording
from wrongcall.trace.format.program_tables import FIRST_PROCESS

_SHOWN = 4
_LOOKED_AT = 200
"""Calls of a caller among which those of a process are looked for."""
_COMMAND = 60
_MULTIPROCESSING = {
    "from multiprocessing.spawn import spawn_main": "a worker of multiprocessing",
    "from multiprocessing.forkserver import main": "the fork server of multiprocessing",
}
"""What multiprocessing runs, by how it is called."""


def started_words(recording: Recording, processes: Sequence[Process]) -> str:
    """Say which processes were started: what the recorded ones called, and which were not recorded."""
    recorded = [process for process in processes if process.number]
    shown = [_recorded(recording, process) for process in recorded[:_SHOWN]]
    more = len(recorded) - _SHOWN
    shown += [f"{more:,} more recorded processes"] if more > 0 else []
    lost = process_words(processes)
    return "; ".join([*shown, *([lost] if lost else [])])


def process_name(recording: Recording, number: int) -> str:
    """Name a process: ``process 2 (pid 1448)``."""
    known = recording.program.processes.get(number)
    return f"process {number}" + (f" (pid {known.pid})" if known is not None and known.pid else "")


def process_note(recording: Recording, call: Call) -> str:
    """Say which process a call is in, if its caller is in another one."""
    if len(recording.program.processes) <= 1:
        return ""
    process, parent = call.process, call.parent
    if process == (FIRST_PROCESS if parent is None else parent.process):
        return ""
    name = process_name(recording, process)
    return f"continues in {name}" if call.continues else f"in {name}"


def _recorded(recording: Recording, process: Process) -> str:
    calls = recording.call(process.call).children if process.call else recording.calls.roots()
    own = [call for call in calls[:_LOOKED_AT] if call.process == process.number]
    names = [f"{safe(call.function.qualname)} #{call.id}" for call in own[:_SHOWN]]
    names += [f"{len(own) - _SHOWN:,} more"] if len(own) > _SHOWN else []
    made = f"called {', '.join(names)}" if names else "called no recorded function"
    return f"{process_name(recording, process.number)}, {_command(process)}: {made}"


def process_words(processes: Sequence[Process]) -> str:
    """Say which processes were not recorded: ``2 processes that were not recorded (python worker.py)``."""
    processes = [process for process in processes if not process.number]
    if not processes:
        return ""
    count = len(processes)
    many = "1 process that was" if count == 1 else f"{count:,} processes that were"
    known = Counter(_command(process) for process in processes)
    shown = [name if n == 1 else f"{n:,} times {name}" for name, n in known.items()]
    more = [f"{len(shown) - _SHOWN:,} more"] if len(shown) > _SHOWN else []
    return f"{many} not recorded ({', '.join([*shown[:_SHOWN], *more])})"


def processes_sentence(words: str) -> str:
    """Say what that means for a finding."""
    one = words.startswith("1 process")
    return f"It started {words}: the bug may be in what {'that one' if one else 'they'} did."


def _command(process: Process) -> str:
    if process.how is Start.FORKED:
        return "a fork of the program"
    for code, name in _MULTIPROCESSING.items():
        if code in process.command:
            return name
    program, space, rest = process.command.partition(" ")
    name = PurePosixPath(program).name or "a command that is not known"
    instead = "in place of the program: " if process.how is Start.REPLACED else ""
    return fit(safe(f"{instead}{name}{space}{rest}"), _COMMAND)
