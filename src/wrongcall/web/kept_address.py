"""The address of a trace's page, kept in a file beside the trace, so that links to it stay valid.

The file contains the secret of the address: only its owner may read it.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any, NamedTuple

from wrongcall.errors import UsageError

_TOKEN = re.compile(r"[\w-]{24,}", re.ASCII)
_LAST_PORT = 65_535
_OTHERS = 0o077
"""The permissions of everybody but the owner."""


class Address(NamedTuple):
    """The port and the secret of a page."""

    port: int
    token: str


def file_of(trace: Path) -> Path:
    """Return the file that has the address of a trace's page."""
    return trace.with_name(f"{trace.name}.address")


def kept_address(trace: Path) -> Address | None:
    """Return the address that was kept for a trace; None: none was."""
    path = file_of(trace)
    try:
        text, mode = path.read_text("utf-8"), path.stat().st_mode
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as exc:
        raise UsageError(f"cannot read the kept address in {path}: {exc}") from exc
    if os.name == "posix" and mode & _OTHERS:
        raise UsageError(f"others can read the secret in {path}: delete the file to get a new one")
    address = _parsed(text)
    if address is None:
        raise UsageError(f"{path} is no kept address: delete the file to get a new one")
    return address


def _parsed(text: str) -> Address | None:
    """Return the address in a text; None: it is none."""
    try:
        found: Any = json.loads(text)
    except ValueError:
        return None
    if not isinstance(found, dict):
        return None
    port, token = found.get("port"), found.get("token")
    if not isinstance(port, int) or not 0 < port <= _LAST_PORT:
        return None
    if not isinstance(token, str) or not _TOKEN.fullmatch(token):
        return None
    return Address(port, token)


def keep(trace: Path, address: Address) -> None:
    """Keep the address of a trace's page; only the user can read it."""
    path = file_of(trace)
    try:
        number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return  # it is the one that was kept
    except OSError as exc:
        raise UsageError(f"cannot keep the address in {path}: {exc.strerror}") from exc
    with os.fdopen(number, "w", encoding="utf-8") as file:
        json.dump(address._asdict(), file)
