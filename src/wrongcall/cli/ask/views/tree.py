"""The tree of calls: go down into a call, up to its caller, and judge any of them."""

from __future__ import annotations

from wrongcall.cli.ask.keys import Command
from wrongcall.errors import UsageError
from wrongcall.present import key_map
from wrongcall.present.groups import member
from wrongcall.present.key_map import keys_at
from wrongcall.present.lines import EMPTY, Line, cut
from wrongcall.present.screens.question import Size
from wrongcall.session.search import Search
from wrongcall.tree.states import INCOMPLETE, NodeState

_MARKS = {
    NodeState.RIGHT: ("✓", "right"),
    NodeState.INADMISSIBLE: ("✓", "right"),
    NodeState.WRONG: ("✗", "wrong"),
    NodeState.EXPLAINED: ("✗", "wrong"),
    NodeState.TRUSTED: ("t", "right"),
    NodeState.UNKNOWN: ("?", "marked"),
}
_ABOVE = 4
"""Callers shown above the call."""
_PAGE = 10


class TreeView:
    """A place in the tree: a caller, and one of its calls that is chosen."""

    prompt = "arrows move, y n d, ? for help"
    keys = keys_at(key_map.TREE)

    def __init__(self, search: Search, call: int) -> None:
        self._search = search
        self._caller = 0
        self._calls: list[int] = []
        self._row = 0
        self._go(call)

    @property
    def call(self) -> int:
        """The chosen call."""
        return self._calls[self._row] if self._calls else 0

    def _go(self, call: int) -> None:
        """Choose a call."""
        parent = self._search.recording.call(call).parent
        self._open(parent.id if parent else 0)
        self._row = self._calls.index(call)

    def _open(self, caller: int) -> None:
        recording = self._search.recording
        calls = recording.call(caller).children if caller else recording.calls.roots()
        self._caller, self._calls, self._row = caller, [call.id for call in calls], 0

    def move(self, command: Command) -> bool:
        """Go to another call."""
        match command.name:
            case "down":
                self._step(1)
            case "up":
                self._step(-1)
            case "page-down" | "page-up":
                self._step(_PAGE if command.name == "page-down" else -_PAGE)
            case "in" | "right" | "enter":
                self._into()
            case "caller" | "left":
                if self._caller:
                    self._go(self._caller)
            case "go" if command.argument.lstrip("#").isdecimal():
                self._go_to(int(command.argument.lstrip("#")))
            case "redraw":
                pass
            case _:
                return False
        return True

    def _step(self, by: int) -> None:
        self._row = min(max(self._row + by, 0), len(self._calls) - 1)

    def _into(self) -> None:
        if self._search.recording.call(self.call).children:
            self._open(self.call)

    def _go_to(self, call: int) -> None:
        last = self._search.recording.calls.count
        if not 1 <= call <= last:
            raise UsageError(f"there is no call {call}: the trace has calls 1 to {last}")
        self._go(call)

    def lines(self, size: Size) -> list[Line]:
        """Return the callers, and the calls around the chosen one."""
        above = self._above(size)
        room = max(size.height - len(above) - 6, 4)
        first = min(max(self._row - room // 2, 0), max(len(self._calls) - room, 0))
        found: list[Line] = [*above]
        for row, call in enumerate(self._calls[first : first + room], first):
            found.append(self._line(call, size, "  > " if row == self._row else "    "))
        if len(self._calls) > room:
            where = f"    {self._row + 1:,} of {len(self._calls):,} calls"
            found.append(((where, "quiet"),))
        return found

    def _above(self, size: Size) -> list[Line]:
        chain: list[int] = []
        call = self._search.recording.call(self._caller) if self._caller else None
        while call is not None and len(chain) < _ABOVE:
            chain.append(call.id)
            call = call.parent
        if not chain:
            return [(("Calls without a caller: the program and its threads", "heading"),), EMPTY]
        lines = [self._line(number, size, "") for number in reversed(chain)]
        more: list[Line] = [(("…", "quiet"),)] if call is not None else []
        return [*more, *lines]

    def _line(self, call: int, size: Size, indent: str) -> Line:
        mark, style = self._mark(call)
        shown = member(self._search.recording, call, size.width - len(indent) - 12)
        chosen = "chosen" if indent.strip() else ""
        children = len(self._search.recording.call(call).children) if indent else 0
        more = f"  +{children:,}" if children else ""
        line: Line = (
            indent, (f"{mark} ", style), (f"#{call} ", "number"), (shown.title, chosen), " ",
            (shown.outcome, "quiet"), (more, "number"),
        )  # fmt: skip
        return cut(line, size.width)

    def _mark(self, call: int) -> tuple[str, str]:
        """Return a sign for what is known about a call, or a group that it is in."""
        tree, suspects = self._search.session.tree, self._search.session.suspects
        node = tree.node(call)
        while suspects.state_of(node) is NodeState.HIDDEN:
            node = int(tree.parent[node])
        if int(suspects.state[node]) & INCOMPLETE:
            return "…", "quiet"
        return _MARKS.get(suspects.state_of(node), ("·", "quiet"))
