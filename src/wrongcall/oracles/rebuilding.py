"""Values of a recorded run in source notation, where a call can be repeated from its text.

Only plain data is written: numbers, texts, lists, tuples, dicts and sets of them. A value that is shared, cyclic, cut
off or of any other type has no source, and neither has a call that read or changed anything besides its arguments.
"""

from __future__ import annotations

from wrongcall.recording import Outcome, Recording, Ref
from wrongcall.replay.source_text import NoSourceError, plain_text


def arguments_of(recording: Recording, call: int) -> str:
    """Return the arguments of a call, as in ``1, key='a'``; empty: the call can't be repeated from its text.

    A call without arguments gives ``()``.
    """
    view, given = recording.call(call), recording.questions.input(call)
    effect = recording.questions.effect(call, given)
    reads = bool(given.receiver or given.closure or given.unparsed)
    reads |= any(each.of or isinstance(each.value, Ref) for each in given.globals)
    changes = effect.objects or effect.variables or effect.meanwhile
    if reads or changes or "<" in view.function.qualname or view.function.kind != "function":
        return ""
    try:
        heap, met = recording.states.heap, set[int]()
        names = [passed.name for passed in given.args]
        texts = [
            f"{passed.name}={plain_text(heap, passed.value, given.time, met)}"
            for passed in given.args
        ]
    except NoSourceError:
        return ""
    definition = recording.sources.definition(view.function)
    source = recording.sources.of_function(view.function)
    if names != list(view.function.params) or any(source.collects(definition, n) for n in names):
        return ""
    return ", ".join(texts) or "()"


def result_of(recording: Recording, call: int) -> str:
    """Return what a call returned in source notation; empty: it has none."""
    view = recording.call(call)
    if view.outcome is not Outcome.RETURNED:
        return ""
    try:
        return plain_text(recording.states.heap, view.value, view.exit)
    except NoSourceError:
        return ""
