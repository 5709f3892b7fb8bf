"""The tools, resources and prompts, described to the SDK of the Model Context Protocol.

A trace is read by one thread only, so calls take turns; the connection stays responsive meanwhile.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib.resources import files
from typing import Annotated, Any, Literal, TypeVar

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult, TextContent, ToolAnnotations
from pydantic import Field

from wrongcall import __version__
from wrongcall.errors import WrongcallError
from wrongcall.mcp import prompts
from wrongcall.mcp.lookups import Printed
from wrongcall.mcp.pages import DEFAULT_TOKENS, MAX_TOKENS, MIN_TOKENS
from wrongcall.mcp.recorded_runs import DEFAULT_LIMIT_S, MAX_LIMIT_S, Wanted
from wrongcall.mcp.replies import (
    CallReply,
    CompareReply,
    FoundReply,
    RecordReply,
    Reply,
    SearchStateReply,
    TextReply,
)
from wrongcall.mcp.searches import Beginning, Said
from wrongcall.mcp.tools import DEFAULT_AGENT, Tools

T = TypeVar("T")

INSTRUCTIONS = (
    "wrongcall records a run of a Python program completely and finds the call that is wrong. "
    "Start with record (a failing test or a script), then diagnose. Answer its questions with question, from what a "
    "function should do, before you read its code. Every answer says which call to make next."
)
Trace = Annotated[
    str, Field(description="A trace, as record returned it: a path below the project.")
]
Budget = Annotated[
    int, Field(ge=MIN_TOKENS, le=MAX_TOKENS, description="The most tokens of the answer.")
]
Cursor = Annotated[str, Field(description="From the previous page of the same call.")]
Call = Annotated[int, Field(ge=1, description="The number of a call (#N).")]
Agent = Annotated[str, Field(description="Your name: answers are kept under it.")]
_READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
_ANSWERS = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)
_RUNS = ToolAnnotations(read_only_hint=False, destructive_hint=True, open_world_hint=True)


class Turns:
    """Calls take turns: one thread does them, one at a time."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="wrongcall-mcp")

    async def do(self, work: Callable[[], T]) -> T:
        """Do something when it is its turn; errors that the agent should read become errors of the tool."""
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, work)
        except WrongcallError as exc:
            raise ToolError(str(exc)) from exc

    def close(self) -> None:
        """Wait for what is being done."""
        self._thread.shutdown(cancel_futures=True)


def server_of(tools: Tools) -> MCPServer[Any]:
    """Return a server with the tools of a project."""
    server: MCPServer[Any] = MCPServer(
        "wrongcall", title="wrongcall", instructions=INSTRUCTIONS, version=__version__
    )
    turns = Turns()
    _add_recording(server, tools, turns)
    _add_searching(server, tools, turns)
    _add_lookups(server, tools, turns)
    _add_comparing(server, tools, turns)
    _add_resources(server, tools, turns)
    prompts.add(server)
    return server


def _result(reply: Reply) -> CallToolResult:
    """Return an answer as text and as data."""
    shown = [reply.text, f"Next: {reply.next}"]
    return CallToolResult(
        content=[TextContent(type="text", text="\n\n".join(part for part in shown if part))],
        structured_content=reply.model_dump(),
    )


def _add_recording(server: MCPServer[Any], tools: Tools, turns: Turns) -> None:
    @server.tool(annotations=_RUNS)
    async def record(
        test: Annotated[
            str, Field(description="A test, as pytest names it: tests/test_x.py::test_y")
        ] = "",
        script: Annotated[str, Field(description="Or a script, below the project.")] = "",
        module: Annotated[str, Field(description="Or a module, as python -m takes it.")] = "",
        arguments: Annotated[
            list[str] | None, Field(description="Arguments of the program.")
        ] = None,
        include: Annotated[
            list[str] | None, Field(description="Installed packages to record, too.")
        ] = None,
        time_limit: Annotated[
            int, Field(ge=1, le=MAX_LIMIT_S, description="Seconds until it is stopped.")
        ] = DEFAULT_LIMIT_S,
        budget: Budget = DEFAULT_TOKENS,
    ) -> Annotated[CallToolResult, RecordReply]:
        """Run a failing test or a script, recorded completely. Returns a trace for the other tools."""
        wanted = Wanted(
            script, module, test, tuple(arguments or ()), tuple(include or ()), time_limit
        )
        return _result(await turns.do(partial(tools.record, wanted, budget)))


def _add_searching(server: MCPServer[Any], tools: Tools, turns: Turns) -> None:
    @server.tool(annotations=_ANSWERS)
    async def diagnose(
        trace: Trace,
        test: Annotated[str, Field(description="Which failed test, if there are several.")] = "",
        call: Annotated[
            str,
            Field(description="A call that is known to be wrong: #N, or the name of a function."),
        ] = "",
        printed: Annotated[str, Field(description="Text of a printed line that is wrong.")] = "",
        agent: Agent = DEFAULT_AGENT,
        restart: Annotated[bool, Field(description="Forget your earlier answers.")] = False,
        budget: Budget = DEFAULT_TOKENS,
        cursor: Cursor = "",
    ) -> Annotated[CallToolResult, SearchStateReply]:
        """Find the bug as far as possible by itself: a finding with evidence, or a question and ranked suspects."""
        beginning = Beginning(test, call, printed)
        work = partial(
            tools.diagnose, trace, beginning, agent, restart=restart, budget=budget, cursor=cursor
        )
        return _result(await turns.do(work))

    @server.tool(annotations=_ANSWERS)
    async def question(
        trace: Trace,
        action: Literal["next", "answer", "undo"] = "next",
        verdict: Annotated[
            Literal["", "right", "wrong", "dont_know", "invalid_call", "trust_function"],
            Field(
                description="Whether the outcome is right for this input; invalid_call: the input was wrong already."
            ),
        ] = "",
        call: Annotated[
            int, Field(description="Judge this call instead of the open question.")
        ] = 0,
        part: Annotated[
            str, Field(description="With wrong: the part that is, as in result[2] or self.total.")
        ] = "",
        expected: Annotated[str, Field(description="What should have come out instead.")] = "",
        agent: Agent = DEFAULT_AGENT,
        budget: Budget = DEFAULT_TOKENS,
        cursor: Cursor = "",
    ) -> Annotated[CallToolResult, SearchStateReply]:
        """Show the next question, answer it, or undo. Four to ten answers lead to the wrong call."""
        said = Said(verdict, call, part, expected)
        work = partial(tools.question, trace, action, said, agent, budget=budget, cursor=cursor)
        return _result(await turns.do(work))


def _add_lookups(server: MCPServer[Any], tools: Tools, turns: Turns) -> None:
    @server.tool(annotations=_READS)
    async def call(
        trace: Trace,
        call: Call,
        depth: Annotated[int, Field(ge=0, le=6, description="Levels of nesting to expand.")] = 2,
        budget: Budget = DEFAULT_TOKENS,
        cursor: Cursor = "",
    ) -> Annotated[CallToolResult, CallReply]:
        """Show one call's whole life: arguments, outcome, changes, its source with values, the calls it made."""
        return _result(await turns.do(partial(tools.call, trace, call, depth, budget, cursor)))

    @server.tool(annotations=_READS)
    async def search(
        trace: Trace,
        text: Annotated[
            str,
            Field(
                description="A function's name, 'value == -1', 'raised KeyError', 'printed /pattern/', or a condition "
                "on variables such as 'len(xs) > 100'."
            ),
        ],
        newest: Annotated[bool, Field(description="The newest match first.")] = False,
        budget: Budget = DEFAULT_TOKENS,
        cursor: Cursor = "",
    ) -> Annotated[CallToolResult, FoundReply]:
        """Find calls, values, exceptions, printed text, or where a condition became true."""
        work = partial(tools.search, trace, text, budget, cursor, newest=newest)
        return _result(await turns.do(work))

    @server.tool(annotations=_READS)
    async def origin(
        trace: Trace,
        call: Call,
        place: Annotated[
            str,
            Field(description="As in c[2], self.root.left or result[0] (of the returned value)."),
        ],
        at: Annotated[int, Field(ge=0, description="The time; 0: at the end of the call.")] = 0,
        budget: Budget = DEFAULT_TOKENS,
        cursor: Cursor = "",
    ) -> Annotated[CallToolResult, TextReply]:
        """Show where a value came from, back to the expressions that made it."""
        return _result(
            await turns.do(partial(tools.origin, trace, call, place, at, budget, cursor))
        )

    @server.tool(annotations=_READS)
    async def print_after(
        trace: Trace,
        line: Annotated[str, Field(description="FILE:LINE, as in prog.py:12")],
        expressions: Annotated[list[str], Field(description="As in x, len(items) or a[i] - b")],
        where: Annotated[str, Field(description="Only where this is true.")] = "",
        last: Annotated[int, Field(ge=0, description="Only the last N executions.")] = 0,
        below: Annotated[int, Field(ge=0, description="Only in this call and those below it.")] = 0,
        budget: Budget = DEFAULT_TOKENS,
        cursor: Cursor = "",
    ) -> Annotated[CallToolResult, TextReply]:
        """Show expressions at every execution of a line, as print statements would have, after the fact."""
        printed = Printed(line, tuple(expressions), where, last, below)
        return _result(await turns.do(partial(tools.print_after, trace, printed, budget, cursor)))


def _add_comparing(server: MCPServer[Any], tools: Tools, turns: Turns) -> None:
    @server.tool(annotations=_READS)
    async def compare(
        good: Annotated[str, Field(description="The trace of a run that is right.")],
        bad: Annotated[str, Field(description="The trace of another run of the same program.")],
        budget: Budget = DEFAULT_TOKENS,
        cursor: Cursor = "",
    ) -> Annotated[CallToolResult, CompareReply]:
        """Show where two runs part: the first call with another outcome for the same input, calls only one run made."""
        return _result(await turns.do(partial(tools.compare, good, bad, budget, cursor)))


def _add_resources(server: MCPServer[Any], tools: Tools, turns: Turns) -> None:
    @server.resource("wrongcall://source/{+trace}{?file}", mime_type="text/x-python")
    async def source(trace: str, file: str = "") -> str:
        """A recorded source file, as it was when the program ran."""
        return await turns.do(partial(tools.source, trace, file))

    @server.resource("wrongcall://report/{+trace}{?agent}", mime_type="text/markdown")
    async def report(trace: str, agent: str = DEFAULT_AGENT) -> str:
        """The report about what a session has found."""
        return await turns.do(partial(tools.report, trace, agent))

    @server.resource("wrongcall://skill", mime_type="text/markdown")
    def skill() -> str:
        """How to debug with these tools."""
        return skill_text()


def skill_text() -> str:
    """Return the skill: the order of work, for agents."""
    return files("wrongcall.mcp").joinpath("SKILL.md").read_text(encoding="utf-8")
