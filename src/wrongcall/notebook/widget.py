"""The widget below a cell: it shows a question, and passes on which answer was clicked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anywidget
import traitlets

from wrongcall.notebook.asking import Asking

FOLDER = Path(__file__).parent


class QuestionWidget(anywidget.AnyWidget):  # type: ignore[misc]
    """Shows what an `Asking` has to show."""

    _esm = (FOLDER / "widget.js").read_text(encoding="utf-8")
    _css = (FOLDER / "widget.css").read_text(encoding="utf-8")
    view = traitlets.Dict().tag(sync=True)
    answer = traitlets.Dict().tag(sync=True)
    """The last click: the verdict, and how many clicks there were, so that the same one can come again."""

    def __init__(self, asking: Asking) -> None:
        super().__init__(view=asking.view())
        self._asking = asking
        self.observe(self._answered, names="answer")

    def _answered(self, change: dict[str, Any]) -> None:
        self.view = self._asking.answer(str(change["new"].get("verdict", "")))
