"""Breakpoints of all kinds, forwards and backwards."""

from __future__ import annotations

from typing import Any

import pytest

from tests.dap.client import Client
from tests.dap.conftest import Recorded, Run
from tests.dap.programs import GENERATORS, OBJECTS, RAISES, SUMS


def stops(client: Client, expression: str, command: str = "continue") -> list[str]:
    """Go on to the end, or the beginning; return what an expression was at each stop."""
    found = []
    while client.move(command)["reason"] not in ("end", "entry"):
        found.append(client.eval(expression))
    return found


@pytest.fixture
def run(recorded: Recorded) -> Run:
    return recorded(SUMS)


@pytest.fixture
def sums(client: Client, run: Run) -> Client:
    """At the first line."""
    client.attach(run.trace, stopOnEntry=True)
    client.begin()
    return client


def test_a_breakpoint_stops_at_each_execution_in_both_directions(sums: Client, run: Run) -> None:
    (told,) = sums.breakpoints(run.program, 4)
    assert (told["verified"], told["line"]) == (True, 4)
    assert stops(sums, "n") == ["1", "2", "3", "4"]
    assert stops(sums, "n", "reverseContinue") == ["4", "3", "2", "1"]


def test_a_breakpoint_names_itself(sums: Client, run: Run) -> None:
    one, other = sums.breakpoints(run.program, 4, 10)
    assert sums.move("continue")["hitBreakpointIds"] == [other["id"]]
    assert sums.move("continue")["hitBreakpointIds"] == [one["id"]]


def test_a_breakpoint_moves_to_the_next_statement(sums: Client, run: Run) -> None:
    told = sums.breakpoints(run.program, 6, 13)
    assert [one["line"] for one in told] == [7, 14]


def test_a_breakpoint_elsewhere_is_not_verified(sums: Client, run: Run) -> None:
    (told,) = sums.breakpoints(run.program.with_name("other.py"), 4)
    assert not told["verified"]
    assert told["message"] == "no code of this file was recorded"
    (told,) = sums.breakpoints(run.program, 99)
    assert not told["verified"]


def test_conditions_hold_in_both_directions(sums: Client, run: Run) -> None:
    sums.breakpoints(run.program, {"line": 4, "condition": "n % 2 == 0"})
    assert stops(sums, "n") == ["2", "4"]
    assert stops(sums, "n", "reverseContinue") == ["4", "2"]


def test_a_condition_that_is_no_expression_is_not_verified(sums: Client, run: Run) -> None:
    (told,) = sums.breakpoints(run.program, {"line": 4, "condition": "n +"})
    assert not told["verified"]
    assert "is not an expression" in told["message"]


def test_a_condition_that_cannot_be_evaluated_is_reported(sums: Client, run: Run) -> None:
    sums.breakpoints(run.program, {"line": 4, "condition": "unheard > 1"})
    assert sums.move("continue")["reason"] == "end"
    assert "can't be evaluated 4 times" in sums.output()


@pytest.mark.parametrize(
    "count, expected",
    [
        ("3", ["3"]), ("== 2", ["2"]), (">= 3", ["3", "4"]), ("> 3", ["4"]), ("<= 2", ["1", "2"]),
        ("< 2", ["1"]), ("% 2", ["2", "4"]),
    ],
)  # fmt: skip
def test_hit_counts_mean_the_same_in_both_directions(
    sums: Client, run: Run, count: str, expected: list[str]
) -> None:
    sums.breakpoints(run.program, {"line": 4, "hitCondition": count})
    assert stops(sums, "n") == expected
    assert stops(sums, "n", "reverseContinue") == expected[::-1]


def test_a_hit_count_counts_where_the_condition_holds(sums: Client, run: Run) -> None:
    sums.breakpoints(run.program, {"line": 4, "condition": "n > 1", "hitCondition": "2"})
    assert stops(sums, "n") == ["3"]


def test_a_wrong_hit_count_is_not_verified(sums: Client, run: Run) -> None:
    (told,) = sums.breakpoints(run.program, {"line": 4, "hitCondition": "often"})
    assert not told["verified"]
    assert "is not a hit count" in told["message"]


def test_a_log_point_prints_and_does_not_stop(sums: Client, run: Run) -> None:
    sums.breakpoints(run.program, {"line": 5, "logMessage": "{n} makes {result}, {nothing}"})
    assert sums.move("continue")["reason"] == "end"
    shown = sums.output().splitlines()
    assert shown[0].startswith("1 makes 1, <raises NameError")
    assert shown[1] == "now 1"
    assert [line.partition(",")[0] for line in shown[::2]][:4] == [
        "1 makes 1", "2 makes 3", "3 makes 6", "4 makes 10",
    ]  # fmt: skip
    sums.move("reverseContinue")
    assert sums.output() == ""


def test_function_breakpoints_stop_at_the_first_line(sums: Client) -> None:
    told = sums.request("setFunctionBreakpoints", breakpoints=[{"name": "add"}, {"name": "nope"}])
    assert [one["verified"] for one in told["breakpoints"]] == [True, False]
    assert sums.move("continue")["reason"] == "function breakpoint"
    assert sums.where() == ("add", 4)
    assert stops(sums, "n") == ["2", "3", "4"]
    assert stops(sums, "n", "reverseContinue") == ["4", "3", "2", "1"]


def test_function_breakpoints_have_conditions(sums: Client) -> None:
    wanted = [{"name": "add", "condition": "total > 2"}]
    sums.request("setFunctionBreakpoints", breakpoints=wanted)
    assert stops(sums, "total") == ["3", "6"]


def test_a_generator_stops_when_it_runs_not_when_it_is_created(
    client: Client, recorded: Recorded
) -> None:
    client.attach(recorded(GENERATORS).trace)
    wanted = [{"name": "count"}, {"name": "squares"}]
    client.request("setFunctionBreakpoints", breakpoints=wanted)
    client.begin()
    assert client.where() == ("squares", 8)
    client.move("continue")
    assert client.where() == ("count", 2)


def test_lines_of_breakpoints_are_known(sums: Client, run: Run) -> None:
    source = {"path": str(run.program)}
    told = sums.request("breakpointLocations", source=source, line=4, endLine=9)["breakpoints"]
    assert [one["line"] for one in told] == [4, 5, 7, 8, 9]


# -- data breakpoints ------------------------------------------------------------------------------


def watch(client: Client, **arguments: Any) -> dict[str, Any]:
    told = client.request("dataBreakpointInfo", **arguments)
    if told["dataId"] is not None:
        wanted = [{"dataId": told["dataId"], "accessType": "write"}]
        client.request("setDataBreakpoints", breakpoints=wanted)
    return told


def test_a_variable_is_watched_in_both_directions(sums: Client, run: Run) -> None:
    sums.breakpoints(run.program, 9)
    sums.move("continue")
    sums.breakpoints(run.program)
    frame = sums.stack()[0]["id"]
    reference = sums.request("scopes", frameId=frame)["scopes"][0]["variablesReference"]
    told = watch(sums, variablesReference=reference, name="total")
    assert (told["accessTypes"], told["description"]) == (["write"], "writes to total")
    assert sums.move("continue")["reason"] == "data breakpoint"
    assert sums.where() == ("sums", 10)
    assert sums.values()["total"] == "1"
    assert stops(sums, "total") == ["3", "6", "10"]
    assert stops(sums, "total", "reverseContinue") == ["10", "6", "3", "1", "0"]


def test_an_attribute_of_an_object_is_watched(client: Client, recorded: Recorded) -> None:
    client.attach(recorded(OBJECTS).trace)
    client.breakpoints(recorded(OBJECTS).program, 18)
    client.begin()
    client.breakpoints(recorded(OBJECTS).program)
    node = client.scope()["node"]
    assert client.parts(node["variablesReference"])["value"]["value"] == "2"
    watch(client, variablesReference=node["variablesReference"], name="value")
    assert client.move("continue")["reason"] == "data breakpoint"
    assert (client.where(), client.eval("node.value")) == (("main", 18), "7")
    client.move("continue")
    assert (client.where(), client.eval("node.value")) == (("main", 19), "8")
    assert client.move("continue")["reason"] == "end"
    assert [client.move("reverseContinue")["reason"] for _ in range(3)] == ["data breakpoint"] * 3
    assert client.where() == ("Node.__init__", 3)


def test_a_place_is_watched_by_an_expression(client: Client, recorded: Recorded) -> None:
    client.attach(recorded(OBJECTS).trace)
    client.breakpoints(recorded(OBJECTS).program, 18)
    client.begin()
    client.breakpoints(recorded(OBJECTS).program)
    frame = client.stack()[0]["id"]
    assert watch(client, name="node.value", frameId=frame)["dataId"] is not None
    assert client.move("continue")["reason"] == "data breakpoint"
    assert watch(client, name="nothing.there", frameId=client.stack()[0]["id"])["dataId"] is None


def test_reads_cannot_be_watched(sums: Client) -> None:
    sums.move("continue")
    told = sums.request("dataBreakpointInfo", name="found", frameId=sums.stack()[0]["id"])
    wanted = [{"dataId": told["dataId"], "accessType": "read"}]
    (one,) = sums.request("setDataBreakpoints", breakpoints=wanted)["breakpoints"]
    assert not one["verified"]
    assert "reads are not recorded" in one["message"]


# -- exceptions ------------------------------------------------------------------------------------


@pytest.fixture
def raises(client: Client, recorded: Recorded) -> Client:
    client.attach(recorded(RAISES).trace)
    return client


def test_an_uncaught_exception_stops_where_it_was_raised(raises: Client) -> None:
    raises.request("setExceptionBreakpoints", filters=["uncaught"])
    stopped = raises.begin()
    assert (stopped["reason"], stopped["text"]) == ("exception", "KeyError('missing')")
    assert raises.where() == ("main", 16)
    told = raises.request("exceptionInfo", threadId=1)
    assert told["exceptionId"] == "KeyError"
    assert told["details"]["fullTypeName"] == "builtins.KeyError"
    assert "prog.py:16 in main" in told["details"]["stackTrace"]
    assert raises.eval("table") == "{}"


def test_raised_exceptions_stop_once_each(raises: Client) -> None:
    raises.request("setExceptionBreakpoints", filters=["raised"])
    raises.begin()
    assert raises.where() == ("parse", 2)
    assert raises.eval("text") == "'x'"
    raises.move("continue")
    assert raises.where() == ("main", 16)
    assert raises.move("continue")["reason"] == "end"
    raises.move("reverseContinue")
    raises.move("reverseContinue")
    assert raises.where() == ("parse", 2)


def test_exceptions_are_chosen_by_name(raises: Client) -> None:
    options = [{"filterId": "raised", "condition": "KeyError, TypeError"}]
    raises.request("setExceptionBreakpoints", filters=[], filterOptions=options)
    assert raises.begin()["text"].startswith("KeyError")


def test_an_unknown_filter_is_not_verified(raises: Client) -> None:
    told = raises.request("setExceptionBreakpoints", filters=["sometimes"])["breakpoints"]
    assert [one["verified"] for one in told] == [False]
