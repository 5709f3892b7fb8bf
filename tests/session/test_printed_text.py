"""What a run printed."""

from __future__ import annotations

from pathlib import Path

from tests.session.failing import opened, recorded
from wrongcall.session.printed_text import printed_texts

PROGRAM = (
    "import sys\nprint('one')\nprint('two', file=sys.stderr)\nsys.stdout.buffer.write(b'raw')\n"
)


def test_texts_of_both_streams_in_order(tmp_path: Path) -> None:
    with opened(recorded(tmp_path, {"prog.py": PROGRAM}, "prog.py")) as recording:
        found = list(printed_texts(recording))
        assert "".join(text for _, text in found) == "one\ntwo\n"
        times = [time for time, _ in found]
        assert times == sorted(times)
