from __future__ import annotations

import gc
import weakref

import pytest

from wrongcall.trace.read.gc_pause import collect_rarely, uncollected


def test_the_collector_is_as_before_afterwards() -> None:
    with uncollected():
        assert not gc.isenabled()
    assert gc.isenabled()
    with pytest.raises(ValueError, match="x"), uncollected():
        raise ValueError("x")
    assert gc.isenabled()
    gc.disable()
    try:
        with uncollected():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_garbage_is_still_collected_if_rarely() -> None:
    class Node:
        me: Node

    before = gc.get_threshold()
    try:
        gc.set_threshold(700, 10, 10)
        collect_rarely()
        assert gc.get_threshold() > (700, 10, 10)
        node = Node()
        node.me = node
        gone = weakref.ref(node)
        del node
        kept = [[] for _ in range(200_000)]  # type: ignore[var-annotated]
        assert gone() is None
        assert len(kept) == 200_000
    finally:
        gc.set_threshold(*before)
