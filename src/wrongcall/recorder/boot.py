"""The entry of the recorded process: set everything up as ``python prog.py`` would, then run the program.

The process is started as ``python [options] start.py SETTINGS KIND TARGET ARGS...`` (see `command`). Whatever the
program could see of that is corrected before it runs: ``sys.argv``, ``sys.path[0]``, ``__main__``; none of our frames
lies below its own, and none of our modules is in ``sys.modules`` (`hidden_import`).
"""

from __future__ import annotations

import atexit
import builtins
import os
import sys

from wrongcall.recorder.selection import Selection
from wrongcall.recorder.settings import RecorderSettings

START = os.path.join(os.path.dirname(os.path.abspath(__file__)), "start.py")
SCRIPT, MODULE, COMMAND = "script", "module", "command"


def command(settings: RecorderSettings, kind: str, program: list[str]) -> list[str]:
    """Return the arguments for the interpreter that will be the recorded process."""
    return [START, settings.written(), kind, *program]


def main(settings: RecorderSettings, kind: str, target: str, *given: str) -> None:
    """Set up, run the program, and end as it ends."""
    from wrongcall.recorder import _native, code_cache, loader, pytest_rewrite, sites

    args = list(given)
    selection = Selection(settings.root, settings.include, settings.exclude)
    if settings.code_cache is not None:
        code_cache.use(settings.code_cache, START.removesuffix("start.py"))
    loader.install(selection, pytest_rewrite.patch)
    if sys.version_info >= (3, 13):  # where frame.f_locals writes to variables
        _native.late_sites(sites.late_site)
    atexit.register(_native.stop)  # registered first, so run last
    _start(settings)
    sys.path_importer_cache.pop(START, None)
    option = {MODULE: ["-m"], COMMAND: ["-c"]}.get(kind, [])
    sys.orig_argv[1:] = [*_interpreter_flags(), *option, target, *args]
    if kind == COMMAND:
        failed = _run_command(target, args, selection)
    elif kind == MODULE:
        failed = _run_module(target, args)
    elif _is_package_path(target):
        failed = _run_folder(target, args)
    else:
        failed = _run_script(target, args, selection, settings)
    if failed:
        sys.exit(failed)


_original_argv = list(sys.orig_argv)


def _interpreter_flags() -> list[str]:
    """Return the options that this interpreter was started with.

    A program that does not compile is given to ``python`` itself, which reports the error best.
    """
    return _original_argv[1 : _original_argv.index(START)]


def _prepend_path(folder: str) -> None:
    from wrongcall.recorder import _native

    if not sys.flags.safe_path:
        sys.path.insert(0, folder)
        _native.first_path(folder)


def _start(settings: RecorderSettings) -> None:
    """Begin to record; if several processes are recorded, as one of them, which records those that it starts."""
    from wrongcall.recorder import _native, child_command

    try:
        if settings.folder is not None:
            _native.join(settings.folder, settings.process)
            child_command.prepare(settings, START, sys.executable)
            _native.child_command(child_command.recorded)
        _native.start(-1 if settings.ring is None else settings.ring)
    except OSError:
        if settings.ring is not None:
            raise
        # The recording has ended, or there is no memory left for another ring: the process runs unrecorded.


def _run_script(
    path: str, args: list[str], selection: Selection, settings: RecorderSettings
) -> int:
    """Run a script; record that of the first process wherever it is, because the user named it."""
    from wrongcall.recorder import _native
    from wrongcall.recorder.instrument import Made, instrument

    sys.argv[:] = [path, *args]
    _look_into(path)
    first = settings.process == 1
    of_script = os.path.dirname(os.path.realpath(path))
    _prepend_path((first and settings.import_folder) or of_script)
    full = absolute(path)
    _main_namespace(full)
    try:
        with open(full, "rb") as file:
            source = file.read()
        code = compile(source, full, "exec", dont_inherit=True)
    except (OSError, SyntaxError, ValueError, MemoryError, RecursionError):
        _native.withdraw()
        os.execv(sys.executable, [sys.executable, *_interpreter_flags(), path, *args])
    if not selection.excludes("__main__", full) and (first or selection("__main__", full)):
        code = instrument(Made(code, source, None, -1), full, "__main__")
    return _native.run(code)


def _run_command(source: str, args: list[str], selection: Selection) -> int:
    """Run the text of ``-c``."""
    from _frozen_importlib import BuiltinImporter

    from wrongcall.recorder import _native
    from wrongcall.recorder.instrument import Made, instrument

    sys.argv[:] = ["-c", *args]
    _prepend_path("")
    _main_namespace(None)["__loader__"] = BuiltinImporter
    try:
        code = compile(source, "<string>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        _native.withdraw()
        os.execv(sys.executable, [sys.executable, *_interpreter_flags(), "-c", source, *args])
    plain = code
    if not selection.excludes("__main__", "<string>") and not source.startswith(OF_LIBRARIES):
        code = instrument(Made(code, source, None, -1), "<string>", "__main__")
    if sys.version_info >= (3, 13):
        _register_lines(plain, source)
    return _native.run(code)


OF_LIBRARIES = ("from multiprocessing.",)
"""How commands begin that the standard library runs in processes of its own."""


def _register_lines(code: object, source: str) -> None:
    """Let tracebacks show the lines of a command, as the interpreter does."""
    linecache = builtins.__import__("linecache")
    first = code if sys.version_info >= (3, 14) else "<string>"
    linecache._register_code(first, source, "<string>")


def _run_module(name: str, args: list[str]) -> int:
    from wrongcall.recorder import _native

    runpy = builtins.__import__("runpy")  # the program's, as python itself would load it

    sys.argv[:] = ["-m", *args]
    _prepend_path(os.getcwd())
    _main_namespace(None)
    return _native.run(runpy._run_module_as_main, name)


def _run_folder(path: str, args: list[str]) -> int:
    """Run a folder or archive with a ``__main__.py``."""
    from wrongcall.recorder import _native

    runpy = builtins.__import__("runpy")  # the program's, as python itself would load it

    sys.argv[:] = [path, *args]
    _look_into(path)
    sys.path.insert(0, absolute(path))
    _native.first_path(None)
    _main_namespace(None)
    return _native.run(runpy._run_module_as_main, "__main__", False)


def _is_package_path(path: str) -> bool:
    if os.path.isdir(path):
        return True
    if not os.path.isfile(path):
        return False  # a pipe can be read only once
    with open(path, "rb") as file:
        return file.read(4) == b"PK\x03\x04"


def _look_into(path: str) -> None:
    """Look for an importer as the interpreter does, which remembers what it finds."""
    from _frozen_importlib_external import PathFinder

    PathFinder._path_importer_cache(absolute(path))  # type: ignore[attr-defined]


def absolute(path: str) -> str:
    """Return the path as the interpreter makes it absolute: joined, not normalised."""
    if os.path.isabs(path):
        return path
    return os.getcwd() if path == "." else os.path.join(os.getcwd(), path)


def _main_namespace(path: str | None) -> dict[str, object]:
    """Make ``__main__`` as a fresh interpreter has it; return its namespace.

    It is another module than the one that runs start.py, whose frame refers to its namespace until the process ends.
    """
    from _frozen_importlib_external import SourceFileLoader

    module = type(sys)("__main__")
    namespace = module.__dict__
    namespace.clear()
    namespace.update(sys.modules["__main__"].__dict__)
    sys.modules["__main__"] = module
    for name in [n for n in namespace if not n.startswith("__")] + ["__file__", "__cached__"]:
        namespace.pop(name, None)
    namespace["__doc__"] = None
    namespace["__spec__"] = None
    namespace["__package__"] = None
    if path is not None:
        namespace["__file__"] = path
        if sys.version_info < (3, 15):
            namespace["__cached__"] = None
        namespace["__loader__"] = SourceFileLoader("__main__", path)
    return namespace
