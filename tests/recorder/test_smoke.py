"""The whole way, once: record a program and read it back."""

from tests.recorder.conftest import Record


def test_a_function_call_can_be_read_back(record: Record) -> None:
    done = record("def f(a):\n    b = a + 1\n    return b\nprint(f(2))\n")
    call = done.call("f")
    assert [(p.name, p.value) for p in call.args] == [("a", 2)]
    assert call.value == 3
    assert done.stdout == "3\n"
