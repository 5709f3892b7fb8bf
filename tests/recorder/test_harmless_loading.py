"""Whatever the compiler takes is instrumented, wherever and in whatever world it is imported."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import wrongcall.recording
from tests.recorder.bothways import TRACE, recorded, run, runs_the_same, write_files
from wrongcall.trace.format.program_tables import Unrecorded


def functions(folder: Path) -> set[str]:
    """The functions that were called, by their names."""
    with wrongcall.recording.open(folder / TRACE) as recording:
        assert recording.unrecorded == []
        return {
            recording.call(int(number)).function.name for number in recording.calls.columns().id
        }


def unrecorded(folder: Path) -> list[Unrecorded]:
    with wrongcall.recording.open(folder / TRACE) as recording:
        return recording.unrecorded


DEEP = {
    "elif": "def f(x):\n    if x == 0:\n        return 0\n"
    + "".join(f"    elif x == {n}:\n        return {n}\n" for n in range(1, 250))
    + "print(f(249))\n",
    "sum": "def f():\n    return " + " + ".join(["1"] * 500) + "\nprint(f())\n",
    "methods": "class C:\n    def m(self):\n        return self\ndef f():\n    return C()"
    + ".m()" * 300
    + "\nprint(type(f()))\n",
    "attributes": "class C:\n    pass\nC.c = C\ndef f():\n    return C"
    + ".c" * 400
    + "\nprint(f())\n",
    "calls": "def f(x):\n    return x\nprint(" + "f(" * 90 + "1" + ")" * 91 + "\n",
    "subscripts": "x = []\nx.append(x)\ndef f():\n    return x"
    + "[0]" * 400
    + "\nprint(len(f()))\n",
    "comparison of strings": "def f():\n    return ''" + " + 'a'" * 480 + "\nprint(len(f()))\n",
    "lambdas": "f = " + "lambda: " * 80 + "1\nprint(callable(f))\nf()\n",
    "nested functions": "".join(" " * n + f"def f{n}():\n" for n in range(15))
    + " " * 15
    + "return 1\nprint(f0())\n",
    "blocks": "def f():\n"
    + "".join(" " * n + "with c:\n" for n in range(1, 17))
    + " " * 17
    + "return 1\nimport contextlib\nc = contextlib.nullcontext()\nprint(f())\n",
    "loops": "def f():\n"
    + "".join(" " * n + f"for x{n}, c.y in [(1, 2)]:\n" for n in range(1, 17))
    + " " * 17
    + "return c.y\nclass c:\n    pass\nprint(f())\n",
}


@pytest.mark.parametrize("name", DEEP)
def test_deep_source(tmp_path: Path, name: str) -> None:
    seen = runs_the_same(tmp_path, DEEP[name])
    assert seen.status == 0, seen.stderr
    assert "<module>" in functions(tmp_path)


@pytest.mark.parametrize("name", ["elif", "sum", "methods"])
def test_deep_source_that_is_imported_deep_in_the_stack(tmp_path: Path, name: str) -> None:
    program = """
        import sys
        def sink(n):
            if n == 0:
                import deep
            else:
                sink(n - 1)
        sink(500)
        sys.setrecursionlimit(sys.getrecursionlimit() + 17)
        print(sys.getrecursionlimit())
    """
    seen = runs_the_same(tmp_path, {"prog.py": program, "deep.py": DEEP[name]})
    assert seen.status == 0, seen.stderr
    assert {"sink", "f"} <= functions(tmp_path)


def test_an_import_under_a_low_limit_of_recursion(tmp_path: Path) -> None:
    # From 3.14 on the interpreter itself does not compile this with less.
    stack = 64 if sys.version_info < (3, 14) else 512
    program = f"""
        import sys, threading
        sys.setrecursionlimit(50)
        import other
        print(sys.getrecursionlimit(), other.f())
        sys.setrecursionlimit(1000)
        threading.stack_size({stack} * 1024)
        def load():
            import deep
            print(deep.f(249))
        thread = threading.Thread(target=load)
        thread.start()
        thread.join()
    """
    other = "def f():\n    return [1 + 2 + 3 for x in range(3) if x]\n"
    files = {"prog.py": program, "other.py": other, "deep.py": DEEP["elif"]}
    seen = runs_the_same(tmp_path, files)
    assert seen.stdout == "50 [6, 6]\n249\n249\n"
    assert {"f", "load"} <= functions(tmp_path)


def test_an_import_after_a_recursion_error_works(tmp_path: Path) -> None:
    program = """
        import sys
        def sink(n):
            try:
                sink(n + 1)
            except RecursionError:
                pass
            return n
        sink(0)
        import other
        print(other.x)
    """
    assert runs_the_same(tmp_path, {"prog.py": program, "other.py": "x = 1\n"}).stdout == "1\n"


@pytest.mark.parametrize(
    "comment",
    [
        "# Helpers for decoding:",
        "# coding:",
        "# decoding: , encoding:   ",
        "#coding=",
        "# coding: utf-8-unix",
        "# -*- coding: latin-1 -*-",
        "# vim: set fileencoding=latin_1 :",
        "# encoding: iso-8859-15",
        "\f# coding: cp1252",
        "x = 1 # coding: none",
    ],
)
@pytest.mark.parametrize("second", [False, True])
def test_comments_about_the_encoding(tmp_path: Path, comment: str, second: bool) -> None:
    text = ("\n" if second else "") + comment + "\ndef f():\n    return '\xe4'\nprint(ascii(f()))\n"
    latin = any(name in comment for name in ("latin", "8859", "1252"))
    source = text.encode("latin-1" if latin else "utf-8")
    seen = runs_the_same(tmp_path, {"prog.py": source})
    assert seen.status == 0, seen.stderr
    assert "f" in functions(tmp_path)
    with wrongcall.recording.open(tmp_path / TRACE) as recording:
        (file,) = recording.program.files.values()
        assert file.source == text


def test_programs_that_replace_builtins_and_modules_are_recorded(tmp_path: Path) -> None:
    program = """
        import builtins, os, ast
        from unittest import mock
        def broken(*args, **options):
            raise RuntimeError('not for you')
        kept = {name: getattr(builtins, name) for name in
                ('sorted', 'map', 'zip', 'any', 'all')}
        with mock.patch('os.path.realpath', broken), mock.patch('os.lstat', broken), \\
                mock.patch('os.path.islink', broken), mock.patch('ast.parse', broken), \\
                mock.patch('builtins.open', broken), mock.patch('os.getcwd', broken):
            import first
            for name in kept:
                setattr(builtins, name, broken)
            import second
            for name in kept:
                setattr(builtins, name, kept[name])
        print(first.f(), second.f())
    """
    module = "def f():\n    x = [1, 2]\n    x[0] += 1\n    return x\n"
    seen = runs_the_same(tmp_path, {"prog.py": program, "first.py": module, "second.py": module})
    assert seen.stdout == "[2, 2] [2, 2]\n"
    assert "f" in functions(tmp_path)


def test_replaced_builtins(tmp_path: Path) -> None:
    program = """
        import builtins
        plain_isinstance, plain_len, calls = isinstance, len, []
        def counting_isinstance(*args):
            calls.append('isinstance')
            return plain_isinstance(*args)
        def counting_len(x):
            calls.append('len')
            return plain_len(x)
        builtins.isinstance, builtins.len = counting_isinstance, counting_len
        import other
        builtins.isinstance, builtins.len = plain_isinstance, plain_len
        print(other.f(), plain_len(calls))
    """
    files = {"prog.py": program, "other.py": "def f():\n    return 1\n"}
    seen = runs_the_same(tmp_path, files, flags=["-B"])
    assert seen.stdout.startswith("1 ")
    assert "f" in functions(tmp_path)


def test_warnings_once_are_once(tmp_path: Path) -> None:
    """What was warned of before an import is not warned of again after it."""
    program = """
        import warnings
        def old():
            warnings.warn('old')
        old()
        import other
        old()
        import third
        old()
    """
    odd = "def f(x):\n    return x is 1\nassert (1, 'always')\n"
    files = {"prog.py": program, "other.py": odd, "third.py": "print(1)\n"}
    seen = runs_the_same(tmp_path, files, flags=["-B"])
    assert seen.stderr.count("UserWarning: old") == 1
    assert seen.stderr.count("SyntaxWarning") == 2


def test_nothing_is_left_for_the_collector(tmp_path: Path) -> None:
    program = """
        import gc
        gc.collect()
        import other
        print(gc.collect(), gc.isenabled(), gc.garbage)
    """
    other = "def f(x):\n    def g():\n        return x\n    class C:\n        y = x\n    return g\n"
    runs_the_same(tmp_path, {"prog.py": program, "other.py": other}, flags=["-B"])


def test_imports_in_threads_and_while_the_interpreter_ends(tmp_path: Path) -> None:
    program = """
        import atexit, threading
        def load(n):
            print(__import__(f'm{n}').f())
        for n in range(3):
            thread = threading.Thread(target=load, args=(n,))
            thread.start()
            thread.join()
        atexit.register(load, 3)
        class Late:
            def __del__(self):
                load(4)
        late = Late()
        late.self = late
    """
    files = {f"m{n}.py": f"def f():\n    return {n}\n" for n in range(5)}
    seen = runs_the_same(tmp_path, {"prog.py": program, **files})
    assert seen.stdout.startswith("0\n1\n2\n3\n")


def nesting(depth: int) -> str:
    """A function with so many nested loops."""
    loops = "".join(" " * n + "for x in [1]:\n" for n in range(1, depth + 1))
    return "x = 1\ndef f():\n" + loops + " " * (depth + 1) + "print('inside')\nf()\n"


def compiles(source: str) -> bool:
    try:
        compile(source, "nested.py", "exec")
    except SyntaxError:
        return False
    return True


def test_a_module_that_cannot_be_instrumented_runs_plain_with_a_notice(tmp_path: Path) -> None:
    """The compiler limits how deep blocks are nested: at that depth no room is left for hooks."""
    nested = nesting(max(depth for depth in range(1, 60) if compiles(nesting(depth))))
    write_files(tmp_path, {"prog.py": "import nested\nprint(nested.x)\n", "nested.py": nested})
    seen = recorded(tmp_path, "prog.py")
    assert seen.stdout == "inside\n1\n"
    (module,) = unrecorded(tmp_path)
    assert (module.module, Path(module.path).name) == ("nested", "nested.py")
    assert "too many statically nested blocks" in module.reason
    assert seen.stderr == (f"wrongcall: nested ({module.path}) was not recorded: {module.reason}\n")
    shown = run(["-m", "wrongcall", "info", TRACE], tmp_path).stdout.splitlines()
    assert [line for line in shown if line.startswith("plain")] == [
        f"plain    {module.path} (nested) was not recorded: {module.reason}"
    ]
    told = json.loads(run(["-m", "wrongcall", "info", "--json", TRACE], tmp_path).stdout)
    assert told["unrecorded"] == [
        {"path": module.path, "module": "nested", "reason": module.reason}
    ]


def test_info_says_nothing_about_plain_modules_if_there_are_none(tmp_path: Path) -> None:
    write_files(tmp_path, "print(1)")
    recorded(tmp_path, "prog.py")
    shown = run(["-m", "wrongcall", "info", TRACE], tmp_path).stdout
    assert "was not recorded" not in shown
    told = json.loads(run(["-m", "wrongcall", "info", "--json", TRACE], tmp_path).stdout)
    assert told["unrecorded"] == []


def test_modules_that_threads_import_at_the_same_time(tmp_path: Path) -> None:
    """Rewriting takes long enough for several switches of threads."""
    many = "".join(f"def f{n}(x):\n    y = x + {n}\n    return y\n" for n in range(600))
    modules = {f"module_{name}.py": many + f"def {name}(): return f7(1)\n" for name in "abc"}
    program = """
        import sys, threading
        sys.setswitchinterval(1e-5)
        names = ["module_a", "module_b", "module_c"]
        threads = [threading.Thread(target=__import__, args=(name,)) for name in names]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        import module_a, module_b, module_c
        print(module_a.a(), module_b.b(), module_c.c())
    """
    write_files(tmp_path, {**modules, "prog.py": program})
    seen = recorded(tmp_path, "prog.py")
    assert (seen.stdout, seen.stderr, seen.status) == ("8 8 8\n", "", 0)
    assert functions(tmp_path) >= {"a", "b", "c", "f7"}
    with wrongcall.recording.open(tmp_path / TRACE) as recording:
        called = [recording.call(int(number)) for number in recording.calls.columns().id]
        found = {call.function.name: call for call in called}
        for name in "abc":
            (child,) = found[name].children
            assert (child.function.name, child.function.file) == ("f7", found[name].function.file)
