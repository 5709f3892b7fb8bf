"""Tools inside the program: profile functions, frames' variables, subinterpreters."""

from __future__ import annotations

from pathlib import Path

from tests.recorder.bothways import runs_the_same

PROFILED = """
    import sys, threading

    class Point:
        def __init__(self, x):
            self.x = x

    def inner(x):
        y = [len(x)]
        y[0] += 1
        return Point(y)

    def numbers():
        yield 1
        yield 2

    def outer():
        a = [1]
        a.append(2)
        for n in numbers():
            a[0], b = n, 1
        try:
            int("x")
        except ValueError as error:
            a.extend(error.args)
        return inner(a)

    seen = []
    def profile(frame, event, arg):
        of_c = event.startswith("c_")
        seen.append((frame.f_code.co_name, event, arg.__qualname__ if of_c else None))

    sys.setprofile(profile)
    outer()
    assert sys.getprofile() is profile
    sys.setprofile(None)
    thread = threading.Thread(target=outer)
    threading.setprofile(profile)
    thread.start()
    thread.join()
    threading.setprofile(None)
    print(*[s for s in seen if s[0] in ("outer", "inner", "numbers", "__init__", "<module>")], sep="\\n")
"""

VARIABLES = """
    import sys

    def look(a):
        view = sys._getframe().f_locals
        print(".h" in view, "a" in view, view["a"], view.get("a"), view.get(".h"), view.get(".h", 3))
        try:
            view[".h"]
        except KeyError as error:
            print(type(error))
        print(list(view), len(view))

    look(1)
"""

SUBINTERPRETER = {
    "mod.py": """
        def double(x):
            items = [x]
            items.append(x)
            return items

        print("imported", double(1))
    """,
    "prog.py": """
        try:
            import _interpreters as interpreters
            made = interpreters.create("legacy")
        except ImportError:
            import _xxsubinterpreters as interpreters
            made = interpreters.create(isolated=False)
        source = "import sys; sys.path.insert(0, '.'); import json, mod; print(mod.double(2))"
        print(interpreters.run_string(made, source))
        interpreters.destroy(made)
        import mod
    """,
}


def test_profile_functions_see_the_same_calls(tmp_path: Path) -> None:
    seen = runs_the_same(tmp_path, PROFILED)
    assert seen.status == 0, seen.stderr
    assert "('inner', 'c_call', 'len')" in seen.stdout


def test_the_hidden_variable_is_not_in_a_frames_variables(tmp_path: Path) -> None:
    seen = runs_the_same(tmp_path, VARIABLES)
    assert seen.stdout.startswith("False True 1 1 None 3\n")


def test_modules_imported_in_a_subinterpreter_run_unrecorded(tmp_path: Path) -> None:
    seen = runs_the_same(tmp_path, SUBINTERPRETER)
    assert seen.status == 0, seen.stderr
    assert seen.stdout.count("imported") == 2
