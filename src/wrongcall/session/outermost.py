"""The outermost calls of a run: those that no recorded call made, but for the main module of their process.

What a test runner calls hangs from the main module if that is recorded: of a script that runs its own tests, or of a
worker process.
"""

from __future__ import annotations

import numpy as np

from wrongcall.recording import Call, Recording
from wrongcall.tree.pretrusted import PROGRAM
from wrongcall.tree.tree import Flags


def is_program(recording: Recording, call: Call) -> bool:
    """Return whether a call is the main module of a process."""
    return _is_main(recording, call.function.id)


def _is_main(recording: Recording, function: int) -> bool:
    known = recording.program.functions[function]
    return known.kind == "module" and recording.program.files[known.file].module == PROGRAM


def outermost(recording: Recording) -> Flags:
    """Return which calls are outermost, in the order of the columns; main modules are not."""
    columns = recording.calls.columns()
    functions = [number for number in recording.program.functions if _is_main(recording, number)]
    is_main = np.isin(columns.function, functions)
    below_main = np.isin(columns.parent, columns.id[is_main])
    found: Flags = ((columns.parent == 0) | below_main) & ~is_main
    return found
