"""Measure how fast events are packed: `make bench-pack`.

    pack.py [--rounds N]

Packing must be faster than the program makes events, or the program waits. A yardstick in the same run cancels out the
current speed of the machine: zstandard at its default level on the same bytes, alternating. The bar is the median of
the ratios, `PACK_BAR`. Processor time is measured, as others may use the machine.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable

import zstandard
from tables import Row, Table, as_text

from tests.trace import streams
from wrongcall.trace.format.event_records import Events
from wrongcall.trace.format.sizes import SEGMENT_EVENTS
from wrongcall.trace.write.segment_rows import pack_segment

PACK_BAR = 1.0
"""Packing a segment takes at most as long as zstandard takes for its bytes."""
ROUNDS = 15
REPEATED = 10
"""Segments per round: a single one is too short to measure."""

STREAMS: dict[str, Callable[[], Events]] = {
    "calls": lambda: streams.fibonacci(24)[:SEGMENT_EVENTS],
    "lists": lambda: streams.merges(SEGMENT_EVENTS),
    "texts": lambda: streams.words(SEGMENT_EVENTS),
}


def seconds(work: Callable[[], object]) -> float:
    """Return the average processor time of some work."""
    began = time.process_time()
    for _ in range(REPEATED):
        work()
    return (time.process_time() - began) / REPEATED


def measured(name: str, rounds: int) -> tuple[Row, bool]:
    """Return the row of a stream, and whether it met its bar."""
    events = STREAMS[name]()
    raw = events.tobytes()
    yardstick = zstandard.ZstdCompressor()
    pairs = [
        (seconds(lambda: pack_segment(raw)), seconds(lambda: yardstick.compress(raw)))
        for _ in range(rounds)
    ]
    ratios = sorted(ours / theirs for ours, theirs in pairs)
    median = statistics.median(ratios)
    speed = len(raw) / statistics.median(ours for ours, _ in pairs) / 1e6
    kept = median <= PACK_BAR
    spread = f"{ratios[0]:.2f}-{ratios[-1]:.2f}"
    return (name, f"{speed:,.0f}", f"{median:.2f}", spread, "kept" if kept else "MISSED"), kept


def main() -> int:
    """Measure; return 1 if a bar was missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    args = parser.parse_args()
    rows = [measured(name, args.rounds) for name in STREAMS]
    header = ("events", "MB/s", "ratio", "spread", "verdict")
    title = f"Packing, compared with zstandard on the same bytes (bar: {PACK_BAR})"
    print(as_text(Table(title, header, tuple(row for row, _ in rows))))
    return 0 if all(kept for _, kept in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
