"""A question as plain text for a language model: what a call was given, and what came out."""

from __future__ import annotations

from wrongcall.present.questions import QuestionView, question
from wrongcall.recording import Recording

_WIDTH = 2000
MAX_CHANGES = 50


def model_texts(recording: Recording, call: int) -> tuple[str, str]:
    """Return the state before a call, and what it did."""
    view = question(recording, call, depth=0, width=_WIDTH, line_width=_WIDTH, variables=False)
    before = [f"{node.label} = {node.summary}" for node in (*view.given, *view.read)]
    return "\n".join(before), "\n".join(_after(view))


def _after(view: QuestionView) -> list[str]:
    produced = f" {view.produced.summary}" if view.produced is not None else ""
    lines = [f"{view.outcome}{produced}"]
    lines += [f"yielded {node.summary}" for node in view.yielded]
    lines += [f"changed {c.place}: {c.old} -> {c.new}" for c in view.changed[:MAX_CHANGES]]
    if view.printed:
        lines.append(f"printed {view.printed!r}")
    return lines
