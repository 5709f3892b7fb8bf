"""What a language model is asked, and what its answers mean.

It is asked blindly first: what should come out, without body and outcome. Only if that differs from what was recorded,
it is shown the outcome and asked for a verdict.
"""

from __future__ import annotations

import ast
import json
import re
from typing import Any

from wrongcall.errors import OracleError
from wrongcall.languages.python.annotations import signature_of
from wrongcall.recording import Recording
from wrongcall.session.answers import Verdict

_BLIND = """You judge one call of a Python function by what the function is meant to do.

{about}
Given:
{before}

What should come out? Reply with one JSON object and nothing else:
{{"expected": "<the returned value as a Python literal>"}} if that is specified,
{{"raises": "<name of the exception>"}} if it should raise,
{{"postcondition": "<a Python expression over the parameters and result>"}} if only a condition is specified; it may use
builtin functions, but no attributes or methods,
{{"unspecified": true}} if the text above does not say."""
_SHOWN = """You judge one call of a Python function by what the function is meant to do.

{about}
Given:
{before}

What came out:
{after}

Is that right? Reply with one JSON object and nothing else:
{{"verdict": "right" or "wrong" or "invalid" or "unsure", "reason": "<one sentence>"}}
"invalid" means that the function should never be called with these arguments."""
_VERDICTS = {"right": Verdict.RIGHT, "wrong": Verdict.WRONG, "invalid": Verdict.INADMISSIBLE}
_FENCE = re.compile(r"^\s*```\w*\n(.*?)\n?```\s*$", re.DOTALL)
_MISSING = object()


def about(recording: Recording, call: int) -> str:
    """Describe a function and its caller, without the body."""
    view = recording.call(call)
    definition = recording.sources.definition(view.function)
    source = recording.sources.of_function(view.function)
    lines = [f"Function: {signature_of(definition) or view.function.qualname}"]
    if view.function.qualname != view.function.name:
        lines.append(f"Qualified name: {view.function.qualname}")
    doc = recording.sources.docstring(view.function)
    lines += ["Docstring:", doc] if doc else []
    comments: list[str] = []
    number = view.function.line - 1
    while number > 0 and source.line(number).strip().startswith(("#", "@")):
        comments.insert(0, source.line(number).strip())
        number -= 1
    lines += ["Above it:", *comments] if comments else []
    caller = view.parent
    if caller is not None and view.caller_line:
        line = recording.sources.of_function(caller.function).line(view.caller_line).strip()
        lines.append(f"Called by {caller.function.qualname}: {line}")
    return "\n".join(lines) + "\n"


def blind_prompt(text: str, before: str) -> str:
    """Return the prompt that asks what the outcome should be."""
    return _BLIND.format(about=text, before=before or "nothing")


def shown_prompt(text: str, before: str, after: str) -> str:
    """Return the prompt that asks whether the outcome is right."""
    return _SHOWN.format(about=text, before=before or "nothing", after=after)


def parsed_reply(text: str) -> dict[str, Any]:
    """Return the JSON object of a reply."""
    fenced = _FENCE.match(text)
    try:
        found = json.loads(fenced[1] if fenced else text)
    except (ValueError, RecursionError) as exc:
        raise OracleError(f"the model's answer is not JSON: {text[:80]!r}") from exc
    if not isinstance(found, dict):
        raise OracleError(f"the model's answer is not a JSON object: {text[:80]!r}")
    return found


def agrees(reply: dict[str, Any], returned: str, raised: str) -> bool | None:
    """Compare what a model expects with what was recorded; None: it does not say, or can't be compared.

    ``returned``: the value in source notation, ``raised``: the name of the exception; empty if there is none.
    """
    if isinstance(reply.get("raises"), str):
        return bool(raised) and reply["raises"].rpartition(".")[2] == raised
    if not isinstance(reply.get("expected"), str):
        return None
    if raised:
        return False
    expected, found = _value(reply["expected"]), _value(returned)
    if expected is _MISSING or found is _MISSING:
        return None
    return type(expected) is type(found) and expected == found


def verdict_of(reply: dict[str, Any]) -> Verdict | None:
    """Return the verdict in a reply; None: the model is not sure."""
    return _VERDICTS.get(str(reply.get("verdict")))


def _value(text: str) -> object:
    try:
        found: object = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return _MISSING
    return found
