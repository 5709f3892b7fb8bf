"""The recorded run that a client debugs: where the walk stands, and what there is to read.

The run may still be growing: `Debuggee.refresh` reads what is new.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import wrongcall.recording
from wrongcall.errors import TraceError, UsageError
from wrongcall.present.screens.reading import lines_to_read
from wrongcall.recording import File, Recording, Stop
from wrongcall.session.search import How, Search, Start
from wrongcall.trace.file.opening import tidy

Plan = Callable[[Recording], tuple[How, Start]]
"""Returns how to search, and where to begin."""
BEFORE = Stop(0, -1, 0, -1, -1)
"""Before the first line of any call."""


class Debuggee:
    """An opened trace, and the place in it that the client is shown."""

    def __init__(self, path: Path, plan: Plan) -> None:
        tidy(path)
        self.recording = wrongcall.recording.open(path)
        self.path = path
        self._plan = plan
        self._search: Search | None = None
        self.stop: Stop | None = None
        """Where the walk stands; None: not begun."""
        self.exception = False
        """Whether it stands there because of an exception."""
        self.by_path = self._files()

    def _files(self) -> dict[str, File]:
        return {file.path: file for file in self.recording.program.files.values()}

    @property
    def here(self) -> Stop:
        """Where the walk stands."""
        if self.stop is None:
            raise UsageError("the run has not begun: send configurationDone first")
        return self.stop

    @property
    def growing(self) -> bool:
        """Whether there may be more than was read so far."""
        return self.recording.ended is None

    def refresh(self) -> bool:
        """Read what is new; return whether there is anything."""
        before = self.recording.event_count
        if not self.path.exists():
            raise TraceError(f"{self.path} is gone: it was deleted or moved")
        self.recording.refresh()
        self.by_path = self._files()
        return self.recording.event_count > before

    def file(self, path: str) -> File | None:
        """Return the recorded file with a path, as a client names it; None: there is none."""
        found = self.by_path.get(path)
        return found if found is not None else self.by_path.get(str(Path(path).resolve()))

    def is_as_recorded(self, file: File) -> bool:
        """Return whether a file on disk still has the recorded text."""
        try:
            text = Path(file.path).read_bytes().decode("utf-8", "replace")
        except OSError:
            return False
        return text.replace("\r\n", "\n") == file.source.replace("\r\n", "\n")

    @property
    def search(self) -> Search:
        """The search for the wrong call. The first access starts or resumes it, which takes a while."""
        if self._search is None:
            how, start = self._plan(self.recording)
            search = Search(self.recording, how, measure=lines_to_read)
            try:
                search.begin(start)
            except BaseException:
                search.close()
                raise
            self._search = search
        return self._search

    def close(self) -> None:
        """Save the answers, and close the trace."""
        if self._search is not None:
            if self.path.exists():
                self._search.save()
            self._search.close()
        self.recording.close()
        if self.path.exists():
            tidy(self.path)
