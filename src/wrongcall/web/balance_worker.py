"""Find the chains of calls in a trace: ``python -m wrongcall.web.balance_worker TRACE``.

A process of its own, so that the server can answer meanwhile.

It writes a chain key for each node of the tree to standard output, as 64-bit numbers.
"""

from __future__ import annotations

import sys

import wrongcall.recording
from wrongcall.tree.from_trace import chains_of, tree_of


def main(path: str) -> None:
    """Write the chains of a trace."""
    with wrongcall.recording.open(path) as recording:
        sys.stdout.buffer.write(chains_of(recording, tree_of(recording)).tobytes())


if __name__ == "__main__":
    main(sys.argv[1])
