"""A call as text for a model."""

from __future__ import annotations

from tests.recorder.conftest import Record, record
from wrongcall.present.model_texts import model_texts

__all__ = ["record"]


def test_what_went_in_is_kept_apart_from_what_came_out(record: Record) -> None:
    run = record(
        """
        limit = 10

        def add(items, n):
            print("adding")
            items.append(min(n, limit))
            return len(items)

        add([1, 2], 30)
        """
    )
    before, after = model_texts(run.recording, run.call("add").id)
    assert before.splitlines() == ["items = [1, 2]", "n = 30", "limit = 10"]
    assert after.splitlines()[0] == "returned 3"
    assert any(line.startswith("changed items") and "10" in line for line in after.splitlines())
    assert "printed 'adding\\n'" in after
    assert "30" not in after
