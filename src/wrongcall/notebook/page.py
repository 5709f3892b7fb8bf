"""The page of a trace, served on this machine for as long as the kernel runs, and a link to it."""

from __future__ import annotations

import atexit
import html
import subprocess
import sys
from pathlib import Path

from wrongcall.errors import UsageError

MAIN = str(Path(__file__).parents[1] / "__main__.py")


class Page:
    """A server that has begun; notebooks display it as a link."""

    def __init__(self, trace: Path) -> None:
        command = [sys.executable, MAIN, "web", "--no-open", str(trace)]
        self._server = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )  # fmt: skip
        assert self._server.stdout is not None
        self.address = self._server.stdout.readline().strip()
        if not self.address:
            _, problem = self._server.communicate()
            raise UsageError(problem.strip() or "the page could not be served")
        atexit.register(self.close)

    def _repr_html_(self) -> str:
        address = html.escape(self.address, quote=True)
        return f'<a href="{address}" target="_blank" rel="noopener">{address}</a>'

    def __repr__(self) -> str:
        return self.address

    def close(self) -> None:
        """End the server; answers are in the trace."""
        atexit.unregister(self.close)
        if self._server.poll() is None:
            self._server.terminate()
        self._server.communicate()
