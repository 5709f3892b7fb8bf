"""Objects whose state changes are written by kind and state, as the program itself saw them."""

from __future__ import annotations

import pytest

from tests.recorder.conftest import Record, Recorded
from wrongcall.present.values import Viewer
from wrongcall.recording import Call

HEAD = """
import asyncio, collections, concurrent.futures, contextvars, csv, functools, hashlib, io, itertools
import logging, os, queue, random, socket, struct, subprocess, sys, tempfile, threading, weakref

def see(o):
    return None
"""


def shown(recorded: Recorded, call: Call, time: int) -> str:
    """Return how the only argument of a call was written at a time."""
    (argument,) = recorded.recording.questions.input(call.id).args
    return Viewer(recorded.recording, time).line(argument.value, 300)


def seen(recorded: Recorded) -> list[str]:
    """Return how the argument of each call of `see` is written at its entry."""
    calls = recorded.calls("see")
    return [
        shown(recorded, call, recorded.recording.questions.input(call.id).time) for call in calls
    ]


def told(record: Record, program: str) -> list[str]:
    return seen(record(HEAD + program))


# -- iterators --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind, maker",
    [
        ("list iterator", "iter([7, 8, 9, 10])"),
        ("tuple iterator", "iter((7, 8, 9, 10))"),
        ("reversed list", "reversed([7, 8, 9, 10])"),
        ("reversed", "reversed((7, 8, 9, 10))"),
        ("str iterator", "iter('wxyz')"),
        ("str iterator", "iter('w\\u20acyz')"),
        ("bytes iterator", "iter(b'wxyz')"),
        ("bytearray iterator", "iter(bytearray(b'wxyz'))"),
        ("dict key iterator", "iter(dict.fromkeys('wxyz'))"),
        ("dict value iterator", "iter({1: 'w', 2: 'x', 3: 'y', 4: 'z'}.values())"),
    ],
)
def test_an_iterator_says_how_far_it_has_come_and_what_comes_next(
    kind: str, maker: str, record: Record
) -> None:
    recorded = record(
        HEAD
        + f"""
items = list({maker})
it = {maker}
for n in range(5):
    see(it)
    print(repr(items[n]) if n < 4 else None)
    next(it, None)
see(it)
"""
    )
    nexts = recorded.stdout.splitlines()
    expected = [f"<{kind}, {n} of 4 taken, next: {nexts[n]}>" for n in range(4)]
    *lines, end, exhausted = seen(recorded)
    assert lines == expected
    # Who has taken the last item does not know yet that there is no other.
    assert end in (f"<{kind}, nothing left>", f"<{kind}, exhausted>")
    assert exhausted == f"<{kind}, exhausted>"


def test_iterators_of_sets_deques_and_ranges_say_how_many_are_left(record: Record) -> None:
    lines = told(
        record,
        """
for it in (iter({1, 2, 3}), iter(collections.deque('ab')), iter(range(2, 20, 5))):
    next(it)
    see(it)
big = iter(range(2**80, 2**80 + 3))
next(big)
see(big)
""",
    )
    assert lines == [
        "<set iterator, 1 of 3 taken>",
        "<deque iterator, 1 of 2 taken>",
        "<range iterator, 3 left, next: 7>",
        f"<range iterator, 2 left, next: {2**80 + 1}>",
    ]


def test_a_dict_iterator_whose_dict_has_another_size_claims_nothing(record: Record) -> None:
    lines = told(
        record,
        """
d = {1: 2, 3: 4}
it = iter(d)
next(it)
d[5] = 6
see(it)
del d[5]
see(it)
d[3] = 'another'
see(it)
del d[3]
d[9] = 'replaced'
see(it)
print(next(it))
""",
    )
    assert lines[0] == "<dict key iterator, its container changed size>"
    assert lines[1:3] == ["<dict key iterator, 1 of 2 taken, next: 3>"] * 2
    assert lines[3] == "<dict key iterator, 1 of 2 taken, next: 9>"


def test_iterators_of_iterators_show_what_they_take_from(record: Record) -> None:
    lines = told(
        record,
        """
def double(x):
    return x
its = [enumerate('abc', 5), zip([1, 2], (3, 4)), map(double, [1, 2]), filter(None, [1, 2]),
       itertools.chain([1], [2]), itertools.islice([1, 2, 3], 2), itertools.cycle([1, 2]),
       itertools.takewhile(None, [1]), itertools.accumulate([4, 5]), itertools.product([1]),
       iter(double, 3)]
for it in its:
    if type(it) not in (itertools.takewhile, itertools.product) and its.index(it) < 9:
        next(it)
    see(it)
""",
    )
    inner = "<list iterator, 1 of 2 taken, next: 2>"
    assert lines == [
        "<enumerate, count 6, <str iterator, 1 of 3 taken, next: 'b'>>",
        f"<zip, {inner}, <tuple iterator, 1 of 2 taken, next: 4>>",
        f"<map, function: <function double>, {inner}>",
        f"<filter, function: None, {inner}>",
        (
            "<itertools.chain, then: <tuple iterator, 1 of 2 taken, next: [2]>, "
            "<list iterator, nothing left>>"
        ),
        "<itertools.islice, <list iterator, 1 of 3 taken, next: 2>, taken: 1, stop: 2>",
        f"<itertools.cycle, {inner}>",
        "<itertools.takewhile, function: None, <list iterator, 0 of 1 taken, next: 1>>",
        "<itertools.accumulate, <list iterator, 1 of 2 taken, next: 5>, total: 4>",
        "<itertools.product>",
        "<callable iterator, function: <function double>, until: 3>",
    ]


@pytest.mark.parametrize(
    "maker",
    [
        "count()",
        "count(10, 2)",
        "count(1.5, 0.5)",
        "count(2**64, 3)",
        "repeat('x', 3)",
        "repeat(4)",
    ],
)
def test_counters_are_written_as_their_repr(maker: str, record: Record) -> None:
    recorded = record(
        HEAD
        + f"""
it = itertools.{maker}
for _ in range(3):
    see(it)
    print(repr(it))
    next(it)
"""
    )
    assert seen(recorded) == recorded.stdout.splitlines()


# -- streams ------------------------------------------------------------------------------------------


def test_buffers_show_their_position_and_content(record: Record) -> None:
    lines = told(
        record,
        """
text, data = io.StringIO(), io.BytesIO(b'abcdef')
see(text)
text.write('h\\xe9llo')
see(text)
print('!', file=text)
see(text)
text.seek(1)
text.read(2)
see(text)
text.close()
see(text)
data.read(3)
see(data)
data.getbuffer()[0] = 90
see(data)
long = io.StringIO('x' * 400 + 'the end')
see(long)
""",
    )
    assert lines[:5] == [
        "<StringIO: position 0, ''>",
        "<StringIO: position 5, 'h\xe9llo'>",
        "<StringIO: position 7, 'h\xe9llo!\\n'>",
        "<StringIO: position 3, 'h\xe9llo!\\n'>",
        "<StringIO: closed>",
    ]
    assert lines[5:7] == ["<BytesIO: position 3, b'abcdef'>", "<BytesIO: position 3, b'Zbcdef'>"]
    assert lines[7].startswith("<StringIO: position 0, 'xxx")
    assert "(407)" in lines[7]
    assert lines[7].endswith("the end'>")


def test_files_show_name_mode_and_whether_they_are_closed(record: Record) -> None:
    recorded = record(
        HEAD
        + """
with open('some.txt', 'w') as f:
    f.write('0123456789')
    see(f)
    print(os.path.getsize('some.txt'))
see(f)
with open('some.txt', 'rb') as f:
    f.read(4)
    see(f)
    print(f.tell())
with open('some.txt', 'ab') as f:
    see(f)
with open('some.txt', 'rb', buffering=0) as f:
    see(f)
see(io.TextIOWrapper(io.BytesIO(b'abc')))
"""
    )
    # What was written is still in the buffer: looking at the file did not flush it.
    assert recorded.stdout.splitlines() == ["0", "4"]
    assert seen(recorded) == [
        "<text file, 'some.txt', mode 'w'>",
        "<text file: closed, 'some.txt', mode 'w'>",
        "<binary file: position 4, 'some.txt', mode 'rb'>",
        "<binary file, 'some.txt', mode 'ab'>",
        "<raw file, 'some.txt', mode 'rb'>",
        "<text file>",
    ]


# -- locks, queues, futures ---------------------------------------------------------------------------


def test_locks_and_events_show_their_state(record: Record) -> None:
    lines = told(
        record,
        """
lock, rlock, event = threading.Lock(), threading.RLock(), threading.Event()
see(lock)
with lock:
    see(lock)
see(rlock)
with rlock:
    with rlock:
        see(rlock)
see(event)
event.set()
see(event)
semaphore = threading.Semaphore(2)
semaphore.acquire()
see(semaphore)
see(threading.Barrier(3))
see(threading.Condition())
see(threading.Thread(name='worker'))
""",
    )
    assert lines == [
        "<lock: not locked>",
        "<lock: locked>",
        "<RLock: not held>",
        "<RLock: held 2 times by thread 1>",
        "<Event: not set>",
        "<Event: set>",
        "<Semaphore: 1>",
        "<Barrier: 0 of 3 waiting>",
        "<Condition>",
        "<Thread 'worker'>",
    ]


def test_queues_show_what_waits_in_them(record: Record) -> None:
    lines = told(
        record,
        """
q, simple, heap = queue.Queue(), queue.SimpleQueue(), queue.PriorityQueue()
see(q)
q.put(1)
q.put('b')
see(q)
simple.put(1)
see(simple)
heap.put(3)
heap.put(2)
see(heap)
""",
    )
    assert lines == [
        "<Queue: empty>",
        "<Queue: 1, 'b'>",
        "<SimpleQueue: 1 waiting>",
        "<PriorityQueue: 2 items>",
    ]


def test_objects_of_asyncio_show_their_state(record: Record) -> None:
    lines = told(
        record,
        """
async def work():
    return 3
async def fails():
    raise ValueError('no')
async def main():
    future = asyncio.get_running_loop().create_future()
    see(future)
    future.set_result(5)
    see(future)
    task = asyncio.create_task(work(), name='the task')
    see(task)
    await task
    see(task)
    failing = asyncio.create_task(fails(), name='failing')
    await asyncio.wait([failing])
    see(failing)
    cancelled = asyncio.create_task(work(), name='cancelled')
    cancelled.cancel()
    await asyncio.wait([cancelled])
    see(cancelled)
    lock, event, q = asyncio.Lock(), asyncio.Event(), asyncio.Queue()
    async with lock:
        see(lock)
    see(lock)
    see(event)
    await q.put(7)
    see(q)
asyncio.run(main())
""",
    )
    assert lines[:2] == ["<Future: pending>", "<Future: finished, result 5>"]
    assert lines[2].startswith("<Task 'the task': pending, <coroutine, call ")
    assert lines[3:] == [
        "<Task 'the task': finished, result 3>",
        "<Task 'failing': finished, raised ValueError('no')>",
        "<Task 'cancelled': cancelled>",
        "<Lock: locked>",
        "<Lock: not locked>",
        "<Event: not set>",
        "<Queue: 7>",
    ]


def test_a_future_that_another_thread_finishes_is_not_shown_as_pending(record: Record) -> None:
    lines = told(
        record,
        """
with concurrent.futures.ThreadPoolExecutor(1) as pool:
    future = pool.submit(int, '7')
    while not future.done():
        pass
    see(future)
""",
    )
    assert lines == ["<Future: finished, result 7>"]


def test_other_objects_are_written_by_kind_and_state(record: Record) -> None:
    lines = told(
        record,
        """
class Node:
    pass
node = Node()
reference = weakref.ref(node)
see(reference)
del node
see(reference)
s = socket.socket()
s.close()
see(s)
see(random.Random(3))
see(hashlib.sha256())
see(struct.Struct('<I'))
rows = csv.reader(['a,b', 'c,d'])
next(rows)
see(rows)
see(csv.writer(io.StringIO()))
see(logging.getLogger('app.db'))
see(contextvars.ContextVar('user'))
process = subprocess.Popen([sys.executable, '-c', 'pass'])
process.wait()
see(process)
""",
    )
    assert lines[0].startswith("<weakref to Node #")
    assert lines[1:10] == [
        "<weakref: dead>",
        "<socket: closed>",
        "<Random>",
        "<hash sha256>",
        "Struct('<I')",
        "<csv reader: 1 line read>",
        "<csv writer>",
        "<Logger name='app.db'>",
        "<ContextVar name='user'>",
    ]
    assert lines[10].startswith("<Popen: exit code 0, [")


def test_objects_that_are_not_ready_or_torn_are_written_by_kind(record: Record) -> None:
    lines = told(
        record,
        """
see(io.StringIO.__new__(io.StringIO))
see(io.BytesIO.__new__(io.BytesIO))
see(io.BufferedReader.__new__(io.BufferedReader))
see(io.TextIOWrapper.__new__(io.TextIOWrapper))
see(io.FileIO.__new__(io.FileIO))
file = open('some.txt', 'w')
buffer = file.detach()
see(file)
raw = buffer.detach()
see(buffer)
raw.close()
see(raw)
future = asyncio.Future.__new__(asyncio.Future)
see(future)
""",
    )
    assert lines[0] == "<StringIO>"
    assert lines[1].startswith("<BytesIO: ")
    assert lines[2:5] == ["<binary file>", "<text file>", "<raw file>"]
    assert lines[5:7] == ["<text file, mode 'w'>", "<binary file>"]
    assert lines[7] == "<raw file: closed, 'some.txt', mode 'wb'>"
    assert lines[8] == "<Future>"
