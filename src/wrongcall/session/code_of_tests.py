"""Which code belongs to the tests: it is trusted in a search that starts with a failed test.

By their file names: test modules, ``conftest.py``, and everything in a folder of tests, such as helpers.
"""

from __future__ import annotations

from pathlib import PurePosixPath

from wrongcall.recording import Recording


def is_test_file(path: str, root: str) -> bool:
    """Return whether a file belongs to the tests of the project in a folder."""
    file = PurePosixPath(path)
    if file.is_relative_to(root):
        file = file.relative_to(root)
    name = file.name
    if name in ("conftest.py", "test.py", "tests.py") or name.startswith("test_"):
        return True
    # A folder `test` further down may be part of the program, as in django/test.
    folders = file.parts[:-1]
    return name.endswith("_test.py") or "tests" in folders or folders[:1] == ("test",)


class CodeOfTests:
    """The functions of a recording that belong to the tests."""

    def __init__(self, recording: Recording) -> None:
        self._program = recording.program
        self._root = str(recording.meta.get("root", ""))
        self._known: dict[int, bool] = {}

    def has_function(self, function: int) -> bool:
        """Return whether a function belongs to the tests."""
        file = self._program.functions[function].file
        if file not in self._known:
            self._known[file] = is_test_file(self._program.files[file].path, self._root)
        return self._known[file]

    def functions(self) -> frozenset[int]:
        """Return all of them."""
        return frozenset(f for f in self._program.functions if self.has_function(f))
