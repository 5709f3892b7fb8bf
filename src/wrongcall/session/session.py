"""The debugging session: a state machine that asks, takes answers, and names the wrong call.

`Session.step` is a query: what to ask next, or what was found. It changes nothing, so it can be
called at any time. `Session.answer`, `Session.judge`, `Session.undo` and the decisions about findings
change what is known; `Session.advance` then adds the answers that need no user: those that follow from
earlier ones, and those of oracles. The usual loop is ``advance()``, ``step()``, ``answer()``.

The session never prints or prompts. Its state is a fold over its entries (see `answers`): a session
with the same tree and the same entries is the same session. An error leaves the session as it was.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace
from itertools import groupby

import numpy.typing as npt

from wrongcall.errors import ContradictionError, SessionError
from wrongcall.session.answers import (
    ASSUMED,
    BY_TEST,
    USER,
    Answer,
    Choice,
    Decision,
    Entry,
    Part,
    Verdict,
    revoked,
    standing,
)
from wrongcall.session.evidence import Factors, factors_of
from wrongcall.session.facts import Facts, NoFacts
from wrongcall.session.knowledge import RIGHT, Knowledge
from wrongcall.session.looking import NodeChoice, choose_looking, note, sampled
from wrongcall.session.oracles import Judged, Oracle
from wrongcall.session.panel import Panel, answer_of, dismissed_by, is_noted, opinions_about
from wrongcall.session.steps import (
    Contradiction,
    Finding,
    NeedsMoreTree,
    Next,
    NoBug,
    Question,
    Why,
)
from wrongcall.session.strategies import Strategy, strategy
from wrongcall.tree.balance import BalancedTree, Balancing
from wrongcall.tree.costs import costs_of
from wrongcall.tree.growing import GrowingBalance
from wrongcall.tree.reading import Reading, Sample
from wrongcall.tree.states import NodeState, Trusted
from wrongcall.tree.suspects import Suspects
from wrongcall.tree.tree import NOBODY, Tree
from wrongcall.tree.weights import UNIT

DEFAULT_STRATEGY = "least-reading"
SAME = "the same question was answered before"
MOST_REPEATED = 1000
"""Equal calls in a row that are answered together."""
MAX_LIKELY_ANSWERS = 32
"""Likely answers that are asked for in a row, before the user is asked."""
MOST_TOGETHER = 20
"""Calls or groups that are confirmed with one answer because they are likely right."""
MOST_BESIDE = 200
"""With more calls below the root, they are not confirmed together."""
LIKELY_TOGETHER = "all of them are likely right, and the finding rests on them"
SINGLY = Choice.SINGLY
MOST_TO_PLAY = 200_000
"""With more suspects, what is left is estimated without playing it to the end."""


_REPEATED: dict[NodeState | None, Verdict] = {
    NodeState.RIGHT: Verdict.RIGHT,
    NodeState.WRONG: Verdict.WRONG,
    NodeState.INADMISSIBLE: Verdict.INADMISSIBLE,
    NodeState.UNKNOWN: Verdict.DONT_KNOW,
}


class Session:
    """A search for bugs in one run."""

    def __init__(
        self,
        tree: Tree,
        facts: Facts | None = None,
        *,
        strategy: str | Strategy = DEFAULT_STRATEGY,
        chains: npt.ArrayLike | None = None,
        balancing: Balancing | None = None,
        trusted: Trusted = Trusted.SPLICE,
        oracles: Sequence[Oracle] = (),
        entries: Iterable[Entry] = (),
        growing: bool = False,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Search a tree.

        ``chains``: a chain key for each node, to balance the tree with; ``balancing``: how.
        ``oracles`` are asked before the user is. ``entries``: what an earlier session was told.
        ``growing``: the program still runs, see `grow`.
        """
        self.facts = facts or NoFacts()
        self.panel = Panel(oracles)
        self._suspicion = self.panel.suspicion()
        self._supposed: tuple[object, Factors | None] = ((), None)
        """What is likely, and the factors for it."""
        self._trusted = trusted
        self._clock = clock
        self._entries: list[Entry] = list(entries)
        self._next: Next | None = None
        """What `step` returned since the last change."""
        self._choice: NodeChoice | None = None
        """The node that it chose, and what it measured: noted with the next change."""
        self._keys: dict[int, Hashable | None] = {}
        self._chosen: dict[tuple[Entry, ...], int] = {}
        self._known_lines: set[int] = set()
        self._samples: dict[int, Sample] = {}
        self._balance: GrowingBalance | None = None
        self.use(strategy)
        self.grow(tree, chains=chains, balancing=balancing, growing=growing)

    # -- the tree ----------------------------------------------------------------------------------

    def grow(
        self,
        tree: Tree,
        *,
        chains: npt.ArrayLike | None = None,
        balancing: Balancing | None = None,
        growing: bool = False,
    ) -> None:
        """Continue with more of the tree, or with other groups; the answers stay valid."""
        if not growing and not tree.judgeable.any():
            raise SessionError("no call finished, so there is nothing to ask about")
        if tree.reading is not None:
            self._samples = sampled(tree, self.facts.lines, self._samples)
        searched = tree if chains is None else self.balanced(tree, chains, balancing)
        self._growing = growing
        self._base = tree
        self._start(searched)

    def use_groups(self, balanced: BalancedTree) -> None:
        """Continue with these groups of the same tree, made by `balanced`; the answers stay valid."""
        self._start(balanced)

    def balanced(
        self, tree: Tree, chains: npt.ArrayLike, balancing: Balancing | None = None
    ) -> BalancedTree:
        """Return a balanced tree; the groups of what had ended when it was last balanced are known.

        The session goes on as before meanwhile, so another thread may do this.
        """
        how = balancing or Balancing()
        if self._balance is None or self._balance.how != how:
            self._balance = GrowingBalance(how)
        reading = self._reading(tree)
        return self._balance.balance(tree, chains, None if reading is None else reading.brief)

    def _reading(self, tree: Tree) -> Reading | None:
        """Return how long questions are, by the estimate for a tree and a look at each function."""
        return tree.reading and tree.reading.scaled(tree.function, self._samples)

    def _start(self, tree: Tree) -> None:
        weights = tree.weights or UNIT
        suspects = Suspects(tree, weights=weights, trusted=self._trusted)
        self._knowledge = Knowledge(suspects, self.facts)
        self._provide()
        self._fold()

    def _provide(self) -> None:
        """Fetch what the strategy needs."""
        self._chosen.clear()
        self._known_lines.clear()
        suspects = self._knowledge.suspects
        reading = self._reading(self._base) if self._strategy.needs_costs else None
        suspects.costs = None if reading is None else costs_of(reading, suspects.tree)
        self._provide_coverage()

    def _provide_coverage(self) -> None:
        """Fetch the coverage that the strategy needs: it is large, so only then."""
        kind, suspects = self._strategy.needs_coverage, self._knowledge.suspects
        found = self.facts.coverage(kind) if kind is not None else None
        if kind is not None and found is not None and kind not in suspects.coverage:
            tree = suspects.tree
            grouped = found.grouped(tree) if isinstance(tree, BalancedTree) else found
            suspects.coverage = {**suspects.coverage, kind: grouped}

    def _fold(self) -> None:
        gone = revoked(self._entries)
        for number, entry in enumerate(self._entries, 1):
            if number in gone:
                self._knowledge.skip()
            else:
                self._knowledge.apply(entry)
        self._changed()

    def _changed(self) -> None:
        """Move the root of the search to where the knowledge is now."""
        suspects = self._knowledge.suspects
        suspects.root = suspects.implied(self._knowledge.root)
        suspects.weigh_by(self._factors())
        self._next = self._choice = None

    def _factors(self) -> Factors | None:
        """Return how evidence weighs: the opinions of oracles that are not certain."""
        likely = self._knowledge.position.likely
        if self._supposed[0] != (known := (id(self.tree), likely)):
            self._supposed = known, factors_of(self.tree, likely, self._suspicion)
        return self._supposed[1]

    def _refold(self) -> None:
        tree, suspects = self._knowledge.tree, self._knowledge.suspects
        fresh = Suspects(
            tree,
            weights=suspects.base_weights,
            trusted=self._trusted,
            coverage=suspects.coverage,
            costs=suspects.costs,
        )
        self._knowledge = Knowledge(fresh, self.facts)
        self._fold()

    # -- looking -----------------------------------------------------------------------------------

    @property
    def tree(self) -> Tree:
        """The tree that is searched, groups included."""
        return self._knowledge.tree

    @property
    def suspects(self) -> Suspects:
        """What is known, and the root of the search. Read it; don't change it."""
        return self._knowledge.suspects

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The answers and decisions so far, in order; entry n is the n-th."""
        return tuple(self._entries)

    @property
    def strategy(self) -> Strategy:
        """The strategy in use."""
        return self._strategy

    def use(self, chosen: str | Strategy) -> None:
        """Change the strategy; what is known stays."""
        new = strategy(chosen) if isinstance(chosen, str) else chosen
        kind = new.needs_coverage
        if kind is not None and self.facts.coverage(kind) is None:
            raise SessionError(f"there is no {kind} coverage for these calls")
        self._strategy = new
        self._next = self._choice = None
        if hasattr(self, "_knowledge"):
            self._provide()

    def step(self) -> Next:
        """Return the next question, or the result of the search. Changes nothing."""
        if self._next is None:
            self._next = self._find_next()
        return self._next

    def _find_next(self) -> Next:
        if self._knowledge.position.confirmed != NOBODY:
            return self._finding(self._knowledge.position.confirmed, confirmed=True)
        node = self._choose().node
        if node == NOBODY:
            return self._conclude()
        together = self._to_confirm(node)
        return self._confirmation(together) if len(together) > 1 else self._question(node)

    def advance(self) -> tuple[Entry, ...]:
        """Add the answers that need no user, until a question does; return what was added."""
        before = len(self._entries)
        likely = 0
        while self._knowledge.position.confirmed == NOBODY:
            self._note()
            node = self._choose().node
            if node == NOBODY:
                break
            if self._split(node):
                continue
            may_suppose = likely < MAX_LIKELY_ANSWERS
            known = self._remembered(node) or self._from_oracles(node, may_suppose=may_suppose)
            if known is None and may_suppose:
                known = self._supposed_beside(node)
            if known is None:
                break
            self._add(known)
            likely += known.is_likely
            if known.because is not None:
                self._add_repeated(node)
        return tuple(self._entries[before:])

    def _split(self, node: int) -> bool:
        """Split a list if some of its calls are trusted; return whether it was split.

        The answer "right" would also cover the calls that a trusted function made.
        """
        if not self.tree.is_listed(node):
            return False
        first = {self._function(call): call for call in self._calls(node)[::-1]}
        for call in first.values():
            known = self._from_oracles(self.tree.node(call), trusting=True)
            if known is not None and known.verdict is Verdict.TRUST_FUNCTION:
                self._add(known)
        if not first.keys() & self._knowledge.position.trusted:
            return False
        if self._knowledge.suspects.can_ask(node):
            self._knowledge.split(node)
        self._chosen.pop(tuple(self._entries), None)
        self._changed()
        return True

    def _choose(self) -> NodeChoice:
        """Return the node to ask next, `NOBODY` if there is none. Changes nothing; see `_note`."""
        if self._choice is None:
            self._choice = self._find_node()
        return self._choice

    def _find_node(self) -> NodeChoice:
        suspects, hint = self.suspects, self._knowledge.position.hint
        if hint != NOBODY and suspects.can_ask(hint, led=True):
            return NodeChoice(hint, {})
        # What was asked is asked again after an undo, though more questions were looked at since.
        told = tuple(self._entries)
        if told in self._chosen:
            return NodeChoice(self._chosen[told], {})
        return choose_looking(self._strategy, suspects, self._lines, self._known_lines)

    def _note(self) -> None:
        """Note the node that was chosen, and what was measured for it, as later choices need it."""
        node, lengths = self._choose()
        if node != self._knowledge.position.hint:
            self._chosen[tuple(self._entries)] = node
        self._known_lines.update(lengths)
        note(self.suspects, lengths)

    def _lines(self, node: int) -> int | None:
        return self.facts.lines(self._calls(node), self.tree.is_listed(node))

    def _question(self, node: int) -> Question:
        calls = self._calls(node)
        functions = [self._function(call) for call in calls]
        position = self._knowledge.position
        return Question(
            node,
            calls,
            functions[0] if len(set(functions)) == 1 else None,
            tuple((function, len(list(run))) for function, run in groupby(functions)),
            again=position.again and node == position.hint,
            note=self._strategy.note,
            is_list=self.tree.is_listed(node),
            opinions=self.opinions(calls),
        )

    # -- confirming what is likely -----------------------------------------------------------------

    def _to_confirm(self, chosen: int) -> tuple[int, ...]:
        """Return the nodes that are likely right, if nothing else is left to ask below the root."""
        nodes = self._beside(chosen)
        if not nodes or not all(map(self._is_likely_right, nodes)):
            return ()
        return nodes[:MOST_TOGETHER]

    def _beside(self, chosen: int) -> tuple[int, ...]:
        """Return what can be asked about below the root, if the choice fell on something likely right."""
        suspects, tree = self.suspects, self.tree
        root = suspects.root
        if root == NOBODY or tree.is_projected(root) or self._knowledge.position.hint == chosen:
            return ()
        way = [chosen, *(node for node in tree.ancestors(chosen) if tree.contains(root, node))]
        if not any(map(self._is_likely_right, way)):
            return ()
        nodes = suspects.topmost(MOST_BESIDE + 1)
        calls = [self._calls(node)[0] for node in nodes]
        return () if len(nodes) > MOST_BESIDE or self._asked_singly(calls) else tuple(nodes)

    def _asked_singly(self, calls: Sequence[int]) -> bool:
        """Return whether the user did not confirm some of these calls together with others."""
        spans = [e.calls for e in self._entries if isinstance(e, Decision) and e.choice is SINGLY]
        return any(first <= call <= last for first, last in spans for call in calls)

    def _is_likely_right(self, node: int) -> bool:
        """Return whether oracles say so, and none of them says the opposite."""
        thought = {state for about, state in self._knowledge.position.likely if about == node}
        return bool(thought) and thought <= RIGHT

    def _supposed_beside(self, chosen: int) -> Answer | None:
        """Return what an oracle thinks of another call that the finding would rest on, if it is new."""
        for node in self._beside(chosen):
            if not self._is_likely_right(node):
                return self._from_oracles(node)
        return None

    def _confirmation(self, nodes: tuple[int, ...]) -> Question:
        asked = [self._question(node) for node in nodes]
        return replace(
            asked[0],
            calls=tuple(call for each in asked for call in each.calls),
            function=asked[0].function if len({each.function for each in asked}) == 1 else None,
            counts=tuple(count for each in asked for count in each.counts),
            note=LIKELY_TOGETHER,
            is_list=True,
            opinions=tuple(answer for each in asked for answer in each.opinions),
            nodes=nodes,
        )

    def first_of(self, confirmation: Question) -> Question:
        """Return the question about the first of the nodes that are to be confirmed together."""
        return self._question(confirmation.nodes[0])

    def _open_confirmation(self, calls: tuple[int, int]) -> Question | None:
        """Return the open question, if it is about these calls and confirms what is likely."""
        asked = self.step()
        if not isinstance(asked, Question) or not asked.nodes:
            return None
        return asked if (asked.calls[0], asked.calls[-1]) == calls else None

    def _tell_together(
        self, asked: Question, verdict: str | Verdict, by: str, replace_others: bool
    ) -> None:
        """Take the answer to a confirmation: each is right, or they are asked about one by one."""
        checked, now = Verdict.of(verdict), self._clock()
        if checked in (Verdict.WRONG, Verdict.DONT_KNOW):
            self._add(Decision(SINGLY, (asked.calls[0], asked.calls[-1]), by, now))
            return
        if checked is not Verdict.RIGHT:
            raise SessionError("this is about several calls; judge the one that you mean")
        about = [self._calls(node) for node in asked.nodes]
        answers = [Answer((calls[0], calls[-1]), checked, by, now) for calls in about]
        against = [self._against(answer) for answer in answers]
        numbers = tuple(sorted({number for each in against for number in each}))
        if numbers and not replace_others:
            told = tuple(self._answer(number) for number in numbers)
            raise ContradictionError(f"{Contradiction(numbers, told)}; and now right", numbers)
        first = len(self._entries) + 1
        for answer, others in zip(answers, against, strict=True):
            # What was answered at once is taken back at once.
            because = None if answer is answers[0] else first
            self._add(replace(answer, revokes=others, because=because))

    def _calls(self, node: int) -> tuple[int, ...]:
        return tuple(self.tree.call(member) for member in self.tree.members(node))

    def _function(self, call: int) -> int:
        return int(self._base.function[self._base.node(call)])

    def why(self) -> Why:
        """Explain the open question."""
        asked = self._open_question()
        suspects, node = self.suspects, asked.node
        weighed = suspects.weigh(suspects.base_weights)
        total, inside = weighed.total, weighed.of(node)
        own = suspects.base_weights.of(node, suspects.state)
        expected, is_exact = self._expected(total)
        return Why(
            self._strategy.name,
            total,
            left_if_right=total - inside,
            left_if_wrong=inside,
            left_if_unknown=total - own,
            expected=expected,
            is_exact=is_exact,
            note=asked.note,
        )

    def _open_question(self) -> Question:
        asked = self.step()
        if not isinstance(asked, Question):
            raise SessionError("no question is open")
        return asked

    def _expected(self, total: float) -> tuple[float, bool]:
        """Return how many questions are left, and whether that is more than a lower bound."""
        first, last = self.suspects.span
        if total <= 0:
            return 1.0, False
        if last - first > MOST_TO_PLAY:
            return math.log2(max(2.0, total)), False
        left = self.suspects.compact()
        return left.greedy_total / left.total_weight, True

    # -- the result of the search ------------------------------------------------------------------

    def _conclude(self) -> Next:
        suspects = self.suspects
        # A group and its members may all be undecided: each call counts once.
        nodes = suspects.undecided().tolist()
        undecided = tuple(dict.fromkeys(call for node in nodes for call in self._calls(node)))
        if suspects.root == NOBODY:
            return NeedsMoreTree(undecided) if self._growing else NoBug(undecided)
        clash = self._clash(suspects.root) if not undecided else ()
        if clash:
            return Contradiction(clash, tuple(self._answer(number) for number in clash))
        return self._finding(suspects.root, undecided=undecided)

    def _clash(self, root: int) -> tuple[int, ...]:
        """Return the answers that leave no place for the bug, if they do."""
        functions = {self._function(call) for call in self._calls(root)}
        trusting = [n for n, a in self.answers() if functions & self._knowledge.functions(a)]
        if self.tree.is_projected(root):
            return tuple(sorted({*self._evidence(root), *trusting}))
        return tuple(sorted({*self._about(root), *trusting})) if trusting else ()

    def finding_at(self, call: int) -> Finding:
        """Return the finding that a call is, if the bug is in it."""
        return self._finding(self.tree.node(call))

    def _finding(
        self, node: int, *, undecided: tuple[int, ...] = (), confirmed: bool = False
    ) -> Finding:
        calls = () if self.tree.is_projected(node) else self._calls(node)
        evidence = self._evidence(node)
        inside = [self._answer(number) for number in evidence]
        inadmissible = tuple(
            a.calls[0] for a in inside if self._knowledge.effect(a) is NodeState.INADMISSIBLE
        )
        function = self._function(calls[0]) if calls else None
        return Finding(node, calls, function, evidence, undecided, inadmissible, confirmed)

    def _evidence(self, root: int) -> tuple[int, ...]:
        """Return the answers about a node and what is below it.

        Where it is known to be wrong because its siblings in wrong groups are right, those count.
        """
        groups, node = set(), int(self.tree.parent[root])
        while node != NOBODY and self.tree.is_projected(node):
            groups.add(node)
            node = int(self.tree.parent[node])
        found = []
        for number, answer in self.answers():
            about = self._knowledge.node_of(answer.calls)
            if about is not None and self._supports(about, root, groups):
                found.append(number)
        return tuple(found)

    def _supports(self, about: int, root: int, groups: set[int]) -> bool:
        is_beside = about in groups or int(self.tree.parent[about]) in groups
        return is_beside or self.tree.contains(root, about)

    def answers(self) -> list[tuple[int, Answer]]:
        """Return the answers that count, each with its number: not replaced, and not merely likely."""
        return [(n, answer) for n, answer in standing(self._entries) if not answer.is_likely]

    def _answer(self, number: int) -> Answer:
        entry = self._entries[number - 1]
        if not isinstance(entry, Answer):
            raise SessionError(f"entry {number} is not an answer")
        return entry

    def _about(self, node: int) -> list[int]:
        return [n for n, a in self.answers() if self._knowledge.node_of(a.calls) == node]

    # -- telling -----------------------------------------------------------------------------------

    def answer(
        self,
        verdict: str | Verdict,
        *,
        question: Question | None = None,
        part: Part | None = None,
        expected: str | None = None,
        by: str = USER,
        replace: bool = False,
    ) -> None:
        """Answer the open question. ``question``: the one that the caller means, to be checked."""
        asked = self._open_question()
        if question is not None and question.calls != asked.calls:
            raise SessionError(
                f"call {question.calls[0]} is not the open question; that is call {asked.calls[0]}"
            )
        calls = (asked.calls[0], asked.calls[-1])
        if asked.nodes:
            self._tell_together(asked, verdict, by, replace)
            return
        self._tell(calls, verdict, part, expected, by, replace, again=asked.again)

    def judge(
        self,
        call: int | tuple[int, int],
        verdict: str | Verdict,
        *,
        part: Part | None = None,
        expected: str | None = None,
        by: str = USER,
        replace: bool = False,
    ) -> None:
        """Judge any call, or a group by its first and last call, asked or not.

        ``replace``: take the place of earlier answers that contradict this one.
        """
        calls = call if isinstance(call, tuple) else (call, call)
        for each in calls:
            self._knowledge.check_call(each)
        together = self._open_confirmation(calls) if calls[0] != calls[1] else None
        if together is not None:
            self._tell_together(together, verdict, by, replace)
            return
        if self._knowledge.node_of(calls) is None:
            raise SessionError(f"calls {calls[0]} to {calls[1]} are not a group of this tree")
        self._tell(calls, verdict, part, expected, by, replace)

    def _tell(
        self,
        calls: tuple[int, int],
        verdict: str | Verdict,
        part: Part | None,
        expected: str | None,
        by: str,
        replace_others: bool,
        again: bool = False,
    ) -> None:
        checked = Verdict.of(verdict)
        if (checked is Verdict.WRONG_PART) != (part is not None):
            raise SessionError('"this part is wrong" needs a part, and no other verdict has one')
        self._check_trust(calls, checked)
        self._check_input(calls, checked)
        origin = self.facts.origin(calls[0], part) if part is not None else None
        if origin is not None:
            self.tree.node(origin)
        answer = Answer(
            calls,
            checked,
            by,
            self._clock(),
            part,
            origin,
            expected,
            again=again,
        )
        against = self._against(answer)
        if against and not replace_others:
            raise ContradictionError(
                str(Contradiction(against, tuple(self._answer(n) for n in against)))
                + f"; and now {answer}",
                against,
            )
        self._add(replace(answer, revokes=against))

    def _check_trust(self, calls: tuple[int, int], verdict: Verdict) -> None:
        """Refuse to trust a group of different functions: which one is meant?"""
        node = self._knowledge.node_of(calls)
        if verdict not in (Verdict.TRUST_FUNCTION, Verdict.TRUST_MODULE) or node is None:
            return
        names = {self.facts.function_name(self._function(call)) for call in self._calls(node)}
        if len(names) > 1:
            raise SessionError(
                f"the group has calls to {', '.join(sorted(names))}; judge a call to the one you trust"
            )

    def _check_input(self, calls: tuple[int, int], verdict: Verdict) -> None:
        """Refuse to call a list invalid: one invalid call says nothing about the others."""
        node = self._knowledge.node_of(calls)
        if verdict is Verdict.INADMISSIBLE and node is not None and self.tree.is_listed(node):
            raise SessionError(
                f"calls {calls[0]} to {calls[1]} are a list; judge the invalid call itself"
            )

    def _add(self, entry: Entry) -> None:
        if self._choice is not None:
            self._note()
        self._entries.append(entry)
        if entry.revokes:
            self._refold()
        else:
            self._knowledge.apply(entry)
            self._changed()

    def _against(self, answer: Answer) -> tuple[int, ...]:
        """Return the answers that an answer contradicts: about the same call, or an equal one."""
        state = self._knowledge.effect(answer)
        if state is not NodeState.WRONG and state not in RIGHT:
            return ()
        found = []
        for number, other in self.answers():
            said = self._knowledge.effect(other)
            differs = said in RIGHT if state is NodeState.WRONG else said is NodeState.WRONG
            if differs and (other.calls == answer.calls or self._is_same(other, answer)):
                found.append(number)
        return tuple(found)

    @property
    def can_undo(self) -> bool:
        """Whether the user has answered anything."""
        return not all(self._is_automatic(entry) for entry in self._entries)

    def undo(self) -> None:
        """Undo the last thing the user said, and what followed from it."""
        revokes = False
        if not self.can_undo:
            raise SessionError("there is nothing to undo")
        if self._choice is not None:
            self._note()
        while True:
            entry = self._entries.pop()
            self._knowledge.take_back()
            revokes = revokes or bool(entry.revokes)
            if not self._is_automatic(entry):
                break
        if revokes:
            self._refold()
        else:
            self._changed()

    def _is_automatic(self, entry: Entry) -> bool:
        if not isinstance(entry, Answer):
            return False
        by_itself = entry.by in {ASSUMED, BY_TEST, *self.panel.names}
        return entry.because is not None or by_itself or bool(entry.reason)

    # -- oracles -----------------------------------------------------------------------------------

    def _is_same(self, one: Answer, other: Answer) -> bool:
        """Return whether two answers are about equal calls.

        Checked last: it takes as long as showing a question.
        """
        if not (one.is_about_one_call and other.is_about_one_call):
            return False
        if self._function(one.calls[0]) != self._function(other.calls[0]):
            return False
        key = self._key(one)
        return key is not None and key == self._key(other)

    def _key(self, answer: Answer) -> Hashable | None:
        if not answer.is_about_one_call:
            return None
        call = answer.calls[0]
        if call not in self._keys:
            self._keys[call] = self.facts.question_key(call)
        return self._keys[call]

    def _remembered(self, node: int) -> Answer | None:
        """Return the earlier verdict about an equal call, as an answer about this one."""
        position = self._knowledge.position
        if self.tree.is_group(node) or (position.again and node == position.hint):
            return None
        call = self.tree.call(node)
        asked = Answer((call, call), Verdict.RIGHT)
        for number, earlier in reversed(self.answers()):
            verdict = _REPEATED.get(self._knowledge.effect(earlier))
            if verdict and earlier.calls != asked.calls and self._is_same(earlier, asked):
                return replace(asked, verdict=verdict, by=SAME, because=number, at=self._clock())
        return None

    def _add_repeated(self, node: int) -> None:
        """Answer for the following siblings as well, as long as they are equal.

        A loop may make a great many equal calls; the strategy need not choose each of them.
        """
        tree, suspects = self.tree, self._knowledge.suspects
        for _ in range(MOST_REPEATED):
            following = int(tree.end[node])
            if following >= len(tree) or tree.parent[following] != tree.parent[node]:
                return
            if tree.function[following] != tree.function[node] or tree.is_group(following):
                return
            node = following
            if suspects.state[node] == NodeState.UNDEFINED:
                known = self._remembered(node)
                if known is None:
                    return
                self._add(known)

    def _from_oracles(
        self, node: int, *, trusting: bool = False, may_suppose: bool = True
    ) -> Answer | None:
        """Return the answer of the first oracle that has one; likely ones count only once."""
        position = self._knowledge.position
        if not self.panel.oracles or (position.again and node == position.hint):
            return None
        calls = self._calls(node)
        for name, opinion in self.panel.opinions(calls, self.dismissed(), trusting=trusting):
            answer = answer_of(name, opinion, calls, self._clock())
            if answer.is_likely:
                if may_suppose and not is_noted(answer, self._entries):
                    return answer
            elif self._decides(answer):
                return answer
        return None

    def _decides(self, answer: Answer) -> bool:
        """Return whether an oracle's answer is new; one that contradicts others excuses the oracle."""
        against = self._against(answer)
        if against:
            others = "; ".join(str(self._answer(number)) for number in against)
            self.panel.excuse(answer.by, f"it contradicts an answer: {answer}; but {others}")
            return False
        node, state = self._knowledge.node_of(answer.calls), self._knowledge.effect(answer)
        if state is None:
            return not self._knowledge.functions(answer) <= self._knowledge.position.trusted
        return node is not None and self._knowledge.suspects.state_of(node) not in (
            *RIGHT,
            NodeState.WRONG,
            state,
        )

    def consult(self, call: int) -> Answer | None:
        """Ask the oracles about any call; return what one of them had to say, if it is new."""
        node = self._knowledge.check_call(call)
        known = self._from_oracles(node)
        if known is not None:
            self._add(known)
        return known

    def opinions(self, calls: tuple[int, ...]) -> tuple[Answer, ...]:
        """Return what oracles think of some calls without being certain."""
        return opinions_about((answer for _, answer in standing(self._entries)), calls)

    def dismissed(self) -> frozenset[str]:
        """Return the oracles that are asked no more: those that the user dismissed or contradicted."""
        answers = [answer for _, answer in standing(self._entries)]
        return dismissed_by(self._entries, answers, self.panel.names, self._knowledge.effect)

    def dismiss(self, oracle: str, by: str = USER) -> None:
        """Ask an oracle no more, and take back what it said."""
        numbers = tuple(n for n, answer in standing(self._entries) if answer.by == oracle)
        calls = self._entries[0].calls if self._entries else (0, 0)
        about = (Choice.DISMISS, calls, by, self._clock())
        self._add(Decision(*about, revokes=numbers, oracle=oracle))

    def judged(self) -> list[Judged]:
        """Return the calls and groups that the user has judged; of lists that are right, each call."""
        found: dict[tuple[int, ...], Judged] = {}
        for _, answer in self.answers():
            verdict = _REPEATED.get(self._knowledge.effect(answer), Verdict.DONT_KNOW)
            node = self._knowledge.node_of(answer.calls)
            if answer.by != USER or node is None or verdict is Verdict.DONT_KNOW:
                continue
            calls = self._calls(node)
            is_each = verdict is Verdict.RIGHT and self.tree.is_listed(node)
            for each in [(call,) for call in calls] if is_each else [calls]:
                found[each] = Judged(each, verdict, answer.at, answer.expected)
        return list(found.values())

    # -- findings ----------------------------------------------------------------------------------

    def _current_finding(self) -> Finding:
        found = self.step()
        if not isinstance(found, Finding):
            raise SessionError("nothing found yet; answer the questions first")
        return found

    def _calls_of(self, finding: Finding) -> tuple[int, int]:
        calls = finding.calls or self._calls(finding.node)
        return calls[0], calls[-1]

    def confirm(self, by: str = USER) -> None:
        """Confirm that the finding is the bug."""
        found = self._current_finding()
        if not found.confirmed:
            self._add(Decision(Choice.CONFIRM, self._calls_of(found), by, self._clock()))

    def reject(self, by: str = USER) -> None:
        """Reject the finding: ask again about the answer that is most likely mistaken."""
        found = self._current_finding()
        weakest = self._weakest(found)
        if weakest is None:
            raise SessionError(
                f"every answer about call {self._calls_of(found)[0]} was given twice: it is wrong, "
                "and every call it made is right"
            )
        again = self._answer(weakest).calls
        about = (Choice.REJECT, self._calls_of(found), by, self._clock())
        self._add(Decision(*about, revokes=(weakest,), again=again))

    def _weakest(self, finding: Finding) -> int | None:
        """Return the number of the answer to ask about again; None: all were asked twice.

        What was repeated or came from an oracle is weaker than what the user said; a group is
        harder to judge than a call; and later answers come first, as in Mercury's debugger.
        """
        open_ = [n for n in finding.evidence if not self._answer(n).again]

        def strength(number: int) -> tuple[bool, bool, int]:
            answer = self._answer(number)
            return not self._is_automatic(answer), answer.is_about_one_call, -number

        return min(open_, key=strength, default=None)

    def go_on(self, by: str = USER) -> None:
        """Search for another bug; what is wrong because of this one counts as explained."""
        found = self._current_finding()
        self._add(Decision(Choice.GO_ON, self._calls_of(found), by, self._clock()))
