"""Whatever is answered, truthfully, every strategy ends at the bug; undo restores; trees may grow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.session.truth import FakeFacts, Truth, covered, find, play, snapshot
from tests.tree.shapes import parents
from wrongcall.errors import SessionError
from wrongcall.session.answers import Verdict, from_plain, to_plain
from wrongcall.session.oracles import Opinion, Oracle
from wrongcall.session.session import Session
from wrongcall.session.steps import Finding, NeedsMoreTree, NoBug, Question
from wrongcall.session.strategies import strategies
from wrongcall.tree.balance import Balancing
from wrongcall.tree.costs import MOST_LINES
from wrongcall.tree.reading import Reading
from wrongcall.tree.tree import Tree

NAMES = sorted(strategies())
BALANCINGS = [
    Balancing(),
    Balancing(unrestricted=True),
    Balancing(shrink=False, largest=3),
    Balancing(listed=3, loop=3),
]


@st.composite
def trees(draw: st.DrawFn, largest: int = 20, incomplete: bool = True) -> Tree:
    parent = draw(parents(largest=largest))
    count = len(parent)
    functions = draw(st.lists(st.integers(0, 3), min_size=count, max_size=count))
    flags = [True] * count
    if incomplete:
        one = st.sampled_from([True, True, True, False])
        flags = draw(st.lists(one, min_size=count, max_size=count))
    assume(any(flags))
    ids = np.arange(count, dtype=np.int64) * 3 + 7
    return Tree.from_parents(parent, functions, flags, ids)


def completed(tree: Tree) -> list[int]:
    return [tree.call(node) for node in range(len(tree)) if tree.completed[node]]


def a_session(
    data: st.DataObject, tree: Tree, facts: FakeFacts | None = None, **others: Any
) -> Session:
    name = data.draw(st.sampled_from(NAMES), label="strategy")
    chains = data.draw(
        st.one_of(st.none(), st.lists(st.integers(-1, 1), min_size=len(tree), max_size=len(tree))),
        label="chains",
    )
    how = data.draw(st.sampled_from(BALANCINGS), label="balancing")
    known = facts or covered(tree)
    return Session(
        tree, known, strategy=name, chains=chains, balancing=how, clock=lambda: 0, **others
    )


@given(trees(), st.data())
@settings(max_examples=200)
def test_every_session_ends_at_the_bug(tree: Tree, data: st.DataObject) -> None:
    bug = data.draw(st.sampled_from(completed(tree)), label="bug")
    truth = Truth(tree, [bug])
    buggy_function = int(tree.function[tree.node(bug)])

    def reply(question: Question) -> Verdict:
        truly = truth.verdict(question.calls)
        others = [Verdict.DONT_KNOW]
        if truly is Verdict.RIGHT and not question.is_list:
            others.append(Verdict.INADMISSIBLE)
        functions = {int(tree.function[tree.node(call)]) for call in question.calls}
        if functions != {buggy_function} and len(functions) == 1:
            others.append(Verdict.TRUST_FUNCTION)
        return data.draw(st.sampled_from([truly, truly, truly, *others]))

    step = play(a_session(data, tree), reply)
    assert isinstance(step, Finding | NoBug)
    if isinstance(step, Finding) and bug in step.calls:
        assert step.function == buggy_function
    else:
        assert bug in step.undecided


@given(trees(incomplete=False), st.data())
def test_all_bugs_are_found_one_after_the_other(tree: Tree, data: st.DataObject) -> None:
    bugs = data.draw(st.sets(st.sampled_from(completed(tree)), min_size=1, max_size=4))
    truth = Truth(tree, bugs)
    session = Session(tree, covered(tree), strategy=data.draw(st.sampled_from(NAMES)))
    found = set()
    for _ in range(len(bugs) + 1):
        step = play(session, lambda question: truth.verdict(question.calls))
        if isinstance(step, NoBug):
            break
        assert isinstance(step, Finding)
        session.confirm()
        again = session.step()
        assert isinstance(again, Finding)
        assert again.confirmed
        found.add(step.calls[0])
        session.go_on()
    assert found == truth.findable


@given(trees(incomplete=False), st.data())
def test_balanced_and_unbalanced_searches_agree_on_the_function(
    tree: Tree, data: st.DataObject
) -> None:
    bug = data.draw(st.sampled_from(completed(tree)))
    truth = Truth(tree, [bug])
    plain = find(Session(tree), truth)
    assert plain.calls == (bug,)
    balanced = find(a_session(data, tree), truth)
    assert bug in balanced.calls
    assert balanced.function == plain.function


@given(trees(), st.data())
@settings(max_examples=200)
def test_undo_restores_the_exact_state(tree: Tree, data: st.DataObject) -> None:
    session = a_session(data, tree)
    session.facts.keys = {call: call % 4 for call in completed(tree)}  # type: ignore[attr-defined]
    snapshots = [snapshot(session)]
    for _ in range(data.draw(st.integers(1, 12))):
        session.advance()
        before = snapshot(session)
        if act(session, tree, data):
            snapshots.append(before)
    while len(snapshots) > 1:
        expected = snapshots.pop()
        entries: Any = expected[0]  # type: ignore[index]
        session.undo()
        # Undo takes back what the session had concluded by itself, too; `advance` concludes it again.
        if entries != session.entries:
            session.advance()
        assert snapshot(session) == expected
        assert snapshot(refolded(session)) == expected


class Sceptic(Oracle):
    """Trusts one function and finds some calls right: an oracle for `advance` to ask."""

    name = "sceptic"
    trusts_functions = True

    def __init__(self, tree: Tree) -> None:
        self._tree = tree

    def opinion(self, calls: tuple[int, ...]) -> Opinion | None:
        functions = {int(self._tree.function[self._tree.node(call)]) for call in calls}
        if functions == {3}:
            return Opinion(Verdict.TRUST_FUNCTION)
        return Opinion(Verdict.RIGHT) if calls[0] % 5 == 0 and len(calls) == 1 else None


class Measured(FakeFacts):
    """Facts that know how long questions are: by the numbers of their calls, some very long, some not known."""

    def lines(self, calls: tuple[int, ...], is_list: bool) -> int | None:
        known = (4, 9, 30, MOST_LINES, 2, None)
        return known[(calls[0] + 5 * len(calls) + is_list) % len(known)]


def measured(data: st.DataObject, tree: Tree) -> FakeFacts:
    """Return facts for a tree that has an estimate of how long questions are."""
    column = st.lists(st.integers(1, 60), min_size=len(tree), max_size=len(tree))
    lines = np.array(data.draw(column, label="lines"), dtype=np.uint8)
    tree.reading = Reading(lines, np.maximum(lines // 4, 1), lines < 6)
    facts = Measured()
    facts.coverages = covered(tree).coverages
    return facts


def everything(session: Session) -> object:
    """Return the state of a session with its split lists, its strategy and the lengths it noted."""
    costs = session.suspects.costs
    noted = None if costs is None else costs.tobytes(), sorted(session._chooser._known_lines)
    chosen = dict(session._chooser._chosen)
    state = session.suspects.state.tobytes()
    return snapshot(session), state, session.strategy.name, noted, chosen


@given(trees(), st.data())
@settings(max_examples=200)
def test_step_is_a_query_and_only_advance_adds_entries(tree: Tree, data: st.DataObject) -> None:
    facts = measured(data, tree) if data.draw(st.booleans()) else covered(tree)
    facts.keys = {call: call % 4 for call in completed(tree)}
    session = a_session(data, tree, facts, oracles=[Sceptic(tree)])
    for _ in range(data.draw(st.integers(1, 8))):
        for advances in (False, True):
            entries = session.entries
            added = session.advance() if advances else ()
            assert session.entries == entries + added
            before = everything(session)
            step = session.step()
            assert session.step() == step
            if isinstance(step, Question):
                session.why()
            assert everything(session) == before
        assert session.advance() == ()
        assert session.step() == step
        assert everything(session) == before
        replayed = refolded(session)
        replayed.panel = session.panel
        assert snapshot(replayed) == snapshot(session)
        assert replayed.advance() == ()
        act(session, tree, data)


@given(trees(incomplete=False), st.data())
@settings(max_examples=200)
def test_groups_prepared_beside_the_session_are_those_made_at_once(
    tree: Tree, data: st.DataObject
) -> None:
    """In between, the session goes on, perhaps with another strategy."""
    facts = measured(data, tree) if data.draw(st.booleans()) else covered(tree)
    chains = data.draw(st.lists(st.integers(-1, 1), min_size=len(tree), max_size=len(tree)))
    name = data.draw(st.sampled_from(NAMES))
    session = Session(tree, facts, strategy=name, clock=lambda: 0)
    for _ in range(data.draw(st.integers(0, 3))):
        session.advance()
        act(session, tree, data)
    grouped = session.grouped(tree, chains)
    for _ in range(data.draw(st.integers(0, 3))):
        session.advance()
        act(session, tree, data)
    if data.draw(st.booleans()):
        session.use(data.draw(st.sampled_from(NAMES)))
    session.use_groups(grouped)
    at_once = Session(tree, facts, strategy=name, entries=session.entries, clock=lambda: 0)
    at_once.use(session.strategy)
    at_once.grow(tree, chains=chains)
    for _ in range(data.draw(st.integers(0, 3))):
        assert everything(session) == everything(at_once)
        assert session.step() == at_once.step()
        assert session.advance() == at_once.advance()
        step = session.step()
        if isinstance(step, Question):
            for each in (session, at_once):
                each.answer(Verdict.DONT_KNOW, question=step)


def refolded(session: Session) -> Session:
    entries = [from_plain(to_plain(entry)) for entry in session.entries]
    other = Session(session._base, session.facts, entries=entries)
    other.use(session.strategy)
    other._knowledge.tree = session.tree
    other._start(other._suspects(session.tree))
    return other


def act(session: Session, tree: Tree, data: st.DataObject) -> bool:
    """Do something random; tell whether the session took it."""
    verdicts = [verdict for verdict in Verdict if verdict is not Verdict.WRONG_PART]
    verdict = data.draw(st.sampled_from(verdicts))
    replace = data.draw(st.booleans())
    acts: list[Callable[[], None]] = [
        lambda: session.answer(verdict, replace=replace),
        lambda: session.judge(
            data.draw(st.sampled_from(completed(tree))), verdict, replace=replace
        ),
        session.confirm,
        session.reject,
        session.go_on,
    ]
    before = len(session.entries)
    try:
        data.draw(st.sampled_from(acts))()
    except SessionError:
        return False
    return len(session.entries) > before


@given(trees(incomplete=False), st.data())
def test_an_error_leaves_the_session_as_it_was(tree: Tree, data: st.DataObject) -> None:
    session = a_session(data, tree)
    session.step()
    before = snapshot(session)
    with pytest.raises(SessionError, match="there is no verdict 'perhaps'"):
        session.judge(completed(tree)[0], "perhaps")
    assert snapshot(session) == before


@given(trees(largest=16, incomplete=False), st.data())
def test_a_tree_may_grow_during_the_session(tree: Tree, data: st.DataObject) -> None:
    """Calls arrive in the order of their entries and end in any order that fits."""
    bug = data.draw(st.sampled_from(completed(tree)))
    truth = Truth(tree, [bug])
    ended = [False] * len(tree)
    ids = np.array(sorted(completed(tree)), dtype=np.int64)
    rows = [tree.node(int(call)) for call in ids]
    parent_rows = [
        -1 if tree.parent[node] < 0 else rows.index(int(tree.parent[node])) for node in rows
    ]
    functions = tree.function[rows]
    keys = data.draw(st.lists(st.integers(-1, 1), min_size=len(rows), max_size=len(rows)))
    is_balanced = data.draw(st.booleans())
    begun = 1

    def so_far() -> Tree:
        return Tree.from_parents(parent_rows[:begun], functions[:begun], ended[:begun], ids[:begun])

    def grow(growing: bool) -> None:
        now = so_far()
        chains = [keys[now.row(node)] for node in range(len(now))] if is_balanced else None
        session.grow(now, chains=chains, growing=growing)

    session = Session(so_far(), growing=True)
    step = session.step()
    while begun < len(tree) or not all(ended):
        can_end = [
            row
            for row in range(begun)
            if not ended[row] and all(ended[c] for c, p in enumerate(parent_rows) if p == row)
        ]
        if begun < len(tree) and (not can_end or data.draw(st.booleans())):
            begun += 1
        elif can_end:
            ended[data.draw(st.sampled_from(can_end))] = True
        grow(growing=True)
        for _ in range(data.draw(st.integers(0, 2))):
            session.advance()
            step = session.step()
            if isinstance(step, Question):
                session.answer(truth.verdict(step.calls))
    grow(growing=False)
    found = find(session, truth)
    assert bug in found.calls
    assert found.calls == (bug,) or is_balanced
    assert not isinstance(step, NoBug)
    assert isinstance(step, Question | Finding | NeedsMoreTree)
