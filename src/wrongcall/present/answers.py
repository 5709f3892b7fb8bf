"""Answers to expressions as text: values of the program as everywhere, containers of an expression around them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypedDict

from wrongcall.present.pairs import value_line
from wrongcall.present.text import fit, safe
from wrongcall.present.values import Viewer
from wrongcall.recording import Answer, Clipped, Missing, Recording, Ref, TupleKey

WIDTH = 200
"""Columns of a value in data."""
_SHOWN = 100
"""Elements of a container that are written."""
_DEEPEST = 20
_ATOMS = int | float | complex | str | bytes | None | Ref | Clipped | Missing | TupleKey


class AnswerData(TypedDict):
    """What an expression was."""

    value: str | None
    """None: it has no value."""
    error: str
    unknown: str


def answer_text(recording: Recording, answer: Answer, state: int, width: int) -> str:
    """Return an answer on one line; ``state``: the time of its values."""
    if answer.error:
        return fit(safe(f"raises {answer.error}"), width)
    if answer.unknown:
        return fit(safe(f"not known: {answer.unknown}"), width)
    return fit(_text(Viewer(recording, state), answer.value, width, 0), width)


def answer_word(recording: Recording, answer: Answer, state: int, width: int) -> str:
    """Return an answer for a cell of a table, without the reason why there is no value."""
    if answer.unknown:
        return "?"
    if answer.error:
        return fit(safe(answer.error.partition(":")[0]), width)
    return answer_text(recording, answer, state, width)


def style_of(answer: Answer) -> str:
    """Return the style in which an answer is shown."""
    if answer.error:
        return "wrong"
    return "quiet" if answer.unknown else ""


def answer_data(recording: Recording, answer: Answer, state: int) -> AnswerData:
    """Return an answer for JSON."""
    text = answer_text(recording, answer, state, WIDTH) if answer.is_known else None
    return {"value": text, "error": safe(answer.error), "unknown": safe(answer.unknown)}


def answer_cell(recording: Recording, answer: Answer, state: int) -> str:
    """Return an answer for a table of data: text without quotes, nothing where it is not known."""
    if not answer.is_known:
        return ""
    if isinstance(answer.value, str):
        return answer.value
    return answer_text(recording, answer, state, WIDTH)


def _text(viewer: Viewer, value: Any, width: int, depth: int) -> str:
    if isinstance(value, _ATOMS) or value is ... or value is NotImplemented:
        return value_line(viewer, value, max(width, 8))
    if depth > _DEEPEST:
        return "…"

    def written(values: Iterable[Any]) -> list[str]:
        return [_text(viewer, each, width, depth + 1) for each in values]

    if isinstance(value, dict):
        keys, values = list(value)[:_SHOWN], list(value.values())[:_SHOWN]
        pairs = [f"{k}: {v}" for k, v in zip(written(keys), written(values), strict=True)]
        return _around("{", pairs, len(value), "}")
    if isinstance(value, set | frozenset):
        inner = _around("{", sorted(written(value))[:_SHOWN], len(value), "}") if value else ""
        return inner if inner and isinstance(value, set) else f"{type(value).__name__}({inner})"
    if isinstance(value, tuple):
        parts = written(value[:_SHOWN])
        return f"({parts[0]},)" if len(value) == 1 else _around("(", parts, len(value), ")")
    if isinstance(value, list):
        return _around("[", written(value[:_SHOWN]), len(value), "]")
    return safe(repr(value)) if isinstance(value, range | slice) else f"<{type(value).__name__}>"


def _around(opening: str, parts: list[str], count: int, closing: str) -> str:
    more = ["…"] if count > len(parts) else []
    return f"{opening}{', '.join([*parts, *more])}{closing}"
