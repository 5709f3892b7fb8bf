"""Evaluate a postcondition that somebody else wrote, such as ``result == sorted(items)``, over recorded values.

An expression of a model is not to be trusted. It may use names of parameters, ``result``, literals, operators,
comprehensions and a few builtin functions, but no attributes, so that nothing else can be reached. It is evaluated in
a process of its own, which may use little time and memory.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Collection

TIMEOUT_S = 10.0
_FUNCTIONS = (
    *("abs", "all", "any", "bool", "dict", "divmod", "enumerate", "float", "frozenset", "int"),
    *("isinstance", "len", "list", "max", "min", "range", "reversed", "round", "set", "sorted"),
    *("str", "sum", "tuple", "zip"),
)
_NODES = (
    *(ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.Name, ast.Call, ast.keyword),
    *(ast.BoolOp, ast.UnaryOp, ast.BinOp, ast.Compare, ast.IfExp, ast.Subscript, ast.Slice),
    *(ast.boolop, ast.unaryop, ast.operator, ast.cmpop, ast.expr_context),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.comprehension, ast.Starred),
)
_CHILD = """
import json, resource, sys
resource.setrlimit(resource.RLIMIT_CPU, (2, 2))
resource.setrlimit(resource.RLIMIT_AS, (1 << 29, 1 << 29))
import builtins
task = json.load(sys.stdin)
names = {name: getattr(builtins, name) for name in task["functions"]}
given = eval("dict(" + task["arguments"] + ")", {"__builtins__": {}, **names})
given["result"] = eval(task["result"], {"__builtins__": {}, **names})
print(json.dumps(bool(eval(task["expression"], {"__builtins__": {}, **names, **given}))))
"""


def is_safe(expression: str, names: Collection[str] = ()) -> bool:
    """Return whether an expression uses nothing but these names, plain values and harmless functions."""
    try:
        tree = ast.parse(expression, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    nodes = list(ast.walk(tree))
    bound = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    allowed = {*_FUNCTIONS, "result", *names, *bound}
    return all(
        isinstance(node, _NODES)
        and not (
            isinstance(node, ast.Name) and (node.id not in allowed or node.id.startswith("__"))
        )
        and not (isinstance(node, ast.Call) and not isinstance(node.func, ast.Name))
        for node in nodes
    )


def holds(expression: str, arguments: str, result: str) -> bool | None:
    """Return whether a postcondition holds; None: it can't be evaluated.

    ``arguments`` and ``result`` are in source notation, as `rebuilding` writes them.
    """
    given = "" if arguments == "()" else arguments
    try:
        call = ast.parse(f"dict({given})", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    names = [k.arg for k in call.keywords if k.arg] if isinstance(call, ast.Call) else []
    if not result or not is_safe(expression, names) or not is_safe(f"dict({given})"):
        return None
    if not is_safe(result):
        return None
    task = {"expression": expression, "arguments": given, "result": result, "functions": _FUNCTIONS}
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", _CHILD],
            input=json.dumps(task),
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
            check=False,
        )
        found = json.loads(done.stdout) if done.returncode == 0 else None
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
    return found if isinstance(found, bool) else None
