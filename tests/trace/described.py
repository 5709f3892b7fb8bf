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
    table = FileTable(f"/program/{module}.py", module)
    table.first_function = table.first_site = 1
    Statements(table, analyse(tree), set()).module(tree)
    emitter = Emitter()
    emitter.carrier(Kind.META, json.dumps(json.loads(table.to_json(1, source))).encode())
    return emitter
