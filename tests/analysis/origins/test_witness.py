"""Origins of generated programs are what a slow and obvious interpreter says."""

from __future__ import annotations

import ast
from random import Random

import pytest

from tests.analysis.origins.witness import Interpreter
from tests.trace.conftest import Record, Recorded
from wrongcall.analysis.origins.exploring import explore
from wrongcall.recording import NodeKind, Opened, OriginNode, Role

pytestmark = pytest.mark.once

FUNCTIONS = 8
NAMES = "abc"
_FOLLOWED = (Role.OPERAND, Role.ELEMENT, Role.KEY, Role.CONDITION)


class Writer:
    """Writes a random function."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self.lines = [f"def f{seed}():", "    a, b, c = 1, 2, 3", "    xs = [5, 6, 7, 8]"]
        self.lines[1:2] = ["    a = 1", "    b = 2", "    c = 3"]
        self._block(1, 7, [*NAMES])
        self.lines.append("    return xs")

    def _block(self, depth: int, count: int, names: list[str]) -> None:
        for _ in range(count):
            self._statement(depth, names)

    def _statement(self, depth: int, names: list[str]) -> None:
        indent, choice = "    " * depth, self._random.random()
        target = self._random.choice(NAMES)
        if choice < 0.35:
            self.lines.append(f"{indent}{target} = {self._expression(names)}")
        elif choice < 0.5:
            self.lines.append(f"{indent}{target} += {self._read(names)}")
        elif choice < 0.65:
            where = f"({self._read(names)}) % 4"
            self.lines.append(f"{indent}xs[{where}] = {self._expression(names)}")
        elif choice < 0.85 and depth < 4:
            self.lines.append(f"{indent}if {self._read(names)} < {self._read(names)}:")
            self._block(depth + 1, 2, names)
            if self._random.random() < 0.5:
                self.lines.append(f"{indent}else:")
                self._block(depth + 1, 1, names)
        elif depth < 3:
            name = f"i{depth}"
            self.lines.append(f"{indent}for {name} in range({self._random.randint(0, 3)}):")
            self._block(depth + 1, 2, [*names, name])
        else:
            self.lines.append(f"{indent}{target} = {self._read(names)}")

    def _read(self, names: list[str]) -> str:
        choice = self._random.random()
        if choice < 0.6:
            return self._random.choice(names)
        return f"xs[{self._random.choice(names)} % 4]" if choice < 0.85 else "4"

    def _expression(self, names: list[str]) -> str:
        sign = self._random.choice("+-*")
        return f"({self._read(names)} {sign} {self._read(names)}) % 97"


def sliced(run: Recorded, root: OriginNode) -> set[int]:
    """The lines of the data and the tests that a value depended on, without what kept it and the call itself."""

    def open_node(node: OriginNode) -> Opened:
        found = run.recording.places.open_origin(node)
        return Opened(tuple(n for n in found.operands if n.role in _FOLLOWED), found.conditions)

    found = [each.node for each in explore(root, open_node)]
    return {node.line for node in found if node.kind is not NodeKind.CALLED}


@pytest.mark.parametrize("first", [0, 1000])
def test_slices_and_operands_are_what_the_witness_says(record: Record, first: int) -> None:
    writers = [Writer(first + number) for number in range(FUNCTIONS)]
    text = "\n".join(line for writer in writers for line in writer.lines) + "\n"
    text += "".join(f"f{first + number}()\n" for number in range(FUNCTIONS))
    run = record(text)
    compared = 0
    for node in ast.parse(text).body[:FUNCTIONS]:
        assert isinstance(node, ast.FunctionDef)
        witness = Interpreter()
        witness.run(node.body)
        call = run.call(node.name).id
        for name in NAMES:
            root = run.recording.places.origin_tree(call, name)
            known = witness.names[name]
            assert root.value == known.value
            assert sliced(run, root) == known.lines, (node.name, name)
            operands = run.recording.places.open_origin(root).operands
            read = {n.text: n.value for n in operands if n.role in _FOLLOWED}
            assert read == witness.read[root.line], (node.name, name)
            compared += len(read)
        for index, item in enumerate(witness.items):
            root = run.recording.places.origin_tree(call, f"xs[{index}]")
            assert root.value == item.value
            assert sliced(run, root) == item.lines, (node.name, index)
    assert compared > FUNCTIONS
