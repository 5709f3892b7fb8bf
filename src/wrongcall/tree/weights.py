"""How likely a node holds the bug: the individual weights that strategies sum up.

A weight need not be a probability, only proportional to one. Groups of calls weigh as much as their members, because
any of them may be the bug.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
import numpy.typing as npt

Column = npt.NDArray[Any] | None


class Weights(ABC):
    """Gives the kernels the individual weights of all nodes."""

    @abstractmethod
    def columns(self, state: npt.NDArray[np.uint8]) -> tuple[Column, Column, Column]:
        """Return a column of weights, or None and a column of classes with the weight of each.

        All three are None if every node weighs 1. ``state``: the states of the nodes.
        """

    @abstractmethod
    def of(self, node: int, state: npt.NDArray[np.uint8]) -> float:
        """Return the weight of one node."""


class UnitWeights(Weights):
    """Every node weighs the same."""

    def columns(self, state: npt.NDArray[np.uint8]) -> tuple[Column, Column, Column]:
        """Return nothing: every node weighs 1."""
        return None, None, None

    def of(self, node: int, state: npt.NDArray[np.uint8]) -> float:
        """Return 1."""
        return 1.0


class IndividualWeights(Weights):
    """A weight for each node."""

    def __init__(self, own: npt.ArrayLike) -> None:
        self.own = np.ascontiguousarray(own, dtype=np.float64)

    def columns(self, state: npt.NDArray[np.uint8]) -> tuple[Column, Column, Column]:
        """Return the column."""
        return self.own, None, None

    def of(self, node: int, state: npt.NDArray[np.uint8]) -> float:
        """Return the weight of one node."""
        return float(self.own[node])


class ScaledWeights(Weights):
    """Individual weights, each multiplied by what evidence says about its node."""

    def __init__(self, base: Weights, factors: npt.NDArray[np.float64]) -> None:
        self.base = base
        self.factors = factors

    def columns(self, state: npt.NDArray[np.uint8]) -> tuple[Column, Column, Column]:
        """Return the column."""
        own, class_of, by_class = self.base.columns(state)
        if class_of is not None and by_class is not None:
            own = by_class[class_of]
        return (self.factors if own is None else own * self.factors), None, None

    def of(self, node: int, state: npt.NDArray[np.uint8]) -> float:
        """Return the weight of one node."""
        return self.base.of(node, state) * float(self.factors[node])


UNIT = UnitWeights()
