"""The cache of instrumented code, on the side that writes it; `recorder.code_cache` reads it.

An entry has the name and the content that the recorded process gave it. It is written under another name and renamed
when it is complete, so that a process that reads it meanwhile sees the old one or the new one.
"""

from __future__ import annotations

import os
import re
import tempfile
from contextlib import suppress
from pathlib import Path

from wrongcall.errors import RecorderError
from wrongcall.interpreters.cache import Cache

NAME = re.compile("[0-9a-f]{16}")
SUBFOLDER = "code"


class CodeStore:
    """Keeps entries in a folder, one file each."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @classmethod
    def open(cls, folders: list[Path] | None = None) -> CodeStore | None:
        """Return the store in the user's cache folder; None if no folder can be used."""
        try:
            around = Cache(folders).writable()
            return cls(Cache([around / SUBFOLDER]).writable())
        except RecorderError:
            return None

    def keep(self, name: str, content: bytes) -> None:
        """Write an entry. A name comes from the recorded process, so it is not trusted."""
        if NAME.fullmatch(name) is None:
            return
        with suppress(
            OSError
        ):  # the disk is full or was taken away: the next run instruments again
            self._write(name, content)

    def _write(self, name: str, content: bytes) -> None:
        descriptor, made = tempfile.mkstemp(".tmp", f"{name}.", self.folder)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
            Path(made).replace(self.folder / name)
        except BaseException:
            Path(made).unlink()
            raise
