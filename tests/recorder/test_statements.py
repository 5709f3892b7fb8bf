"""Statements with hooks, against the plain code. (What they record: test_execution, test_writes_*.)"""

from __future__ import annotations

import ast
import dis
from types import CodeType

import pytest

from tests.recorder.rewritten import MODULES, Rewritten, functions_in
from wrongcall.events import SiteKind

BINDINGS = (SiteKind.WRITE, SiteKind.PARAM, SiteKind.TARGET, SiteKind.DELETE, SiteKind.CAUGHT)
STORES = ("STORE_FAST", "STORE_DEREF", "STORE_GLOBAL")
COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")


def _is_function(code: CodeType) -> bool:
    is_class = not code.co_flags & 2  # no fast locals
    return not is_class and code.co_name not in COMPREHENSIONS


def _decorator_lines(tree: ast.AST) -> set[int]:
    lists = (getattr(node, "decorator_list", []) for node in ast.walk(tree))
    return {
        line for each in lists for d in each for line in range(d.lineno, (d.end_lineno or 0) + 1)
    }


@pytest.mark.parametrize("module", MODULES)
def test_every_line_that_can_run_is_in_a_block(module: str) -> None:
    made = Rewritten.of_module(module)
    decorators = _decorator_lines(ast.parse(made.source))
    blocks = {
        (f.qualname, f.line): {line for block in f.blocks.lines for line in block}
        for f in made.table.functions
    }
    compared = 0
    for code in functions_in(compile(made.source, "prog.py", "exec")):
        known = blocks.get((code.co_qualname, code.co_firstlineno))
        if _is_function(code) and known is not None and code.co_name != "<lambda>":
            lines = {line for _, _, line in code.co_lines() if line}
            assert lines - {code.co_firstlineno} - decorators <= known, code.co_qualname
            compared += 1
    assert compared > 3


@pytest.mark.parametrize("module", MODULES)
def test_every_name_that_is_bound_has_a_site(module: str) -> None:
    made = Rewritten.of_module(module)
    known = {name for _, name in made.sites(*BINDINGS)}
    for code in functions_in(compile(made.source, "prog.py", "exec")):
        if _is_function(code):
            stored = {i.argval for i in dis.get_instructions(code) if i.opname in STORES}
            assert {name for name in stored if not name.startswith(".")} <= known, code.co_qualname


@pytest.mark.parametrize("module", MODULES)
def test_rewritten_modules_compile_to_the_same_functions(module: str) -> None:
    made = Rewritten.of_module(module)
    plain = functions_in(compile(made.source, "prog.py", "exec"))
    hooked = functions_in(made.code())
    for code in plain:
        if _is_function(code):
            same = [c for c in hooked if c.co_qualname == code.co_qualname]
            assert any(c.co_argcount == code.co_argcount for c in same), code.co_qualname
            assert any(c.co_flags & 0x2AC == code.co_flags & 0x2AC for c in same)


def test_docstrings_and_future_imports_stay_first() -> None:
    source = '"""Doc."""\nfrom __future__ import annotations\nx = 1\ndef f():\n    """Inner."""\n'
    made = Rewritten(source)
    assert ast.get_docstring(made.tree) == "Doc."
    assert made.code().co_flags & 0x1000000  # annotations
    function = next(n for n in ast.walk(made.tree) if isinstance(n, ast.FunctionDef))
    assert ast.get_docstring(function) == "Inner."


@pytest.mark.parametrize(
    "statement, expected",
    [
        ("x = 1", {"local"}),
        ("a[k] = v", {"item_store"}),
        ("a[0] = v", {"item_store"}),
        ("a.x = v", {"attr_written"}),
        ("del x", {"local_deleted"}),
        ("return v", {"return"}),
    ],
)
def test_each_kind_of_statement_has_its_hook(statement: str, expected: set[str]) -> None:
    made = Rewritten(f"def f(a, k, v, x):\n    {statement}\n")
    assert expected <= {hook.removeprefix("first_") for hook in made.hooks}


def test_blocks_of_a_loop_follow_each_other_round_by_round() -> None:
    made = Rewritten("def f(xs):\n    n = 0\n    for x in xs:\n        n += x\n    return n\n")
    blocks = made.function("f").blocks
    assert blocks.lines == [[2], [3], [4], [5]]
    assert blocks.silent == [False, True, False, False]
    ways = [list(zip(*[iter(each)] * 3, strict=True)) for each in blocks.next]
    assert ways[1] == [(2, 3, 1), (3, 3, 2)]  # into the body, and out
    assert ways[2] == [(1, 0, 0)]  # back to the test
    assert made.table.names[blocks.begin[2] - 1] == "x"  # a round begins with its variable


def test_a_statement_that_can_fail_half_way_is_guarded() -> None:
    assert "bound" in Rewritten("def f(o):\n    c, o.x = 1, 2\n").hooks
    assert "bound" not in Rewritten("def f(o):\n    c = d = 1\n").hooks


@pytest.mark.parametrize("head", ["def f(v):", "def f():", "def f(v, w):", "async def f(v):"])
def test_a_function_tells_most_of_what_it_does_without_a_call(head: str) -> None:
    made = Rewritten(f"{head}\n    x = v\n    for y in x:\n        x += 1\n        if x: y.z = x\n")
    called = [str(hook[1]) for hook in made.statements.hooks if hook[0] == "hook"]
    # `x += 1` is called: see `Statements._assign_name`; the others are of f, and of the module.
    assert called == ["augmented", "raised", "globals", "return", "raised"]
    told = [str(hook[1]) for hook in made.statements.hooks if hook[0] == "tell"]
    assert told == ["local", "local", "block", "attr_written", "return"]


def test_the_last_return_of_a_function_needs_no_call() -> None:
    made = Rewritten("def f(v):\n    if v:\n        return 1\n    return 2\n")
    returns = [node for node in ast.walk(made.tree) if isinstance(node, ast.Return)]
    forms = {node.lineno: type(node.value) for node in returns}
    assert forms == {3: ast.Call, 4: ast.Subscript}
