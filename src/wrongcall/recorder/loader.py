"""Instrument the project's modules when they are imported.

Loaders produce the code of a module in their own way, with the same calls as without recording
(native/load/watch_loaders.c); modules, specs and loaders are the very objects they would be. What they compile on the
way is noted. If a loader of the standard library finds the code in its cache, that code was made from the file's
source; any other loader is made to compile, by rejecting its cache.
"""

from __future__ import annotations

import _frozen_importlib_external as external
import sys
import zipimport

from wrongcall.recorder import _native
from wrongcall.recorder.instrument import Made, instrument, unrecorded, with_hooks
from wrongcall.recorder.nodes import MARK
from wrongcall.recorder.selection import Selection
from wrongcall.recorder.trees import copied, is_tree
from wrongcall.recorder.world import keep_builtins

keep_builtins(globals())

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType, FrameType, FunctionType

    Patch = Callable[[dict[str, object]], None]
else:
    FunctionType = type(lambda: None)
    CodeType = type((lambda: None).__code__)

IMPORT_SYSTEM = "<frozen importlib._bootstrap_external>"
PYTEST_REWRITER = "_pytest.assertion.rewrite"
PYTEST_PATCH = f"\n{MARK + '0'!r}(globals())\n".encode()
"""Put at the end of that module: calls what `install` was given for it."""

GET_CODE: FunctionType = external.SourceLoader.get_code  # type: ignore[assignment]

current: list[Selection] = []
patches: list[Patch] = []


class Load:
    """A module that is being loaded, and what its loader compiled."""

    def __init__(self, loader: object, name: str) -> None:
        self.loader = loader
        self.name = name
        self.path = ""
        self.wanted = False
        self.standard = False
        self.text: bytes | str | None = None  # the source, if the loader passed it to the parser
        self.made: list[Made] = []

    def decide(self, path: object) -> None:
        """Decide whether to record it, as soon as its path is known."""
        if isinstance(path, str):
            self.path = path
            chosen = path.endswith(".py") and current[0](self.name, path)
            self.wanted = chosen or self.name == PYTEST_REWRITER


Begun = tuple["FunctionType | None", Load]


def install(selection: Selection, patch_pytest: Patch) -> None:
    """Instrument selected modules from now on, when they are loaded."""
    current.append(selection)
    patches.append(patch_pytest)
    instead = _native.intercept(GET_CODE, _begin, _noted, _finish, _executed)
    if instead is not None:
        external.SourceLoader.get_code = instead  # type: ignore[method-assign,assignment]
    _replace_get_code(zipimport.zipimporter, selection)


# -- loaders of source files ------------------------------------------------------------------------------


def _begin(loader: object, name: object) -> Begun | None:
    """Note that a module is about to be loaded; return how, and where to note it, or None if not by us."""
    if not isinstance(name, str):
        return None
    load = Load(loader, name)
    if _is_standard(loader):
        load.standard = True
        load.decide(loader.path)  # type: ignore[attr-defined]
        return (None, load) if load.wanted else None
    return (_without_cache(load), load)


def _is_standard(loader: object) -> bool:
    """Return whether its code is made from the file at its path, in the standard library's way."""
    kind = external.SourceFileLoader
    if type(loader) is not kind or not set(vars(loader)) <= {"name", "path"}:
        return False
    return all(_found(kind, name) is method for name, method in METHODS.items())


def _found(kind: type, name: str) -> object:
    """Return a method of a class, without asking the class."""
    return next((vars(k)[name] for k in kind.__mro__ if name in vars(k)), None)


METHODS = {
    name: _found(external.SourceFileLoader, name)
    for name in ("get_filename", "get_data", "path_stats", "set_data", "source_to_code")
}


def _without_cache(load: Load) -> FunctionType:
    """Return a ``get_code`` that accepts no cached code if the module is to be recorded."""
    names = dict(vars(external))
    cache_from_source, classify = names["cache_from_source"], names["_classify_pyc"]

    def located(path, *rest, **named):  # type: ignore[no-untyped-def]
        load.decide(path)
        return cache_from_source(path, *rest, **named)

    def classified(data, name, details):  # type: ignore[no-untyped-def]
        if load.wanted:
            raise ImportError("the module is recorded", **details)
        return classify(data, name, details)

    names["cache_from_source"], names["_classify_pyc"] = located, classified
    return FunctionType(GET_CODE.__code__, names, GET_CODE.__name__, GET_CODE.__defaults__)


def _noted(begun: Begun, source: object, result: object, optimize: object) -> None:
    """Note a call of the builtin `compile` during the load."""
    load = begun[1]
    if isinstance(source, (bytes, str)):
        text: bytes | str | None = source
    else:
        text = bytes(source) if isinstance(source, (bytearray, memoryview)) else None
    if text is not None and load.text is None:
        load.text = text
    if isinstance(result, CodeType):
        level = optimize if isinstance(optimize, int) else -1
        tree = _native.apart(copied, source) if is_tree(source) else None
        load.made.append(Made(result, text, tree, level))


def _finish(begun: Begun, code: object) -> object:
    """Return the module's code, which the loader has made, with hooks."""
    load = begun[1]
    if not load.wanted or not isinstance(code, CodeType):
        return code
    try:
        return _recorded(load, code)
    except BaseException as error:  # noqa: BLE001 - whatever it is, the program must run
        unrecorded(load.path, load.name, f"{type(error).__name__}: {error}")
        return code


def _recorded(load: Load, code: CodeType) -> CodeType:
    found = [made for made in load.made if made.plain is code]
    if not found and load.standard:
        found = [Made(code, _read(load.path), None, -1)]
    if not found:
        unrecorded(load.path, load.name, "its loader changed the code after compiling it")
        return code
    made = found[0]
    if load.name == PYTEST_REWRITER:
        if not isinstance(made.source, bytes):
            return code
        patched: CodeType = _native.compile(made.source + PYTEST_PATCH, load.path, 0, made.optimize)
        return with_hooks(patched, patches)
    if made.source is None:
        made.text = load.text if load.text is not None else _read(load.path)
    return instrument(made, load.path, load.name)


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


# -- the main module of a process that multiprocessing spawned ----------------------------------------------


def _executed(source: object, code: object, path: object) -> object:
    """Return the code that ``runpy`` compiled from a file and is about to run, with hooks."""
    if not isinstance(path, str) or not isinstance(code, CodeType) or not isinstance(source, bytes):
        return code
    if not _is_spawned_main() or not current[0](SPAWNED_MAIN, path):
        return code
    return instrument(Made(code, source, None, -1), path, SPAWNED_MAIN)


SPAWNED_MAIN = "__mp_main__"
"""The name of the module that multiprocessing makes of the program's script in a spawned process."""


def _is_spawned_main() -> bool:
    frame: FrameType | None = sys._getframe()
    while frame is not None:
        if frame.f_code.co_name == "_fixup_main_from_path":
            return frame.f_globals.get("__name__") == "multiprocessing.spawn"
        frame = frame.f_back
    return False


# -- archives -------------------------------------------------------------------------------------------


def _replace_get_code(loader: type, selection: Selection) -> None:
    plain_get_code = loader.get_code  # type: ignore[attr-defined]

    # The interpreter leaves the frames of its import system out of tracebacks; this one counts among them because of
    # its name and its file.
    def _call_with_frames_removed(self, fullname):  # type: ignore[no-untyped-def]
        path = self.get_filename(fullname)
        if not path.endswith(".py") or not selection(fullname, path):
            return plain_get_code(self, fullname)
        source = self.get_data(path)
        plain: CodeType = compile(source, path, "exec", dont_inherit=True)
        return instrument(Made(plain, source, None, -1), path, fullname)

    function = _call_with_frames_removed
    function.__code__ = function.__code__.replace(co_filename=IMPORT_SYSTEM)
    loader.get_code = function  # type: ignore[attr-defined]
