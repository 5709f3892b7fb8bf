from __future__ import annotations

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from wrongcall.trace.read.cache import ByteCache


@dataclass
class Thing:
    nbytes: int


def test_cached_values_are_not_made_again() -> None:
    cache = ByteCache(100)
    first = cache.get("a", lambda: Thing(10))
    assert cache.get("a", lambda: Thing(10)) is first


def test_the_least_recently_used_value_is_evicted_first() -> None:
    cache = ByteCache(20)
    a = cache.get("a", lambda: Thing(10))
    b = cache.get("b", lambda: Thing(10))
    cache.get("a", lambda: Thing(10))
    cache.get("c", lambda: Thing(10))
    assert cache.get("a", lambda: Thing(10)) is a
    assert cache.get("b", lambda: Thing(10)) is not b


def test_something_larger_than_the_budget_is_kept_alone() -> None:
    cache = ByteCache(20)
    cache.get("a", lambda: Thing(10))
    large = cache.get("b", lambda: Thing(500))
    assert cache.get("b", lambda: Thing(500)) is large
    assert cache.used == 500


def test_evicted_values_are_made_again() -> None:
    cache = ByteCache(20)
    first = cache.get("a", lambda: Thing(10))
    cache.drop("a")
    cache.drop("never there")
    assert cache.used == 0
    assert cache.get("a", lambda: Thing(10)) is not first


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 40))), st.integers(0, 100))
def test_the_cache_stays_within_its_budget(uses: list[tuple[int, int]], budget: int) -> None:
    cache = ByteCache(budget)
    for key, size in uses:
        thing = cache.get(key, lambda size=size: Thing(size))  # type: ignore[misc]
        assert cache.used <= max(budget, thing.nbytes)


def test_finding_a_value_counts_as_using_it() -> None:
    cache = ByteCache(20)
    a = cache.get("a", lambda: Thing(10))
    cache.get("b", lambda: Thing(10))
    assert cache.find("a") is a
    cache.get("c", lambda: Thing(10))
    assert cache.find("a") is a
    assert cache.find("b") is None
