"""The threads that do the work, and the versions they announce."""

from __future__ import annotations

import asyncio
import shutil
import threading
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from wrongcall.errors import TraceError, UsageError
from wrongcall.recording import Recording
from wrongcall.session.oracles import Judged, Oracle
from wrongcall.session.search import How, Start
from wrongcall.tree.balance import BalancedTree
from wrongcall.web import worker as workers
from wrongcall.web import workspace as workspaces
from wrongcall.web.worker import Worker
from wrongcall.web.workspace import Workspace

Run = Callable[[Callable[[Worker], Coroutine[Any, Any, Any]]], Any]


@pytest.fixture
def path(traces: dict[str, Path], tmp_path: Path) -> Path:
    return Path(shutil.copy(traces["paper_mergesort"], tmp_path / "paper.wrongcall"))


@pytest.fixture
def run(path: Path) -> Run:
    """Run something with a worker of a copy of a trace."""

    def run(job: Callable[[Worker], Coroutine[Any, Any, Any]]) -> Any:
        async def whole() -> Any:
            worker = Worker(path)
            try:
                return await job(worker)
            finally:
                worker.close()

        return asyncio.run(whole())

    return run


def test_jobs_run_one_after_the_other_in_one_thread(run: Run) -> None:
    async def job(worker: Worker) -> list[int]:
        jobs = (worker.do(lambda workspace: threading.get_ident()) for _ in range(5))
        return await asyncio.gather(*jobs)

    threads = run(job)
    assert len(set(threads)) == 1
    assert threads[0] != threading.get_ident()


def test_a_snapshot_is_read_in_another_thread_while_a_job_runs(run: Run) -> None:
    async def job(worker: Worker) -> int:
        await worker.do(Workspace.snapshot)
        running, done = threading.Event(), threading.Event()

        def slow(workspace: Workspace) -> bool:
            running.set()
            return done.wait(60)

        waiting = asyncio.create_task(worker.do(slow))
        await asyncio.to_thread(running.wait, 60)
        found = await worker.snapshot(lambda snapshot: len(snapshot.tree))
        assert not waiting.done()
        done.set()
        assert await waiting
        return found

    assert run(job) >= 8


def test_without_a_snapshot_one_is_made_first(run: Run) -> None:
    assert run(lambda worker: worker.snapshot(lambda snapshot: snapshot.version)) == 1


def test_a_change_is_announced_to_those_who_wait(run: Run) -> None:
    async def job(worker: Worker) -> tuple[int, int]:
        await worker.do(lambda workspace: workspace.session)
        known = worker.seen
        waiting = asyncio.create_task(worker.next_version(known))
        await asyncio.sleep(0)
        await worker.do(lambda desk: desk.change(lambda session: session.session.judge(8, "wrong")))
        return known, await waiting

    known, found = run(job)
    assert found > known


def test_waiting_for_a_change_that_does_not_come_ends(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "STOP_CHECK_S", 0.01)

    async def job(worker: Worker) -> bool:
        await worker.do(lambda workspace: workspace.session)
        return await worker.next_version(worker.seen) == worker.seen

    assert run(job)


def test_an_error_in_a_job_is_raised_to_its_caller(run: Run) -> None:
    def fails(workspace: Workspace) -> None:
        raise UsageError("odd")

    async def job(worker: Worker) -> int:
        with pytest.raises(UsageError, match="odd"):
            await worker.do(fails)
        return await worker.do(lambda workspace: workspace.version)

    assert run(job) == 1


def test_an_answer_does_not_wait_for_panels(run: Run) -> None:
    async def job(worker: Worker) -> list[str]:
        await worker.do(lambda workspace: workspace.session)
        go, order = threading.Event(), list[str]()
        busy = asyncio.create_task(worker.do(lambda workspace: go.wait(60)))
        await asyncio.sleep(0)
        panels = [
            asyncio.create_task(worker.do(lambda workspace: order.append("panel")))
            for _ in range(3)
        ]
        await asyncio.sleep(0)

        def judge(workspace: Workspace) -> None:
            workspace.change(lambda search: search.session.judge(8, "wrong"))
            order.append("answer")

        answer = asyncio.create_task(worker.change(judge))
        await asyncio.sleep(0)
        go.set()
        await asyncio.gather(busy, answer, *panels)
        return order

    assert run(job) == ["answer", "panel", "panel", "panel"]


class Slow(Oracle):
    """Notes what it is told, and when it has an opinion."""

    name = "slow"

    def __init__(self, log: list[str]) -> None:
        self._log = log

    def opinion(self, calls: tuple[int, ...]) -> None:
        self._log.append("asked")

    def told(self, judged: Sequence[Judged]) -> None:
        self._log.append(f"told of {', '.join(str(each.calls[0]) for each in judged)}")


def judge_wrong(workspace: Workspace, call: int, log: list[str]) -> None:
    workspace.change(lambda search: search.session.judge(call, "wrong"))
    log.append("answered")


def test_oracles_are_told_when_nobody_waits_but_before_the_next_answer(path: Path) -> None:
    log: list[str] = []

    async def whole() -> None:
        worker = Worker(path, How(oracles=lambda recording: [Slow(log)]))
        try:
            await worker.do(lambda workspace: workspace.session)
            log.clear()
            for call in (8, 2):
                await worker.change(partial(judge_wrong, call=call, log=log))
        finally:
            worker.close()

    asyncio.run(whole())
    # The second answer comes at once, so what the first one meant is told first of all then.
    told = [entry for entry in log if entry not in ("asked", "told of ")]
    assert told == ["answered", "told of 8", "answered", "told of 8, 2"]


def test_groups_of_a_large_trace_are_found_in_the_background(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workspaces, "MAX_EVENTS_AT_ONCE", 1)

    async def job(worker: Worker) -> tuple[bool, bool]:
        before = await worker.do(lambda desk: isinstance(desk.session.tree, BalancedTree))
        await worker.watch()
        return before, await worker.do(lambda desk: isinstance(desk.session.tree, BalancedTree))

    assert run(job) == (False, True)


def test_a_trace_that_cannot_be_opened_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(TraceError, match="no such file"):
        Worker(tmp_path / "missing.wrongcall")


def test_where_to_start_is_found_in_the_recording_of_the_page(path: Path) -> None:
    async def whole() -> list[int]:
        worker = Worker(path, start=lambda recording: Start(wrong=recording.calls.get(8).id))
        try:
            return await worker.do(lambda desk: [e.calls[0] for e in desk.session.entries])
        finally:
            worker.close()

    assert asyncio.run(whole()) == [1, 8]


def test_a_start_that_is_not_there_is_refused_at_once(path: Path) -> None:
    def start(recording: Recording) -> Start:
        raise UsageError("no such call")

    with pytest.raises(UsageError, match="no such call"):
        Worker(path, start=start)
    Worker(path).close()  # the trace was released


def test_closing_a_worker_releases_the_trace(path: Path) -> None:
    for _ in range(2):
        Worker(path).close()
