"""Names of functions that are valid in other runs: ``shop.prices:Cart.total``."""

from __future__ import annotations

from hashlib import blake2b
from pathlib import PurePosixPath

from wrongcall.recording import Function, Recording

_MAIN = "__main__"
_LAMBDA = "<lambda>"


def portable_name(recording: Recording, function: int) -> str:
    """Return a name by which a function is known in every run; empty: it has none.

    Several lambdas of one function have the same name, so that their text is added. A program's main module is called
    after its file, as when it is imported. Bodies of modules and classes have no such name.
    """
    known = recording.program.functions[function]
    text = _text(recording, known) if known.name == _LAMBDA else ""
    if known.name.startswith("<") and not text:
        return ""
    file = recording.program.files[known.file]
    module = _module(file.module, file.path, str(recording.meta.get("root", "")))
    return f"{module}:{known.qualname}{text}"


def _text(recording: Recording, function: Function) -> str:
    """Return a mark of the text of a lambda; empty: it is not known."""
    definition = recording.sources.definition(function)
    text = recording.sources.of_function(function).text_of(definition) if definition else ""
    return f" {blake2b(text.encode(), digest_size=4).hexdigest()}" if text else ""


def _module(name: str, path: str, root: str) -> str:
    if name != _MAIN:
        return name
    file = PurePosixPath(path)
    inside = (
        file.relative_to(root) if root and file.is_relative_to(root) else PurePosixPath(file.name)
    )
    return ".".join(inside.with_suffix("").parts)
