"""What the recorded process is told by the one that starts it: one argument, the text of a literal.

The text is a Python dict of strings, whole numbers, lists and None, in ASCII. It is read with the interpreter's own
parser and nothing in it is evaluated. Unknown fields are ignored, so that a process can be started by a newer
recorder.
"""

from __future__ import annotations

import _ast as ast

ONLY_AST = 0x400


class RecorderSettings:
    """How a process is recorded."""

    def __init__(
        self,
        ring: int | None,
        root: str,
        include: list[str] | None = None,
        exclude: list[str] | None = None,
        native: str | None = None,
        code_cache: str | None = None,
        folder: str | None = None,
        process: int = 1,
        trace: str | None = None,
        import_folder: str | None = None,
    ) -> None:
        self.ring = ring  # the descriptor of the shared memory; None: this process makes its own
        self.root = root  # the project's folder
        self.include = include or []  # packages that are recorded too
        self.exclude = exclude or []  # patterns of files and modules that are not recorded
        self.native = native  # the path of the native core; None: the one in this folder
        # the folder of instrumented code from earlier runs, if there is one
        self.code_cache = code_cache
        # where the processes of the run share memory; None: only this one is recorded
        self.folder = folder
        self.process = process  # its number, from 1
        self.trace = trace  # the path of the file, for `breakpoint()`
        # what comes first on sys.path; None: the folder of the script
        self.import_folder = import_folder

    def written(self) -> str:
        """Return the argument that `read` understands."""
        return ascii(vars(self))


def read(text: str) -> RecorderSettings:
    """Return the settings that an argument describes."""
    try:
        fields = _value(compile(text, "<settings>", "eval", ONLY_AST, True).body)
        names = vars(RecorderSettings(0, ""))
        return RecorderSettings(**{name: fields[name] for name in fields if name in names})  # type: ignore[index, attr-defined]
    except (SyntaxError, TypeError, ValueError) as error:
        raise ValueError(f"not the settings of a recorder: {text!r}") from error


def _value(node: ast.AST) -> object:
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.List):
        return [_value(item) for item in node.elts]
    if isinstance(node, ast.Dict):
        keys = [_value(key) for key in node.keys if key is not None]
        return dict(zip(keys, map(_value, node.values), strict=True))
    raise TypeError(f"not a literal: {type(node).__name__}")
