"""A recorded program sees, does and ends as it would under plain python."""

from __future__ import annotations

import subprocess
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import wrongcall
from tests.recorder.bothways import plain, recorded, runs_the_same, write_files

# -- what the program sees -----------------------------------------------------------------------------

FACTS = {
    "sys.argv": "sys.argv",
    "sys.argv when imported": "argv_at_import",
    "sys.path": "sys.path",
    "sys.orig_argv": "sys.orig_argv",
    "sys.flags": "sys.flags",
    "sys.executable": "sys.executable",
    "sys.warnoptions": "sys.warnoptions",
    "sys.meta_path": "[getattr(f, '__name__', type(f)) for f in sys.meta_path]",
    "sys.path_hooks": "len(sys.path_hooks)",
    "tracing": "(sys.gettrace(), sys.getprofile())",
    "recursion limit": "sys.getrecursionlimit()",
    "working directory": "os.getcwd()",
    "environment": "sorted(os.environ.items())",
    "descriptors": "os.listdir('/proc/self/fd')",
    "first free descriptor": "os.dup(0)",
    "standard streams": "[(s.fileno(), s.name, s.mode, s.encoding, s.errors, s.line_buffering)"
    " for s in (sys.stdin, sys.stdout, sys.stderr)]",
    "standard input": "sys.stdin.read()",
    "__name__": "__name__",
    "__file__": "__file__",
    "__doc__": "__doc__",
    "__package__": "__package__",
    "__cached__": "__cached__",
    "__spec__": "__spec__ and (__spec__.name, __spec__.origin, __spec__.parent)",
    "__loader__": "type(__loader__).__name__",
    "__builtins__": "type(__builtins__)",
    "__annotations__": "__annotations__",
    "globals": "names_at_start",
    "__main__": "sys.modules['__main__'].__dict__ is globals()",
    "modules": "[n for n in modules_at_start if n.partition('.')[0] not in ours]",
    "signal handlers": "[(s.name, str(signal.getsignal(s)).split(' at ')[0])"
    " for s in sorted(signal.valid_signals()) if hasattr(s, 'name')]",
    "signal mask": "signal.pthread_sigmask(signal.SIG_BLOCK, [])",
    "frames": "[(f.filename, f.lineno, f.function) for f in inspect.stack()]",
    "frame depth": "depth()",
    "local variables": "visible(1)",
    "local variables of a frame": "sorted(frame_of(1).f_locals)",
    "gc": "(gc.get_threshold(), gc.isenabled())",
    "process group and session": "(os.getpgrp() == os.getpgid(os.getppid()), os.getsid(0) > 0)",
    "umask": "os.umask(0o022)",
}

SEES = '''\
"""The docstring."""
names_at_start = list(globals())
import sys
modules_at_start = sorted(sys.modules)
import gc, inspect, os, signal
ours = {"wrongcall", "_json", "__future__", "encodings", *sys.builtin_module_names}
argv_at_import = sys.modules.get("pkg") and sys.modules["pkg"].argv
count: int = 0
def depth():
    frame, n = sys._getframe(), 0
    while frame:
        frame, n = frame.f_back, n + 1
    return n
def visible(x):
    return locals(), dir(), vars(), [sorted(locals()) for y in (1,)]
def frame_of(x):
    return sys._getframe()
facts = {}
''' + "".join(f"facts[{name!r}] = {text}\n" for name, text in FACTS.items()) + '''
for name, fact in facts.items():
    print(name, repr(fact), sep="\\t")
'''  # fmt: skip

KINDS = ("script", "module", "folder", "archive")


def facts_of(kind: str, folder: Path) -> tuple[dict[str, str], dict[str, str]]:
    init = "import sys; argv = list(sys.argv)"
    write_files(folder, {"prog.py": SEES, "pkg/__init__.py": init, "pkg/__main__.py": SEES})
    write_files(folder, {"app/__main__.py": SEES})
    with zipfile.ZipFile(folder / "app.zip", "w") as archive:
        archive.writestr("__main__.py", SEES)
    targets = {"script": ["prog.py"], "module": ["-m", "pkg"], "folder": ["app"]}
    args = [*targets.get(kind, ["app.zip"]), "-o", "--x=1", "", "a b"]
    shown = [way(folder, *args, input="typed\n") for way in (plain, recorded)]
    for outcome in shown:
        assert (outcome.stderr, outcome.status) == ("", 0)
    before, after = (
        dict(line.split("\t") for line in outcome.stdout.splitlines()) for outcome in shown
    )
    return before, after


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return {kind: facts_of(kind, tmp_path_factory.mktemp(kind)) for kind in KINDS}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("fact", FACTS)
def test_program_sees_the_same(facts: Any, kind: str, fact: str) -> None:
    expected, actual = facts[kind]
    assert actual[fact] == expected[fact]


@pytest.mark.parametrize(
    "args",
    [
        ["prog.py"],
        ["./prog.py"],
        ["sub/prog.py"],
        ["sub/../prog.py"],
        ["sub//prog.py"],
        ["link.py"],
        ["noextension"],
        ["-m", "pkg.mod"],
        ["-m", "prog"],
        ["-m", "space.mod"],
        ["sub/"],
        ["."],
        ["/dev/stdin"],
    ],
    ids=" ".join,
)
def test_every_way_to_name_the_program(tmp_path: Path, args: list[str]) -> None:
    source = "import sys; print(sys.argv, sys.path[0], __file__, __package__, __name__, __spec__)\n"
    names = ["prog.py", "sub/prog.py", "sub/real.py", "noextension", "pkg/mod.py", "space/mod.py"]
    files = dict.fromkeys([*names, "sub/__main__.py", "__main__.py"], source)
    write_files(tmp_path, {**files, "pkg/__init__.py": ""})
    (tmp_path / "link.py").symlink_to("sub/real.py")
    runs_the_same(tmp_path, {}, *args, "x", input=source)


def test_absolute_path_from_another_folder(tmp_path: Path) -> None:
    write_files(tmp_path, {"a/prog.py": "import sys, os; print(sys.path, __file__, os.getcwd())"})
    (tmp_path / "b").mkdir()
    runs_the_same(tmp_path / "b", {}, str(tmp_path / "a" / "prog.py"))


@pytest.mark.parametrize(
    "flags",
    [["-O"], ["-OO"], ["-B", "-u"], ["-I"], ["-P"], ["-W", "error"], ["-X", "dev"], ["-bb", "-q"],
     ["-X", "utf8", "-X", "int_max_str_digits=1000"], ["-OBs"]],
    ids=" ".join,
)  # fmt: skip
def test_flags_of_the_interpreter_are_passed_on(tmp_path: Path, flags: list[str]) -> None:
    program = '''
        """Module."""
        import sys, warnings
        def f():
            "Function."
            assert False, "asserts run"
        try:
            f()
        except AssertionError as error:
            print(error)
        print(__debug__, __doc__, f.__doc__, sys.flags, sys.path, sys._xoptions)
        print(sys.warnoptions, sys.stdout.write_through)
        warnings.warn("careful")
    '''
    runs_the_same(tmp_path, program, flags=flags)


def test_flags_of_the_interpreter_are_seen_in_orig_argv(tmp_path: Path) -> None:
    runs_the_same(tmp_path, "import sys; print(sys.orig_argv)", flags=["-OB", "-X", "dev"])


def test_recorder_imports_nothing_that_a_program_may_replace() -> None:
    source = Path(wrongcall.__file__).parent.parent
    program = f"""
import os, sys
sys.path.append({str(source)!r})
before = set(sys.modules)
import wrongcall.recorder.boot, wrongcall.recorder.loader
new = {{n for n in sys.modules if n not in before and not n.startswith("wrongcall")}}
print(sorted(new - set(sys.builtin_module_names)))
"""
    done = plain(source, "-S", "-c", program)
    assert (done.stdout, done.stderr) == ("['__future__', '_json']\n", "")


# -- how it ends ---------------------------------------------------------------------------------------

ENDS: dict[str, str] = {
    "falling off the end": "print('done')",
    "sys.exit with a number": "import sys; sys.exit(3)",
    "sys.exit with zero": "import sys; sys.exit(0)",
    "sys.exit with None": "import sys; sys.exit()",
    "sys.exit with a text": "import sys; print('out'); sys.exit('the text')",
    "sys.exit with a large number": "import sys; sys.exit(256 + 7)",
    "sys.exit with a negative number": "import sys; sys.exit(-1)",
    "sys.exit with another object": "import sys; sys.exit((1, 'two'))",
    "SystemExit in a function with finally": """
        def f():
            try:
                raise SystemExit(4)
            finally:
                print("finally")
        f()
    """,
    "SystemExit out of a subclass": "class E(SystemExit): code = 9\nraise E",
    "os._exit": "import os, sys; print('lost'); os._exit(7)",
    "an uncaught exception": "def f(x):\n    return 1 / x\nf(0)",
    "a BaseException": "class Stop(BaseException): pass\nraise Stop('now')",
    "an exception whose str raises": """
        class E(Exception):
            def __str__(self):
                raise ValueError
        raise E
    """,
    "an exception group": "raise ExceptionGroup('both', [ValueError(1), KeyError('k')])",
    "an excepthook": """
        import sys
        sys.excepthook = lambda kind, error, tb: print("hook", kind, error, tb.tb_lineno)
        raise ValueError("x")
    """,
    "an excepthook that fails": """
        import sys
        def hook(kind, error, tb):
            raise KeyError("in hook")
        sys.excepthook = hook
        raise ValueError("x")
    """,
    "an excepthook that exits": """
        import sys
        def hook(kind, error, tb):
            sys.exit(5)
        sys.excepthook = hook
        raise ValueError("x")
    """,
    "atexit": """
        import atexit
        atexit.register(print, "first registered")
        @atexit.register
        def last():
            print("last registered")
        print("main")
    """,
    "atexit after an exception": "import atexit\natexit.register(print, 'bye')\nraise ValueError",
    "an exception in atexit": """
        import atexit
        @atexit.register
        def bad():
            {}["missing"]
    """,
    "an exception in __del__": """
        class C:
            def __del__(self):
                raise ValueError("in del")
        C()
        print("on")
    """,
    "objects alive at the end": """
        class C:
            def __init__(self, name):
                self.name = name
            def __del__(self):
                print("del", self.name)
        a = C("a"); b = [C("b")]
        import sys
        sys.keep = C("kept by sys")
        class D:
            it = C("class attribute")
        def f(x=C("default")):
            yield x
        g = f(); next(g)
    """,
    "a generator finished at the end": """
        def g():
            try:
                yield 1
            finally:
                print("generator closed")
        it = g(); next(it)
    """,
    "a thread that goes on": """
        import threading, time
        def work():
            time.sleep(0.1)
            print("thread done")
        threading.Thread(target=work).start()
        print("main done")
    """,
    "a daemon thread": """
        import threading, time
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
        print("main done")
    """,
    "an exception in a thread": """
        import threading
        def work():
            raise ValueError("in thread")
        t = threading.Thread(target=work, name="worker"); t.start(); t.join()
    """,
    "sys.exit in a thread": """
        import sys, threading
        t = threading.Thread(target=sys.exit, args=(3,)); t.start(); t.join()
        print("on")
    """,
    "threads and atexit in order": """
        import atexit, threading, time
        atexit.register(print, "atexit")
        def work():
            time.sleep(0.05); print("thread")
        threading.Thread(target=work).start()
        print("main")
    """,
    "another program by exec": """
        import os, sys
        sys.stdout.flush()
        os.execv(sys.executable, [sys.executable, "-c", "print('another'); raise SystemExit(6)"])
    """,
    "closing stdout": "import sys; sys.stdout.close()",
    "closing stderr": "import sys; sys.stderr.close(); 1 / 0",
    "replacing stdout": """
        import io, sys
        sys.stdout = io.StringIO(); print("caught")
        sys.__stdout__.write("seen " + sys.stdout.getvalue())
    """,
    "writing to descriptors": "import os; os.write(1, b'one'); os.write(2, b'two')",
    "a full pipe on the way out": "import os, sys; os.close(1); print('x')",
    "a missing module": "import no_such_module",
    "asyncio": """
        import asyncio
        async def main():
            await asyncio.sleep(0)
            raise ValueError("in task")
        asyncio.run(main())
    """,
    "a warning at exit": "import asyncio\nasync def f(): pass\nf()\nprint('end')",
    "the exception in sys.last_value": """
        import sys, atexit
        atexit.register(lambda: print(sys.last_type, sys.last_value, sys.last_traceback.tb_lineno))
        raise ValueError("x")
    """,
}  # fmt: skip


@pytest.mark.parametrize("end", ENDS)
def test_program_ends_the_same_by(tmp_path: Path, end: str) -> None:
    runs_the_same(tmp_path, ENDS[end])


# -- programs of many kinds ------------------------------------------------------------------------------

PROJECTS: dict[str, tuple[list[str], Mapping[str, str | bytes]]] = {
    "if __name__ == '__main__'": (
        ["prog.py"],
        {"prog.py": "import prog\nif __name__ == '__main__':\n    print('main', prog.__name__)\n"},
    ),
    "several modules": (
        ["prog.py"],
        {
            "prog.py": "import a, b\nprint(a.f(2), b.__file__, b.__spec__.origin, b.__loader__.path)",
            "a.py": "import b\ndef f(x): return b.g(x) + 1",
            "b.py": "'Doc of b.'\ndef g(x): return x * 2\nprint(__name__, __doc__, __package__)",
        },
    ),
    "packages and relative imports": (
        ["-m", "pkg.main"],
        {
            "pkg/__init__.py": "from .sub import thing\n__all__ = ['thing']",
            "pkg/main.py": "from . import thing\nfrom .sub.deep import there\nfrom .. import x",
            "pkg/sub/__init__.py": "from .deep import thing",
            "pkg/sub/deep.py": "from .. import __name__ as outer\nthing = outer\nthere = __package__",
        },
    ),
    "relative imports that work": (
        ["-m", "pkg"],
        {
            "pkg/__init__.py": "from .sub import thing",
            "pkg/__main__.py": "from . import thing\nfrom .sub.deep import there\nprint(thing, there)",
            "pkg/sub/__init__.py": "from .deep import thing",
            "pkg/sub/deep.py": "from .. import __name__ as outer\nthing = outer\nthere = __package__",
        },
    ),
    "a relative import in a script": (["prog.py"], {"prog.py": "from . import x"}),
    "namespace packages": (
        ["prog.py"],
        {
            "prog.py": "import sys; sys.path.append('more')\n"
            "import space.a, space.b\nprint(space.__path__, space.__file__, space.a, space.b)",
            "space/a.py": "",
            "more/space/b.py": "",
        },
    ),
    "circular imports": (
        ["prog.py"],
        {
            "prog.py": "import a\nprint(a.x)",
            "a.py": "import b\nx = 1\nfrom b import y",
            "b.py": "import a\nprint(hasattr(a, 'x'))\nfrom a import x\ny = 2",
        },
    ),
    "import in a function": (
        ["prog.py"],
        {"prog.py": "def f():\n    import a\n    return a.x\nprint(f(), f())", "a.py": "x = [1]"},
    ),
    "modules that hide those of the standard library": (
        ["prog.py"],
        {
            "prog.py": "import ast, json, token, numpy\n"
            "print(ast.mine, json.mine, token.mine, numpy.mine)",
            **{f"{n}.py": "mine = __file__" for n in ("ast", "json", "token", "numpy")},
        },
    ),
    "reloading": (
        ["prog.py"],
        {"prog.py": "import importlib, a\nprint(importlib.reload(a) is a, a.n)", "a.py": "n = 1"},
    ),
    "import by path": (
        ["prog.py"],
        {
            "prog.py": """
                import importlib.util, runpy
                spec = importlib.util.spec_from_file_location("other", "other.py")
                module = importlib.util.module_from_spec(spec)
                spec.loader.exec_module(module)
                print(module.f(2), module.__spec__, runpy.run_path("other.py")["f"](3))
                print(spec.loader.get_source("other"), spec.loader.get_code("other").co_filename)
            """,
            "other.py": "def f(x): return x + 1",
        },
    ),
    "pickling objects of __main__": (
        ["prog.py"],
        {
            "prog.py": """
                import pickle, copy, dataclasses, enum
                class Color(enum.Enum):
                    RED = 1
                @dataclasses.dataclass
                class Point:
                    x: int
                    y: Color = Color.RED
                def f(): pass
                data = pickle.dumps([Point(1), Color.RED, f, Point])
                print(data, pickle.loads(data), copy.deepcopy(Point(2)))
            """
        },
    ),
    "reading itself": (
        ["prog.py"],
        {
            "prog.py": '''
                """Module doc."""
                from __future__ import annotations
                import inspect, linecache, sys
                def f(a: int, *args, b: str = "x", **kw) -> list[int]:
                    """Function doc."""
                    return [a]
                class C:
                    "Class doc."
                    x: int = 1
                    y: "list[str]"
                    def m(self): "Method doc."
                    @property
                    def p(self): return self.x
                g = lambda x: x + 1
                for o in (f, C, C.m, g, sys.modules[__name__]):
                    print(inspect.getsource(o), inspect.getdoc(o), inspect.getsourcelines(o)[1:])
                print(inspect.signature(f), f.__annotations__, C.__annotations__, __annotations__)
                print(f.__qualname__, C.m.__qualname__, g.__qualname__, f.__module__, f.__closure__)
                print(f.__code__.co_filename, f.__code__.co_firstlineno, f.__code__.co_argcount)
                print(f.__code__.co_freevars, f.__code__.co_cellvars, f.__code__.co_flags)
                print(sorted(vars(C)), dir(C()), open(__file__).read() == __loader__.get_source("__main__"))
            '''
        },
    ),
    "looking at the stack": (
        ["prog.py"],
        {
            "prog.py": """
                import inspect, sys, traceback, warnings, logging
                def f(x):
                    print([(i.function, i.lineno, i.code_context, i.index) for i in inspect.stack()])
                    traceback.print_stack()
                    warnings.warn("here", stacklevel=1)
                    warnings.warn("caller", stacklevel=2)
                    logging.basicConfig(format="%(funcName)s %(lineno)d %(message)s")
                    logging.warning("logged")
                    print(sys._getframe(1).f_code.co_name, sys._getframe(1).f_lineno)
                    return [x for x in range(2) if traceback.print_stack() is None]
                class C:
                    y = f(1)
                g = lambda: f(
                    2)
                list(map(f, [3])); sorted([4], key=f)
                g()
            """
        },
    ),
    "generated code": (
        ["prog.py"],
        {
            "prog.py": """
                import collections, dataclasses, traceback, typing
                exec("def f(x):\\n    y = x\\n    return y / 0\\n")
                P = collections.namedtuple("P", "x y")
                @dataclasses.dataclass(order=True)
                class D:
                    x: int
                print(P(1, 2), D(3), D(1) < D(2), eval("[P(i, i) for i in (1,)]"))
                code = compile("z = 1 / 0", "<made>", "exec")
                for call in (lambda: f(1), lambda: exec(code), lambda: eval("1 +", {})):
                    try:
                        call()
                    except Exception:
                        traceback.print_exc()
            """
        },
    ),
    "odd source files": (
        ["prog.py"],
        {
            "prog.py": "import latin, bom, crlf, empty, tabs, noend",
            "latin.py": "# -*- coding: latin-1 -*-\nprint('é')\n".encode("latin-1"),
            "bom.py": b"\xef\xbb\xbfprint('bom')\n",
            "crlf.py": b"def f():\r\n    return '''a\r\nb'''\r\nprint(repr(f()))\r\n",
            "empty.py": b"",
            "tabs.py": b"if True:\n\tprint('tab')\n\x0cprint('form feed')\n",
            "noend.py": b"print('no newline')",
        },
    ),
    "an empty program": (["prog.py"], {"prog.py": ""}),
    "a program that is only a docstring": (["prog.py"], {"prog.py": "'''Only this.'''\n"}),
    "a latin-1 program": (["prog.py"], {"prog.py": "# coding: latin-1\nprint('é')".encode("latin-1")}),
    "a vim-style encoding": (
        ["prog.py"],
        {"prog.py": "#!/usr/bin/python\n# vim: set fileencoding=latin-1 :\nprint('é', 1/0)".encode("latin-1")},
    ),
    "a zip archive with modules": (["app.zip", "x"], {}),
}  # fmt: skip


@pytest.mark.parametrize("project", PROJECTS)
def test_project_runs_the_same_with(tmp_path: Path, project: str) -> None:
    args, files = PROJECTS[project]
    with zipfile.ZipFile(tmp_path / "app.zip", "w") as archive:
        archive.writestr("__main__.py", "import inner, sys\nprint(sys.argv, inner)\ninner.f()")
        archive.writestr("inner.py", "def f():\n    raise ValueError('zipped')")
    runs_the_same(tmp_path, files, *args, env={"PYTHONDONTWRITEBYTECODE": "1"})


def test_modules_that_hide_what_every_python_program_loads(tmp_path: Path) -> None:
    names = ["ast", "json", "types", "re", "typing", "enum", "functools", "struct", "select"]
    program = f"import {', '.join(names)}\nprint({'.mine, '.join(names)}.mine)"
    write_files(tmp_path, {f"{name}.py": "mine = __file__" for name in names})
    write_files(tmp_path, program)
    assert recorded(tmp_path, "prog.py", command=True) == plain(tmp_path, "prog.py")


def test_recursion_error_comes_at_the_same_depth(tmp_path: Path) -> None:
    program = """
        import sys
        class C:
            def __init__(self, n): self.n = n
            def down(self, n):
                self.deepest = n
                return self.down(n + 1)
            def __getitem__(self, n):
                self.deepest = n
                return self[n + 1]
        def f(n):
            global deepest
            deepest = n
            return f(n + 1)
        g = lambda n: seen.append(n) or g(n + 1)
        def h(n):
            seen.append(n)
            for x in h(n + 1):
                yield x
        for limit in (1000, 300):
            sys.setrecursionlimit(limit)
            c, seen = C(0), []
            for call in (lambda: f(0), lambda: c.down(0), lambda: g(0), lambda: c[0], lambda: list(h(0))):
                try:
                    call()
                except RecursionError as error:
                    print(max([deepest, c.__dict__.get("deepest", 0), *seen]), error)
                deepest, c, seen = 0, C(0), []
    """
    write_files(tmp_path, program)
    expected, actual = plain(tmp_path, "prog.py"), recorded(tmp_path, "prog.py")
    assert (actual.stderr, actual.status) == ("", 0)
    lines = zip(expected.stdout.splitlines(), actual.stdout.splitlines(), strict=True)
    for before, after in lines:
        depth, _, message = before.partition(" ")
        depth_recorded, _, message_recorded = after.partition(" ")
        assert abs(int(depth) - int(depth_recorded)) <= 2, (before, after)
        # Which of the calls at the limit is refused is told in the rest of the message.
        assert message.startswith("maximum recursion depth exceeded")
        assert message_recorded.startswith("maximum recursion depth exceeded")


# -- input and output --------------------------------------------------------------------------------------


def test_standard_input_is_the_programs(tmp_path: Path) -> None:
    program = "import sys\nprint(input('name? '), sys.stdin.readline(), sys.stdin.read(), sep='|')"
    runs_the_same(tmp_path, program, input="one\ntwo\nthree\nfour")


def test_end_of_input(tmp_path: Path) -> None:
    runs_the_same(tmp_path, "input()", input="")


def test_output_and_errors_come_in_the_same_order(tmp_path: Path) -> None:
    program = """
        import sys
        for i in range(3):
            print("out", i, flush=True)
            print("err", i, file=sys.stderr)
    """
    write_files(tmp_path, program)
    shared: Any = {"capture_output": False, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    expected = plain(tmp_path, "prog.py", **shared)
    actual = recorded(tmp_path, "prog.py", summaries=0, **shared)
    assert actual.stdout.startswith(expected.stdout)
    assert actual.stdout.count("\n") == expected.stdout.count("\n") + 1
