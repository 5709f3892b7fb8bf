"""The entry of the recorded process: set everything up as ``python prog.py`` would, then run the program.

The process is started as ``python start.py FD ROOT INCLUDE EXCLUDE KIND TARGET ARGS...`` (see `command`). Whatever the
program could see of that is corrected before it runs: ``sys.argv``, ``sys.path[0]``, ``__main__``; and none of our
frames lies below its own.
"""

from __future__ import annotations

import atexit
import os
import sys

from wrongcall.recorder.selection import Selection

START = os.path.join(os.path.dirname(os.path.abspath(__file__)), "start.py")
SCRIPT, MODULE = "script", "module"


def command(
    fd: int, root: str, include: list[str], exclude: list[str], kind: str, program: list[str]
) -> list[str]:
    """Return the arguments for the interpreter that will be the recorded process."""
    return [START, str(fd), root, "\n".join(include), "\n".join(exclude), kind, *program]


def main() -> None:
    """Set up, run the program, and end as it ends."""
    from wrongcall.recorder import _native, loader, sites

    fd, root, include, exclude, kind, target, *args = sys.argv[1:]
    selection = Selection(root, include.split("\n") if include else [], _lines(exclude))
    loader.install(selection)
    if sys.version_info >= (3, 13):  # where frame.f_locals writes to variables
        _native.late_sites(sites.late_site)
    atexit.register(_native.stop)  # registered first, so run last
    _native.start(int(fd))
    option = ["-m"] if kind == MODULE else []
    sys.orig_argv[1:] = [*_interpreter_flags(), *option, target, *args]
    if kind == MODULE:
        failed = _run_module(target, args)
    elif _is_package_path(target):
        failed = _run_folder(target, args)
    else:
        failed = _run_script(target, args, selection)
    if failed:
        sys.exit(failed)


_original_argv = list(sys.orig_argv)


def _interpreter_flags() -> list[str]:
    """Return the options that this interpreter was started with.

    A program that does not compile is given to ``python`` itself, which reports the error best.
    """
    return _original_argv[1 : _original_argv.index(START)]


def _lines(text: str) -> list[str]:
    return text.split("\n") if text else []


def _prepend_path(folder: str) -> None:
    if not sys.flags.safe_path:
        sys.path.insert(0, folder)


def _run_script(path: str, args: list[str], selection: Selection) -> int:
    from wrongcall.recorder import _native
    from wrongcall.recorder.instrument import Made, instrument

    sys.argv[:] = [path, *args]
    _prepend_path(os.path.dirname(os.path.realpath(path)))
    full = absolute(path)
    namespace = _main_namespace(full)
    with open(full, "rb") as file:
        source = file.read()
    try:
        code = compile(source, full, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        _native.withdraw()
        os.execv(sys.executable, [sys.executable, *_interpreter_flags(), path, *args])
    if not selection.excludes("__main__", full):
        code = instrument(Made(code, source, None, -1), full, "__main__")
    return _native.run(code, namespace)


def _run_module(name: str, args: list[str]) -> int:
    import runpy

    from wrongcall.recorder import _native

    sys.argv[:] = ["-m", *args]
    _prepend_path(os.getcwd())
    _main_namespace(None)
    return _native.run(runpy._run_module_as_main, name)  # type: ignore[attr-defined]


def _run_folder(path: str, args: list[str]) -> int:
    """Run a folder or archive with a ``__main__.py``."""
    import runpy

    from wrongcall.recorder import _native

    sys.argv[:] = [path, *args]
    sys.path.insert(0, absolute(path))
    _main_namespace(None)
    return _native.run(runpy._run_module_as_main, "__main__", False)  # type: ignore[attr-defined]


def _is_package_path(path: str) -> bool:
    if os.path.isdir(path):
        return True
    if not os.path.isfile(path):
        return False  # a pipe can be read only once
    with open(path, "rb") as file:
        return file.read(4) == b"PK\x03\x04"


def absolute(path: str) -> str:
    """Return the path as the interpreter makes it absolute: joined, not normalised."""
    if os.path.isabs(path):
        return path
    return os.getcwd() if path == "." else os.path.join(os.getcwd(), path)


def _main_namespace(path: str | None) -> dict[str, object]:
    """Return ``__main__`` as a fresh interpreter has it."""
    from _frozen_importlib_external import SourceFileLoader

    namespace = sys.modules["__main__"].__dict__
    for name in [n for n in namespace if not n.startswith("__")] + ["__file__", "__cached__"]:
        namespace.pop(name, None)
    namespace["__doc__"] = None
    namespace["__spec__"] = None
    namespace["__package__"] = None
    if path is not None:
        namespace["__file__"] = path
        namespace["__cached__"] = None
        namespace["__loader__"] = SourceFileLoader("__main__", path)
    return namespace
