"""The server, spoken to by the SDK's own client in both eras of the protocol."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError

import wrongcall.recording
from tests.examples.examples import Example, Player, examples
from tests.mcp.scripted_agent import Work, connected
from wrongcall.mcp.pages import MAX_TOKENS, tokens_of
from wrongcall.mcp.permissions import Permissions
from wrongcall.mcp.server import server_of
from wrongcall.mcp.tools import Tools
from wrongcall.session import Question, Verdict

pytestmark = pytest.mark.once

MODES = ("legacy", "2026-07-28")
SOLVED = [
    "fetcher", "formulas", "inventory", "invoice", "mergesort", "paper_castling", "paper_listsort",
    "paper_mergesort", "paper_sets", "payroll",
]  # fmt: skip
SAID = {Verdict.RIGHT: "right", Verdict.WRONG: "wrong", Verdict.INADMISSIBLE: "invalid_call"}


def run(work: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(work)


@pytest.mark.parametrize("mode", MODES)
def test_there_are_few_tools_each_with_schemas(tools: Tools, mode: str) -> None:
    async def listed() -> Any:
        async with Client(server_of(tools), mode=mode) as client:
            return (await client.list_tools()).tools

    found = run(listed())
    assert [tool.name for tool in found] == [
        "record", "diagnose", "question", "call", "search", "origin", "print_after", "compare",
    ]  # fmt: skip
    for tool in found:
        assert tool.description
        assert tool.input_schema["properties"]["budget"]["maximum"] == MAX_TOKENS
        assert {"text", "next", "cursor"} <= tool.output_schema["properties"].keys()
    described = sum(tokens_of(tool.model_dump_json(exclude_none=True)) for tool in found)
    assert described < 8_000, "tools must not fill the context of an agent"


@pytest.mark.parametrize("mode", MODES)
def test_a_search_is_driven_by_tools_alone(tools: Tools, trace: str, mode: str) -> None:
    name = {"trace": trace, "agent": f"player {mode}"}

    async def ask(tool: str, **arguments: Any) -> Any:
        async with Client(server_of(tools), mode=mode) as client:
            return (await client.call_tool(tool, {**name, **arguments})).structured_content

    # A connection for each: the server keeps nothing between two calls.
    asked = run(ask("diagnose"))
    told = run(ask("question", action="answer", verdict="wrong"))
    undone = run(ask("question", action="undo"))
    assert asked["status"] == told["status"] == "question"
    assert told["calls"] != asked["calls"]
    assert undone["calls"] == asked["calls"]


@pytest.mark.parametrize("mode", MODES)
def test_errors_are_answers_that_say_what_to_do(tools: Tools, mode: str) -> None:
    async def ask() -> Any:
        async with Client(server_of(tools), mode=mode) as client:
            return await client.call_tool("call", {"trace": "../../etc/x.wrongcall", "call": 1})

    result = run(ask())
    assert result.is_error
    assert "--allow-path" in result.content[0].text


@pytest.mark.parametrize("mode", MODES)
def test_wrong_arguments_are_refused(tools: Tools, trace: str, mode: str) -> None:
    async def ask(arguments: dict[str, Any]) -> bool:
        async with Client(server_of(tools), mode=mode) as client:
            try:
                return bool((await client.call_tool("call", arguments)).is_error)
            except MCPError:
                return True

    assert run(ask({"trace": trace}))
    assert run(ask({"trace": trace, "call": 1, "budget": 10**6}))
    assert run(ask({"trace": trace, "call": 10**9}))


def test_sources_skill_and_prompts_can_be_read(tools: Tools, trace: str, project: Path) -> None:
    async def read() -> tuple[str, str, list[str]]:
        async with Client(server_of(tools)) as client:
            source = await client.read_resource(f"wrongcall://source/{trace}?file=orders.py")
            skill = await client.read_resource("wrongcall://skill")
            prompts = (await client.list_prompts()).prompts
            return source.contents[0].text, skill.contents[0].text, [p.name for p in prompts]  # type: ignore[union-attr]

    source, skill, prompts = run(read())
    assert source == (project / "orders.py").read_text()
    assert skill.startswith("---\nname: wrongcall")
    assert "debug_failing_test" in prompts


def solve(name: str, folder: Path) -> tuple[Work, str]:
    """Let a scripted agent solve an example; return its work, and the function of the call it found."""
    example: Example = examples()[name]
    folder.mkdir(exist_ok=True)
    shutil.copy(example.path, folder)
    (folder / "pyproject.toml").touch()

    with Tools(Permissions(folder)) as tools, connected(server_of(tools)) as agent:
        trace = agent.ask("record", script=f"{name}.py")["trace"]
        # Opened once more for whoever plays the expert: the agent has only the tools.
        with wrongcall.recording.open(folder / trace) as recording:
            player = Player(example, recording)

            def judge(calls: tuple[int, ...], each: bool) -> str:
                asked = Question(0, calls, None, (), is_list=each)
                return SAID.get(player.reply(asked), "dont_know")

            work = agent.search(trace, judge)
            return work, recording.call(work.calls[0]).function.qualname


@pytest.mark.parametrize("name", SOLVED)
def test_a_scripted_agent_solves_the_examples(name: str, tmp_path: Path) -> None:
    work, function = solve(name, tmp_path.resolve())
    assert function == examples()[name].function
    assert not work.proved, "an agent's word is no proof"
