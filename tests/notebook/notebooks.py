"""Execute notebooks in a kernel, and answer in their widgets."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

WHERE = "run by tools/run_tests.py, which has Jupyter (requirements/notebook.in)"
VIEW = "application/vnd.jupyter.widget-view+json"
LOAD = "%load_ext wrongcall"
DEFINE = """def double(x):
    wrong = x + x + 1
    return wrong

def total(xs):
    found = 0
    for x in xs:
        found += double(x)
    return found"""
RUN = "%%wrongcall\nresult = total(rows)\nresult"


def verdict_on(text: str) -> str:
    """Answer a question about `DEFINE` as somebody who knows what the functions should do."""
    calls = re.findall(r"double\(x=(\d+)\)(?: ->|\n +returned +) ?(\d+)", text)
    if calls:
        return "yes" if all(int(r) == 2 * int(x) for x, r in calls) else "no"
    found = re.search(r"total\(xs=\[([\d, ]+)\]\)\n +returned +(\d+)", text)
    if found:
        numbers = [int(x) for x in found[1].split(",")]
        return "yes" if int(found[2]) == 2 * sum(numbers) else "no"
    return "no"  # inside double: the statement that binds the wrong value


class Notebook:
    """A notebook that is being executed, cell by cell."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def run(self, source: str, *, fails: bool = False) -> list[Any]:
        """Execute another cell; return its outputs."""
        import nbformat

        cell = nbformat.v4.new_code_cell(source)
        self._client.nb.cells.append(cell)
        self._client.allow_errors = fails
        self._client.execute_cell(cell, len(self._client.nb.cells) - 1)
        outputs: list[Any] = cell.outputs
        return outputs

    def text(self, source: str) -> str:
        """Execute another cell; return what it printed and displayed, as text."""
        return text_of(self.run(source))

    def view(self, widget: str) -> dict[str, Any]:
        """Return what a widget shows, after what it was sent has been handled."""
        find = (
            f"from ipywidgets.widgets.widget import _instances\nshown = _instances[{widget!r}].view"
        )
        view: dict[str, Any] = json.loads(
            self.text(f"import json\n{find}\nprint(json.dumps(shown))")
        )
        return view

    def answer(self, widget: str, verdict: str, clicks: int) -> dict[str, Any]:
        """Answer as the browser does, with a message; return what the widget shows then."""
        state = {"answer": {"verdict": verdict, "clicks": clicks}}
        content = {
            "comm_id": widget,
            "data": {"method": "update", "state": state, "buffer_paths": []},
        }
        client = self._client.kc
        client.shell_channel.send(client.session.msg("comm_msg", content))
        return self.view(widget)


def text_of(outputs: list[Any]) -> str:
    """Return outputs as text."""
    found = (
        o.get("text") or o.get("data", {}).get("text/plain") or o.get("evalue") for o in outputs
    )
    return "".join(part or "" for part in found)


def widget_of(outputs: list[Any]) -> str:
    """Return the model of the widget among the outputs of a cell."""
    (found,) = (o["data"][VIEW]["model_id"] for o in outputs if VIEW in o.get("data", {}))
    return str(found)


@contextmanager
def notebook(folder: Path) -> Iterator[Notebook]:
    """Begin a notebook in a folder."""
    import nbformat
    from nbclient import NotebookClient

    client = NotebookClient(
        nbformat.v4.new_notebook(), timeout=120, resources={"metadata": {"path": str(folder)}}
    )
    with client.setup_kernel():
        yield Notebook(client)
