"""The rounds of a comprehension in an expression."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from wrongcall.errors import NotKnownError
from wrongcall.languages.python.asked.budget import Budget
from wrongcall.languages.python.asked.recorded import plain
from wrongcall.languages.python.asked.set_order import is_unordered, ordered

Target = str | tuple["Target", ...]


class Inner(Protocol):
    """An evaluation that has variables of its own."""

    budget: Budget
    bound: dict[str, object]

    def inner(self) -> Any:
        """Return an evaluation inside this one."""


@dataclass(frozen=True)
class Clause:
    """``for target in values if conditions``."""

    target: Target
    values: Callable[[Any], object]
    conditions: Sequence[Callable[[Any], object]]


_NOT_GIVEN = object()


def loop(
    clauses: Sequence[Clause],
    body: Callable[[Any], Any],
    env: Inner,
    order: list[bool] | None,
    first: object = _NOT_GIVEN,
) -> Iterator[Any]:
    """Iterate over what the body gives in each round.

    ``order`` gets an element if the values of a clause have no known order; without it, that is refused. ``first``: the
    values of the first clause, if already known, in whatever order.
    """
    clause, rest = clauses[0], clauses[1:]
    values: Any = plain(clause.values(env), "iteration") if first is _NOT_GIVEN else first
    if is_unordered(values) and first is _NOT_GIVEN:
        if order is None:
            raise NotKnownError("the order of a set is not recorded; use sorted(...)")
        order.append(True)
    inner = env.inner()
    for value in values:
        inner.budget.spend()
        bind(clause.target, value, inner.bound)
        if not all(condition(inner) for condition in clause.conditions):
            continue
        if rest:
            yield from loop(rest, body, inner, order)
        else:
            yield body(inner)


def bind(target: Target, value: Any, bound: dict[str, object]) -> None:
    """Bind a target to a value, unpacking it where the target is a tuple."""
    if isinstance(target, str):
        bound[target] = value
        return
    parts = list(ordered(value))
    if len(parts) != len(target):
        short = len(parts) < len(target)
        how = f"not enough values to unpack (expected {len(target)}, got {len(parts)})"
        raise ValueError(how if short else f"too many values to unpack (expected {len(target)})")
    for each, part in zip(target, parts, strict=True):
        bind(each, part, bound)
