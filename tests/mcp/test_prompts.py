"""The prompts name tools that exist."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest
from mcp import Client

from wrongcall.mcp.server import server_of, skill_text
from wrongcall.mcp.tools import Tools

pytestmark = pytest.mark.once

ARGUMENTS = {
    "debug_failing_test": {"test": "tests/test_a.py::test_b"},
    "explain_wrong_value": {"trace": "a.wrongcall", "value": "total = 3"},
    "debug_script": {"script": "prog.py", "wrong": "it prints 3"},
}


def test_prompts_and_skill_name_tools_that_exist(tools: Tools) -> None:
    async def read() -> tuple[set[str], dict[str, str]]:
        async with Client(server_of(tools)) as client:
            names = {tool.name for tool in (await client.list_tools()).tools}
            texts: dict[str, Any] = {}
            for name, arguments in ARGUMENTS.items():
                texts[name] = (await client.get_prompt(name, arguments)).messages[0].content
            listed = {prompt.name for prompt in (await client.list_prompts()).prompts}
            assert listed == ARGUMENTS.keys()
            return names, {name: text.text for name, text in texts.items()}

    names, texts = asyncio.run(read())
    for name, text in texts.items():
        assert all(value in text for value in ARGUMENTS[name].values())
        assert set(re.findall(r"(\w+)\(", text)) - {"name"} <= names
    assert set(re.findall(r"^\d\. `(\w+)`", skill_text(), re.MULTILINE)) <= names
    for tool in names:
        if tool not in ("search", "compare"):
            assert f"`{tool}`" in skill_text()
