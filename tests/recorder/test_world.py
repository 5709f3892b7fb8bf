"""Functions keep the builtins from before the program began."""

from __future__ import annotations

import builtins

import pytest

from wrongcall.recorder.world import keep_builtins

SOURCE = "def text(x): return oct(x)"


def test_functions_made_afterwards_do_not_see_replaced_builtins(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kept: dict[str, object] = {}
    keep_builtins(kept)
    usual: dict[str, object] = {"__builtins__": builtins}
    for namespace in (kept, usual):
        exec(SOURCE, namespace)
    monkeypatch.setattr(builtins, "oct", lambda x: "replaced")
    assert kept["text"](8) == "0o10"  # type: ignore[operator]
    assert usual["text"](8) == "replaced"  # type: ignore[operator]
