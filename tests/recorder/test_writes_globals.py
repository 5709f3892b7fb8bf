"""Every way to bind or unbind a global name is recorded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.recorder.conftest import write_program
from tests.recorder.heap_compare import Comparison, Witnessed, run_witnessed
from wrongcall.recording import UNSET

GLOBALS = """
import sys
from other import *
import other as renamed
value = 1
probe('first')
value += 1
total: int = 5
one = two = [value]
(three, *four), five = 'abc', 5
probe('assigned')
for i in range(3):
    square = i * i
with open(__file__) as file:
    pass
file = None
try:
    1 / 0
except ZeroDivisionError as error:
    message = str(error)
probe('statements')
def function():
    global value, made
    value = 10
    made = 11
class Class:
    attribute = value
    def method(self):
        global value
        value *= 2
del total, one
[walrus := n for n in range(3)]
match (1, 2):
    case (m1, m2): pass
probe('defined')
function()
probe('by a function')
Class().method()
probe('by a method')
globals()['dynamic'] = 5
probe('through globals()')
globals().update(dynamic=6, more=[7])
probe('updated')
exec('executed = 8')
probe('by exec')
exec('executed = 9; value = -1', globals())
probe('by exec with globals')
setattr(sys.modules[__name__], 'set_by_name', 1)
probe('by setattr')
vars()['through_vars'] = 2
probe('through vars()')
locals()['through_locals'] = 3
probe('through locals()')
renamed.set_main(sys.modules[__name__])
probe('by another module')
del value
probe('deleted')
def removing():
    global made
    del made
removing()
probe('deleted by a function')
four.append(4)
two += [8]
probe('changed in place')
import importlib
importlib.reload(renamed)
probe('reloaded')
try:
    half, (way, there) = 1, 2
except TypeError:
    pass
probe('half way')
try:
    from other import shared as both, no_such_name
except ImportError:
    pass
probe('not all imported')
try:
    half, None.attribute = 3, 4
except AttributeError:
    pass
probe('half way again')
match (8, 9):
    case (guarded, _) if guarded > 8: pass
probe('guarded')
"""


OTHER = """
shared = [1]
_hidden = 2
number = 3
def set_main(module):
    module.foreign = 4
    module.number = 5
"""


PROBES = [line.split("'")[1] for line in GLOBALS.splitlines() if line.startswith("probe(")]


@pytest.fixture(scope="module")
def global_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Witnessed]:
    folder: Path = tmp_path_factory.mktemp("globals")
    write_program(folder, OTHER, "other.py")
    with run_witnessed(folder, GLOBALS) as run:
        yield run


@pytest.mark.parametrize("label", PROBES)
def test_globals(global_run: Witnessed, label: str) -> None:
    run = global_run
    snapshot, time = run.snapshots[label], run.time(label)
    have = {
        k: v
        for k, v in run.recording.states.globals("__main__", time).items()
        if not k.startswith("__")
    }
    assert set(have) ^ set(snapshot.locals) == set()
    comparison = Comparison(run.recording, snapshot.nodes, time)
    found = [d for k, v in snapshot.locals.items() for d in comparison.value(k, v, have[k])]
    assert found == []


def test_history_of_a_global(global_run: Witnessed) -> None:
    run = global_run
    source = run.source.splitlines()
    found = [
        (source[w.line - 1].strip(), w.old, w.new, run.recording.call(w.call).function.qualname)
        for w in run.recording.places.global_writes("__main__", "value")
    ]
    assert found == [
        ("value = 1", UNSET, 1, "<module>"),
        ("value += 1", 1, 2, "<module>"),
        ("value = 10", 2, 10, "function"),
        ("value *= 2", 10, 20, "Class.method"),
        ("exec('executed = 9; value = -1', globals())", 20, -1, "<module>"),
        ("del value", -1, UNSET, "<module>"),
    ]


def test_a_global_of_another_module(global_run: Witnessed) -> None:
    run = global_run
    time = run.time("by another module")
    assert run.recording.states.globals("other", time)["number"] == 3
    assert run.recording.states.globals("__main__", time)["number"] == 5
    assert [w.new for w in run.recording.places.global_writes("__main__", "foreign")] == [4]
