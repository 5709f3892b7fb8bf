"""An oracle that trusts functions and modules by their names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wrongcall.recorder.selection import matches
from wrongcall.recording import Recording
from wrongcall.session.answers import Verdict
from wrongcall.session.oracles import Opinion, Oracle


class TrustedNames(Oracle):
    """Trusts every function whose name, or whose module, matches one of some globs."""

    name = "trusted by name"
    trusts_functions = True

    def __init__(self, recording: Recording, names: Sequence[str]) -> None:
        self._recording = recording
        self._names = tuple(names)

    def opinion(self, calls: tuple[int, ...]) -> Opinion | None:
        """Trust the function; a group of several trusted ones is asked call by call."""
        functions = {self._recording.call(call).function.id for call in calls}
        if not all(map(self._is_trusted, functions)):
            return None
        return Opinion(Verdict.TRUST_FUNCTION if len(functions) == 1 else Verdict.DONT_KNOW)

    def _is_trusted(self, number: int) -> bool:
        function = self._recording.program.functions[number]
        module = self._recording.program.files[function.file].module
        return is_trusted(self._names, module, function.qualname)


def is_trusted(patterns: Sequence[str], module: str, function: str) -> bool:
    """Return whether a function, by its qualified name, or its module or package is trusted."""
    names = [function, f"{module}.{function}", *_with_parents(module)]
    return any(matches(pattern, name) for pattern in patterns for name in names)


def _with_parents(module: str) -> Iterator[str]:
    while module:
        yield module
        module = module.rpartition(".")[0]
