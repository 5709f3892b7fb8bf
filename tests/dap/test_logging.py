"""Messages of log points."""

from __future__ import annotations

from tests.dap.conftest import Recorded
from tests.dap.programs import SUMS
from wrongcall.dap.logging import filled_in
from wrongcall.recording import open as open_recording


def test_braces_hold_expressions(recorded: Recorded) -> None:
    with open_recording(recorded(SUMS).trace) as recording:
        stop = recording.pauses.at_line("prog.py:10").next(recording.walk.first())  # type: ignore[arg-type]
        assert stop is not None

        def message(text: str) -> str:
            return filled_in(recording, stop, text)

        assert message("total={total}, first={numbers[0]}") == "total=0, first=1"
        assert message("no braces, {} and }{") == "no braces, {} and }{"
        assert message("{add(1, 2)}").startswith("<not known: add() would run code")
        assert message("{1 +}").startswith("<")
        assert message("{'text'}") == "text"
