"""The tables of a program's source, without running it: what the recorder would send when it is loaded."""

from __future__ import annotations

import ast
import json

from tests.trace.emitter import Emitter
from wrongcall.events import Kind
from wrongcall.recorder.scopes import analyse
from wrongcall.recorder.sites import FileTable
from wrongcall.recorder.statements import Statements


def described(source: str, module: str = "__main__") -> Emitter:
    """Return an emitter that has described a file: its functions, sites, blocks and flow."""
    tree = ast.parse(source)
    table = FileTable()
    Statements(table, analyse(tree), set()).module(tree)
    emitter = Emitter()
    head = {"file": 1, "path": f"/program/{module}.py", "module": module, "source": source}
    tables = json.loads("{" + table.to_json() + "}")
    meta = {**head, "first_function": 1, "first_site": 1, **tables}
    emitter.carrier(Kind.META, json.dumps(meta).encode())
    return emitter
