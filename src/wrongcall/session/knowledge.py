"""What follows from the entries of a session: states of nodes and the root of the search.

`Knowledge` is the fold: `apply` takes one more entry, `take_back` the last one. Everything but the
states of nodes is in one small frozen `Position`, and what an entry did to states is noted, so that
taking back restores exactly what was.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from wrongcall.errors import TreeError
from wrongcall.session.answers import Answer, Choice, Decision, Entry, Verdict, Where
from wrongcall.session.facts import Facts
from wrongcall.tree import _kernels
from wrongcall.tree.balance import BalancedTree
from wrongcall.tree.states import NodeState
from wrongcall.tree.suspects import Suspects
from wrongcall.tree.tree import NOBODY, Tree

RIGHT = frozenset({NodeState.RIGHT, NodeState.INADMISSIBLE})


@dataclass(frozen=True)
class Position:
    """What is known besides the states of the nodes."""

    wrong: tuple[int, ...] = ()
    """The nodes found wrong, in the order of the answers."""
    trusted: frozenset[int] = frozenset()
    """The functions that are trusted."""
    hint: int = NOBODY
    """The node to ask next, whatever the strategy says."""
    again: bool = False
    """The hint was asked before."""
    confirmed: int = NOBODY
    """The finding that was confirmed, until the search goes on."""
    likely: tuple[tuple[int, NodeState], ...] = ()
    """What oracles think of nodes without being certain."""


@dataclass
class _Change:
    position: Position
    states: list[tuple[int, int]]
    trusted: frozenset[int] = frozenset()


class Knowledge:
    """The fold over entries."""

    def __init__(self, suspects: Suspects, facts: Facts) -> None:
        self.suspects = suspects
        self.tree: Tree = suspects.tree
        self.facts = facts
        self.position = Position()
        self._changes: list[_Change] = []

    def node_of(self, calls: Sequence[int]) -> int | None:
        """Return the node of a question; None: the tree has no such group (any more)."""
        first, last = calls[0], calls[-1]
        if first == last:
            return self.tree.node(first)
        return self.tree.group(first, last) if isinstance(self.tree, BalancedTree) else None

    def calls(self, node: int) -> tuple[int, ...]:
        """Return the calls that a question about a node is about."""
        return tuple(self.tree.call(member) for member in self.tree.members(node))

    def function(self, call: int) -> int:
        """Return the function of a call."""
        return int(self.tree.function[self.tree.node(call)])

    @property
    def root(self) -> int:
        """The node that the search has come to: wrong, and not explained by a finding."""
        found = NOBODY
        for node in self.position.wrong:
            # A wrong call elsewhere is where the user leads; one that contains the root says nothing new.
            if found == NOBODY or not self.tree.contains(node, found):
                found = node
        return found

    # -- the fold ----------------------------------------------------------------------------------

    def apply(self, entry: Entry) -> None:
        """Take one more entry."""
        self._changes.append(_Change(self.position, []))
        if isinstance(entry, Decision):
            self._decide(entry)
        elif entry.is_likely:
            self._suppose(entry)
        else:
            self.position = replace(self.position, hint=NOBODY, again=False)
            self._answer(entry)

    def skip(self) -> None:
        """Take an entry that was revoked: it changes nothing."""
        self._changes.append(_Change(self.position, []))

    def take_back(self) -> None:
        """Take back the last entry."""
        change = self._changes.pop()
        self._untrust(change.trusted)
        for node, state in reversed(change.states):
            self.suspects.state[node] = state
        self.position = change.position

    def _mark(self, node: int, state: NodeState) -> None:
        self._changes[-1].states.append((node, int(self.suspects.state[node])))
        self.suspects.mark(node, state)

    def _decide(self, decision: Decision) -> None:
        if decision.choice is Choice.REJECT:
            again = self.node_of(decision.again) if decision.again else None
            if again is not None:
                self.position = replace(self.position, hint=again, again=True)
            return
        node = self.node_of(decision.calls)
        if node is None:
            return
        if decision.choice is Choice.CONFIRM:
            self.position = replace(self.position, confirmed=node)
        elif decision.choice is Choice.GO_ON:
            self._explain(node)

    def _explain(self, found: int) -> None:
        """Everything above a finding is wrong because of it, or may be: it cannot be asked."""
        above = [found, *self.tree.ancestors(found)]
        for node in above:
            if self.suspects.state_of(node) in (NodeState.UNDEFINED, NodeState.WRONG):
                self._mark(node, NodeState.EXPLAINED)
        left = tuple(node for node in self.position.wrong if node not in above)
        self.position = replace(
            self.position, wrong=left, confirmed=NOBODY, hint=NOBODY, again=False
        )

    # -- answers -----------------------------------------------------------------------------------

    def effect(self, answer: Answer) -> NodeState | None:
        """Return the state that an answer gives to its node; None: it is about functions."""
        match answer.verdict:
            case Verdict.RIGHT:
                return NodeState.RIGHT
            case Verdict.WRONG:
                return NodeState.WRONG
            case Verdict.DONT_KNOW:
                return NodeState.UNKNOWN
            case Verdict.INADMISSIBLE:
                return NodeState.INADMISSIBLE
            case Verdict.WRONG_PART:
                return NodeState.WRONG if self._made_inside(answer) else NodeState.INADMISSIBLE
            case Verdict.TRUST_FUNCTION | Verdict.TRUST_MODULE:
                return None

    def _made_inside(self, answer: Answer) -> bool:
        """Return whether a wrong part was made by the call or the calls below it."""
        node = self.node_of(answer.calls)
        if answer.origin is None or node is None:
            return answer.part is None or answer.part.where is not Where.INPUT
        return self.tree.contains(node, self.tree.node(answer.origin))

    def functions(self, answer: Answer) -> frozenset[int]:
        """Return the functions that an answer trusts."""
        if answer.verdict not in (Verdict.TRUST_FUNCTION, Verdict.TRUST_MODULE):
            return frozenset()
        own = {self.function(call) for call in set(answer.calls)}
        if answer.verdict is Verdict.TRUST_FUNCTION:
            return frozenset(own)
        modules = [self.facts.functions_of(self.facts.module(function)) for function in own]
        known = range(self.tree.function_count)
        return frozenset(f for f in known if any(f in functions for functions in modules))

    def _answer(self, answer: Answer) -> None:
        state, node = self.effect(answer), self.node_of(answer.calls)
        if state is None:
            self._trust(self.functions(answer))
        elif node is None:
            self._answer_members(answer, state)
        else:
            self._judge(node, state)
            if answer.origin is not None:
                self._follow(node, self.tree.node(answer.origin))

    def _suppose(self, answer: Answer) -> None:
        """Note what is likely; if a call is likely wrong, that is asked next."""
        state, node = self.effect(answer), self.node_of(answer.calls)
        if state is None or node is None:
            return
        hint = self.position.hint
        if state is NodeState.WRONG and not self.position.again:
            hint = node
        likely = (*self.position.likely, (node, state))
        self.position = replace(self.position, likely=likely, hint=hint)

    def _answer_members(self, answer: Answer, state: NodeState) -> None:
        """An answer about a group that the tree does not have: right ones hold for each member.

        A wrong group without its node says no more than that its caller may be asked.
        """
        if state not in RIGHT:
            return
        first, last = (self.tree.node(call) for call in answer.calls)
        for node in self.tree.children(int(self.tree.parent[first])):
            if first <= node <= last:
                self._judge(node, state)

    def _judge(self, node: int, state: NodeState) -> None:
        self._mark(node, state)
        if state is NodeState.WRONG:
            self.position = replace(self.position, wrong=(*self._other_wrong(node), node))
        else:
            self.position = replace(self.position, wrong=self._other_wrong(node))
        if state in RIGHT:
            self._conclude(node)
        if state is NodeState.UNKNOWN and self.tree.is_collapsed(node):
            for member in self.tree.children(node):
                if self.suspects.state_of(member) is NodeState.HIDDEN:
                    self._mark(member, self._unhidden(member))

    def _conclude(self, node: int) -> None:
        """Groups are right if every member of them was found to be."""
        group, state_of = int(self.tree.parent[node]), self.suspects.state_of
        while group != NOBODY and self.tree.is_projected(group):
            members = self.tree.children(group)
            if state_of(group) is not NodeState.UNDEFINED:
                return
            if any(state_of(member) not in RIGHT for member in members):
                return
            self._mark(group, NodeState.RIGHT)
            group = int(self.tree.parent[group])

    def _other_wrong(self, node: int) -> tuple[int, ...]:
        return tuple(other for other in self.position.wrong if other != node)

    def _unhidden(self, member: int) -> NodeState:
        function = int(self.tree.function[member])
        return NodeState.TRUSTED if function in self.position.trusted else NodeState.UNDEFINED

    def _follow(self, node: int, origin: int) -> None:
        if origin != node:
            self.position = replace(self.position, hint=origin)

    # -- trust -------------------------------------------------------------------------------------

    def _trust(self, functions: frozenset[int]) -> None:
        new = functions - self.position.trusted
        self._changes[-1].trusted = new
        self._replace_states(new, NodeState.UNDEFINED, NodeState.TRUSTED)
        self.position = replace(self.position, trusted=self.position.trusted | new)

    def _untrust(self, functions: frozenset[int]) -> None:
        self._replace_states(functions, NodeState.TRUSTED, NodeState.UNDEFINED)
        if functions:
            self.suspects.trust_pretrusted()

    def split(self, node: int) -> None:
        """Ask about the members of a list instead of the list, until the latest entry is undone."""
        self._mark(node, NodeState.SPLIT)

    def _replace_states(self, functions: frozenset[int], old: NodeState, new: NodeState) -> None:
        """Change the state of all calls of these functions that have the old one."""
        if functions:
            wanted = np.zeros(self.tree.function_count, dtype=np.uint8)
            wanted[list(functions)] = 1
            columns = (self.tree.function, wanted, self.tree.several, self.suspects.state)
            _kernels.replace_states(*columns, old, new)

    def check_call(self, call: int) -> int:
        """Return the node of a call that can be judged."""
        node = self.tree.node(call)
        if not self.tree.judgeable[node]:
            raise TreeError(f"call {call} has not finished; it can't be judged yet")
        return node
