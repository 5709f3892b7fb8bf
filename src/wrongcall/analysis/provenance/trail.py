"""Follow a value through plain copies, from the place where it is back to its creation.

Copies are: assignment, passing an argument, returning, taking it out of a container or putting it into one.
"""

from __future__ import annotations

from collections.abc import Iterator

from wrongcall.analysis.expressions.evaluate import Evaluator
from wrongcall.analysis.provenance.copies import Copies
from wrongcall.analysis.provenance.made_calls import MadeCalls
from wrongcall.analysis.provenance.model import At, EndKind, Given, Link, Operand, Origin
from wrongcall.analysis.provenance.run import Run
from wrongcall.analysis.provenance.writes import Writes
from wrongcall.languages.expressions import Called, Literal, Node
from wrongcall.languages.paths import Path
from wrongcall.replay.call import Call
from wrongcall.trace.read.values import UNKNOWN, UNSET, Value, identical

MOST_LINKS = 10_000
_ENDS: dict[type, EndKind] = {Literal: EndKind.LITERAL, Called: EndKind.CALL}


class Trails:
    """Follows values back."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._writes = Writes(run)
        self._copies = Copies(run)
        self._made = MadeCalls(run)

    def of(self, call: Call, path: Path, time: int) -> Origin:
        """Return the origin of the value that a path means in a call at a time."""
        target, value = self._run.places.find(call, path, time)
        links: list[Link] = []
        at: At | None = At(target, time, str(path))
        given: Given | None = None
        seen = set()
        while at is not None and (at.target, at.time) not in seen and len(links) < MOST_LINKS:
            seen.add((at.target, at.time))
            link, given = self._writes.written(at)
            if link is None:
                break
            links.append(link)
            at = None if given is None else self._copies.copied(given, value)
        return self._ended(value, time, links, given)

    def _ended(self, value: Value, time: int, links: list[Link], given: Given | None) -> Origin:
        if given is None:
            return Origin(value, time, tuple(links), EndKind.UNKNOWN, "", 0, 0, ())
        text = self._run.given_text(given)
        end = EndKind.EXPRESSION
        if given.loop is not None:
            text = f"for {self._run.text(given.call, given.loop.target)} in {text}"
        else:
            end = _ENDS.get(type(self._run.view(given, given.node)), end)
        parts = () if given.elsewhere else tuple(self._operands(given, value))
        line = self._run.source(given.call).span(given.node)[0]
        return Origin(value, time, tuple(links), end, text, given.call.id, line, parts)

    def _operands(self, given: Given, value: Value) -> Iterator[Operand]:
        """Iterate over what an expression was computed from, with the values."""
        evaluator = self._run.evaluator(given)
        seen = set()
        for node in evaluator.source.operands(given.node):
            text = self._run.text(given.call, node)
            if text in seen:
                continue
            seen.add(text)
            part = self._operand(given, evaluator, node)
            if node is given.node and given.loop is None and not identical(part, value):
                continue  # it had another value when it was read
            if part is not UNKNOWN and part is not UNSET:
                yield Operand(text, part)

    def _operand(self, given: Given, evaluator: Evaluator, node: Node) -> Value:
        if isinstance(self._run.view(given, node), Called):
            return self._made.known(given, node)
        found = evaluator.place(node)
        return UNKNOWN if found is None else found[1]
