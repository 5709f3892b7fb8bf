"""One source file: rewrite it, compile it, put its hooks in place, send its tables.

The plain code was compiled first, so syntax errors and warnings are exactly the interpreter's. All this runs isolated
from the program (native/load/own_thread.c). If any of it fails, the module runs plain, unrecorded, and the trace says
so.
"""

from __future__ import annotations

import _ast as ast

from wrongcall.recorder import _native
from wrongcall.recorder.code_cache import cache_key, cached, entry
from wrongcall.recorder.lazy_imports import with_flags_of
from wrongcall.recorder.nodes import FUNCTIONS, MARK, children
from wrongcall.recorder.plain_code import pair
from wrongcall.recorder.scopes import analyse
from wrongcall.recorder.sites import FileTable, Numbers, file_json, unrecorded_json
from wrongcall.recorder.statements import Statements
from wrongcall.recorder.trampoline import trampoline
from wrongcall.recorder.world import keep_builtins

keep_builtins(globals())

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import CodeType
    from typing import Any
else:
    CodeType = type((lambda: None).__code__)

ONLY_AST = 0x400
Lines = dict[int, dict[int, int]]
FUTURES = 0x1FF0000  # the flags of a code object that `from __future__` sets


class Made:
    """A module's plain code, and what it was made from: source, or a syntax tree."""

    def __init__(
        self, plain: CodeType, source: bytes | str | None, tree: ast.Module | None, optimize: int
    ) -> None:
        self.plain = plain
        self.source = source
        self.tree = tree  # the recorder's own copy
        self.optimize = optimize
        self.text = source  # the source to show
        self.name: str | None = None  # what to call the file, if not by its path


def instrument(made: Made, path: str, module: str) -> CodeType:
    """Return the instrumented code of a file, or the plain code if that fails."""
    try:
        return _native.apart(_instrumented, made, path, module)
    except BaseException as error:  # noqa: BLE001 - whatever it is, the program must run
        unrecorded(path, module, f"{type(error).__name__}: {error}")
        return made.plain


def unrecorded(path: str, module: str, reason: str) -> None:
    """Report that a module of the project runs unrecorded."""
    _native.meta(unrecorded_json(path, module, reason))


class Instrumented:
    """What instrumenting a file makes of it, whatever numbers it gets in a run."""

    def __init__(
        self,
        code: CodeType,
        hooks: list[tuple[Any, ...]],
        lines: Lines,
        sizes: tuple[int, int],
        tables: str,
    ) -> None:
        self.code = code  # with placeholders for hooks
        self.hooks = hooks  # by the number of the placeholder
        self.lines = lines  # of each function, with a site on each
        self.sizes = sizes  # how many functions and sites
        self.tables = tables  # of functions and sites, as JSON


def _instrumented(made: Made, path: str, module: str) -> CodeType:
    flags = made.plain.co_flags & FUTURES
    key = cache_key(made, path, flags)
    found = cached(key) if key is not None else None
    if found is not None:
        return _placed(Instrumented(*found), made, path, module, b"")
    new = _rewritten(made, path, flags)
    return _placed(new, made, path, module, entry(key, tuple(vars(new).values())) if key else b"")


def _rewritten(made: Made, path: str, flags: int) -> Instrumented:
    try:
        return _attempt(made, path, flags, lean=False)
    except SyntaxError:
        if made.source is None:
            raise
        # Blocks may be nested 20 deep, and the hooks for failing statements need some of that.
        return _attempt(made, path, flags, lean=True)


def _attempt(made: Made, path: str, flags: int, lean: bool) -> Instrumented:
    tree = made.tree or _native.compile(made.source, path, flags | ONLY_AST, -1)
    table = FileTable()
    scopes = analyse(tree)
    statements = Statements(table, scopes, _module_names(tree))
    statements.lean = lean
    statements.module(tree)
    code = with_flags_of(made.plain, _native.compile(tree, path, flags, made.optimize))
    for scope in scopes.values():  # leave no cycles for the program's collector
        scope.forget()
    sizes = (len(table.functions), len(table.names))
    return Instrumented(code, statements.hooks, table.lines(), sizes, table.to_json())


def _placed(new: Instrumented, made: Made, path: str, module: str, kept: bytes) -> CodeType:
    """Give the functions and sites of a file their numbers, and put its hooks in place."""
    numbers = Numbers(*new.sizes)
    text, name = decoded(made.text or ""), made.name or path
    _native.meta(file_json(name, module, text, numbers, new.tables), kept)
    code = with_hooks(new.code, _make_hooks(new.hooks, new.lines, numbers))
    pair(code, made.plain)
    return code


def _module_names(tree: ast.AST) -> set[str]:
    """Return the names that ``import`` statements bind, anywhere in the file."""
    found: set[str] = set()
    stack: list[ast.AST] = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Import):
            found.update(a.asname or a.name.partition(".")[0] for a in node.names)
        elif isinstance(
            node, (ast.stmt, ast.Module, ast.ExceptHandler, ast.match_case, *FUNCTIONS)
        ):
            stack.extend(children(node))
    return found


def _make_hooks(wanted: list[tuple[Any, ...]], lines: Lines, numbers: Numbers) -> list[object]:
    """Make the hooks that replace the placeholders."""
    made: list[object] = [None] * len(wanted)
    for i, (kind, *rest) in enumerate(wanted):
        if kind == "hook":
            label, site, *names, shape = rest
            made[i] = _native.hook(label, numbers.of_site(site), *names, trampoline(shape))  # type: ignore[call-arg]
        elif kind == "tell":
            label, site, name = rest
            made[i] = _native.site(label, numbers.of_site(site), name)
        elif kind == "base_exception":
            made[i] = BaseException
        elif kind == "enter":
            marker, function, entry_site, first_param, return_site, kinds = rest
            sites = {line: numbers.of_site(site) for line, site in lines[function].items()}
            places = (
                numbers.of_site(entry_site),
                numbers.of_site(first_param),
                numbers.of_site(return_site),
            )
            number = numbers.of_function(function)
            made[marker], made[i] = _native.function(number, *places, *kinds, sites)  # type: ignore[call-arg]
    return made


def with_hooks(code: CodeType, hooks: Sequence[object]) -> CodeType:
    """Return the code with its placeholders replaced; a function's marker is its last constant.

    A comprehension may have the marker of the function around it among its constants, but never last.
    """
    constants: list[object] = []
    marker = None
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            constant = with_hooks(constant, hooks)
        elif isinstance(constant, str) and constant.startswith(MARK):
            constant = hooks[int(constant[len(MARK) :])]
            marker = marker or _marker_of(constant)
        constants.append(constant)
    constants.append(marker)
    return code.replace(co_consts=tuple(constants))


def _marker_of(hook: object) -> object | None:
    """Return the Func that an enter hook is bound to."""
    if "enter" in (getattr(hook, "__name__", ""), type(hook).__name__):
        marker: object = hook.__self__  # type: ignore[attr-defined]
        return marker
    return None


def decoded(source: bytes | str) -> str:
    """Return the text of a source file, as the interpreter reads it."""
    text = source if isinstance(source, str) else _decoded(source)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _decoded(source: bytes) -> str:
    try:
        return source.removeprefix(BOM).decode(declared_encoding(source))
    except (LookupError, ValueError, TypeError):
        return source.decode("utf-8", "replace")


BOM = b"\xef\xbb\xbf"
IN_NAMES = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."


def declared_encoding(source: bytes) -> str:
    """Return the encoding that a comment in the first two lines declares (PEP 263)."""
    source = source.removeprefix(BOM).replace(b"\r", b"\n")
    for line in source.split(b"\n", 2)[:2]:
        text = line.strip(b" \t\f")
        if text and not text.startswith(b"#"):
            break
        found = _encoding_in(text)
        if found:
            return found
    return "utf-8"


def _encoding_in(comment: bytes) -> str:
    for rest in comment.split(b"coding")[1:]:
        name = rest[1:].lstrip(b" \t")
        end = len(name) - len(name.lstrip(IN_NAMES))
        if rest[:1] in (b":", b"=") and end > 0:
            return _normal(name[:end].decode("ascii"))
    return ""


def _normal(encoding: str) -> str:
    """Shorten names such as utf-8-unix like the tokenizer does."""
    name = encoding[:12].lower().replace("_", "-")
    if name == "utf-8" or name.startswith("utf-8-"):
        return "utf-8"
    for latin in ("latin-1", "iso-8859-1", "iso-latin-1"):
        if name == latin or name.startswith(latin + "-"):
            return "iso-8859-1"
    return encoding
