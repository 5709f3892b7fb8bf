"""The debugging session: a state machine that asks, takes answers, and names the wrong call.

`Session.step` is a query: what to ask next, or what was found. It changes nothing, so it can be
called at any time. `Session.answer`, `Session.judge`, `Session.undo` and the decisions about findings
change what is known; `Session.advance` then adds the answers that need no user: those that follow from
earlier ones, and those of oracles. The usual loop is ``advance()``, ``step()``, ``answer()``.

The session never prints or prompts. Its state is a fold over its entries (see `answers`): a session
with the same tree and the same entries is the same session. An error leaves the session as it was.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy.typing as npt

from wrongcall.errors import ContradictionError, SessionError
from wrongcall.session.answering import checked_answer, contradicted, is_news, judged_by_user
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
from wrongcall.session.asking import question_about, why_asked
from wrongcall.session.choosing import Chooser
from wrongcall.session.concluding import conclude, finding_of, weakest
from wrongcall.session.confirming import (
    all_right,
    beside,
    confirmation,
    is_likely_right,
    to_confirm,
)
from wrongcall.session.equal_calls import REPEATED, SAME, EqualCalls
from wrongcall.session.evidence import Factors, factors_of
from wrongcall.session.facts import Facts, NoFacts
from wrongcall.session.knowledge import Knowledge
from wrongcall.session.oracles import Judged, Oracle
from wrongcall.session.panel import Panel, answer_of, dismissed_by, is_noted, opinions_about
from wrongcall.session.steps import (
    Contradiction,
    Finding,
    Next,
    Question,
    Why,
)
from wrongcall.session.strategies import Strategy
from wrongcall.session.strategies import strategy as strategy_named
from wrongcall.tree.balance import BalancedTree, Balancing
from wrongcall.tree.growing import GrowingBalance
from wrongcall.tree.states import NodeState, Trusted
from wrongcall.tree.suspects import Suspects
from wrongcall.tree.tree import NOBODY, Tree
from wrongcall.tree.weights import UNIT

DEFAULT_STRATEGY = "least-reading"
MOST_REPEATED = 1000
"""Equal calls in a row that are answered together."""
MAX_LIKELY_ANSWERS = 32
"""Likely answers that are asked for in a row, before the user is asked."""


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
        self._suspicions = self.panel.suspicions()
        self._supposed: tuple[object, Factors | None] = ((), None)
        """What is likely, and the factors for it."""
        self._trusted = trusted
        self._clock = clock
        self._entries: list[Entry] = list(entries)
        self._next: Next | None = None
        """What `step` returned since the last change."""
        self._equal = EqualCalls()
        self._balance: GrowingBalance | None = None
        self._chooser = Chooser(_strategy(strategy), self.facts)
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
        self._chooser.sample(tree, self.facts)
        searched = tree if chains is None else self._balanced(tree, chains, balancing)
        self._growing = growing
        self._base = tree
        self._start(self._suspects(searched))

    def use_groups(self, grouped: Suspects) -> None:
        """Continue with the groups of the same tree that `grouped` made; the answers stay valid."""
        self._start(grouped)

    def grouped(self, tree: Tree, chains: npt.ArrayLike) -> Suspects:
        """Return the beginning of a search in a balanced tree: before any answer, with what questions cost.

        The session goes on as before meanwhile, so another thread may do this.
        """
        suspects = self._suspects(self._balanced(tree, chains))
        suspects.costs = self._chooser.costs(tree, suspects.tree)
        return suspects

    def _balanced(
        self, tree: Tree, chains: npt.ArrayLike, balancing: Balancing | None = None
    ) -> BalancedTree:
        """Return a balanced tree; the groups of what had ended when it was last balanced are known."""
        how = balancing or Balancing()
        if self._balance is None or self._balance.how != how:
            self._balance = GrowingBalance(how)
        reading = self._chooser.reading(tree)
        return self._balance.balance(tree, chains, None if reading is None else reading.brief)

    def _suspects(self, tree: Tree) -> Suspects:
        return Suspects(tree, weights=tree.weights or UNIT, trusted=self._trusted)

    def _start(self, suspects: Suspects) -> None:
        self._knowledge = Knowledge(suspects, self.facts)
        self._chooser.provide(self._base, self._knowledge, suspects.costs)
        self._fold()

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
        self._next = None
        self._chooser.forget()

    def _factors(self) -> Factors | None:
        """Return how evidence weighs: the opinions of oracles that are not certain."""
        likely = self._knowledge.position.likely
        if self._supposed[0] != (known := (id(self.tree), likely)):
            self._supposed = known, factors_of(self.tree, likely, self._suspicions)
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
        return self._chooser.strategy

    def use(self, chosen: str | Strategy) -> None:
        """Change the strategy; what is known stays."""
        self._chooser.use(_strategy(chosen), self.facts)
        self._next = None
        self._chooser.provide(self._base, self._knowledge)

    def step(self) -> Next:
        """Return the next question, or the result of the search. Changes nothing."""
        if self._next is None:
            self._next = self._find_next()
        return self._next

    def _find_next(self) -> Next:
        if self._knowledge.position.confirmed != NOBODY:
            found = self._knowledge.position.confirmed
            return finding_of(self._knowledge, self.answers(), found, confirmed=True)
        node = self._chooser.choose(self._knowledge, self._entries)
        if node == NOBODY:
            return conclude(self._knowledge, self.answers(), growing=self._growing)
        together = to_confirm(self._knowledge, self._entries, node)
        asked = [self._question(each) for each in together]
        return confirmation(asked) if len(asked) > 1 else self._question(node)

    def advance(self) -> tuple[Entry, ...]:
        """Add the answers that need no user, until a question does; return what was added."""
        before = len(self._entries)
        likely = 0
        while self._knowledge.position.confirmed == NOBODY:
            self._chooser.note(self._knowledge, self._entries)
            node = self._chooser.choose(self._knowledge, self._entries)
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
        first = {self._knowledge.function(call): call for call in self._knowledge.calls(node)[::-1]}
        for call in first.values():
            known = self._from_oracles(self.tree.node(call), trusting=True)
            if known is not None and known.verdict is Verdict.TRUST_FUNCTION:
                self._add(known)
        if not first.keys() & self._knowledge.position.trusted:
            return False
        if self._knowledge.suspects.can_ask(node):
            self._knowledge.split(node)
        self._chooser.revise(self._entries)
        self._changed()
        return True

    def _question(self, node: int) -> Question:
        opinions = self.opinions(self._knowledge.calls(node))
        return question_about(self._knowledge, node, self.strategy.note, opinions)

    # -- confirming what is likely -----------------------------------------------------------------

    def _supposed_beside(self, chosen: int) -> Answer | None:
        """Return what an oracle thinks of another call that the finding would rest on, if it is new."""
        for node in beside(self._knowledge, self._entries, chosen):
            if not is_likely_right(self._knowledge, node):
                return self._from_oracles(node)
        return None

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
            self._add(Decision(Choice.SINGLY, (asked.calls[0], asked.calls[-1]), by, now))
            return
        if checked is not Verdict.RIGHT:
            raise SessionError("this is about several calls; judge the one that you mean")
        answers = all_right(self._knowledge, asked, by, now)
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

    def why(self) -> Why:
        """Explain the open question."""
        return why_asked(self.suspects, self._open_question(), self.strategy.name)

    def _open_question(self) -> Question:
        asked = self.step()
        if not isinstance(asked, Question):
            raise SessionError("no question is open")
        return asked

    # -- the result of the search ------------------------------------------------------------------

    def finding_at(self, call: int) -> Finding:
        """Return the finding that a call is, if the bug is in it."""
        return finding_of(self._knowledge, self.answers(), self.tree.node(call))

    def answers(self) -> list[tuple[int, Answer]]:
        """Return the answers that count, each with its number: not replaced, and not merely likely."""
        return [(n, answer) for n, answer in standing(self._entries) if not answer.is_likely]

    def _answer(self, number: int) -> Answer:
        entry = self._entries[number - 1]
        if not isinstance(entry, Answer):
            raise SessionError(f"entry {number} is not an answer")
        return entry

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
        self._check_verdict(Verdict.of(verdict))
        answer = checked_answer(
            self._knowledge, calls, verdict, part, expected, by, self._clock(), again
        )
        against = self._against(answer)
        if against and not replace_others:
            raise ContradictionError(
                str(Contradiction(against, tuple(self._answer(n) for n in against)))
                + f"; and now {answer}",
                against,
            )
        self._add(replace(answer, revokes=against))

    def _check_verdict(self, verdict: Verdict) -> None:
        """Refuse a verdict that means nothing in this search; here, every verdict means something."""

    def _add(self, entry: Entry) -> None:
        self._chooser.note_choice(self._knowledge, self._entries)
        self._entries.append(entry)
        if entry.revokes:
            self._refold()
        else:
            self._knowledge.apply(entry)
            self._changed()

    def _against(self, answer: Answer) -> tuple[int, ...]:
        """Return the answers that an answer contradicts: about the same call, or an equal one."""
        return contradicted(self._knowledge, self.answers(), answer, self._equal)

    @property
    def can_undo(self) -> bool:
        """Whether the user has answered anything."""
        return not all(self._is_automatic(entry) for entry in self._entries)

    @property
    def told_at(self) -> float:
        """When the user last said something; 0 if that never happened."""
        return max((e.at for e in self._entries if not self._is_automatic(e)), default=0.0)

    def undo(self) -> None:
        """Undo the last thing the user said, and what followed from it."""
        revokes = False
        if not self.can_undo:
            raise SessionError("there is nothing to undo")
        self._chooser.note_choice(self._knowledge, self._entries)
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

    def _remembered(self, node: int) -> Answer | None:
        """Return the earlier verdict about an equal call, as an answer about this one."""
        position = self._knowledge.position
        if self.tree.is_group(node) or (position.again and node == position.hint):
            return None
        call = self.tree.call(node)
        asked = Answer((call, call), Verdict.RIGHT)
        for number, earlier in reversed(self.answers()):
            verdict = REPEATED.get(self._knowledge.effect(earlier))
            if verdict is None or earlier.calls == asked.calls:
                continue
            if self._equal.are_same(self._knowledge, earlier, asked):
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
        calls = self._knowledge.calls(node)
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
        return is_news(self._knowledge, answer)

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
        return judged_by_user(self._knowledge, self.answers())

    # -- findings ----------------------------------------------------------------------------------

    def _current_finding(self, at: int = 0) -> Finding:
        found = self.finding_at(at) if at else self.step()
        if not isinstance(found, Finding):
            raise SessionError("nothing found yet; answer the questions first")
        return found

    def _calls_of(self, finding: Finding) -> tuple[int, int]:
        calls = finding.calls or self._knowledge.calls(finding.node)
        return calls[0], calls[-1]

    def confirm(self, by: str = USER, at: int = 0) -> None:
        """Confirm that the finding is the bug; ``at``: it was found inside this call."""
        found = self._current_finding(at)
        if not found.confirmed:
            self._add(Decision(Choice.CONFIRM, self._calls_of(found), by, self._clock()))

    def reject(self, by: str = USER) -> None:
        """Reject the finding: ask again about the answer that is most likely mistaken."""
        found = self._current_finding()
        number = weakest(found, self.answers(), self._is_automatic)
        if number is None:
            raise SessionError(
                f"every answer about call {self._calls_of(found)[0]} was given twice: it is wrong, "
                "and every call it made is right"
            )
        again = self._answer(number).calls
        about = (Choice.REJECT, self._calls_of(found), by, self._clock())
        self._add(Decision(*about, revokes=(number,), again=again))

    def go_on(self, by: str = USER, at: int = 0) -> None:
        """Search for another bug; what is wrong because of this one counts as explained."""
        found = self._current_finding(at)
        self._add(Decision(Choice.GO_ON, self._calls_of(found), by, self._clock()))


def _strategy(chosen: str | Strategy) -> Strategy:
    return strategy_named(chosen) if isinstance(chosen, str) else chosen
