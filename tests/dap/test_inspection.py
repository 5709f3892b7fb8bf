"""What a client shows at a stop: threads, stacks, variables, expressions, source."""

from __future__ import annotations

import pytest

from tests.dap.client import Client, RequestFailedError
from tests.dap.conftest import Recorded, Run
from tests.dap.programs import OBJECTS, RAISES, RECURSION, SUMS, THREADS


@pytest.fixture
def run(recorded: Recorded) -> Run:
    return recorded(OBJECTS)


@pytest.fixture
def objects(client: Client, run: Run) -> Client:
    """At line 19 of the program with objects."""
    client.attach(run.trace)
    client.breakpoints(run.program, 19)
    client.begin()
    return client


def test_there_is_a_main_thread(objects: Client) -> None:
    assert objects.request("threads") == {"threads": [{"id": 1, "name": "main thread"}]}


def test_threads_are_those_of_the_run(client: Client, recorded: Recorded) -> None:
    client.attach(recorded(THREADS).trace)
    client.begin()
    names = [one["name"] for one in client.request("threads")["threads"]]
    assert names == ["main thread", "thread 2"]


def test_a_stack_has_functions_lines_and_files(objects: Client, run: Run) -> None:
    top, bottom = objects.stack()
    assert (top["name"], top["line"], top["source"]["path"]) == ("main", 19, str(run.program))
    assert (bottom["name"], bottom["line"]) == ("<module>", 22)


def test_a_stack_is_loaded_in_parts(client: Client, recorded: Recorded) -> None:
    client.attach(recorded(RECURSION).trace)
    client.request("setFunctionBreakpoints", breakpoints=[{"name": "down", "condition": "n == 0"}])
    client.begin()
    first = client.request("stackTrace", threadId=1, startFrame=0, levels=20)
    assert len(first["stackFrames"]) == 20
    assert first["totalFrames"] > 20
    rest = client.request("stackTrace", threadId=1, startFrame=20, levels=50)
    assert len(rest["stackFrames"]) == rest["totalFrames"] - 20 == 32
    assert rest["stackFrames"][-1]["name"] == "<module>"
    outer = client.request("scopes", frameId=rest["stackFrames"][-2]["id"])["scopes"][0]
    assert client.parts(outer["variablesReference"])["n"]["value"] == "50"


def test_variables_are_those_of_the_time(objects: Client) -> None:
    values = objects.values()
    assert values["named"] == "{'a': 1, 'b': [1, 2]}"
    assert values["node"].startswith("Node(")
    objects.move("stepBack")
    assert objects.parts(objects.scope()["node"]["variablesReference"])["value"]["value"] == "2"


def test_objects_open_lazily(objects: Client) -> None:
    node = objects.scope()["node"]
    assert node["namedVariables"] == 2
    below = objects.parts(node["variablesReference"])["below"]
    assert (below["type"], below["evaluateName"]) == ("Node", "node.below")
    assert objects.parts(below["variablesReference"])["value"]["evaluateName"] == "node.below.value"


def test_long_lists_are_paged(objects: Client) -> None:
    many = objects.scope()["many"]
    assert many["indexedVariables"] == 2500
    reference = many["variablesReference"]
    page = objects.parts(reference, filter="indexed", start=2400, count=100)
    assert list(page)[:2] == ["[2400]", "[2401]"]
    assert page["[2499]"]["value"] == "2499"
    everything = objects.parts(reference)
    assert len(everything) == 1001
    assert "…" in everything


def test_dicts_and_sets_have_their_parts(objects: Client) -> None:
    scope = objects.scope()
    named = objects.parts(scope["named"]["variablesReference"])
    assert named["['b']"]["evaluateName"] == "named['b']"
    some = objects.parts(scope["some"]["variablesReference"])
    assert sorted(one["value"] for one in some.values()) == ["1", "3"]
    assert not any("evaluateName" in one for one in some.values())


def test_names_of_variables_evaluate_to_the_same(objects: Client) -> None:
    for one in objects.scope().values():
        assert objects.eval(one["evaluateName"]) == one["value"]


def test_module_variables_are_the_locals_of_a_module(client: Client, recorded: Recorded) -> None:
    client.attach(recorded(SUMS).trace)
    client.begin()
    values = client.values()
    assert (values["LIMIT"], values["found"]) == ("10", "10")
    assert "__name__" not in values


def test_globals_are_those_that_the_function_reads(client: Client, recorded: Recorded) -> None:
    client.attach(recorded(SUMS).trace)
    client.breakpoints(recorded(SUMS).program, 10)
    client.begin()
    assert list(client.values("Globals read here")) == ["add"]


def test_outer_frames_have_their_own_variables(client: Client, recorded: Recorded) -> None:
    client.attach(recorded(SUMS).trace)
    client.breakpoints(recorded(SUMS).program, {"line": 4, "condition": "n == 3"})
    client.begin()
    assert client.values(frame=1) == {"numbers": "[1, 2, 3, 4]", "total": "3", "n": "3"}
    frames = client.stack()
    assert client.eval("numbers[n]", frameId=frames[1]["id"]) == "4"
    with pytest.raises(RequestFailedError, match="NameError"):
        client.eval("numbers", frameId=frames[0]["id"])


def test_expressions_are_evaluated_without_running_the_program(objects: Client) -> None:
    assert objects.eval("sum(many[:4]) + len(named)", context="watch") == "8"
    with pytest.raises(RequestFailedError, match="would run code of the program"):
        objects.eval("build(2)", context="repl")
    with pytest.raises(RequestFailedError, match="is not an expression"):
        objects.eval("x = 1", context="repl")


def test_results_can_be_opened(objects: Client) -> None:
    told = objects.request("evaluate", expression="node.below", context="hover")
    assert told["type"] == "Node"
    assert objects.parts(told["variablesReference"])["value"]["evaluateName"] == "node.below.value"


def test_the_console_gets_whole_values(objects: Client) -> None:
    assert "…" in objects.eval("text", context="hover")
    assert objects.eval("text", context="clipboard") == repr("long " * 100)


def test_references_end_with_the_stop(objects: Client) -> None:
    reference = objects.scope()["node"]["variablesReference"]
    frame = objects.stack()[0]["id"]
    objects.move("stepBack")
    with pytest.raises(RequestFailedError, match="no variables"):
        objects.parts(reference)
    with pytest.raises(RequestFailedError, match="no frame"):
        objects.request("scopes", frameId=frame + 100)


def test_the_return_value_is_a_scope_after_a_call(objects: Client, run: Run) -> None:
    objects.breakpoints(run.program, 10)
    objects.move("reverseContinue")
    objects.move("stepOut")
    assert objects.where() == ("main", 17)
    (name,) = objects.values("Return value")
    assert name == "build()"


def test_the_source_is_that_of_the_recording(client: Client, recorded: Recorded) -> None:
    run = recorded(RAISES)
    client.attach(run.trace)
    client.begin()
    (known,) = [one for one in client.request("loadedSources")["sources"] if "prog" in one["name"]]
    assert known == {"name": "prog.py", "path": str(run.program)}
    before = run.program.read_text()
    try:
        run.program.write_text("something else\n")
        (changed,) = [
            one for one in client.request("loadedSources")["sources"] if "prog" in one["name"]
        ]
        assert changed["name"] == "prog.py (as recorded)"
        number = changed["sourceReference"]
        assert client.request("source", sourceReference=number)["content"] == before
    finally:
        run.program.write_text(before)
    with pytest.raises(RequestFailedError, match="no source 999"):
        client.request("source", sourceReference=999)


def test_without_an_exception_there_is_no_information_about_one(objects: Client) -> None:
    with pytest.raises(RequestFailedError, match="no exception at this stop"):
        objects.request("exceptionInfo", threadId=1)


def test_lines_of_a_call_are_counted(client: Client, recorded: Recorded) -> None:
    client.attach(recorded(SUMS).trace)
    client.breakpoints(recorded(SUMS).program, 10)
    client.begin()
    told = client.request("wrongcall/counts")
    counts = {one["line"]: one["count"] for one in told["counts"]}
    assert counts == {8: 1, 9: 5, 10: 4, 11: 4, 12: 1}
