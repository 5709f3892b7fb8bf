"""Messages of log points: text with expressions in braces, as in ``total is {total}``."""

from __future__ import annotations

import re

from wrongcall.errors import WrongcallError
from wrongcall.present.answers import answer_cell, answer_text
from wrongcall.recording import Recording, Stop

_BRACES = re.compile(r"\{([^{}]+)\}")
_WIDTH = 400


def filled_in(recording: Recording, stop: Stop, message: str) -> str:
    """Return a message with what its expressions were at a stop."""
    return _BRACES.sub(lambda found: _value(recording, stop, found[1]), message)


def _value(recording: Recording, stop: Stop, expression: str) -> str:
    try:
        answer = recording.asking.eval(expression, stop.call, stop.state)
    except WrongcallError as error:
        return f"<{error}>"
    if not answer.is_known:
        return f"<{answer_text(recording, answer, stop.state, _WIDTH)}>"
    return answer_cell(recording, answer, stop.state)
