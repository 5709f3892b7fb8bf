"""Recording in company: pytest, child processes, threads, calls that rebind their arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

import wrongcall.recording
from tests.recorder.bothways import RECORD, TRACE, plain, recorded, run, runs_the_same, write_files
from tests.recorder.conftest import Recorded
from wrongcall.recording import Recording

PROGRAMS = Path(__file__).parent.parent / "programs" / "harmless"


@pytest.fixture
def open_trace() -> Iterator[Callable[[Path], Recording]]:
    """Opens the trace in a folder; closes it after the test."""
    with ExitStack() as opened:
        yield lambda folder: opened.enter_context(wrongcall.recording.open(folder / TRACE))


ASSERTING = {
    "lib.py": "def double(n):\n    result = n * 2\n    return result\n",
    "test_lib.py": """
        import pytest
        from lib import double
        @pytest.fixture
        def three():
            return [3]
        def test_right(three):
            value = double(three[0])
            assert value == 6
        def test_wrong():
            values = [double(1), double(2)]
            assert values == [2, 5], "not so"
        @pytest.mark.parametrize('n', [1, 2])
        def test_each(n):
            assert double(n) > n
        class TestClass:
            def test_method(self):
                with pytest.raises(TypeError):
                    double(None)
    """,
}


def test_pytest_rewrites_assertions_as_ever(
    tmp_path: Path, open_trace: Callable[[Path], Recording]
) -> None:
    write_files(tmp_path, ASSERTING)
    args = ["-m", "pytest", "-p", "no:cacheprovider", "--no-header"]
    before, after = plain(tmp_path, *args), recorded(tmp_path, *args)
    assert before.status == after.status == 1
    for text in (
        "assert [2, 4] == [2, 5]",
        "At index 1 diff: 4 != 5",
        "not so",
        "1 failed, 4 passed",
    ):
        assert text in before.stdout
        assert text in after.stdout
    recording = open_trace(tmp_path)
    done = Recorded(recording, after.stdout, after.stderr, 1, recording.path)
    assert [call.value for call in done.calls("double")][:3] == [6, 2, 4]
    (wrong,) = done.calls("test_wrong")
    values = recording.states.local(wrong.id, "values")
    assert recording.states.state(values.oid).items == (2, 4)  # type: ignore[union-attr]
    error = recording.states.state(wrong.value.oid)  # type: ignore[union-attr]
    assert error.type.qualname == "AssertionError"


def test_children_are_recorded_beside_the_program(
    tmp_path: Path, open_trace: Callable[[Path], Recording]
) -> None:
    seen = runs_the_same(tmp_path, (PROGRAMS / "children.py").read_text())
    assert seen.status == 0, seen.stderr
    recording = open_trace(tmp_path)
    done = Recorded(recording, "", "", 0, recording.path)
    works = done.calls("work")
    assert [call.args[0].value for call in works if call.process == 1] == [1, 2, 3]
    # Two forks of 1,000 calls (the spawned process runs the script again), two targets of 100, the pool's 5, and 2.
    assert len(works) == 3 + 2 * 1000 + 2 * 100 + 5 + 2
    state = recording.states.globals("__main__")["state"]
    assert recording.states.state(state.oid).items == (1, 1, 2, 3)  # type: ignore[union-attr]


THREADS = """
import threading
lock = threading.Lock()
shared, table, own = [], {}, threading.local()
class Thing:
    gone = 0
    def __init__(self, n): self.n = n
    def __del__(self):
        with lock: Thing.gone += 1
def work(k):
    own.items = []
    for i in range(200):
        t = Thing(i)
        own.items.append(t)
        with lock:
            shared.append((k, i))
            table[k] = table.get(k, 0) + i
        if len(own.items) > 5:
            own.items.pop(0)
    return len(own.items)
threads = [threading.Thread(target=work, args=(k,)) for k in range(20)]
for t in threads: t.start()
for t in threads: t.join()
del threads, t
everything = [(k, i) for k in range(20) for i in range(200)]
print(len(shared), sorted(shared) == everything, set(table.values()), Thing.gone)
"""


def test_twenty_threads(tmp_path: Path, open_trace: Callable[[Path], Recording]) -> None:
    assert runs_the_same(tmp_path, THREADS).stdout == "4000 True {19900} 4000\n"
    recording = open_trace(tmp_path)
    names = recording.states.globals("__main__")
    table = dict(recording.states.state(names["table"].oid).entries)  # type: ignore[union-attr]
    assert table == dict.fromkeys(range(20), 19900)
    shared = recording.states.state(names["shared"].oid).items  # type: ignore[union-attr]
    pairs: Any = [recording.states.state(item.oid).items for item in shared]  # type: ignore[union-attr]
    assert sorted(pairs) == [(k, i) for k in range(20) for i in range(200)]
    done = Recorded(recording, "", "", 0, recording.path)
    calls = done.calls("work")
    assert {call.args[0].value for call in calls} == set(range(20))
    for call in calls:
        writes = [w.new for w in recording.places.local_writes(call.id, "i")]
        assert writes == list(range(200))
        items = recording.events.select(call=call.id).events
        assert len(items) > 1000


def test_an_argument_that_is_rebound_is_still_looked_at(
    tmp_path: Path, open_trace: Callable[[Path], Recording]
) -> None:
    source = """
        import heapq
        def f(a):
            b = a
            a = None
            heapq.heappush(b, 0)
            del b
        x = [5, 6]
        f(x)
    """
    write_files(tmp_path, source)
    recorded(tmp_path, "prog.py")
    recording = open_trace(tmp_path)
    call = Recorded(recording, "", "", 0, recording.path).call("f")
    value = call.args[0].value
    assert recording.states.state(value.oid, call.entered).items == (5, 6)  # type: ignore[union-attr]
    assert recording.states.state(value.oid, call.exit).items == (0, 6, 5)  # type: ignore[union-attr]


def test_a_program_that_does_not_exist_fails(tmp_path: Path) -> None:
    """`recorded` above is `wrongcall record`; a program that is not there must fail."""
    assert run(["-m", "wrongcall", *RECORD, "absent.py"], tmp_path).status != 0
