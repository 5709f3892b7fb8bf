"""Generate patterns for the match statements of `fidelity.forms`."""

from __future__ import annotations

from fidelity.forms_expressions import NAMES, Expressions, Place


class Patterns(Expressions):
    """Writes patterns of every kind; each binds a name at most once."""

    def case(self, at: Place, *, last: bool) -> str:
        """Return what follows ``case``, with its guard."""
        free = list(NAMES)
        self.random.shuffle(free)
        guard = f" if {self.e(at, 1)}" if self.random.random() < 0.4 else ""
        if last and self.random.random() < 0.3:
            return self.pick("_", free[0]) + guard
        return self.refutable(free, 0) + guard

    def refutable(self, free: list[str], depth: int) -> str:
        """Return a pattern that may fail."""
        bound = free.pop() if free else "_"
        either = f"[{bound}] | {{'k': {bound}}} | Box(value={bound}) | (int() as {bound})"
        if bound == "_":
            either = "[_] | {'k': _} | Box(value=_) | int()"
        simple = (
            *("0", "-1", "1.5", "1 + 2j", "'k'", "b'x'", "None", "True", "Box.limit", "(2)"),
            *("int()", "[]", "{}", "str() | None", "0 | 1 | 2 | 3"),
        )
        if depth >= 2:
            return self.pick(*simple)
        deeper = (
            f"[{self.any(free, depth)}, {self.star(free)}]",
            f"({self.any(free, depth)}, {self.star(free)}, {self.any(free, depth)})",
            f"[{self.star(free)}]",
            f"{{'k': {self.any(free, depth)}, 0: {self.any(free, depth)}}}",
            f"{{'k': {self.any(free, depth)}, **{free.pop()}}}" if free else "{'k': _}",
            f"Box({self.any(free, depth)})",
            f"Box(value={self.any(free, depth)})",
            f"int({bound})" if bound != "_" else "int(_)",
            f"({self.refutable(free, depth + 1)} as {bound})" if bound != "_" else "bool()",
            f"({either})",
            either,
        )
        text = self.pick(*deeper, *deeper, *simple)
        return f"({text})" if depth else text

    def any(self, free: list[str], depth: int) -> str:
        """Return a pattern that may stand inside another one."""
        if free and self.random.random() < 0.5:
            return free.pop()
        return self.pick("_", self.refutable(free, depth + 1))

    def star(self, free: list[str]) -> str:
        """Return a star pattern for the rest of a sequence."""
        return f"*{free.pop()}" if free and self.random.random() < 0.5 else "*_"
