"""Weights from coverage: code that worked in calls found right is less suspect (JHyde, 2.4).

Vocabulary: an *entity* is an edge of the control flow or a def-use chain; a call weighs as much as the entities it
covered, each ``p ** (calls found right that covered it)``. Many calls cover the same entities, so they share a *class*:
the columns have a class for each call and the entities of each class.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from wrongcall.errors import TreeError
from wrongcall.tree import _kernels
from wrongcall.tree.balance import BalancedTree
from wrongcall.tree.states import FOUND_RIGHT, right_table
from wrongcall.tree.tree import COLLAPSED, Tree
from wrongcall.tree.weights import Column, Weights

_RIGHT = right_table()


class Coverage:
    """Which entities each call covered."""

    def __init__(self, class_of: npt.ArrayLike, entities: Sequence[Iterable[int]]) -> None:
        self.class_of = np.ascontiguousarray(class_of, dtype=np.int32)
        each = [np.array(sorted(set(of_class)), dtype=np.int64) for of_class in entities]
        self.sizes = np.array([len(of_class) for of_class in each], dtype=np.int64)
        self.entity = np.concatenate(each) if each else np.empty(0, dtype=np.int64)
        self.vouching = len(self.sizes)
        """Classes from this one on belong to groups: their members vouch for what was covered."""
        self.entity_count = int(self.entity.max(initial=-1)) + 1
        if len(self.class_of) and not 0 <= self.class_of.min() <= self.class_of.max() < len(each):
            raise TreeError("a call has a class of coverage that does not exist")

    @classmethod
    def of_calls(cls, entities: Iterable[Iterable[int]]) -> Coverage:
        """Build it from the entities of each call, in the order of the nodes."""
        classes: dict[tuple[int, ...], int] = {}
        column = [classes.setdefault(tuple(sorted(set(e))), len(classes)) for e in entities]
        return cls(column, list(classes))

    def grouped(self, tree: BalancedTree) -> Coverage:
        """Return the coverage of a balanced tree: a collapsed group covers what its members did."""
        class_of = np.zeros(len(tree), dtype=np.int32)
        class_of[tree.node_of_base] = self.class_of
        collapsed = np.flatnonzero(tree.kinds == COLLAPSED)
        starts = np.cumsum(self.sizes) - self.sizes
        entities = [np.empty(0, dtype=np.int64)]
        for node in collapsed:
            classes = class_of[node + 1 : tree.end[node]]
            parts = [self.entity[starts[c] : starts[c] + self.sizes[c]] for c in classes]
            entities.append(np.concatenate(parts))
        class_of[tree.group_nodes] = self.class_count
        class_of[collapsed] = self.class_count + 1 + np.arange(len(collapsed))
        grown = Coverage(class_of, [()] * (self.class_count + len(entities)))
        grown.sizes = np.concatenate([self.sizes, [len(each) for each in entities]])
        grown.entity = np.concatenate([self.entity, *entities])
        grown.entity_count = self.entity_count
        grown.vouching = self.class_count
        return grown

    @property
    def class_count(self) -> int:
        """How many distinct coverages there are."""
        return len(self.sizes)

    def class_weights(self, right: npt.NDArray[np.int64], p: float) -> npt.NDArray[np.float64]:
        """Return the weight of each class, given how many calls of each were found right."""
        per_entity = np.bincount(
            self.entity, weights=np.repeat(right, self.sizes), minlength=self.entity_count
        )
        each = np.power(p, per_entity)[self.entity]
        ends = np.cumsum(self.sizes)
        sums = np.concatenate([[0.0], np.cumsum(each)])
        # Differences of running sums are rounded; whole numbers stay exact, others are summed separately.
        if not np.array_equal(each, np.rint(each)):
            return np.array([each[e - n : e].sum() for e, n in zip(ends, self.sizes, strict=True)])
        weights: npt.NDArray[np.float64] = sums[ends] - sums[ends - self.sizes]
        return weights


class CoverageWeights(Weights):
    """Individual weights by coverage."""

    def __init__(
        self, tree: Tree, coverage: Coverage, p: float, whole_subtree: bool = True
    ) -> None:
        """``whole_subtree``: a call found right also vouches for the calls it made."""
        if not 0 <= p <= 1:
            raise TreeError(f"the coverage factor must be from 0 to 1, not {p}")
        if len(coverage.class_of) != len(tree):
            raise TreeError(f"coverage of {len(coverage.class_of)} calls for {len(tree)}")
        self._tree = tree
        self._coverage = coverage
        self._p = p
        self._whole_subtree = whole_subtree

    def columns(self, state: npt.NDArray[np.uint8]) -> tuple[Column, Column, Column]:
        """Return the classes and their weights."""
        right = self._found_right(state)
        return None, self._coverage.class_of, self._coverage.class_weights(right, self._p)

    def of(self, node: int, state: npt.NDArray[np.uint8]) -> float:
        """Return the weight of one node."""
        by_class = self._coverage.class_weights(self._found_right(state), self._p)
        return float(by_class[self._coverage.class_of[node]])

    def _found_right(self, state: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
        counts = np.zeros(self._coverage.class_count, dtype=np.int64)
        class_of = self._coverage.class_of
        if self._whole_subtree:
            _kernels.pruned_classes(self._tree.end, state, _RIGHT, class_of, counts)
        else:
            answered = np.isin(state & 0x7F, FOUND_RIGHT)
            counts += np.bincount(class_of[answered], minlength=len(counts))
        counts[self._coverage.vouching :] = 0
        return counts
