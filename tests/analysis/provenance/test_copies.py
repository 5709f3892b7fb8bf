from __future__ import annotations

from tests.trace.conftest import Record


def test_conditions_walruses_and_containers(record: Record) -> None:
    run = record(
        """
        def choose(flag, table, stack):
            a = table.get("k") or 0
            b = stack.pop()
            c = a if flag else b
            d = (e := c)
            return d

        choose(False, {"k": 1001}, [7, 1002])
        choose(True, {"k": 1001}, [7, 1002])
        """
    )
    no, yes = run.calls("choose")
    assert run.recording.places.origin(no.id, "d").text == "1002"
    origin = run.recording.places.origin(yes.id, "d")
    assert origin.text == "1001"
    assert [link.line for link in origin.links] == [6, 5, 3, 2]
    assert origin.line == 10


def test_appended_values(record: Record) -> None:
    run = record(
        """
        def collect(n):
            found = []
            for i in range(n):
                value = i + 100
                found.append(value)
            found.insert(0, n)
            return found

        collect(3)
        """
    )
    origin = run.recording.places.origin(run.call("collect").id, "found[2]")
    assert (origin.value, origin.text) == (101, "i + 100")
    assert [link.line for link in origin.links] == [6, 5]
    assert [(part.text, part.value) for part in origin.operands] == [("i", 1)]
    origin = run.recording.places.origin(run.call("collect").id, "found[0]")
    assert (origin.value, origin.text) == (3, "3")
