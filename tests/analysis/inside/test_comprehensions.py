"""Rounds of comprehensions and generator expressions against iterators that count, for random programs.

In the witness, every iterable of a comprehension is wrapped: each element that is taken begins a round.
"""

from __future__ import annotations

import ast
import json
import random
from collections import Counter
from pathlib import Path

import pytest

from tests.recorder.conftest import Record, run_python
from wrongcall.languages.python.outline import PartKind
from wrongcall.recording import Recording

HEAD = "import json, sys\ndef fail(n):\n    if n == 3:\n        raise ValueError(n)\n    return n\n"
TAKEN = """
TAKEN = []
def each(line, iterable):
    for element in iterable:
        TAKEN.append(line)
        yield element
"""
TELL = "\nprint(json.dumps(TAKEN), file=sys.stderr)\n"


def one(chance: random.Random, depth: int = 0) -> str:
    """Return a random comprehension."""
    name = "xyz"[depth]
    element = chance.choice([name, f"fail({name})", f"{name} + 1"])
    if depth < 2 and chance.random() < 0.3:
        element = f"len({one(chance, depth + 1)})"
    clauses = f"for {name} in range({chance.randint(0, 5)})"
    if chance.random() < 0.4:
        clauses += f" if {name} % 2"
    if chance.random() < 0.3:
        clauses += f" for w{depth} in range({chance.randint(0, 3)})"
    kind = chance.choice(["[{}]", "[{}]", "{{{}}}", "list({})"])
    return kind.format(f"{element} {clauses}")


def program(seed: int) -> str:
    """Return a program whose functions evaluate comprehensions, one in each line."""
    chance = random.Random(seed)
    text = HEAD
    for number in range(12):
        lines = []
        for _ in range(4):
            found = one(chance)
            lazy = f"(a for a in range({chance.randint(1, 6)}) if a % 3 == 1)"
            lines.append(chance.choice([f"v = {found}", f"v = len({found})", f"v = any({lazy})"]))
        body = "\n".join(f"    {line}" for line in lines)
        text += f"def f{number}():\n{body}\n"
        text += f"try:\n    f{number}()\nexcept ValueError:\n    pass\n"
    return text


class Counting(ast.NodeTransformer):
    """Wraps the iterables of comprehensions."""

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        self.generic_visit(node)
        line = ast.Constant(node.target.lineno)
        node.iter = ast.Call(ast.Name("each", ast.Load()), [line, node.iter], [])
        return node


def taken(text: str, folder: Path) -> Counter[int]:
    """Return how many elements the comprehensions of each line take in a plain run."""
    tree = ast.fix_missing_locations(Counting().visit(ast.parse(text)))
    path = folder / "counting.py"
    path.write_text(f"{TAKEN}\n{ast.unparse(ast.Module([tree], []))}{TELL}")
    # Lines are those of the recorded program: the constants were made before.
    done = run_python([str(path)], folder)
    assert done.returncode == 0, done.stderr
    return Counter(json.loads(done.stderr.splitlines()[-1]))


def rounds(recording: Recording) -> Counter[int]:
    """Return how many rounds of comprehensions there are at each line, in all calls of the functions."""
    found: Counter[int] = Counter()
    for number in recording.calls.columns().id.tolist():
        if not recording.call(number).function.name.startswith("f") or (
            recording.call(number).function.name == "fail"
        ):
            continue
        inside = recording.inside.of(number)
        assert inside is not None
        for node in range(len(inside)):
            part = inside.part_of(node)
            is_round = not inside.is_call(node) and part.kind is PartKind.ROUND
            if is_round and part.is_comprehension:
                found[part.line] += 1
    return found


@pytest.mark.parametrize("seed", range(4))
def test_each_element_that_is_taken_begins_a_round(
    seed: int, record: Record, tmp_path: Path
) -> None:
    text = program(seed)
    found = rounds(record(text).recording)
    assert found == taken(text, tmp_path)
    assert sum(found.values()) > 50
