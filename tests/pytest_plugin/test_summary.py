"""What the plugin says at the end."""

from __future__ import annotations

from wrongcall.pytest_plugin.summary import Recorded, command, lines_of


def test_a_recorded_test_has_the_command_to_go_on() -> None:
    assert lines_of(Recorded("t.py::test_it", "a/1.wrongcall")) == [
        "RECORDED t.py::test_it",
        "  wrongcall debug a/1.wrongcall",
    ]


def test_a_failing_example_is_shown() -> None:
    lines = lines_of(Recorded("t.py::test_it", "a/1.wrongcall", example="@example(n=0)"))
    assert lines[1] == "  failing example: @example(n=0)"


def test_a_flaky_test_is_named_as_such() -> None:
    assert lines_of(Recorded("t", "1.wrongcall", is_flaky=True))[0] == (
        "FLAKY (passed when run again) t"
    )


def test_without_a_trace_the_end_of_the_output_says_why() -> None:
    output = "\n".join(f"line {n}\n" for n in range(20))
    assert lines_of(Recorded("t", "", output=output)) == [
        "NOT RECORDED t",
        *(f"  line {n}" for n in range(15, 20)),
    ]


def test_the_command_can_be_pasted_into_a_shell() -> None:
    assert command("my tests/1.wrongcall") == "wrongcall debug 'my tests/1.wrongcall'"
