"""The blocks of a function and how they follow each other, noted while its statements are rewritten.

A *block* is a run of statements that are executed together, until an exception leaves it. It is entered
with an event, except where it is *silent*: the test of a loop, and what follows a compound
statement at the end of a suite, where nothing stands, may be passed without one. What was passed
silently follows from the blocks before and after it, for there is only one way between the two:
that is the invariant that `statements` keeps. Where there would be two ways, a block has its event after all.

Vocabulary: the *open ends* lead to whatever block begins next. A jump (``break``, ``continue``) out
of a ``try`` with ``finally`` goes through that first. Where a ``with`` suppresses an exception, its
blocks go on behind it: they *resume* there.
"""

from __future__ import annotations

from wrongcall.recorder.world import keep_builtins

keep_builtins(globals())

NOWHERE = (1 << 31) - 1  # as in events.NO_BLOCK
"""The block of what runs at other times than the statements around it: generator expressions."""

ALWAYS, IF_TRUE, IF_FALSE = range(3)
End = tuple[int, int, int]  # a block; the line of the test that is last in it; how that comes out


class _Loop:
    """A loop that is being rewritten."""

    def __init__(self, header: int, inside_with: bool) -> None:
        self.header = header
        self.inside_with = inside_with
        self.breaks: list[End] = []


class _Finally:
    """A ``try`` that has a ``finally``, before that is rewritten."""

    def __init__(self) -> None:
        self.ends: list[End] = []
        self.jumps: set[str] = set()


class Blocks:
    """The blocks of one function, by their numbers."""

    def __init__(self) -> None:
        self.lines: list[list[int]] = []
        self.silent: list[bool] = []
        self.begin: list[int] = []
        """The site whose event begins the body of a loop, each round again; 0: it is no such body."""
        self.next: list[list[int]] = []
        """Which block follows, after a test on which line (0: none), that comes out how; and so on."""
        self.resume: list[list[int]] = []
        """For each ``with`` around, from inside out: the block behind it, its first line and its last."""
        self.ends: list[End] = []
        self._around: list[_Loop | _Finally] = []
        self._withs: list[list[int]] = []
        self._suppressed: tuple[list[int], int, int] = ([], 0, 0)

    def new(self, lines: list[int], silent: bool = False) -> int:
        """Begin a block where the open ends lead to; its number."""
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
        """A loop begins, which has this block for its test."""
        self._around.append(_Loop(header, bool(self._withs)))

    def loop_done(self) -> list[End]:
        """Its body is rewritten; the ends that ``break`` left open."""
        loop = self._around.pop()
        assert isinstance(loop, _Loop)
        self._lead_to(loop.header)
        return loop.breaks

    def jump(self, kind: str) -> None:
        """``break`` or ``continue``: nothing follows."""
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
        """A ``try`` with ``finally`` begins."""
        self._around.append(_Finally())

    def begin_finally(self) -> set[str]:
        """What stands in ``finally`` begins; which jumps go through it."""
        protected = self._around.pop()
        assert isinstance(protected, _Finally)
        self.ends = self.ends + protected.ends
        return protected.jumps

    def finally_done(self, jumps: set[str], ends_normally: bool) -> None:
        """``finally`` is rewritten: the jumps go on from here."""
        ends = self.ends
        for kind in sorted(jumps):
            self.ends = list(ends)
            self.jump(kind)
        self.ends = ends if ends_normally else []

    # -- with ------------------------------------------------------------------------------------------

    def open_with(self) -> None:
        """The body of a ``with`` begins."""
        self._withs.append([])

    def close_with(self, first: int, last: int) -> None:
        """What comes next is where an exception is suppressed to; the lines of the ``with`` itself."""
        self._suppressed = (self._withs.pop(), first, last)

    def may_skip_loop(self) -> bool:
        """Can an exception leave the loop around this to a ``with`` that suppresses it?"""
        return any(isinstance(a, _Loop) and a.inside_with for a in self._around)
