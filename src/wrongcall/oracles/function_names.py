"""Names of functions that are valid in other runs: ``shop.prices:Cart.total``."""

from __future__ import annotations

from pathlib import PurePosixPath

from wrongcall.recording import Recording

_MAIN = "__main__"


def portable_name(recording: Recording, function: int) -> str:
    """Return a name by which a function is known in every run; empty: it has none.

    Several lambdas of one function have the same name, so lambdas have none. A program's main module is called after
    its file, as when it is imported.
    """
    known = recording.program.functions[function]
    if "<lambda>" in known.qualname or known.name.startswith("<"):
        return ""
    file = recording.program.files[known.file]
    return (
        f"{_module(file.module, file.path, str(recording.meta.get('root', '')))}:{known.qualname}"
    )


def _module(name: str, path: str, root: str) -> str:
    if name != _MAIN:
        return name
    file = PurePosixPath(path)
    inside = (
        file.relative_to(root) if root and file.is_relative_to(root) else PurePosixPath(file.name)
    )
    return ".".join(inside.with_suffix("").parts)
