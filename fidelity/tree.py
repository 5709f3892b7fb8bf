"""Exact, the tree: the recorded calls are those that the interpreter itself reports.

A deterministic program runs twice: plain under `sys.setprofile` (`inside/watch_tree`), and recorded. Both give the
calls in the order in which they began to run; they must have the same functions, the same parents (except for
generators: the trace knows which call created them, the interpreter only which asked first), the same outcomes and the
same atoms returned.
"""

from __future__ import annotations

import ast
import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import wrongcall.recording
from fidelity.report import Options, Report, Reports, Row, by_name, table
from fidelity.runs import INSIDE, ROOT, Python, remove_trace, say
from wrongcall.events import Kind
from wrongcall.recording import Call, Outcome, Recording
from wrongcall.trace.format.event_records import call_ids

WORKLOADS = ROOT / "bench" / "workloads"
USES = ROOT / "fidelity" / "programs" / "uses"
OWN = ROOT / "tests" / "programs"
IN_COMPREHENSION = re.compile(r"<(listcomp|setcomp|dictcomp|genexpr)>\.")
GENERATORS = ("generator", "coroutine", "async generator")
ATOMS = (int, str, float, type(None))


@dataclass(frozen=True)
class Program:
    """A deterministic program."""

    script: Path
    args: tuple[str, ...] = ()
    library: str = ""
    """A package that is watched and recorded too."""

    @property
    def name(self) -> str:
        """Its name in tables."""
        return self.library or self.script.stem


PROGRAMS = (
    Program(WORKLOADS / "fib.py", ("16",)),
    Program(WORKLOADS / "queens.py", ("6",)),
    Program(WORKLOADS / "msort.py", ("1",)),
    Program(WORKLOADS / "avl.py", ("500",)),
    Program(WORKLOADS / "calc.py", ("20",)),
    Program(WORKLOADS / "sqlparse_work.py", ("1",), "sqlparse"),
    Program(USES / "use_markdown.py", (), "markdown"),
    Program(USES / "use_jinja2.py", (), "jinja2"),
    Program(USES / "use_networkx.py", (), "networkx"),
    *(
        Program(OWN / f"{name}.py")
        for name in ("calculator", "clean_up", "class_machinery", "expressions", "functional")
    ),
    *(Program(OWN / f"{name}.py") for name in ("matrices", "queens", "search_tree", "sorting")),
)
SMALL = ("fib", "calc", "functional")


def run(python: Python, options: Options) -> Report:
    """Compare the programs, one after the other."""
    report = Report()
    known = {program.name: program for program in PROGRAMS}
    for name in options.chosen(SMALL if options.small else known):
        say(f"{python.version} tree of {name}")
        with TemporaryDirectory(prefix="fidelity-") as folder:
            report.rows.append(_compare(python, known[name], Path(folder), report))
    return report


def _compare(python: Python, program: Program, folder: Path, report: Report) -> Row:
    trace = folder / "trace.wrongcall"
    options = ["--include", program.library] if program.library else []
    done = python.record([str(program.script), *program.args], folder, trace, options)
    problems = [] if done.status == 0 else [f"it failed when recorded: {done.stderr[-300:]}"]
    with wrongcall.recording.open(trace) as opened:
        recorded = _recorded(opened)
        folders = {str(Path(file.path).parent) for file in opened.program.files.values()}
    remove_trace(trace)
    witnessed = _witnessed(python, program, folder, _roots(folders))
    found = _differences(witnessed, recorded)
    problems += found[:5]
    report.problems += [f"{program.name}: {text}" for text in problems]
    return {
        "name": program.name,
        "calls": len(witnessed),
        "functions": len({(seen["name"], seen["line"]) for seen in witnessed}),
        "depth": _depth(witnessed),
        "raised": sum(seen["outcome"] == "raised" for seen in witnessed),
        "differences": len(found),
    }


def _roots(folders: set[str]) -> list[str]:
    """Leave out folders that are inside others."""
    return [f for f in sorted(folders) if not any(f.startswith(g + "/") for g in folders)]


# -- two trees of the same shape -----------------------------------------------------------------------


def _witnessed(
    python: Python, program: Program, folder: Path, watched: list[str]
) -> list[dict[str, Any]]:
    result = folder / "calls.json"
    env = {"PYTHONPATH": str(INSIDE), "WATCH_TREE": f"{result}|{':'.join(watched)}"}
    done = python.run([str(program.script), *program.args], folder, env)
    assert done.status == 0, done.stderr
    return [
        {
            "name": IN_COMPREHENSION.sub("", name),
            "line": 1 if name == "<module>" else _definition(file, line),
            "parent": parent,
            "kind": kind,
            "outcome": outcome,
            "value": None if kind == "body" else value,
        }
        for name, file, line, parent, kind, outcome, value in json.loads(result.read_text())
    ]


@cache
def _definitions(file: str) -> dict[int, int]:
    """Return the line of the ``def`` for each line that begins a decorated definition."""
    found = {}
    for node in ast.walk(ast.parse(Path(file).read_bytes())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            for decorator in node.decorator_list[:1]:
                found[decorator.lineno] = node.lineno
    return found


def _definition(file: str, line: int) -> int:
    return _definitions(file).get(line, line)


def _recorded(recording: Recording) -> list[dict[str, Any]]:
    started = recording.events.select({Kind.START})
    begins = dict(zip(call_ids(started.events).tolist(), started.times.tolist(), strict=True))
    calls = [recording.call(number) for number in recording.calls.columns().id.tolist()]
    ran = [c for c in calls if c.id in begins or c.function.kind not in GENERATORS]
    ran.sort(key=lambda call: begins.get(call.id, call.entry))
    numbers = {call.id: number for number, call in enumerate(ran)}
    return [_described(call, numbers) for call in ran]


def _described(call: Call, numbers: dict[int, int]) -> dict[str, Any]:
    function = call.function
    kind = "generator" if function.kind in GENERATORS else "function"
    kind = "body" if function.kind in ("module", "class") else kind
    returned = call.outcome == Outcome.RETURNED
    atom = returned and kind != "body" and isinstance(call.value, ATOMS)
    return {
        "name": IN_COMPREHENSION.sub("", function.qualname),
        "line": function.line,
        "parent": numbers[call.parent.id] if call.parent else -1,
        "kind": kind,
        "outcome": "returned" if returned else call.outcome.name.lower(),
        "value": repr(call.value) if atom else None,
    }


def _differences(witnessed: list[dict[str, Any]], recorded: list[dict[str, Any]]) -> list[str]:
    found = []
    if len(witnessed) != len(recorded):
        found.append(f"{len(recorded)} calls instead of {len(witnessed)}")
    for number, (seen, kept) in enumerate(zip(witnessed, recorded, strict=False)):
        if _comparable(seen) != _comparable(kept):
            found.append(f"call {number}: {_comparable(kept)} instead of {_comparable(seen)}")
    return found


def _comparable(call: dict[str, Any]) -> tuple[Any, ...]:
    place = (call["name"], call["line"], call["kind"])
    if call["kind"] == "generator":  # closing one shows up in too many ways
        return (*place, call["outcome"] == "returned")
    # A lambda that an exception left has no handler that could record it: its end is its drop.
    ended = "returned" if call["outcome"] == "returned" else "raised"
    return (*place, call["parent"], ended, call["value"])


def _depth(calls: list[dict[str, Any]]) -> int:
    depths: list[int] = []
    for call in calls:
        depths.append(1 if call["parent"] < 0 else depths[call["parent"]] + 1)
    return max(depths, default=0)


def tables(reports: Reports) -> str:
    """Return the programs and how their trees compare."""
    keys = ("calls", "functions", "depth", "raised", "differences")
    rows = [
        [name, version, *(row[key] for key in keys)]
        for name, found in by_name(reports).items()
        for version, row in found.items()
    ]
    return table(["program", "Python", *keys], rows)
