"""The package that raised an exception in a recorded call, if that package is not recorded.

The statement that the exception left calls code of libraries by names that the module imported, or by methods of their
objects. If exactly one package comes into question, it is named; otherwise nothing is said.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from wrongcall.errors import UsageError
from wrongcall.languages.expressions import Attribute, Called, Name, Node, Subscript
from wrongcall.languages.python.python_file import PythonFile
from wrongcall.recording import Call, Recording, Ref
from wrongcall.session.failures import exception_name


def raised_in(recording: Recording, call: Call) -> str:
    """Return the package, not recorded, in which the exception that ended a call was raised; else empty."""
    line = call.raised_at
    source = recording.sources.of_function(call.function)
    is_own = source.line(line).lstrip().startswith("raise")
    if not line or is_own or exception_name(recording, call) == "AssertionError":
        return ""  # a failed check says nothing about the package that it is written with
    modules = {
        module
        for node in source.checked_at(line)
        for part in source.operands(node)
        for module in _modules(recording, call, source, part)
    }
    packages = {module.partition(".")[0] for module in modules} - _recorded(recording)
    foreign = {name for name in packages if name and name not in sys.stdlib_module_names}
    return foreign.pop() if len(foreign) == 1 else ""


def _recorded(recording: Recording) -> set[str]:
    """Return the packages that are recorded; objects of the main module belong to the program."""
    names = {file.module.partition(".")[0] for file in recording.program.files.values()}
    return names | {"builtins", "__main__"}


def _modules(recording: Recording, call: Call, source: PythonFile, node: Node) -> Iterator[str]:
    """Go through the modules whose code an expression may call."""
    view = source.view(node)
    if isinstance(view, Called):
        yield from _modules(recording, call, source, view.function)
        return
    while isinstance(view, Attribute | Subscript):
        yield from _module_of_type(recording, call, source.text_of(view.base))
        view = source.view(view.base)
    if isinstance(view, Name):
        yield source.imported.get(view.name, "")
        yield from _module_of_type(recording, call, view.name)


def _module_of_type(recording: Recording, call: Call, path: str) -> Iterator[str]:
    try:
        _, value = recording.places.find(call.id, path, call.exit)
    except UsageError:  # a builtin, or nothing that is recorded
        return
    if isinstance(value, Ref):
        yield recording.states.heap.peek(value.oid, call.exit).type.module
