"""Choose the node to ask about next: what leads the search, or what the strategy says.

Choosing may measure questions (see `looking`), and what was measured has a say in later choices. So a choice changes
nothing by itself: it is kept until the session changes, and noted only then. What was asked is asked again after an
undo, though more questions were measured since.
"""

from __future__ import annotations

from collections.abc import Sequence

from wrongcall.errors import SessionError
from wrongcall.session.answers import Entry
from wrongcall.session.facts import Facts
from wrongcall.session.knowledge import Knowledge
from wrongcall.session.looking import NodeChoice, choose_looking, note, sampled
from wrongcall.session.strategies import Strategy
from wrongcall.tree.balance import BalancedTree
from wrongcall.tree.costs import Costs, costs_of
from wrongcall.tree.reading import Reading, Sample
from wrongcall.tree.tree import NOBODY, Tree


class Chooser:
    """Chooses nodes for one session."""

    def __init__(self, strategy: Strategy, facts: Facts) -> None:
        self._samples: dict[int, Sample] = {}
        self._choice: NodeChoice | None = None
        """The node that was chosen since the last change, and what was measured for it."""
        self._chosen: dict[tuple[Entry, ...], int] = {}
        """What was chosen after which entries."""
        self._known_lines: set[int] = set()
        self.use(strategy, facts)

    def use(self, strategy: Strategy, facts: Facts) -> None:
        """Change the strategy, if there are the facts that it needs."""
        kind = strategy.needs_coverage
        if kind is not None and facts.coverage(kind) is None:
            raise SessionError(f"there is no {kind} coverage for these calls")
        self.strategy = strategy
        self._choice = None

    # -- what strategies need ----------------------------------------------------------------------

    def sample(self, tree: Tree, facts: Facts) -> None:
        """Look at a call of each function of a tree, to know how long questions are."""
        if tree.reading is not None:
            self._samples = sampled(tree, facts.lines, self._samples)

    def reading(self, tree: Tree) -> Reading | None:
        """Return how long questions are, by the estimate for a tree and a look at each function."""
        return tree.reading and tree.reading.scaled(tree.function, self._samples)

    def provide(self, base: Tree, knowledge: Knowledge, costs: Costs | None = None) -> None:
        """Fetch what the strategy needs for a tree, and forget what was chosen for another one.

        ``base``: the tree without groups. ``costs``: of its nodes, if they are known already.
        """
        suspects = knowledge.suspects
        self._chosen.clear()
        self._known_lines.clear()
        is_known = costs is not None and self.strategy.needs_costs
        suspects.costs = costs if is_known else self.costs(base, suspects.tree)
        self._provide_coverage(knowledge)

    def costs(self, base: Tree, tree: Tree) -> Costs | None:
        """Return what the nodes of a tree cost to read, if the strategy needs that; ``base``: it without groups."""
        reading = self.reading(base) if self.strategy.needs_costs else None
        return None if reading is None else costs_of(reading, tree)

    def _provide_coverage(self, knowledge: Knowledge) -> None:
        """Fetch the coverage that the strategy needs: it is large, so only then."""
        kind, suspects = self.strategy.needs_coverage, knowledge.suspects
        found = knowledge.facts.coverage(kind) if kind is not None else None
        if kind is not None and found is not None and kind not in suspects.coverage:
            tree = suspects.tree
            grouped = found.grouped(tree) if isinstance(tree, BalancedTree) else found
            suspects.coverage = {**suspects.coverage, kind: grouped}

    # -- choosing ----------------------------------------------------------------------------------

    def choose(self, knowledge: Knowledge, entries: Sequence[Entry]) -> int:
        """Return the node to ask next, `NOBODY` if there is none. Changes nothing; see `note`."""
        if self._choice is None:
            self._choice = self._find(knowledge, entries)
        return self._choice.node

    def _find(self, knowledge: Knowledge, entries: Sequence[Entry]) -> NodeChoice:
        suspects, hint = knowledge.suspects, knowledge.position.hint
        if hint != NOBODY and suspects.can_ask(hint, led=True):
            return NodeChoice(hint, {})
        told = tuple(entries)
        if told in self._chosen:
            return NodeChoice(self._chosen[told], {})

        def lines(node: int) -> int | None:
            return knowledge.facts.lines(knowledge.calls(node), knowledge.tree.is_listed(node))

        return choose_looking(self.strategy, suspects, lines, self._known_lines)

    def note(self, knowledge: Knowledge, entries: Sequence[Entry]) -> None:
        """Note the node that was chosen, and what was measured for it, as later choices need it."""
        node = self.choose(knowledge, entries)
        lengths = self._choice.lengths if self._choice is not None else {}
        if node != knowledge.position.hint:
            self._chosen[tuple(entries)] = node
        self._known_lines.update(lengths)
        note(knowledge.suspects, lengths)

    def note_choice(self, knowledge: Knowledge, entries: Sequence[Entry]) -> None:
        """Note what was chosen, if anything was since the last change."""
        if self._choice is not None:
            self.note(knowledge, entries)

    def forget(self) -> None:
        """Choose anew: something changed."""
        self._choice = None

    def revise(self, entries: Sequence[Entry]) -> None:
        """Choose anew although nothing was said: the node that was chosen can't be asked."""
        self._chosen.pop(tuple(entries), None)
