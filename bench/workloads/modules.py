"""Hundreds of modules that import each other, with many globals each. Scale: the number of modules.

The modules are made beside this file: only those below the program's folder are recorded. Run a copy of it.
"""

import importlib
import sys
from pathlib import Path

GLOBALS = 40
FUNCTIONS = 12
IMPORTED = 8

FUNCTION = """
def step_{number}(value):
    global COUNTER
    COUNTER += 1
    TABLE[value % 16] = value + LIMIT_{number}
    for other in OTHERS[:2]:
        value += other.LIMIT_{number}
    return value % LIMIT_0


class Part{number}:
    kind = "part {number}"
    limits = [LIMIT_{number}, LIMIT_0]

    def __init__(self, size):
        self.size = step_{number}(size)
"""

END = """
PARTS = [Part0(number) for number in range(20)]
PARTS += [Part1(part.size) for part in PARTS]


def run(value):
    for step in (step_0, step_1, step_2, step_3):
        value = step(value)
    return value
"""


def source(number: int) -> str:
    others = sorted({number // 2, *range(max(number - IMPORTED, 0), number)} - {number})
    lines = [f"from generated import m{other}" for other in others]
    lines += [f"LIMIT_{place} = {number * 1000 + place + 7}" for place in range(GLOBALS)]
    lines += [
        f"NAMES_{place} = ['a{place}', 'b', {{'c': {place}}}]" for place in range(GLOBALS // 4)
    ]
    lines += ["TABLE = {}", "COUNTER = 0"]
    lines += [f"OTHERS = [{', '.join(f'm{other}' for other in others)}]"]
    functions = [FUNCTION.format(number=place) for place in range(FUNCTIONS)]
    return "\n".join([*lines, *functions, END])


def make(folder: Path, count: int) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "__init__.py").write_text("")
    for number in range(count):
        (folder / f"m{number}.py").write_text(source(number))


def run(modules: list, rounds: int) -> int:
    total = 0
    for number in range(rounds):
        for module in modules:
            total += module.run(number)
    return total


def main() -> None:
    count = int(sys.argv[1])
    make(Path(__file__).with_name("generated"), count)
    modules = [importlib.import_module(f"generated.m{number}") for number in range(count)]
    print(run(modules, 40))


main()
