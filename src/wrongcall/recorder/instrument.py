"""One source file: rewritten, compiled, its hooks put in place, its tables sent.

The plain code was compiled first. Syntax errors and warnings are therefore exactly the interpreter's,
and if the rewritten code cannot be compiled (it always should) the plain one runs, unrecorded.
"""

from __future__ import annotations

import _ast as ast
import _warnings
import sys

from wrongcall.recorder import _native
from wrongcall.recorder.nodes import FUNCTIONS, MARK, children
from wrongcall.recorder.plain_code import pair
from wrongcall.recorder.rewrite import Statements
from wrongcall.recorder.scopes import analyse
from wrongcall.recorder.sites import FileTable
from wrongcall.recorder.trampoline import trampoline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType
else:
    CodeType = type((lambda: None).__code__)

ONLY_AST = 0x400


def instrument(
    source: bytes, path: str, module: str, plain: CodeType, optimize: int = -1
) -> CodeType:
    """The code of a file, instrumented; `plain` is what compiling it as it is gave."""
    with _Quiet():
        tree = compile(source, path, "exec", ONLY_AST, dont_inherit=True)
    return instrument_tree(tree, plain, source, path, module, optimize)


def instrument_tree(
    tree: ast.Module, plain: CodeType, source: bytes, path: str, module: str, optimize: int = -1
) -> CodeType:
    """The same for a syntax tree that was made from the source."""
    try:
        return _instrumented(tree, plain, source, path, module, optimize)
    except (SyntaxError, RecursionError, MemoryError) as error:
        sys.stderr.write(f"wrongcall: {path} is not recorded: {str(error) or 'out of memory'}\n")
        return plain


def _instrumented(
    tree: ast.Module, plain: CodeType, source: bytes, path: str, module: str, optimize: int
) -> CodeType:
    table = FileTable(path, module)
    statements = Statements(table, analyse(tree), _module_names(tree))
    statements.module(tree)
    with _Quiet():
        code = compile(tree, path, "exec", dont_inherit=True, optimize=optimize)
    number = table.claim()
    _native.meta(table.to_json(number, decoded(source)))
    code = _with_hooks(code, _make_hooks(statements.hooks, table.lines()))
    pair(code, plain)
    return code


def _module_names(tree: ast.AST) -> set[str]:
    """Names that ``import`` statements bind, anywhere in the file."""
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


def _make_hooks(
    wanted: list[tuple[object, ...]], lines: dict[object, dict[int, int]]
) -> list[object]:
    """The objects that stand behind the placeholders."""
    made: list[object] = [None] * len(wanted)
    for i, (kind, *rest) in enumerate(wanted):
        if kind == "hook":
            *others, shape = rest
            made[i] = _native.hook(*others, trampoline(shape))  # type: ignore[arg-type, call-arg]
        elif kind == "object":
            made[i] = rest[0]
        elif kind == "enter":
            marker: int = rest[0]  # type: ignore[assignment]
            rest.append(lines[rest[1]])
            made[marker], made[i] = _native.function(*rest[1:])  # type: ignore[arg-type]
    return made


def _with_hooks(code: CodeType, hooks: list[object]) -> CodeType:
    """The code with its placeholders replaced; a function's marker is its last constant."""
    constants: list[object] = []
    marker = None
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            constant = _with_hooks(constant, hooks)
        elif isinstance(constant, str) and constant.startswith(MARK):
            constant = hooks[int(constant[len(MARK) :])]
            marker = marker or _marker_of(constant)
        constants.append(constant)
    if marker is not None:
        constants.append(marker)
    return code.replace(co_consts=tuple(constants))


def _marker_of(hook: object) -> object | None:
    """The Func of an enter hook: it is what the hook is bound to."""
    if getattr(hook, "__name__", "") == "enter":
        marker: object = hook.__self__  # type: ignore[attr-defined]
        return marker
    return None


def decoded(source: bytes) -> str:
    """The text of a source file, as the interpreter reads it (PEP 263)."""
    encoding = "utf-8-sig"
    for line in source.split(b"\n", 2)[:2]:
        head, found, rest = line.partition(b"coding")
        if found and head.lstrip().startswith(b"#") and rest[:1] in (b":", b"="):
            encoding = rest[1:].strip().split()[0].strip(b"-*").decode("ascii", "replace")
    try:
        text = source.decode(encoding)
    except (LookupError, UnicodeDecodeError):
        text = source.decode("utf-8", "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


class _Quiet:
    """No warnings from compiling a second time: the user has seen them."""

    ENTRY = ("ignore", None, Warning, None, 0)

    def __enter__(self) -> None:
        self.filters: list[object] = getattr(sys.modules.get("warnings"), "filters", None) or (
            _warnings.filters  # type: ignore[assignment]
        )
        self.filters.insert(0, self.ENTRY)
        _warnings._filters_mutated()  # type: ignore[attr-defined]

    def __exit__(self, *exc: object) -> None:
        self.filters.remove(self.ENTRY)
        _warnings._filters_mutated()  # type: ignore[attr-defined]
