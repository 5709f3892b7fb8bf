"""View models that all interfaces share: what is shown, without how.

`text` makes any text safe to show, `values` shows values as lines and as trees that fold, `pairs` two
values beside each other, cut around what differs, `diffs` what a call changed, `questions` a call as it
is put to an oracle, `opened` the same with nothing left out, `excerpts` source with what was executed and
which values there were, `groups` several calls in a row, `findings` what was found, `output` what was
printed. View models are frozen, hold text that is safe to print, and turn into JSON with `as_json`
(docs/reference/json.md). `lines` and ``screens`` draw them as lines of styled text, for terminals and `reports`.

`key_map` has the keys, `estimates` the words for what is left to ask, `styles` the look of each role of a text.

Nothing of the debugged program runs: values are read from the trace.
"""

from __future__ import annotations

from wrongcall.present.diffs import DiffLine, effect_lines
from wrongcall.present.excerpts import Excerpt, ExcerptLine, excerpt
from wrongcall.present.models import as_json
from wrongcall.present.questions import QuestionView, question, title
from wrongcall.present.text import columns, fit, safe
from wrongcall.present.values import ValueNode, Viewer

__all__ = [
    "DiffLine",
    "Excerpt",
    "ExcerptLine",
    "QuestionView",
    "ValueNode",
    "Viewer",
    "as_json",
    "columns",
    "effect_lines",
    "excerpt",
    "fit",
    "question",
    "safe",
    "title",
]
