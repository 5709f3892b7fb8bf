"""The table of processes, from the events that tell of them."""

from __future__ import annotations

from dataclasses import replace

from wrongcall.events import Kind, Start, Tag
from wrongcall.trace.format.run_facts import RecordedProcess
from wrongcall.trace.write.batch import OtherEvent

_LOW = 0xFFFFFFFF
_STILL_THERE = 0x7F
"""In the lowest bits of a status: the process was stopped or continued, and has not ended."""
STOPPED = "recording stopped"
"""How the recording of a process ended before the process did."""
_STARTS = (Start.FORKED, Start.COMMAND, Start.REPLACED)


class ProcessRows:
    """Keeps the rows, which change: first a process is started, then it begins, then it ends."""

    def __init__(self) -> None:
        self.rows: dict[int, RecordedProcess] = {}
        self.unrecorded = 0
        """How many processes were started that are not recorded."""

    def note(self, event: OtherEvent, time: int) -> int:
        """Note an event about a process; return the number of the row that changed, 0 if none did."""
        assert event.kind == Kind.PROCESS
        number, value = event.obj, event.value
        how, parent = event.key & _LOW, event.key >> 32
        if event.ktag != Tag.INT:
            return 0
        if how == Start.ENDED:
            return self._waited_for(value & _LOW, value >> 32)
        if number == 0:
            self.unrecorded += how in _STARTS
            return 0
        if how in _STARTS:
            call = event.call or self._of(parent).call
            self.rows[number] = replace(
                self._of(number), parent=parent, call=call, how=how, time=time
            )
        elif how == Start.BEGUN:
            self.began(number, value)
        return number

    def began(self, number: int, pid: int) -> RecordedProcess:
        """Note the system's number of a process."""
        self.rows[number] = replace(self._of(number), pid=pid)
        return self.rows[number]

    def ended(self, number: int, how: str) -> RecordedProcess:
        """Note how a process ended, unless that is known better, and whether its recording ended before."""
        row = self._of(number)
        if row.ended and how.startswith(STOPPED):
            how = f"{row.ended}; {how}"
        elif row.ended:
            how = row.ended
        self.rows[number] = replace(row, ended=how)
        return self.rows[number]

    def _waited_for(self, pid: int, status: int) -> int:
        """Note the status of a process that another one waited for."""
        known = [row for row in self.rows.values() if row.pid == pid and pid]
        if not known or status & _STILL_THERE == _STILL_THERE:
            return 0
        row = max(known, key=lambda each: each.id)
        self.rows[row.id] = replace(row, ended=exit_words(status))
        return row.id

    def _of(self, number: int) -> RecordedProcess:
        empty = RecordedProcess(number, 0, 0, 0, 0, 0, "")
        return self.rows.get(number, empty)


def exit_words(status: int) -> str:
    """Say how a process ended, from its status as the system has it."""
    signal = status & 0x7F
    return f"signal {signal}" if signal else f"exit {status >> 8 & 0xFF}"
