"""The threads that do the work: one reads the trace, one reads snapshots of the tree.

An open trace belongs to the thread that opened it, so its jobs run one after the other, the urgent ones first. A
`TreeSnapshot` is in memory and never changes: a job on it never waits for the trace.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TypeVar

import numpy as np

from wrongcall.errors import WrongcallError
from wrongcall.session.search import How
from wrongcall.web.job_thread import JobThread, Urgency
from wrongcall.web.tree_rows import prepare_rows
from wrongcall.web.tree_snapshot import TreeSnapshot
from wrongcall.web.workspace import NO_START, Starts, Workspace

T = TypeVar("T")
POLL_INTERVAL_S = 0.4
"""Seconds between two looks at a growing trace, if looking is quick."""
STOP_CHECK_S = 0.5
"""Seconds after which a request that waits for a change checks whether the server is stopping."""
POLL_SHARE = 4
"""Spend at most 1/POLL_SHARE of the time polling, but poll at least every MAX_POLL_INTERVAL_S."""
MAX_POLL_INTERVAL_S = 5.0


class Worker:
    """Run jobs on a workspace, one after the other, and announce new versions."""

    def __init__(self, path: Path, how: How | None = None, start: Starts = NO_START) -> None:
        """Open the trace; raises an error if it is not one. The other parameters are those of `Workspace`."""
        self._thread = JobThread("workspace")
        self._snapshots = ThreadPoolExecutor(1, thread_name_prefix="snapshots")
        self._desk = self._thread.submit(partial(Workspace, path, how, start)).result()
        self._later: set[asyncio.Task[None]] = set()
        """What is done when nobody waits."""
        self._path = path
        self._changed = asyncio.Condition()
        self.seen = 0
        """The latest version that was announced."""
        self.ending: Callable[[], bool] = lambda: False
        """Whether the server is stopping: then no request may wait any longer."""

    async def do(self, job: Callable[[Workspace], T], urgency: Urgency = Urgency.PANEL) -> T:
        """Run a job; if it made a new version, announce it."""
        done = await asyncio.wrap_future(self._thread.submit(partial(job, self._desk), urgency))
        await self._announce()
        return done

    async def change(self, job: Callable[[Workspace], T]) -> T:
        """Run a job that changes the session; what it left to do is done when nobody waits."""
        done = await self.do(job, Urgency.QUESTION)
        left = self._thread.submit(self._desk.tell_oracles, Urgency.LATER)
        task = asyncio.create_task(self._announce_after(left))
        self._later.add(task)
        task.add_done_callback(self._later.discard)
        return done

    async def _announce_after(self, job: Future[None]) -> None:
        await asyncio.wrap_future(job)
        await self._announce()

    async def snapshot(self, job: Callable[[TreeSnapshot], T]) -> T:
        """Run a job on the latest snapshot, beside jobs that read the trace."""
        found = self._desk.latest
        if found is None:
            found = await self.do(Workspace.snapshot)
        return await asyncio.get_running_loop().run_in_executor(self._snapshots, job, found)

    async def _announce(self) -> None:
        async with self._changed:
            if self.seen != self._desk.version:
                self.seen = self._desk.version
                self._changed.notify_all()

    async def next_version(self, known: int) -> int:
        """Wait up to STOP_CHECK_S for another version than this one."""
        async with self._changed:
            with suppress(asyncio.TimeoutError):
                changed = self._changed.wait_for(lambda: self.seen != known)
                await asyncio.wait_for(changed, STOP_CHECK_S)
            return self.seen

    async def watch(self) -> None:
        """Follow a growing trace to its end, then find its groups of calls."""
        loop = asyncio.get_running_loop()
        with suppress(WrongcallError):  # a request for the session shows the error
            await self.do(lambda workspace: workspace.session)
        pause, growing = POLL_INTERVAL_S, await self.do(lambda workspace: workspace.growing)
        while growing:
            await asyncio.sleep(pause)
            began = loop.time()
            # Asked before reading: after the end, read once more.
            growing = await self.do(lambda workspace: workspace.growing)
            await self.do(Workspace.refresh)
            pause = min(
                max(POLL_INTERVAL_S, POLL_SHARE * (loop.time() - began)), MAX_POLL_INTERVAL_S
            )
        if await self.do(lambda workspace: workspace.search.lacks_chains):
            await self._find_groups()

    async def _find_groups(self) -> None:
        """Find groups of calls in another process: here it would keep requests waiting."""
        command = (sys.executable, "-m", "wrongcall.web.balance_worker", str(self._path))
        process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
        try:
            found, _ = await process.communicate()
        except asyncio.CancelledError:
            process.kill()
            raise
        if process.returncode == 0:  # without groups the search works, too
            chains = np.frombuffer(found, dtype=np.int64)
            search = await self.do(lambda workspace: workspace.search)
            grouped = await asyncio.to_thread(search.balanced, chains)
            await asyncio.to_thread(prepare_rows, grouped.tree)
            await self.do(lambda workspace: workspace.balance(grouped))

    def close(self) -> None:
        """Close the trace."""
        self._thread.submit(self._desk.close, Urgency.LATER).result()
        self._thread.shutdown()
        self._snapshots.shutdown()
