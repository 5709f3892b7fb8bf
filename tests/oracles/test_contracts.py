"""Contracts: annotations, asserts, conditions and validation that were broken."""

from __future__ import annotations

import pytest

from tests.trace.conftest import Record, Recorded
from wrongcall.oracles import contracts
from wrongcall.oracles.contracts import Contracts
from wrongcall.session.answers import Confidence, Verdict
from wrongcall.session.search import How, Search, Start
from wrongcall.session.steps import Finding


def violations(run: Recorded, *names: str) -> dict[str, tuple[Verdict, str] | None]:
    oracle = Contracts(run.recording)
    return {name: oracle.violation(run.calls(name)[-1]) for name in names}


def test_annotations_make_calls_wrong_or_invalid(record: Record) -> None:
    run = record(
        """
        def half(n: int) -> int:
            return n / 2

        def name(n: int) -> str:
            return str(n)

        def find(items: list[str], key: str = None) -> "int | None":
            return None

        async def later() -> int:
            return "soon"

        def plain(n):
            return n

        import asyncio
        half(3); name("x"); find(["a", 3]); plain(1); asyncio.run(later())
        """
    )
    assert violations(run, "half", "name", "find", "plain", "later") == {
        "half": (Verdict.WRONG, "the result is a float, but the annotation is -> int"),
        "name": (Verdict.INADMISSIBLE, "n is a str, but n is annotated int"),
        "find": (Verdict.INADMISSIBLE, "items[1] is an int, but items is annotated list[str]"),
        "plain": None,
        "later": (Verdict.WRONG, "the result is a str, but the annotation is -> int"),
    }


def test_opinions_are_as_sure_as_set_and_name_the_member_of_a_group(record: Record) -> None:
    run = record("def f(n) -> int:\n    return n\n\nf(1)\nf('a')\nf(2)\n")
    calls = tuple(call.id for call in run.calls("f"))
    for confidence in Confidence:
        opinion = Contracts(run.recording, confidence).opinion(calls)
        assert opinion is not None
        assert (opinion.verdict, opinion.confidence, opinion.call) == (
            Verdict.WRONG,
            confidence,
            calls[1],
        )
    assert Contracts(run.recording).opinion(calls[:1]) is None


def test_arguments_are_checked_as_they_were_at_entry(record: Record) -> None:
    run = record(
        "def spoil(items: list[int]) -> None:\n    items.append('x')\n\nspoil([1])\nspoil([1, 'y'])\n"
    )
    oracle = Contracts(run.recording)
    first, second = run.calls("spoil")
    assert oracle.violation(first) is None
    assert oracle.violation(second) is not None


def test_failed_asserts_accuse_the_call_or_its_caller(record: Record) -> None:
    run = record(
        """
        def root(n):
            assert n >= 0, n
            return n ** 0.5

        def total(items):
            found = -1
            assert found >= 0
            return found

        def outer(call, *args):
            try:
                call(*args)
            finally:
                pass

        for call, argument in ((root, -1), (total, [])):
            try:
                outer(call, argument)
            except AssertionError:
                pass
        """
    )
    assert violations(run, "root", "total", "outer") == {
        "root": (Verdict.INADMISSIBLE, "the assert at line 3 failed"),
        "total": (Verdict.WRONG, "the assert at line 8 failed"),
        "outer": None,
    }


def test_validation_accuses_who_passed_the_values(record: Record) -> None:
    pytest.importorskip("pydantic")
    run = record(
        """
        from dataclasses import dataclass
        from pydantic import BaseModel

        class Item(BaseModel):
            price: int

        @dataclass
        class Line:
            count: int
            def __post_init__(self):
                if self.count < 0:
                    raise ValueError(self.count)

        def item():
            return Item(price="much")

        def line():
            return Line(-1)

        for make in (item, line):
            try:
                make()
            except ValueError:
                pass
        """
    )
    assert violations(run, "item", "Line.__post_init__", "line") == {
        "item": (Verdict.WRONG, "it made a call that ValidationError refused"),
        "Line.__post_init__": (
            Verdict.INADMISSIBLE,
            "__post_init__ refused the values: ValueError",
        ),
        "line": None,
    }


DEAL = """
class PreContractError(AssertionError): pass
class PostContractError(AssertionError): pass

def pre(test):
    def decorate(function):
        def checked(*args):
            if not test(*args):
                raise PreContractError()
            return function(*args)
        return checked
    return decorate

def post(test):
    def decorate(function):
        def checked(*args):
            result = function(*args)
            if not test(result):
                raise PostContractError()
            return result
        return checked
    return decorate
"""
"""As deal does it; the package itself is not installed for tests."""


def test_conditions_accuse_the_caller_or_the_call(
    record: Record, tmp_path_factory: pytest.TempPathFactory
) -> None:
    library = tmp_path_factory.mktemp("library")
    (library / "deal.py").write_text(DEAL)
    run = record(
        f"""
        import sys
        sys.path.insert(0, {str(library)!r})
        import deal

        @deal.pre(lambda n: n > 0)
        def half(n):
            return n / 2

        @deal.post(lambda result: result > 0)
        def less(n):
            return n - 10

        def calls_half():
            half(-1)

        def calls_less():
            less(1)

        for call in (calls_half, calls_less):
            try:
                call()
            except AssertionError:
                pass
        """
    )
    assert run.calls("half") == []
    assert violations(run, "calls_half", "less", "calls_less") == {
        "calls_half": (Verdict.WRONG, "it made a call that PreContractError refused"),
        "less": (Verdict.WRONG, "its postcondition failed: PostContractError"),
        "calls_less": None,
    }


def test_the_first_violation_is_the_last_lead(record: Record) -> None:
    run = record(
        """
        def inner(n) -> int:
            return str(n)

        def outer(n) -> int:
            return inner(n)

        def fine(n) -> int:
            return n

        fine(1)
        outer(1)
        outer(2)
        """
    )
    leads = Contracts(run.recording).leads()
    functions = [run.recording.call(call).function.qualname for call in leads]
    assert functions == ["inner", "outer", "inner"]
    assert leads[-1] == run.calls("inner")[0].id


def test_code_of_tests_breaks_no_contract(record: Record) -> None:
    run = record(
        "def test_it():\n    assert 1 == 2\n\ntry:\n    test_it()\nexcept AssertionError:\n    pass\n"
    )
    assert Contracts(run.recording).leads()
    root = run.recording.meta["root"]
    oracle = Contracts(run.recording)
    oracle._tests._root = root
    oracle._tests._known = dict.fromkeys(run.recording.program.files, True)
    assert oracle.leads() == []


def test_the_first_violation_is_asked_about_before_everything_else(record: Record) -> None:
    run = record(
        """
        def price(text) -> int:
            return float(text)

        def total(texts):
            return sum(price(text) for text in texts)

        def main():
            return total(["1", "2"])

        main()
        """
    )
    first = run.calls("price")[0].id
    with Search(run.recording, How(oracles=lambda recording: [Contracts(recording)])) as search:
        search.begin(Start(first=(run.call("total").id,)))
        led = search.led()
        assert led is not None
        assert (led.calls, len(led.opinions), led.note) == ((first,), 1, "")
        search.tell(lambda session: session.judge(first, Verdict.WRONG))
        assert search.led() is None
        search.advance()
        assert isinstance(search.step(), Finding)
        # Taken back, it is asked again; contradicted, the search begins where it was told to.
        search.tell(lambda session: session.undo())
        assert search.led() == led
        search.tell(lambda session: session.judge(first, Verdict.RIGHT))
        led = search.led()
        assert led is not None
        assert led.calls == (run.call("total").id,)
        assert search.troubles == {
            "contracts": "not asked any more in this session: you contradicted it"
        }


def test_the_first_calls_of_functions_with_contracts_are_scanned_in_order(
    record: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = record(
        """
        def plain(n):
            return n

        def first(n) -> int:
            return plain(n)

        def second(n) -> int:
            return first(n)

        def third(n) -> int:
            return n

        for n in range(5):
            second(n); third(n); plain(n)
        """
    )
    monkeypatch.setattr(contracts, "MAX_CALLS_OF_FUNCTION", 3)
    promised = [call.id for name in ("first", "second", "third") for call in run.calls(name)[:3]]
    for most in range(1, 12):
        monkeypatch.setattr(contracts, "MAX_SCANNED_CALLS", most)
        scanned: list[int] = []
        oracle = Contracts(run.recording)
        monkeypatch.setattr(oracle, "violation", lambda call, seen=scanned: seen.append(call.id))
        assert oracle.leads() == []
        assert scanned == promised[:most]
