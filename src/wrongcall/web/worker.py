"""The threads that do the work: one reads the trace, one looks at the tree.

A file that is open belongs to the thread that opened it, so all that reads the trace waits its turn. What
is known of the tree is in memory and never changes (`Glance`): to look at that needs no waiting.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import numpy as np

from wrongcall.errors import WrongcallError
from wrongcall.session.search import How, Start
from wrongcall.web.desk import Desk
from wrongcall.web.glance import Glance

T = TypeVar("T")
LIVE_SECONDS = 0.4
"""How often a trace that grows is looked at, if that is quick."""
WAITING = 0.5
"""Seconds after which those who wait for a change look whether the server is to end."""
POLL_SHARE = 4
"""Spend at most 1/POLL_SHARE of the time polling, but poll at least every MAX_POLL_INTERVAL_S."""
MAX_POLL_INTERVAL_S = 5.0


class Worker:
    """Does jobs on a desk, one after the other, and tells who waits when something changed."""

    def __init__(self, path: Path, how: How | None = None, start: Start | None = None) -> None:
        """Open the trace; what is no trace is an error here. For the rest see `Desk`."""
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="desk")
        self._eyes = ThreadPoolExecutor(1, thread_name_prefix="glances")
        self._desk = self._thread.submit(Desk, path, how, start).result()
        self._path = path
        self._changed = asyncio.Condition()
        self.seen = 0
        """The latest version that was told to those who wait."""
        self.ending: Callable[[], bool] = lambda: False
        """Tells whether the server is to end: then nobody may wait any longer."""

    async def do(self, job: Callable[[Desk], T]) -> T:
        """Do a job; if it changed something, say so."""
        loop = asyncio.get_running_loop()
        done = await loop.run_in_executor(self._thread, job, self._desk)
        await self._tell()
        return done

    async def glance(self, job: Callable[[Glance], T]) -> T:
        """Do a job on what is known of the tree, while the trace is read for others."""
        found = self._desk.latest
        if found is None:
            found = await self.do(Desk.glance)
        return await asyncio.get_running_loop().run_in_executor(self._eyes, job, found)

    async def _tell(self) -> None:
        async with self._changed:
            if self.seen != self._desk.version:
                self.seen = self._desk.version
                self._changed.notify_all()

    async def next_version(self, known: int) -> int:
        """Wait for a while for another version than this one."""
        async with self._changed:
            with suppress(asyncio.TimeoutError):
                changed = self._changed.wait_for(lambda: self.seen != known)
                await asyncio.wait_for(changed, WAITING)
            return self.seen

    async def watch(self) -> None:
        """Follow a trace that grows to its end; then look for groups of calls in it."""
        loop = asyncio.get_running_loop()
        with suppress(WrongcallError):  # who asks for the session is told
            await self.do(lambda desk: desk.session)
        pause, growing = LIVE_SECONDS, await self.do(lambda desk: desk.growing)
        while growing:
            await asyncio.sleep(pause)
            began = loop.time()
            # Asked first: what ended meanwhile is looked at once more.
            growing = await self.do(lambda desk: desk.growing)
            await self.do(Desk.refresh)
            pause = min(max(LIVE_SECONDS, POLL_SHARE * (loop.time() - began)), MAX_POLL_INTERVAL_S)
        if await self.do(lambda desk: desk.search.lacks_chains):
            await self._find_groups()

    async def _find_groups(self) -> None:
        """Look for groups of calls in a process of its own: that would keep this one from answering."""
        command = (sys.executable, "-m", "wrongcall.web.chains", str(self._path))
        process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
        try:
            found, _ = await process.communicate()
        except asyncio.CancelledError:
            process.kill()
            raise
        if process.returncode == 0:  # without groups it works, too
            chains = np.frombuffer(found, dtype=np.int64)
            search = await self.do(lambda desk: desk.search)
            balanced = await asyncio.to_thread(search.balanced, chains)
            await self.do(lambda desk: desk.balance(balanced))

    def close(self) -> None:
        """Close the trace."""
        self._thread.submit(self._desk.close).result()
        self._thread.shutdown()
        self._eyes.shutdown()
