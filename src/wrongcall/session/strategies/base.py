"""The base class of strategies, and how one is found by its name."""

from __future__ import annotations

import importlib
import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cache
from typing import ClassVar

from wrongcall.errors import SessionError
from wrongcall.tree.suspects import Suspects


class Strategy(ABC):
    """Picks the next question from the suspects.

    To add a strategy, add one file to this package with one subclass::

        class Cautious(Strategy):
            \"\"\"Asks ... (one line that an interface can show).\"\"\"

            name = "cautious"

            def choose(self, suspects: Suspects) -> int:
                weighed = suspects.weigh()
                ...
                return node

    The package finds it by itself. The rules: `choose` returns a node of the effective tree other
    than its root, or `NOBODY` if there is none; it is a pure function of the suspects (the same
    suspects, the same question), so that a session can be folded again from its answers; it breaks
    ties by the smallest node; and it never changes a state. `Suspects.weigh` gives the weights of
    all subtrees in one native pass, `Suspects.compact` the effective tree as small columns. Options
    are arguments of ``__init__`` with defaults. ``tests/session/test_strategies.py`` runs its
    checks for every strategy of the package, so a new one is tested at once.
    """

    name: ClassVar[str]
    needs_coverage: ClassVar[str | None] = None
    """The kind of coverage it needs of the suspects, if any."""

    needs_costs: ClassVar[bool] = False
    """Whether it weighs the lines to read, if the suspects know them."""

    note: str = ""
    """What the user should know about the last choice, such as a time limit that was reached."""

    @abstractmethod
    def choose(self, suspects: Suspects) -> int:
        """Return the node to ask, `NOBODY` if there is nothing to ask."""


@cache
def strategies() -> Mapping[str, type[Strategy]]:
    """Return all strategies of this package by name."""
    package = importlib.import_module(__package__)
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
    found = [each for each in _subclasses(Strategy) if each.__module__.startswith(package.__name__)]  # type: ignore[type-abstract]
    return {each.name: each for each in found if hasattr(each, "name")}


def _subclasses(base: type[Strategy]) -> list[type[Strategy]]:
    direct = base.__subclasses__()
    return direct + [inner for each in direct for inner in _subclasses(each)]


def descriptions() -> dict[str, str]:
    """Return what each strategy does, in a line, in the order of their names."""
    return {
        name: (each.__doc__ or "").partition("\n")[0] for name, each in sorted(strategies().items())
    }


def strategy(name: str) -> Strategy:
    """Return the strategy of this name, with its defaults."""
    try:
        return strategies()[name]()
    except KeyError:
        known = ", ".join(sorted(strategies()))
        raise SessionError(f"there is no strategy {name!r}; there are {known}") from None
