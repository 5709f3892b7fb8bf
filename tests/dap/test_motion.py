"""Moves through a run, forwards and backwards, as a client sees them."""

from __future__ import annotations

import pytest

from tests.dap.client import Client, RequestFailedError
from tests.dap.conftest import Recorded
from tests.dap.programs import GENERATORS, RAISES, RECURSION, SUMS, TASKS, THREADS


@pytest.fixture
def sums(client: Client, recorded: Recorded) -> Client:
    """At the first line."""
    client.attach(recorded(SUMS).trace, stopOnEntry=True)
    assert client.begin()["reason"] == "entry"
    return client


def lines(client: Client, command: str, count: int) -> list[int]:
    found = []
    for _ in range(count):
        client.move(command)
        found.append(client.line())
    return found


def test_the_first_line_is_the_entry(sums: Client) -> None:
    assert sums.where() == ("<module>", 1)


def test_next_stays_in_the_call(sums: Client) -> None:
    assert lines(sums, "next", 4) == [3, 7, 14, 15]


def test_step_in_enters_calls(sums: Client) -> None:
    assert lines(sums, "stepIn", 12) == [3, 7, 14, 8, 9, 10, 4, 5, 11, 9, 10, 4]
    assert sums.where()[0] == "add"


def test_step_back_is_the_reverse_of_next(sums: Client) -> None:
    lines(sums, "stepIn", 4)
    forward = [sums.line(), *lines(sums, "next", 10)]
    backward = [sums.line(), *lines(sums, "stepBack", 10)]
    assert backward[::-1] == forward
    assert sums.where()[0] == "sums"


def test_step_in_back_is_the_reverse_of_step_in(sums: Client) -> None:
    forward = [sums.where()]
    for _ in range(20):
        sums.move("stepIn")
        forward.append(sums.where())
    backward = [sums.where()]
    for _ in range(20):
        sums.move("wrongcall/stepInBack")
        backward.append(sums.where())
    assert backward[::-1] == forward


def test_step_out_leads_to_the_caller_with_the_result(sums: Client) -> None:
    lines(sums, "stepIn", 7)
    assert sums.where() == ("add", 4)
    sums.move("stepOut")
    assert sums.where() == ("sums", 10)
    assert sums.values("Return value") == {"add()": "1"}
    sums.move("next")
    assert sums.line() == 11
    assert sums.values()["total"] == "1"


def test_step_out_back_leads_to_before_the_call(sums: Client) -> None:
    lines(sums, "stepIn", 8)
    assert sums.where() == ("add", 5)
    sums.move("wrongcall/stepOutBack")
    assert sums.where() == ("sums", 10)
    assert sums.values()["total"] == "0"


def test_next_after_the_last_line_of_a_call_returns_to_its_caller(sums: Client) -> None:
    lines(sums, "stepIn", 8)
    sums.move("next")
    assert sums.where() == ("sums", 10)
    assert sums.values("Return value") == {"add()": "1"}


def test_step_back_before_the_first_line_of_a_call_returns_to_its_caller(sums: Client) -> None:
    lines(sums, "stepIn", 7)
    sums.move("stepBack")
    assert sums.where() == ("sums", 10)


def test_next_at_the_end_of_the_run_stays_at_the_end(sums: Client) -> None:
    lines(sums, "next", 4)
    assert [sums.move("next")["reason"] for _ in range(3)] == ["end"] * 3
    sums.move("stepBack")
    assert sums.line() == 15


def test_step_back_at_the_beginning_stays_there(sums: Client) -> None:
    assert [sums.move("stepBack")["reason"] for _ in range(2)] == ["entry"] * 2
    assert sums.line() == 1


def test_continue_without_breakpoints_goes_to_the_end(sums: Client) -> None:
    stopped = sums.move("continue")
    assert (stopped["reason"], stopped["allThreadsStopped"]) == ("end", True)
    assert "end of the recording" in stopped["description"]


def test_reverse_continue_without_breakpoints_goes_to_the_beginning(sums: Client) -> None:
    sums.move("continue")
    assert sums.move("reverseContinue")["reason"] == "entry"
    assert sums.line() == 1


def test_output_is_shown_as_the_moment_moves_forwards(sums: Client) -> None:
    lines(sums, "next", 3)
    assert sums.output() == ""
    sums.move("next")
    assert sums.output() == "now 1\nnow 3\nnow 6\nnow 10\n"
    sums.move("stepBack")
    assert sums.output() == ""
    sums.move("continue")
    assert sums.output() == "now 1\nnow 3\nnow 6\nnow 10\nfound 10\n"


def test_a_trace_is_opened_at_its_end_without_breakpoints(
    client: Client, recorded: Recorded
) -> None:
    client.attach(recorded(SUMS).trace)
    assert client.begin()["reason"] == "end"
    assert client.output().endswith("found 10\n")


def test_restarting_a_frame_leads_to_the_first_line_of_its_call(sums: Client) -> None:
    lines(sums, "stepIn", 11)
    frames = sums.stack()
    sums.request("restartFrame", frameId=frames[1]["id"] if len(frames) > 2 else frames[0]["id"])
    assert sums.event("stopped")["reason"] == "restart"
    assert sums.where() == ("sums", 8)


def test_goto_leads_to_other_executions_of_a_line(sums: Client, recorded: Recorded) -> None:
    program = recorded(SUMS).program
    lines(sums, "next", 3)
    source = {"path": str(program)}
    targets = sums.request("gotoTargets", source=source, line=5)["targets"]
    assert [one["label"].partition(" (")[0] for one in targets] == [
        f"next {n}" for n in range(1, 5)
    ]
    sums.request("goto", threadId=1, targetId=targets[2]["id"])
    assert sums.event("stopped")["reason"] == "goto"
    assert sums.where() == ("add", 5)
    assert sums.values() == {"total": "3", "n": "3", "result": "6"}
    again = sums.request("gotoTargets", source=source, line=5)["targets"]
    assert [one["label"].partition(" (")[0] for one in again] == [
        "next 1",
        "previous 1",
        "previous 2",
    ]


def test_an_unknown_target_is_an_error(sums: Client) -> None:
    with pytest.raises(RequestFailedError, match="no target 99"):
        sums.request("goto", threadId=1, targetId=99)


def test_pausing_stays_where_it_is(sums: Client) -> None:
    assert sums.move("pause")["reason"] == "pause"
    assert sums.line() == 1


def test_a_time_can_be_asked_and_gone_to(sums: Client) -> None:
    told = sums.request("wrongcall/time")
    lines(sums, "stepIn", 8)
    later = sums.request("wrongcall/time")
    assert later["time"] > told["time"]
    sums.request("wrongcall/time", time=told["time"])
    sums.event("stopped")
    assert sums.line() == 1
    sums.request("wrongcall/time", time=later["events"] + 5)
    sums.event("stopped")
    assert sums.line() == 15


def test_stepping_over_a_breakpoint_stops_there(sums: Client, recorded: Recorded) -> None:
    sums.breakpoints(recorded(SUMS).program, 5)
    lines(sums, "next", 3)
    assert sums.move("next")["reason"] == "breakpoint"
    assert sums.where() == ("add", 5)
    lines(sums, "stepOut", 2)
    assert sums.move("stepBack")["reason"] in ("step", "breakpoint")


def test_deep_recursion_is_left_call_by_call(client: Client, recorded: Recorded) -> None:
    client.attach(recorded(RECURSION).trace, stopOnEntry=True)
    client.request("setFunctionBreakpoints", breakpoints=[{"name": "down", "condition": "n == 0"}])
    client.begin()
    client.move("continue")
    assert client.values() == {"n": "0"}
    for expected in range(1, 4):
        client.move("stepOut")
        assert client.where() == ("down", 4)
        assert client.values()["n"] == str(expected)
        assert client.values("Return value") == {"down()": str(expected - 1)}


# -- generators ------------------------------------------------------------------------------------


@pytest.fixture
def generators(client: Client, recorded: Recorded) -> Client:
    """At the first line of `main`."""
    client.attach(recorded(GENERATORS).trace, stopOnEntry=True)
    client.begin()
    client.request("setFunctionBreakpoints", breakpoints=[{"name": "main"}])
    client.move("continue")
    client.request("setFunctionBreakpoints", breakpoints=[])
    return client


def test_stepping_in_enters_what_a_loop_resumes(generators: Client) -> None:
    assert lines(generators, "stepIn", 14) == [13, 8, 2, 3, 4, 9, 14, 13, 8, 5, 3, 4, 9, 14]


def test_stepping_back_leaves_it_in_the_same_order(generators: Client) -> None:
    forward = [generators.line(), *lines(generators, "stepIn", 14)]
    assert [generators.line(), *lines(generators, "wrongcall/stepInBack", 14)][::-1] == forward


def test_a_generator_is_below_who_resumed_it(generators: Client) -> None:
    lines(generators, "stepIn", 5)
    names = [(one["name"], one["line"]) for one in generators.stack()]
    assert names == [("count", 4), ("squares", 8), ("main", 13), ("<module>", 17)]


def test_next_over_a_yield_stays_in_the_generator(generators: Client) -> None:
    lines(generators, "stepIn", 5)
    assert lines(generators, "next", 3) == [5, 3, 4]
    assert generators.values()["i"] == "1"


def test_stepping_out_of_a_generator_leads_to_who_gets_the_value(generators: Client) -> None:
    lines(generators, "stepIn", 5)
    generators.move("stepOut")
    assert generators.where() == ("squares", 8)


def test_stepping_out_back_of_a_generator_leads_to_who_asked(generators: Client) -> None:
    lines(generators, "stepIn", 10)
    assert generators.where() == ("count", 5)
    generators.move("wrongcall/stepOutBack")
    assert generators.where() == ("squares", 8)


# -- tasks and threads -----------------------------------------------------------------------------


def test_tasks_take_turns(client: Client, recorded: Recorded) -> None:
    client.attach(recorded(TASKS).trace)
    client.breakpoints(recorded(TASKS).program, 4, 5)
    client.begin()
    names = [client.where()]
    for _ in range(3):
        client.move("continue")
        names.append(client.where())
    assert names == [("child", 4), ("child", 4), ("child", 5), ("child", 5)]
    assert [one["name"] for one in client.stack()] == ["child", "worker", "main", "<module>"]


def test_next_over_an_await_stays_in_the_coroutine(client: Client, recorded: Recorded) -> None:
    client.attach(recorded(TASKS).trace)
    client.breakpoints(recorded(TASKS).program, 8)
    client.begin()
    assert client.values()["name"] == "'a'"
    client.breakpoints(recorded(TASKS).program)
    client.move("next")
    assert client.where() == ("worker", 9)
    assert client.values() == {"name": "'a'", "log": "[]", "x": "1"}
    client.move("stepBack")
    assert client.where() == ("worker", 8)


def stacks(client: Client) -> dict[str, list[tuple[str, int]]]:
    """Return the stacks of all threads and tasks, by name."""
    found = {}
    for thread in client.request("threads")["threads"]:
        frames = client.stack(threadId=thread["id"])
        found[thread["name"].replace(" (waiting)", "")] = [(f["name"], f["line"]) for f in frames]
    return found


@pytest.fixture
def tasks(client: Client, recorded: Recorded) -> Client:
    """At the first return of `child`, in the first of two tasks."""
    client.attach(recorded(TASKS).trace)
    client.breakpoints(recorded(TASKS).program, 5)
    client.begin()
    client.breakpoints(recorded(TASKS).program)
    return client


def task(client: Client, name: str) -> int:
    """Return the number of a task that waits."""
    threads = client.request("threads")["threads"]
    (found,) = [one["id"] for one in threads if one["name"].startswith(name)]
    return int(found)


def test_tasks_that_wait_are_listed_beside_the_threads(tasks: Client) -> None:
    found = stacks(tasks)
    assert list(found) == ["main thread", "main #2", "worker #4"]
    assert found["main #2"] == [("main", 16), ("<module>", 20)]
    assert found["worker #4"][:2] == [("child", 4), ("worker", 8)]


def test_tasks_are_gone_when_they_have_ended(tasks: Client) -> None:
    tasks.move("continue")
    assert list(stacks(tasks)) == ["main thread"]
    tasks.move("reverseContinue")
    assert list(stacks(tasks)) == ["main thread"]


def test_a_task_that_waits_has_its_variables(tasks: Client) -> None:
    frames = tasks.stack(threadId=task(tasks, "worker"))
    (scope,) = [
        one
        for one in tasks.request("scopes", frameId=frames[1]["id"])["scopes"]
        if one["name"] == "Locals"
    ]
    assert tasks.parts(scope["variablesReference"])["name"]["value"] == "'b'"


def test_a_task_that_waits_can_be_stepped_forwards(tasks: Client) -> None:
    assert tasks.move("next", threadId=task(tasks, "worker"))["reason"] == "step"
    assert tasks.where() == ("child", 5)
    assert [one["name"] for one in tasks.stack()][:2] == ["child", "worker"]
    assert tasks.values(frame=1)["name"] == "'b'"


def test_a_task_that_waits_can_be_stepped_backwards(tasks: Client) -> None:
    tasks.move("stepBack", threadId=task(tasks, "main #"))
    assert tasks.where() == ("main", 15)


def test_a_task_of_another_stop_is_not_there_any_more(tasks: Client) -> None:
    number = task(tasks, "worker")
    tasks.move("continue")
    assert tasks.stack(threadId=number) == []
    with pytest.raises(RequestFailedError, match="not running"):
        tasks.move("next", threadId=number)


def test_each_thread_has_its_own_stack(client: Client, recorded: Recorded) -> None:
    client.attach(recorded(THREADS).trace)
    client.breakpoints(recorded(THREADS).program, 6)
    stopped = client.begin()
    assert stopped["threadId"] == 2
    assert client.where(threadId=2) == ("work", 6)
    assert client.where(threadId=1)[0] == "main"
    assert client.where(threadId=1)[1] in (14, 15)


def test_steps_stay_in_their_thread(client: Client, recorded: Recorded) -> None:
    client.attach(recorded(THREADS).trace)
    client.breakpoints(recorded(THREADS).program, 5)
    client.begin()
    client.breakpoints(recorded(THREADS).program)
    assert client.move("stepIn", threadId=2)["threadId"] == 2
    assert client.where(threadId=2) == ("work", 6)
    client.move("stepBack", threadId=2)
    assert client.where(threadId=2) == ("work", 5)


def test_another_thread_can_be_stepped(client: Client, recorded: Recorded) -> None:
    client.attach(recorded(THREADS).trace)
    client.breakpoints(recorded(THREADS).program, 6)
    client.begin()
    client.breakpoints(recorded(THREADS).program)
    assert client.move("next", threadId=1)["threadId"] == 1
    assert client.where(threadId=1)[0] == "main"


def test_a_thread_that_has_not_begun_has_no_stack(client: Client, recorded: Recorded) -> None:
    client.attach(recorded(THREADS).trace, stopOnEntry=True)
    client.begin()
    assert client.stack(threadId=2) == []
    with pytest.raises(RequestFailedError, match="thread 2 is not running"):
        client.move("next", threadId=2)


# -- exceptions ------------------------------------------------------------------------------------


def test_stepping_over_a_call_that_raises_leads_to_the_handler(
    client: Client, recorded: Recorded
) -> None:
    client.attach(recorded(RAISES).trace)
    client.breakpoints(recorded(RAISES).program, {"line": 8, "condition": "text == 'x'"})
    client.begin()
    assert lines(client, "next", 2) == [9, 10]
    assert client.values()["found"] == "[1]"
    assert lines(client, "stepBack", 2) == [9, 8]
