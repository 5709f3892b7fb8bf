"""Functions keep the builtins from before the program began."""

from __future__ import annotations

import builtins

import pytest

from wrongcall.recorder.world import keep_builtins

SOURCE = "def size(x): return len(x)"


def test_functions_made_afterwards_do_not_see_replaced_builtins(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kept: dict[str, object] = {}
    keep_builtins(kept)
    usual: dict[str, object] = {"__builtins__": builtins}
    for namespace in (kept, usual):
        exec(SOURCE, namespace)
    monkeypatch.setattr(builtins, "len", lambda x: -1)
    assert kept["size"]([1, 2]) == 2  # type: ignore[operator]
    assert usual["size"]([1, 2]) == -1  # type: ignore[operator]
