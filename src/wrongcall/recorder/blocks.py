"""The blocks of a function and how they follow each other, noted while its statements are rewritten.

A *block* is a run of statements that are executed together, until an exception leaves it. It is entered with an event,
unless it is *silent*: the test of a loop, and the empty place after a compound statement at the end of a suite, may be
passed without one. What was passed silently follows from the blocks before and after it, because there is only one path
between the two: `statements` keeps that invariant. Where there would be two paths, a block gets an event after all.

Vocabulary: the *open ends* lead to whatever block begins next. A jump (``break``, ``continue``) out of a ``try`` with
``finally`` goes through that first. Where a ``with`` suppresses an exception, its blocks continue after it: they
*resume* there.
"""

from __future__ import annotations

from wrongcall.recorder.world import keep_builtins

keep_builtins(globals())

NOWHERE = (1 << 31) - 1  # as in events.NO_BLOCK
"""The block of code that runs at other times than the statements around it: generator expressions."""

ALWAYS, IF_TRUE, IF_FALSE = range(3)
End = tuple[int, int, int]  # a block; the line of the test that ends it; the outcome of that test


class _Loop:
    """A loop that is being rewritten."""

    def __init__(self, header: int, inside_with: bool) -> None:
        self.header = header
        self.inside_with = inside_with
        self.breaks: list[End] = []


class _Finally:
    """A ``try`` that has a ``finally``, before the ``finally`` is rewritten."""

    def __init__(self) -> None:
        self.ends: list[End] = []
        self.jumps: set[str] = set()


class Blocks:
    """The blocks of one function, by their numbers."""

    def __init__(self) -> None:
        self.lines: list[list[int]] = []
        self.silent: list[bool] = []
        self.begin: list[int] = []
        """The site whose event begins each round of a loop body; 0 if it is not a loop body."""
        self.next: list[list[int]] = []
        """The block that follows, the line of the test before it (0: none), the outcome of that test; and so on."""
        self.resume: list[list[int]] = []
        """For each enclosing ``with``, from the inside out: the block after it, its first line and its last."""
        self.ends: list[End] = []
        self._around: list[_Loop | _Finally] = []
        self._withs: list[list[int]] = []
        self._suppressed: tuple[list[int], int, int] = ([], 0, 0)

    def new(self, lines: list[int], silent: bool = False) -> int:
        """Begin a block where the open ends lead to; return its number."""
        number = len(self.lines)
        self.lines.append(lines)
        self.silent.append(silent)
        self.begin.append(0)
        self.next.append([])
        self.resume.append([])
        self._lead_to(number)
        self.ends = [(number, 0, ALWAYS)]
        for inside in self._withs:
            inside.append(number)
        blocks, first, last = self._suppressed
        for block in blocks:
            self.resume[block] += (number, first, last)
        self._suppressed = ([], 0, 0)
        return number

    def _lead_to(self, number: int) -> None:
        for block, line, outcome in self.ends:
            self.next[block] += (number, line, outcome)
        self.ends = []

    # -- loops and jumps -------------------------------------------------------------------------------

    def loop(self, header: int) -> None:
        """Begin a loop that has this block for its test."""
        self._around.append(_Loop(header, bool(self._withs)))

    def loop_done(self) -> list[End]:
        """Note that its body is rewritten; return the ends that ``break`` left open."""
        loop = self._around.pop()
        assert isinstance(loop, _Loop)
        self._lead_to(loop.header)
        return loop.breaks

    def jump(self, kind: str) -> None:
        """Note a ``break`` or ``continue``: nothing follows."""
        around = self._around[-1]
        if isinstance(around, _Finally):
            around.ends += self.ends
            around.jumps.add(kind)
        elif kind == "break":
            around.breaks += self.ends
        else:
            self._lead_to(around.header)
        self.ends = []

    def protect(self) -> None:
        """Begin a ``try`` with ``finally``."""
        self._around.append(_Finally())

    def begin_finally(self) -> set[str]:
        """Begin the body of ``finally``; return which jumps go through it."""
        protected = self._around.pop()
        assert isinstance(protected, _Finally)
        self.ends = self.ends + protected.ends
        return protected.jumps

    def finally_done(self, jumps: set[str], ends_normally: bool) -> None:
        """Note that ``finally`` is rewritten: the jumps continue from here."""
        ends = self.ends
        for kind in sorted(jumps):
            self.ends = list(ends)
            self.jump(kind)
        self.ends = ends if ends_normally else []

    # -- with ------------------------------------------------------------------------------------------

    def open_with(self) -> None:
        """Begin the body of a ``with``."""
        self._withs.append([])

    def close_with(self, first: int, last: int) -> None:
        """Close a ``with`` on these lines: suppressed exceptions continue at whatever comes next."""
        self._suppressed = (self._withs.pop(), first, last)

    def may_skip_loop(self) -> bool:
        """Return whether an exception can leave the enclosing loop to a ``with`` that suppresses it."""
        return any(isinstance(a, _Loop) and a.inside_with for a in self._around)
