"""Contracts that icontract and deal themselves have checked: who is to blame."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.trace.conftest import Record, Recorded
from wrongcall.oracles.contracts import Contracts
from wrongcall.recording import Recording
from wrongcall.session.answers import Verdict

WHERE = "run by tools/run_tests.py, which has it"
icontract = pytest.importorskip("icontract", reason=WHERE)
pytest.importorskip("deal", reason=WHERE)

ICONTRACT = """
import asyncio
import icontract
from icontract import ensure as gives, require as needs

def is_positive(n):
    return n > 0

@icontract.require(lambda n: n > 0.6, "too small")
@icontract.ensure(lambda result: result > 0.4)
def half(n):
    return n / 2

@gives(
    lambda n, result:
        result > n,
    "more than before",
)
def more(n):
    m = n
    return m

@needs(is_positive)
def named(n):
    return n

@icontract.snapshot(lambda items: items[:])
@icontract.ensure(lambda items, OLD: len(items) == len(OLD.items) + 1)
def add(items):
    items += [1, 2]

class Base(icontract.DBC):
    @icontract.ensure(lambda result: result > 0)
    def size(self):
        return 1

class Derived(Base):
    def size(self):
        return 0

@icontract.invariant(lambda self: self.n < 100)
@icontract.invariant(lambda self: self.n >= 0)
class Account:
    def __init__(self, n):
        self.n = n
    def take(self, n):
        self.n -= n
        return self
    def rest(self):
        return self.n

@icontract.ensure(lambda result: result > 0)
async def later(n):
    return n

def precondition():
    half(-1)
def precondition_of_a_result():
    half(half(1))
def postcondition():
    more(1)
def late_postcondition():
    for n in (2, 1, 0.7):
        half(n)
def named_condition():
    named(-1)
def changed_argument():
    add([])
def inherited():
    Derived().size()
def constructor():
    Account(-1)
def method():
    Account(1).take(1).take(2)
def from_outside():
    account = Account(1)
    for n in (3, -3):
        account.__dict__["n"] = n; account.rest()
def coroutine():
    asyncio.run(awaits())
async def awaits():
    await later(-1)
def passes_on():
    precondition()
"""
DEAL = """
import deal

@deal.pre(lambda n: n > 0)
def half(n):
    return n / 2

def is_positive(result):
    return result > 0

@deal.post(is_positive)
def less(n):
    return n - 10

@deal.ensure(lambda n, result: result > n)
def more(n):
    return n

@deal.raises(ValueError)
def raises(n):
    return [][n]

@deal.safe
def safe(n):
    return 1 / n

@deal.chain(deal.pre(lambda n: n < 3), deal.post(lambda result: result > 0), deal.raises(KeyError))
def chain(n):
    if n == 1:
        return {}[n]
    if n == 2:
        raise IndexError(n)
    return n

@deal.inv(lambda self: self.n >= 0)
class Account:
    def __init__(self, n):
        self.n = n
        self.log = []
    def take(self, n):
        self.n -= n

@deal.inv(lambda self: len(self.items) < 2)
class Shelf:
    def __init__(self):
        self.items = []
    def add(self, item):
        self.items.append(item)

def precondition():
    half(-1)
def postcondition():
    less(1)
def of_both():
    more(1)
def raised():
    raises(3)
def raised_anything():
    safe(0)
def chained_before():
    chain(5)
def chained_after():
    chain(-1)
def chained_allowed():
    chain(1)
def chained_raised():
    chain(2)
def method():
    Account(1).take(2)
def filled():
    shelf = Shelf()
    for n in (1, 2, 3): shelf.add(n)
def from_outside():
    account = Account(1)
    account.n = -1
def passes_on():
    postcondition()
"""
START = """
import sys
sys.path.insert(0, {packages!r})
"""
PLAY = """
for name in {names}:
    try:
        globals()[name]()
    except Exception as exc:
        print(name, type(exc).__name__)
"""


def played(record: Record, program: str, names: list[str]) -> Recorded:
    """Record a program that calls these functions."""
    packages = str(Path(icontract.__file__).parent.parent)
    return record(START.format(packages=packages) + program + PLAY.format(names=names))


def wrong_calls(recording: Recording, name: str) -> dict[str, str]:
    """Return the calls, from a function of the program on, that are wrong; each with the reason."""
    oracle = Contracts(recording)
    found = {}
    function = next(f.id for f in recording.program.functions.values() if f.qualname == name)
    top = recording.call(list(recording.calls.of_functions([function]))[-1])
    for number in recording.calls.columns().id.tolist():
        call = recording.call(number)
        if not top.entry <= call.entry <= top.exit:
            continue
        violation = oracle.violation(call)
        if violation is not None:
            verdict, reason = violation
            assert verdict is Verdict.WRONG
            assert call.function.qualname not in found
            found[call.function.qualname] = reason
    return found


REFUSED = "it made a call that ViolationError refused"
POST = "its postcondition failed: ViolationError"
ICONTRACT_BLAMES = {
    "precondition": {"precondition": REFUSED},
    "precondition_of_a_result": {"precondition_of_a_result": REFUSED},
    "postcondition": {"more": POST},
    "late_postcondition": {"half": POST},
    "named_condition": {"named_condition": REFUSED},
    "changed_argument": {"add": POST},
    "inherited": {"Derived.size": POST},
    "constructor": {"Account.__init__": "its invariant failed: ViolationError"},
    "method": {"Account.take": "its invariant failed: ViolationError"},
    "from_outside": {"from_outside": REFUSED},
    "awaits": {"later": POST},
    "passes_on": {"precondition": REFUSED},
}
AFTERWARDS = "its postcondition failed: PostContractError"
NOT_ALLOWED = "it must not raise this: RaisesContractError"
BROKEN = "it broke an invariant: InvContractError"
DEAL_BLAMES = {
    "precondition": {"precondition": "it made a call that PreContractError refused"},
    "postcondition": {"less": AFTERWARDS},
    "of_both": {"more": AFTERWARDS},
    "raised": {"raises": NOT_ALLOWED},
    "raised_anything": {"safe": NOT_ALLOWED},
    "chained_before": {"chained_before": "it made a call that PreContractError refused"},
    "chained_after": {"chain": AFTERWARDS},
    "chained_allowed": {},
    "chained_raised": {"chain": NOT_ALLOWED},
    "method": {"Account.take": BROKEN},
    "filled": {"Shelf.add": "its invariant failed: InvContractError"},
    "from_outside": {"from_outside": BROKEN},
    "passes_on": {"less": AFTERWARDS},
}


@pytest.mark.parametrize(
    "program, blames",
    [(ICONTRACT, ICONTRACT_BLAMES), (DEAL, DEAL_BLAMES)],
    ids=["icontract", "deal"],
)
def test_who_broke_a_condition_is_wrong(
    record: Record, program: str, blames: dict[str, dict[str, str]]
) -> None:
    names = ["coroutine" if name == "awaits" else name for name in blames]
    run = played(record, program, names)
    # Each of them failed, or the test would say nothing.
    assert [line.split()[0] for line in run.stdout.splitlines()] == names
    assert {name: wrong_calls(run.recording, name) for name in blames} == blames


def test_leads_go_to_who_is_wrong(record: Record) -> None:
    run = played(record, ICONTRACT, ["postcondition", "method"])
    leads = Contracts(run.recording).leads()
    assert [run.recording.call(call).function.qualname for call in leads] == [
        "Account.take",
        "more",
    ]
