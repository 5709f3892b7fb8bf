"""The magics, executed in a kernel; the answers go through the model of the widget."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.notebook.notebooks import (
    DEFINE,
    LOAD,
    RUN,
    WHERE,
    Notebook,
    notebook,
    text_of,
    verdict_on,
    widget_of,
)
from wrongcall.errors import UsageError
from wrongcall.notebook.extension import _parsed

MOST_QUESTIONS = 10


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Notebook, Path]]:
    """A kernel with the extension and the functions, and the folder it runs in."""
    pytest.importorskip("nbclient", reason=WHERE)
    folder = tmp_path_factory.mktemp("notebook")
    with notebook(folder) as running:
        running.run(LOAD)
        running.run(DEFINE)
        running.run("rows = [1, 2, 3]")
        yield running, folder


def answered(running: Notebook, widget: str) -> list[dict[str, Any]]:
    """Answer until nothing is asked any more; return everything that was shown."""
    shown = [running.view(widget)]
    while shown[-1]["kind"] == "question" and len(shown) <= MOST_QUESTIONS:
        shown.append(running.answer(widget, verdict_on(shown[-1]["text"]), len(shown)))
    return shown


def test_a_recorded_cell_asks_below_it_until_the_finding_names_the_statement(
    kernel: tuple[Notebook, Path],
) -> None:
    running, folder = kernel
    outputs = running.run(RUN)
    assert text_of(outputs).startswith("15")
    shown = answered(running, widget_of(outputs))
    assert "In[2]:1" in shown[0]["text"]
    assert shown[-1]["kind"] == "finding"
    assert "wrong = x + x + 1" in shown[-1]["text"]
    assert (folder / ".wrongcall/notebooks/In-4.wrongcall").exists()


def test_the_last_cell_goes_on_where_it_was(kernel: tuple[Notebook, Path]) -> None:
    running, _ = kernel
    widget = widget_of(running.run(RUN))
    first = running.view(widget)
    second = running.answer(widget, "no", 1)
    assert second["text"] != first["text"]
    assert "undo" in [each["verdict"] for each in second["answers"]]
    again = widget_of(running.run("%wrongcall last"))
    assert running.view(again)["text"] == second["text"]
    assert running.answer(again, "undo", 1)["text"] == first["text"]


def test_an_answer_that_makes_no_sense_is_reported_and_the_question_stays(
    kernel: tuple[Notebook, Path],
) -> None:
    running, _ = kernel
    widget = widget_of(running.run(RUN))
    before = running.view(widget)
    after = running.answer(widget, "perhaps", 1)
    assert after["trouble"]
    assert after["text"] == before["text"]


def test_a_cell_that_raises_shows_its_traceback_and_asks(kernel: tuple[Notebook, Path]) -> None:
    running, _ = kernel
    running.run("def fails(x):\n    return double(x) // 0")
    outputs = running.run("%%wrongcall\nfails(1)")
    (error,) = (o for o in outputs if o.output_type == "error")
    assert error["ename"] == "ZeroDivisionError"
    assert "double(x) //" in "".join(error["traceback"])
    shown = answered(running, widget_of(outputs))
    assert shown[-1]["kind"] == "finding"


def test_the_page_is_served_on_this_machine(kernel: tuple[Notebook, Path]) -> None:
    running, _ = kernel
    outputs = running.run("%%wrongcall --web\ntotal(rows)")
    (link,) = (o.data["text/html"] for o in outputs if "text/html" in o.get("data", {}))
    assert 'href="http://127.0.0.1:' in link
    code = "import urllib.request\nprint(urllib.request.urlopen(str(_)).status)"
    assert running.text(code).strip() == "200"


@pytest.mark.parametrize(
    "source, message",
    [
        ("%wrongcall", "usage: %%wrongcall [--web] [-o FILE] above a cell"),
        ("%%wrongcall last\ntotal(rows)", "usage: %%wrongcall"),
        ("%%wrongcall --wep\ntotal(rows)", "unrecognized arguments: --wep; usage: %%wrongcall"),
        ("%%wrongcall -o /dev/null\ntotal(rows)", "/dev/null"),
    ],
)
def test_mistakes_are_reported(kernel: tuple[Notebook, Path], source: str, message: str) -> None:
    running, _ = kernel
    (error,) = running.run(source, fails=True)
    assert error["text"].startswith(f"UsageError: {message}")


def test_without_the_extension_the_magic_is_gone(kernel: tuple[Notebook, Path]) -> None:
    running, _ = kernel
    running.run("%unload_ext wrongcall")
    assert "not found" in text_of(running.run("%wrongcall last", fails=True))
    running.run("def plain(x):\n    return x")
    running.run(LOAD)
    running.run(f"{RUN.splitlines()[0]} -o other.wrongcall\nplain(double(2))")
    shown = running.text("import sys\n!{sys.executable} -m wrongcall tree other.wrongcall")
    assert "double(x=2)" in shown
    assert "plain(" not in shown


def test_options_are_those_of_the_documentation() -> None:
    assert vars(_parsed("--web -o 'a b.wrongcall'")) == {
        "web": True,
        "output": "a b.wrongcall",
        "what": None,
    }
    with pytest.raises(UsageError, match="invalid choice: 'first'"):
        _parsed("first")
