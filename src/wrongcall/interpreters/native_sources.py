"""What the native extensions are made of: sources, headers and flags.

setup.py loads this file by its path before anything of wrongcall can be imported, so it imports nothing of wrongcall.

WRONGCALL_SANITIZE=1 builds for AddressSanitizer; WRONGCALL_CFLAGS has further compiler flags.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from pathlib import Path

FLAGS = (
    "-O2",
    "-fvisibility=hidden",
    # Thread-local state is read in every hook: one instruction instead of a call.
    "-ftls-model=initial-exec",
    "-Wall",
    "-Wextra",
    "-Wno-unused-parameter",
    "-Wno-missing-field-initializers",
    "-Wno-cast-function-type",
)
SANITIZE = ("-fsanitize=address", "-fno-omit-frame-pointer", "-g", "-O1")


def compile_flags(environ: Mapping[str, str] = os.environ) -> list[str]:
    """Return the flags for each source."""
    sanitize = SANITIZE if _sanitizes(environ) else ()
    return [*FLAGS, *sanitize, *shlex.split(environ.get("WRONGCALL_CFLAGS", ""))]


def link_flags(environ: Mapping[str, str] = os.environ) -> list[str]:
    """Return the flags for linking."""
    return [SANITIZE[0]] if _sanitizes(environ) else []


def _sanitizes(environ: Mapping[str, str]) -> bool:
    return environ.get("WRONGCALL_SANITIZE") == "1"


def sources(package: Path, part: str) -> list[Path]:
    """Return the sources of a part's extension, given the folder of wrongcall: all below its folder ``native``."""
    return sorted((package / part / "native").rglob("*.c"))


def headers(package: Path, part: str) -> list[Path]:
    """Return the headers that the sources include: the part's own, and those that all parts share."""
    return sorted([*(package / part / "native").rglob("*.h"), *(package / "native").glob("*.h")])


def include_folders(package: Path, part: str) -> list[Path]:
    """Return the folders that paths of headers begin in."""
    return [package / "native", package / part / "native"]
