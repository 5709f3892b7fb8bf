"""Prompts for the usual ways of working."""

from __future__ import annotations

from typing import Any

from mcp.server.mcpserver import MCPServer

_RULES = (
    "Judge each call by what its function should do for this input (name, docstring, callers), not by its code. "
    "Say dont_know rather than guess. Stop at the finding, and quote its call, its line and its evidence."
)


def add(server: MCPServer[Any]) -> None:
    """Describe the prompts to the SDK."""

    @server.prompt()
    def debug_failing_test(test: str) -> str:
        """Find out why a test fails."""
        return (
            f"The test {test} fails. Record it with record(test={test!r}), call diagnose, and answer the questions "
            f"until there is a finding. {_RULES} Then explain the faulty statement and propose a fix."
        )

    @server.prompt()
    def explain_wrong_value(trace: str, value: str) -> str:
        """Find out where a wrong value in a recorded run came from."""
        return (
            f"In the recorded run {trace}, {value} is wrong. Find it with search, follow it with origin to the first "
            f"call in which it is wrong, look at that call with call, and confirm with question. {_RULES}"
        )

    @server.prompt()
    def debug_script(script: str, wrong: str) -> str:
        """Find out why a script gives a wrong result."""
        return (
            f"The script {script} gives a wrong result: {wrong}. Record it with record(script={script!r}), then "
            f"diagnose with `printed` set to the wrong output, and answer the questions. {_RULES}"
        )
