"""A recorded program sees, does and ends as it would under plain python."""

from __future__ import annotations

import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.recorder.bothways import plain, recorded, runs_the_same, write_files

# -- what the program sees -------------------------------------------------------------------------

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
    "__cached__": "globals().get('__cached__')",  # not from 3.15 on
    "__spec__": "__spec__ and (__spec__.name, __spec__.origin, __spec__.parent)",
    "__loader__": "type(__loader__).__name__",
    "__builtins__": "type(__builtins__)",
    "__annotations__": "sys.modules['__main__'].__annotations__",
    "__annotate__": "globals().get('__annotate__') and __annotate__.__qualname__",  # from 3.14 on
    "globals": "names_at_start",
    "__main__": "sys.modules['__main__'].__dict__ is globals()",
    "modules": "modules_at_start",
    "folders looked into": "importers_at_start",
    "warnings filters": "warnings.filters",
    "site": "(site.ENABLE_USER_SITE, site.getsitepackages(), site.PREFIXES)",
    "installed packages": "sorted(d.name for d in importlib.metadata.distributions())",
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
modules_at_start, importers_at_start = list(sys.modules), sorted(sys.path_importer_cache)
import gc, importlib.metadata, inspect, os, signal, site, warnings
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
    ],
    ids=" ".join,
)
def test_every_way_to_name_the_program(tmp_path: Path, args: list[str]) -> None:
    source = "import sys; print(sys.argv, sys.path[0], __file__, __package__, __name__, __spec__)\n"
    names = ["prog.py", "sub/prog.py", "sub/real.py", "noextension", "pkg/mod.py", "space/mod.py"]
    files = dict.fromkeys([*names, "sub/__main__.py", "__main__.py"], source)
    write_files(tmp_path, {**files, "pkg/__init__.py": ""})
    (tmp_path / "link.py").symlink_to("sub/real.py")
    runs_the_same(tmp_path, {}, *args, "x")


def test_program_that_comes_through_a_pipe(tmp_path: Path) -> None:
    source = "import sys; print(sys.argv, __file__, __name__)\n"
    runs_the_same(tmp_path, {}, "/dev/stdin", "x", input=source)


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


# -- how it ends -----------------------------------------------------------------------------------

ENDS: dict[str, str] = {
    "falling off the end": "print('done')",
    "sys.exit with a number": "import sys; sys.exit(3)",
    "sys.exit with zero": "import sys; sys.exit(0)",
    "sys.exit with None": "import sys; sys.exit()",
    "sys.exit with a text": "import sys; print('out'); sys.exit('the text')",
    "sys.exit with a large number": "import sys; sys.exit(256 + 7)",
    "sys.exit with a negative number": "import sys; sys.exit(-1)",
    "sys.exit with another object": "import sys; sys.exit((1, 'two'))",
    "sys.exit with a cycle that has a finalizer": """
        import sys
        class C:
            def __del__(self):
                print('gone')
        c = C()
        c.self = c
        sys.exit(3)
    """,
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


# -- input and output ------------------------------------------------------------------------------


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
