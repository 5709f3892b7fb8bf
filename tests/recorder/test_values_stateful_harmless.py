"""Following the state of objects changes nothing, and blames no call for what another one did."""

from __future__ import annotations

from pathlib import Path

from tests.recorder.conftest import Record, run_python
from wrongcall.recording import Attr, Ref

LOUD = """
import asyncio, concurrent.futures, io, itertools, queue, sys, threading, weakref
calls = []
armed = False

def loud(base):
    def method(name):
        def run(self, *args):
            if not armed:
                return getattr(base, name)(self, *args)
            calls.append(name)
            raise AssertionError(name)
        return run
    names = ["tell", "getvalue", "read", "readline", "flush", "fileno", "seek", "locked", "qsize", "done",
             "get_name", "is_set", "__iter__", "__length_hint__", "__reduce__", "__reduce_ex__", "__len__",
             "__repr__", "__eq__", "__bool__", "__getattribute__", "__copy__"]
    body = {name: method(name) for name in names}
    body["__hash__"] = object.__hash__
    return type("Loud", (base,), body)

def see(o):
    return None

def pass_on(o):
    see(o)
    see([o])
    see({"key": o})
    return o
"""


def same_output(record: Record, folder: Path, source: str) -> str:
    """Return what a program prints, recorded and plain alike."""
    recorded = record(source)
    plain = run_python(["prog.py"], folder)
    assert plain.returncode == 0, plain.stderr
    assert recorded.stdout == plain.stdout
    return recorded.stdout


def test_no_method_of_a_subclass_is_called(record: Record, tmp_path: Path) -> None:
    source = (
        LOUD
        + """
made = [loud(io.StringIO)('text'), loud(io.BytesIO)(b'data'), loud(enumerate)([1]), loud(zip)([1], [2]),
        loud(map)(len, ['a']), loud(filter)(None, [1]), loud(itertools.count)(3), loud(itertools.chain)([1]),
        loud(threading.Event)(), loud(threading.Semaphore)(), loud(queue.Queue)(), loud(reversed)([1]),
        loud(concurrent.futures.Future)(), loud(io.FileIO)(__file__)]
armed = True
for o in made:
    pass_on(o)
armed = False
print(calls)
"""
    )
    assert same_output(record, tmp_path, source) == "[]\n"


def test_objects_live_as_long_as_without_recording(record: Record, tmp_path: Path) -> None:
    source = (
        LOUD
        + """
class Node:
    def __del__(self):
        print('node dies')

def counts(o):
    return sys.getrefcount(o)

node = Node()
reference = weakref.ref(node, lambda r: print('callback'))
see(reference)
print(counts(node), counts(reference))
items = [node]
it = iter(items)
see(it)
print(counts(items), counts(it))
buffer = io.StringIO()
gone = weakref.ref(buffer, lambda r: print('buffer dies'))
see(buffer)
print(counts(buffer))
del buffer
print(gone() is None)
for _ in it:
    pass
del _
see(it)
print(counts(items))
del items
del node
print(reference() is None)
see(reference)
"""
    )
    assert "node dies" in same_output(record, tmp_path, source)


def test_many_short_lived_iterators_at_the_same_address_are_told_apart(record: Record) -> None:
    recorded = record("""
        def take(it):
            return next(it)
        def main():
            return [take(iter([n, n + 1])) for n in range(50)]
        main()
        """)
    recording = recorded.recording
    for number, call in enumerate(recorded.calls("take")):
        (argument,) = recording.questions.input(call.id).args
        assert isinstance(argument.value, Ref)
        state = recording.states.state(argument.value.oid, recording.questions.input(call.id).time)
        assert state.attrs["position"] == 0
        of = state.attrs["of"]
        assert isinstance(of, Ref)
        assert recording.states.state(of.oid, state.time).items == (number, number + 1)
        assert recording.states.state(argument.value.oid, call.last).attrs["position"] == 1


def test_concurrent_writes_are_no_change_of_this_call(record: Record) -> None:
    recorded = record("""
        import io, threading, time
        buffer = io.StringIO()
        go, done = threading.Event(), threading.Event()
        def writer():
            go.wait()
            print('text', file=buffer)
            done.set()
        def idle(buffer):
            go.set()
            done.wait()
            return None
        thread = threading.Thread(target=writer)
        thread.start()
        idle(buffer)
        thread.join()
        """)
    recording = recorded.recording
    call = recorded.call("idle")
    (argument,) = recording.questions.input(call.id).args
    assert isinstance(argument.value, Ref)
    assert (
        recording.states.state(argument.value.oid, recording.questions.input(call.id).time).attrs[
            "position"
        ]
        == 0
    )
    assert recording.states.state(argument.value.oid, call.last).attrs["position"] == 5
    changed = {
        (c.oid, change.place)
        for c in recording.questions.effect(call.id).objects
        for change in c.changes
    }
    assert (argument.value.oid, Attr("position")) not in changed


def test_changes_before_a_lambda_raised_are_recorded_at_its_end(record: Record) -> None:
    recorded = record("""
        def main(it):
            try:
                (lambda i: (next(i), 1 / 0))(it)
            except ZeroDivisionError:
                pass
            return it
        main(iter([1, 2, 3]))
        """)
    call = recorded.call("main.<locals>.<lambda>")
    (argument,) = recorded.recording.questions.input(call.id).args
    assert isinstance(argument.value, Ref)
    assert recorded.recording.states.state(argument.value.oid, call.last).attrs["position"] == 1
    (changed,) = recorded.recording.questions.effect(recorded.call("main").id).objects
    assert [(change.old, change.new) for change in changed.changes] == [(0, 1)]


def test_contexts_that_use_the_same_memory_are_told_apart(record: Record) -> None:
    recorded = record("""
        import contextvars
        variable = contextvars.ContextVar('v')
        def see(context):
            return None
        for n in range(20):
            see(contextvars.copy_context())
        variable.set(1)
        for n in range(20):
            see(contextvars.copy_context())
        """)
    recording = recorded.recording
    sizes = []
    for call in recorded.calls("see"):
        (argument,) = recording.questions.input(call.id).args
        assert isinstance(argument.value, Ref)
        state = recording.states.state(argument.value.oid, recording.questions.input(call.id).time)
        sizes.append(state.attrs["size"])
        assert (
            recording.states.object(argument.value.oid).seen
            > recording.questions.input(call.id).time - 20
        )
    assert sizes == [0] * 20 + [1] * 20
