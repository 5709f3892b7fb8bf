"""Names of blocks that are valid in other runs, and in other versions of the program.

A block is known by the portable name of its function and by its text, without the indentation. So it keeps its name if
something else in the function is changed, and gets a new one if it is changed itself. Of blocks with the same text, the
first one is told from the second.
"""

from __future__ import annotations

from collections import Counter
from hashlib import blake2b

from wrongcall.oracles.function_names import portable_name
from wrongcall.recording import Coverage, Recording

NAME_BYTES = 8
_UTF8 = ("utf-8", "surrogatepass")


class BlockNames:
    """Names the blocks of one run."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self._names: dict[int, tuple[bytes, ...]] = {}

    def of(self, function: int) -> tuple[bytes, ...]:
        """Return the names of a function's blocks; nothing if the function has no portable name."""
        if function not in self._names:
            self._names[function] = tuple(self._made(function))
        return self._names[function]

    def executed(self, coverage: Coverage) -> set[bytes]:
        """Return the names of the blocks that a call executed, by what it covered."""
        entered = {(edge.function, edge.after) for edge in coverage.edges if edge.after >= 0}
        return {names[block] for function, block in entered if (names := self.of(function))}

    def _made(self, number: int) -> list[bytes]:
        name = portable_name(self._recording, number)
        if not name:
            return []
        function = self._recording.program.functions[number]
        source = self._recording.sources.of_function(function)
        texts = ["\n".join(source.line(line).strip() for line in b) for b in function.blocks]
        seen: Counter[str] = Counter()
        found = []
        for text in texts:
            told = f"{name}\0{seen[text]}\0{text}"
            seen[text] += 1
            found.append(blake2b(told.encode(*_UTF8), digest_size=NAME_BYTES).digest())
        return found
