"""Recording without memory: it ends, says so, and the program goes on as if nothing had happened."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.recorder.bothways import TRACE, plain, recorded, run, write_files

MESSAGE = "wrongcall: out of memory; the rest of the program was not recorded\n"

# From its n-th allocation on the recorder finds no memory; nothing happens to the program's own.
FAILING = """
    import array, collections, functools, heapq, sys
    from wrongcall.recorder import _native
    _native.fail_allocation(int(sys.argv[1]))

    class Point:
        __slots__ = ("x", "y")
        def __init__(self, x, y):
            self.x, self.y = x, y

    class Bag:
        shared = {}
        def __init__(self, **more):
            self.__dict__.update(more)
            self.items = []
        def add(self, item):
            self.items.append(item)
            self.shared[item] = self
            return self
        @functools.cached_property
        def size(self):
            return len(self.items)

    class Meta(type):
        pass

    def numbers(n):
        for i in range(n):
            got = yield i
            if got:
                yield got

    def fails(depth):
        if depth == 0:
            raise ValueError("bottom")
        try:
            fails(depth - 1)
        finally:
            seen.append(depth)

    def work(round):
        bag = Bag(**{f"name{i}_{round}": i for i in range(40)})
        for i in range(300):
            bag.add(f"item {i} of {round}" * 3)
        points = [Point(i, [i]) for i in range(200)]
        table = {(p.x, str(p.x)): p for p in points}
        table.update({i: points for i in range(100)})
        queue = collections.deque(points, maxlen=150)
        queue.rotate(3)
        queue.extend(points)
        queue.appendleft(1)
        ordered = collections.OrderedDict((i, [i]) for i in range(50))
        ordered.move_to_end(3)
        many = set(range(500))
        many |= {str(i) for i in range(100)}
        raw = bytearray(b"x" * 1000)
        raw.extend(b"y" * 5000)
        raw[3:900] = b"abc"
        values = array.array("d", range(300))
        values.extend(values)
        heap = []
        for i in range(100):
            heapq.heappush(heap, -i)
        points.sort(key=lambda p: -p.x)
        points[5:50] = [None] * 3
        points += list(range(1000))
        made = Meta(f"Made{round}", (), {"value": round})
        made.other = [made.value]
        long = ""
        for i in range(50):
            long += "text " * i
        point = Point(1, 2)
        point.x, (point.y, *rest) = 5, [7, 8, 9]
        total = sum(numbers(50)) + len(list(map(str, table)))
        try:
            fails(20)
        except ValueError as error:
            total += len(str(error))
        exec("total = total + 1")
        return (total, bag.size, len(queue), list(ordered)[-1], len(many), len(raw), sum(values),
                heap[:3], len(points), type(made).__name__, len(long), point.x, point.y, rest)

    seen = []
    for round in range(3):
        print(work(round))
    print(len(seen), sorted(Bag.shared)[:2])
"""

LIMITED = """
    import resource

    def used():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[0]) * resource.getpagesize()

    class Node:
        def __init__(self, next):
            self.next = next
            self.items = [self] * 10

    def fill():
        node = None
        while True:
            node = Node(node)

    def attempt():
        try:
            fill()
        except MemoryError:
            return "no memory"

    unlimited = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (used() + (48 << 20), unlimited[1]))
    outcome = attempt()
    resource.setrlimit(resource.RLIMIT_AS, unlimited)
    print(outcome)
    print([attempt.__name__ for _ in range(3)], sum(range(100)))
"""

# When it has made all that it keeps, the recorder allocates nothing but the stand-ins of `yield from`.
DELEGATING = """
    import sys
    from wrongcall.recorder import _native

    def through(items):
        yield from items

    def work():
        return [list(through((1, 2))) for _ in range(100)]

    work()
    _native.fail_allocation(int(sys.argv[1]))
    print(work())
"""

# All memory is used up and stays so, down to the last block of the size of a pair: lifting the limit
# needs no memory, unless somebody listens to audit events, which are handed over as such pairs.
EXHAUSTED = """
    import resource

    chain = None

    def used():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[0]) * resource.getpagesize()

    def attempt():
        global chain
        try:
            while True:
                chain = (chain, None)
        except MemoryError:
            return "no memory"

    unlimited = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (used() + (48 << 20), unlimited[1]))
    outcome = attempt()
    resource.setrlimit(resource.RLIMIT_AS, unlimited)
    print(outcome)
"""

needs_limits = pytest.mark.skipif(
    "asan" in os.environ.get("LD_PRELOAD", ""),
    reason="AddressSanitizer takes address space without end: no limit can be set",
)


def _steps() -> Iterator[int]:
    yield from range(1, 30)
    n = 30
    while n < 6_000:
        yield n
        n += n // 4


def test_the_program_runs_on_wherever_the_recorder_runs_out_of_memory(tmp_path: Path) -> None:
    write_files(tmp_path, FAILING)
    expected = plain(tmp_path, "prog.py", "-1")
    assert expected.status == 0, expected.stderr
    assert recorded(tmp_path, "prog.py", "-1") == expected
    endings = []
    for n in _steps():
        actual = recorded(tmp_path, "prog.py", str(n))
        endings.append(actual.stderr)
        assert actual.stderr in ("", MESSAGE), n
        assert (actual.stdout, actual.status) == (expected.stdout, expected.status), n
    assert endings.count(MESSAGE) > 30


@pytest.mark.parametrize("n", ["2", "20", "80"])
def test_yield_from_goes_on_without_its_stand_in(tmp_path: Path, n: str) -> None:
    write_files(tmp_path, DELEGATING)
    expected = plain(tmp_path, "prog.py", "-1")
    actual = recorded(tmp_path, "prog.py", n)
    assert (actual.stdout, actual.status) == (expected.stdout, 0), actual.stderr
    assert actual.stderr == MESSAGE


@pytest.mark.parametrize("n", ["3", "200"])
def test_the_trace_says_why_it_ends_early(tmp_path: Path, n: str) -> None:
    write_files(tmp_path, FAILING)
    assert recorded(tmp_path, "prog.py", n).stderr == MESSAGE
    shown = run(["-m", "wrongcall", "info", TRACE], tmp_path)
    assert "out of memory; what the program did after that is missing" in shown.stdout
    told = json.loads(run(["-m", "wrongcall", "info", "--json", TRACE], tmp_path).stdout)
    assert (told["stopped"], told["ended"], told["status"]) == ("out of memory", "exit", 0)


def test_a_complete_trace_mentions_no_early_end(tmp_path: Path) -> None:
    write_files(tmp_path, "print(1)")
    recorded(tmp_path, "prog.py")
    told = json.loads(run(["-m", "wrongcall", "info", "--json", TRACE], tmp_path).stdout)
    assert told["stopped"] is None


@needs_limits
@pytest.mark.parametrize("program", [LIMITED, EXHAUSTED], ids=["a cycle", "a chain"])
def test_a_memory_error_that_the_program_handles_is_not_the_end(
    tmp_path: Path, program: str
) -> None:
    write_files(tmp_path, program)
    expected = plain(tmp_path, "prog.py")
    actual = recorded(tmp_path, "prog.py")
    assert expected.stdout.startswith("no memory\n")
    assert (actual.stdout, actual.status) == (expected.stdout, expected.status), actual.stderr
    assert actual.stderr in ("", MESSAGE)


# In the child the recorder finds no memory from the beginning on, before it has handed anything over.
FORKING = """
    import functools, os
    from wrongcall.recorder import _native

    os.register_at_fork(after_in_child=functools.partial(_native.fail_allocation, 1))

    class Thing:
        def __init__(self, n):
            self.items = [n]

    def hold(count):
        return [Thing(n) for n in range(count)]

    pid = os.fork()
    if pid == 0:
        print(len(hold(20_000)), flush=True)
        os._exit(0)
    print(os.waitpid(pid, 0)[1])
"""


def test_a_forked_child_without_memory_runs_on_and_the_trace_says_so(tmp_path: Path) -> None:
    write_files(tmp_path, FORKING)
    actual = recorded(tmp_path, "prog.py")
    assert (actual.stdout, actual.status) == ("20000\n0\n", 0), actual.stderr
    shown = run(["-m", "wrongcall", "info", TRACE], tmp_path)
    assert "exit 0; recording stopped: out of memory" in shown.stdout


SHORT = """
    import sys
    import _testcapi

    class Thing:
        pass

    _testcapi.set_nomemory(0, int(sys.argv[1]))
    Thing()
"""


@pytest.mark.parametrize("failing", ["2", "3", "6"])
def test_an_interpreter_without_memory_prints_nothing_of_the_recorder(
    tmp_path: Path, failing: str
) -> None:
    """The first allocations fail, for the recorder too; it must neither hide that nor complain."""
    pytest.importorskip("_testcapi")
    write_files(tmp_path, SHORT)
    without = run(["prog.py", failing], tmp_path)
    with_it = run(["-m", "wrongcall", "record", "-o", TRACE, "prog.py", failing], tmp_path)
    assert (without.status, with_it.status) == (1, 1)
    assert "Exception ignored" not in with_it.stderr
