"""docs/internals/map.md is right: its walks are taken here, and it lists all orders that are checked."""

from __future__ import annotations

import io
import re
import tomllib
from itertools import pairwise
from pathlib import Path

import pytest

from tests.passed import Passed, passing
from tests.web.conftest import TOKEN, Serve, serve, traces
from wrongcall.cli.main import main

__all__ = ["serve", "traces"]
ROOT = Path(__file__).parent.parent
MAP = ROOT / "docs" / "internals" / "map.md"
_FILE = re.compile(r"`([\w/]+\.(?:py|[ch]|tsx?))`")


PROGRAM = """
def fill(c, a):
    for lc in range(len(c)):
        c[lc] = a[lc]

c = [0] * 30_000
for _ in range(3):
    fill(c, list(range(30_000)))
"""
"""Fills more than a segment."""


def walks() -> dict[str, list[str]]:
    """Return the modules that each walk names, in order."""
    text = MAP.read_text().partition("## Three walks")[2]
    parts = re.split(r"^\*\*(.+?)\*\*", text, flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], map(_FILE.findall, parts[1::2]), strict=True))


def test_there_are_three_walks() -> None:
    assert len(walks()) == 3


@pytest.mark.parametrize("name", walks())
def test_a_walk_names_modules_that_exist_each_once(name: str) -> None:
    modules = walks()[name]
    assert len(modules) >= 9
    assert sorted(set(modules)) == sorted(modules)
    missing = [
        m for m in modules if not any((ROOT / f / m).exists() for f in ("", "src/wrongcall"))
    ]
    assert missing == []


def walk(beginning: str, *suffixes: str) -> list[str]:
    """Return the modules of a walk that have one of these suffixes."""
    (found,) = (modules for name, modules in walks().items() if name.startswith(beginning))
    return [module for module in found if module.endswith(suffixes)]


def unconnected(modules: list[str], passed: Passed) -> list[str]:
    """Return the modules of a walk that neither called nor were called by one before them."""
    return [
        module
        for at, module in enumerate(modules)
        if at and not any(frozenset({module, m}) in passed.neighbours for m in modules[:at])
    ]


def in_order(modules: list[str], passed: Passed) -> bool:
    """Return whether the modules were called one after the other, with anything in between."""
    called = iter([module for _, module in passed.calls])
    return all(module in called for module in modules)


def source(module: str) -> str:
    """Return the text of a module."""
    found = [ROOT / folder / module for folder in ("", "src/wrongcall")]
    return next(path for path in found if path.exists()).read_text()


def test_a_write_passes_the_modules_of_the_recorder() -> None:
    """The native code cannot be watched: that each part uses the next ones is read from its source."""
    hooks = re.findall(r"`(item_store)`", MAP.read_text())
    assert all(f'"{hook}"' in source("recorder/statements.py") for hook in hooks)
    native = walk("A write", ".c", ".h")
    assert all(f"hook_{hook}(" in source(native[0]) for hook in hooks)
    defined = re.compile(r"^(?!static (?!inline))\w[\w *]*?\b(\w+)\(", re.MULTILINE)
    for at, module in enumerate(native[1:], 1):
        functions = set(defined.findall(source(module)))
        used = {name for m in native[:at] for name in re.findall(r"\b(\w+)\(", source(m))}
        assert functions & used, module


def test_a_write_passes_the_modules_of_the_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("prog.py").write_text(PROGRAM)
    with passing() as passed:
        passed.noting = True
        assert main(["record", "prog.py"]) == 0
        passed.noting = False
    assert "events" in capfd.readouterr().err
    threads = "trace/write/packing_threads.py"
    passed.calls = [(threads if c.startswith("packing") else c, m) for c, m in passed.calls]
    modules = walk("A write", ".py")[1:]
    assert unconnected(modules, passed) == []
    assert in_order(modules, passed)


def test_a_question_passes_the_modules_of_its_walk(
    traces: dict[str, Path], capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    with passing() as passed:
        passed.noting = True
        assert main(["debug", "--session", "walk", str(traces["paper_mergesort"])]) == 1
        passed.noting = False
    assert "Question 1" in capfd.readouterr().out
    modules = walk("A question")
    assert set(modules) <= set(passed.modules)
    # A question is asked from above and answered from below: the walk goes the way of the answer.
    assert unconnected(modules[::-1], passed) == []


def test_a_click_passes_the_modules_of_its_walk(
    traces: dict[str, Path], request: pytest.FixtureRequest
) -> None:
    with passing() as passed:
        start: Serve = request.getfixturevalue("serve")
        client = start(traces["paper_mergesort"])
        asked = client.get(f"/{TOKEN}/api/session").json()["step"]
        passed.noting = True
        sent = {"key": asked["key"], "verdict": "right"}
        assert client.post(f"/{TOKEN}/api/session/answer", json=sent).status_code == 200
        passed.noting = False
    # The contract has nothing but types, which are not called.
    modules = [module for module in walk("A click", ".py") if module != "web/contract.py"]
    assert "from wrongcall.web import contract" in source("web/session_json.py")
    assert in_order(modules, passed)


def test_a_click_passes_the_modules_of_the_page() -> None:
    """Each imports the next one; web/src/question/Panels.test.tsx clicks."""
    modules = walk("A click", ".ts", ".tsx")
    for module, following in pairwise(modules):
        assert f'/{Path(following).stem}"' in source(module), (module, following)


def test_the_map_lists_the_orders_that_are_checked() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    containers = [c for contract in settings["contracts"] for c in contract.get("containers", ())]
    inside = [c.removeprefix("wrongcall.").replace(".", "/") for c in containers if "." in c]
    listed = re.findall(r"^\| `([\w/]+)` \|", MAP.read_text(), re.MULTILINE)
    assert sorted(listed) == sorted(inside)


def test_orders_leave_no_module_out() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    orders = [contract for contract in settings["contracts"] if contract["type"] == "layers"]
    assert all(contract["exhaustive"] for contract in orders)
