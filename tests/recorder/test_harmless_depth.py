"""Deep recursion through libraries: as deep as under plain python, and recorded as well as elsewhere.

Calls of libraries that are nested deeper than a few levels are made by trampolines (native/foreign/trampoline.c).
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import wrongcall.recording
from tests.recorder.bothways import TRACE, plain, recorded, runs_the_same, write_files

NESTED = 40  # deeper than calls of libraries are made from C
FEW = 16  # frames: from 3.13 on, a class that is called from C takes one less than it would

LIBRARY = """
    import functools

    def wrapped(f):
        @functools.wraps(f)
        def wrapper(*args, **kwargs):
            return f(*args, **kwargs)
        return wrapper

    def call(f, x):
        return f(x)

    def named(*, f, x, __private=None, _private=None):
        return f(x)

    class Caller:
        def __init__(self, f):
            self.f = f
        def call(self, x):
            return self.f(x)
        def __call__(self, x):
            return self.f(x)
        @classmethod
        def through(cls, f, x):
            return f(x)

    class Node:
        def __init__(self, make, n):
            self.child = make(n)

    def change(f, x, box):
        box.before = x
        result = f(x)
        box.after = x
        return result

    def fail(f, x, box):
        box.before = x
        try:
            return f(x)
        finally:
            box.after = x
"""

DISPATCHED = """
    import functools, sys
    sys.setrecursionlimit(30_000)

    @functools.singledispatch
    def count(x):
        return 0

    @count.register
    def _(x: int):
        return 0 if x == 0 else 1 + count(x - 1)

    print(count(14_000))
"""

DEPTHS = """
    import copy, functools, sys
    import lib

    def deepest(kind, limit):
        reached = 0
        def down(n):
            nonlocal reached
            reached = max(reached, n)
            return kind(down, n + 1)
        sys.setrecursionlimit(limit)
        try:
            down(1)
        except RecursionError:
            return reached
        finally:
            sys.setrecursionlimit(1000)

    def dispatched(down, n):
        f = functools.singledispatch(lambda x: None)
        f.register(int, down)
        return f(n)

    def nested(n):
        made = []
        for _ in range(n):
            made = [made]
        return made

    def copied(limit):
        sys.setrecursionlimit(limit)
        low, high = 1, limit
        while low < high:
            middle = (low + high + 1) // 2
            try:
                copy.deepcopy(nested(middle))
                low = middle
            except RecursionError:
                high = middle - 1
        sys.setrecursionlimit(1000)
        return low

    KINDS = {
        "dispatched": dispatched,
        "wrapper": lambda down, n: lib.wrapped(down)(n),
        "function": lambda down, n: lib.call(down, n),
        "keywords": lambda down, n: lib.named(f=down, x=n),
        "underscores": lambda down, n: lib.named(f=down, x=n, _private=1),
        "starred": lambda down, n: lib.call(*(down, n)),
        "double starred": lambda down, n: lib.named(**{"f": down, "x": n}),
        "method": lambda down, n: lib.Caller(down).call(n),
        "starred method": lambda down, n: lib.Caller(down).call(*(n,)),
        "class method": lambda down, n: lib.Caller.through(down, n),
        "object": lambda down, n: lib.Caller(down)(n),
        "class": lambda down, n: lib.Node(down, n),
        "reduce": lambda down, n: functools.reduce(lambda a, b: down(n), [1, 2]),
        "map": lambda down, n: list(map(lib.wrapped(down), [n])),
    }
    for name, kind in KINDS.items():
        print(name, *(deepest(kind, limit) for limit in (500, 1000, 3000)), sep=":")
    list(map(copy.deepcopy, [1, 2]))  # from now on it is watched
    print("deepcopy", copied(1000), copied(3000), sep=":")
"""

FRAMES = """
    import inspect, sys, traceback
    import lib

    def down(n):
        here = inspect.currentframe().f_back
        if n == 0:
            names = []
            frame = sys._getframe()
            while frame is not None:
                names.append((frame.f_code.co_name, frame.f_lineno))
                frame = frame.f_back
            print(names)
            print([(f.function, f.lineno) for f in inspect.stack()])
            print([sys._getframe(i).f_code.co_name for i in range(10)])
            print([f.f_code.co_name for f in sys._current_frames().values()])
            raise ValueError("at the bottom")
        if n % 3 == 0:
            return lib.call(*(down, n - 1))
        if n % 3 == 1:
            return lib.named(f=down, x=n - 1)
        return lib.Caller(down).call(n - 1)

    def wrong(n):
        if n > 0:
            return lib.call(wrong, n - 1)
        for bad in (lambda: lib.call(1), lambda: lib.call(*5), lambda: lib.call(**5),
                    lambda: lib.named(1, f=2), lambda: lib.named(f=1, g=2), lambda: lib.named(**{"f": 1}, f=2),
                    lambda: lib.Caller.call(), lambda: lib.Caller(1).call(2, 3, z=4)):
            try:
                bad()
            except TypeError as error:
                print(error, len(traceback.extract_tb(error.__traceback__)))

    class Dies:
        def __init__(self, name):
            self.name = name
        def __del__(self):
            print("gone", self.name)

    def lives(n):
        if n > 0:
            return lib.call(lives, n - 1)
        print("before")
        lib.call(lambda dies: print("inside"), Dies("argument"))
        print("between")
        lib.Caller(lambda x: print("inside")).call(Dies("other"))
        try:
            lib.call(print, Dies("lost") and 1 / 0)
        except ZeroDivisionError as error:
            print(error)
        print("after")

    for n in (3, 40):
        wrong(n)
        lives(n)
        try:
            down(n)
        except ValueError as error:
            context = error.__context__
            print(context, "".join(traceback.format_exception(error)))
    down(40)
"""

CHANGES = """
    import lib
    class Box:
        pass
    def down(n):
        box = Box()
        box.after = None
        if n == 0:
            return n
        if n % 3 == 0:
            lib.change(*(down, n - 1), box=box)
        elif n % 3 == 1:
            lib.change(down, n - 1, box=box)
        else:
            lib.change(down, n - 1, box)
        return n
    def failing(n):
        box = Box()
        box.after = None
        if n == 0:
            raise ValueError
        lib.fail(failing, n - 1, box)
    down(40)
    try:
        failing(40)
    except ValueError:
        pass
"""


def test_dispatching_recurses_as_deep_as_without_recording(tmp_path: Path) -> None:
    assert runs_the_same(tmp_path, DISPATCHED).stdout == "14000\n"


def _depths(text: str) -> dict[str, list[int]]:
    rows = (line.split(":") for line in text.splitlines())
    return {name: [int(number) for number in numbers] for name, *numbers in rows}


def test_recursion_through_libraries_ends_where_it_would(tmp_path: Path) -> None:
    write_files(tmp_path, {"prog.py": DEPTHS, "site-packages/lib.py": LIBRARY})
    path = {"PYTHONPATH": "site-packages"}
    expected = plain(tmp_path, "prog.py", env=path)
    actual = recorded(tmp_path, "prog.py", env=path)
    assert (expected.status, actual.status) == (0, 0), actual.stderr
    before, after = _depths(expected.stdout), _depths(actual.stdout)
    assert len(before) == 15
    assert {
        name: (numbers, after[name])
        for name, numbers in before.items()
        if any(abs(b - a) > FEW for b, a in zip(numbers, after[name], strict=True))
    } == {}


def test_frames_errors_and_lives_are_the_same_deep_down(tmp_path: Path) -> None:
    program = {"prog.py": FRAMES, "site-packages/lib.py": LIBRARY}
    seen = runs_the_same(tmp_path, program, env={"PYTHONPATH": "site-packages"})
    assert seen.status == 1
    assert seen.stdout.count("before\n") == 2


@pytest.mark.parametrize("name", ["down", "failing"])
def test_what_libraries_changed_is_seen_at_any_depth(tmp_path: Path, name: str) -> None:
    write_files(tmp_path, {"prog.py": CHANGES, "site-packages/lib.py": LIBRARY})
    done = recorded(tmp_path, "prog.py", env={"PYTHONPATH": "site-packages"})
    assert done.status == 0, done.stderr
    with wrongcall.recording.open(tmp_path / TRACE) as recording:
        calls = [recording.call(int(number)) for number in recording.calls.columns().id]
        found = [c for c in calls if c.function.qualname == name]
        assert len(found) == NESTED + 1
        for nested, call in enumerate(found):
            n = NESTED - nested
            assert nested == 0 or call.parent == found[nested - 1]
            history = recording.places.history(call.id, "box.after", call.exit)
            assert [v.new for v in history] == ([None, n - 1] if n > 0 else [None])
            assert {v.call for v in history} == {call.id}


@pytest.mark.skipif(sys.version_info < (3, 12), reason="sys.monitoring")
def test_tools_of_monitoring_see_nothing_of_deep_calls(tmp_path: Path) -> None:
    program = """
        import sys
        import lib
        names = []
        def down(n):
            if n == 0:
                1 / 0
            return lib.call(down, n - 1)
        tool = sys.monitoring
        tool.use_tool_id(3, "mine")
        for event in (tool.events.RAISE, tool.events.PY_UNWIND, tool.events.PY_START):
            tool.register_callback(3, event, lambda code, *rest: names.append(code.co_qualname))
        tool.set_events(3, tool.events.RAISE | tool.events.PY_UNWIND | tool.events.PY_START)
        try:
            down(40)
        except ZeroDivisionError:
            tool.set_events(3, 0)
        print(names.count("call"), [n for n in names if n not in ("call", "down")])
    """
    files = {"prog.py": program, "site-packages/lib.py": LIBRARY}
    seen = runs_the_same(tmp_path, files, env={"PYTHONPATH": "site-packages"})
    assert seen.status == 0, seen.stderr
