"""Interpreters that are none, or answer what a test wants."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from wrongcall.interpreters.probe import MARK

ANSWER = {
    "name": "CPython",
    "version": [3, 13, 1],
    "text": "3.13.1 (main) [GCC]",
    "free_threaded": False,
    "suffix": ".cpython-313-fake.so",
    "include": ["/nowhere/include"],
    "compiler": "no-such-compiler -pthread",
}


def script(path: Path, text: str) -> str:
    """Write a shell script that stands in for an interpreter."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


def answering(path: Path, **answer: Any) -> str:
    """Write an interpreter that says this about itself."""
    return script(path, f"cat <<'END'\n{MARK}{json.dumps({**ANSWER, **answer})}\nEND")
