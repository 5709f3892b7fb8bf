"""Chains of calls, found by a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np

import wrongcall.recording
from wrongcall.tree.from_trace import chains_of, tree_of

COMMAND = [sys.executable, "-m", "wrongcall.web.balance_worker"]


def test_it_writes_the_chain_of_each_node(traces: dict[str, Path]) -> None:
    path = traces["paper_mergesort"]
    done = subprocess.run([*COMMAND, str(path)], capture_output=True, timeout=60, check=True)
    with wrongcall.recording.open(path) as recording:
        tree = tree_of(recording)
        expected = chains_of(recording, tree)
    found = np.frombuffer(done.stdout, dtype=np.int64)
    assert len(found) == len(tree)
    assert found.tolist() == expected.tolist()
    assert len(set(found.tolist())) > 1


def test_a_file_that_is_no_trace_fails_without_output(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_text("hello")
    done = subprocess.run([*COMMAND, str(other)], capture_output=True, timeout=60)
    assert done.returncode != 0
    assert done.stdout == b""
