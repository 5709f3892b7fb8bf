"""An agent that has only the tools; the corrected program tells it what is right."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client

from wrongcall.mcp.pages import tokens_of

MOST = 100
Judge = Callable[[tuple[int, ...], bool], str]
"""Returns the verdict about calls, each by itself or all together."""


@dataclass
class Work:
    """What an agent found, and what it took."""

    place: str = ""
    calls: tuple[int, ...] = ()
    proved: bool = False
    answers: int = 0
    requests: int = 0
    tokens: int = 0
    """Of all requests and answers, estimated."""


@contextmanager
def connected(server: Any, name: str = "scripted") -> Iterator[Agent]:
    """Connect an agent to a server; programs that it judges by may have an event loop of their own."""
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(Client(server)) as client,
    ):
        yield Agent(portal, client, name)


class Agent:
    """Solves one problem by the tools."""

    def __init__(self, portal: BlockingPortal, client: Client, name: str) -> None:
        """``portal``: to the thread in which the client runs."""
        self._portal = portal
        self._client = client
        self._name = name
        self.work = Work()

    def ask(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool; count what is read and written."""
        result = self._portal.call(partial(self._client.call_tool, tool, arguments))
        text = "".join(getattr(part, "text", "") for part in result.content)
        if result.is_error:
            raise AssertionError(f"{tool}: {text}")
        self.work.requests += 1
        self.work.tokens += tokens_of(text) + tokens_of(json.dumps(arguments))
        assert result.structured_content is not None
        found: dict[str, Any] = result.structured_content
        return found

    def search(self, trace: str, judge: Judge, **beginning: Any) -> Work:
        """Answer questions until something is found."""
        state = self.ask("diagnose", trace=trace, agent=self._name, **beginning)
        while state["status"] == "question":
            assert self.work.answers < MOST
            verdict = judge(tuple(state["calls"]), state["judge_each"])
            said = {"action": "answer", "verdict": verdict, "agent": self._name}
            state = self.ask("question", trace=trace, **said)
            self.work.answers += 1
        assert state["status"] == "finding", state
        self.work.calls, self.work.place = tuple(state["calls"]), state["place"]
        self.work.proved = state["proved"]
        return self.work
