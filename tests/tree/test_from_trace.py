"""Trees and chains of recorded programs."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.session.truth import advanced
from wrongcall import recording
from wrongcall.recording import Recording
from wrongcall.session.session import Session
from wrongcall.session.steps import NeedsMoreTree, Question
from wrongcall.tree.from_trace import chains_of, tree_of
from wrongcall.tree.tree import NOBODY, Tree

Record = Callable[[str], Recording]


@pytest.fixture
def record(tmp_path: Path) -> Record:
    """Record a program and open its trace."""

    def run(program: str) -> Recording:
        script = tmp_path / "program.py"
        script.write_text(textwrap.dedent(program))
        made = tmp_path / "made.wrongcall"
        command = [sys.executable, "-m", "wrongcall", "record", "-o", str(made), str(script)]
        subprocess.run(command, check=True, capture_output=True, timeout=60)
        return recording.open(made)

    return run


def named(found: Recording, tree: Tree) -> list[str]:
    return [found.program.functions[int(number)].name for number in tree.function]


def chained(found: Recording, tree: Tree) -> list[list[str]]:
    """Return the names of the functions in each chain."""
    names, chains = named(found, tree), chains_of(found, tree)
    keys = [key for key in dict.fromkeys(chains.tolist()) if key >= 0]
    return [[names[node] for node in range(len(tree)) if chains[node] == key] for key in keys]


CASTLING = """
    class Position:
        def __init__(self, x):
            self.x = x
        def right(self):
            self.x += 1
        def left(self):
            self.x -= 1

    def castling(tower, king):
        for _ in range(3):
            tower.right()
        for _ in range(2):
            king.left()

    castling(Position(8), Position(5))
"""


def test_the_tree_of_a_program(record: Record) -> None:
    with record(CASTLING) as found:
        tree = tree_of(found)
        names = named(found, tree)
        castling = names.index("castling")
        assert [names[node] for node in tree.children(castling)] == ["right"] * 3 + ["left"] * 2
        assert tree.completed.all()
        for node in range(len(tree)):
            call = found.call(tree.call(node))
            assert tree.node(call.id) == node
            parent = tree.parent[node]
            assert (call.parent.id if call.parent else None) == (
                None if parent == NOBODY else tree.call(int(parent))
            )


def test_calls_of_a_loop_on_one_object_are_a_chain(record: Record) -> None:
    with record(CASTLING) as found:
        assert chained(found, tree_of(found)) == [["right"] * 3, ["left"] * 2]


def test_castling_takes_three_questions(record: Record) -> None:
    with record(CASTLING) as found:
        tree = tree_of(found)
        names = named(found, tree)
        session = Session(tree, strategy="dq-hirunkitti", chains=chains_of(found, tree))
        castling = tree.call(names.index("castling"))
        session.judge(castling, "wrong")
        asked = []
        while isinstance(step := advanced(session), Question):
            asked.append([names[tree.node(call)] for call in step.calls])
            session.answer("right")
        assert asked == [["right"] * 3, ["left"] * 2]
        assert getattr(step, "calls", None) == (castling,)


def test_calls_that_take_the_previous_result_form_a_chain(record: Record) -> None:
    program = """
        def delete(values):
            return values[1:]

        def run(values):
            while values:
                values = delete(values)

        run([1, 2, 3])
    """
    with record(program) as found:
        assert chained(found, tree_of(found)) == [["delete"] * 3]


def test_different_objects_and_writes_between_are_no_chain(record: Record) -> None:
    program = """
        class Box:
            def __init__(self):
                self.n = 0
            def add(self):
                self.n += 1

        def different(boxes):
            for box in boxes:
                box.add()

        def disturbed(box):
            box.add()
            box.n = 7
            box.add()

        def plain(n):
            return n

        def numbers():
            return [plain(n) for n in range(3)]

        one = Box()
        different([Box(), Box()])
        disturbed(one)
        numbers()
    """
    with record(program) as found:
        assert chained(found, tree_of(found)) == []


def test_generators_and_threads_are_put_in_order(record: Record) -> None:
    program = """
        import threading

        def helper(n):
            return n

        def numbers():
            for n in range(3):
                yield helper(n)

        def consume():
            made = numbers()
            helper(10)
            return list(made)

        other = threading.Thread(target=consume)
        other.start()
        consume()
        other.join()
    """
    with record(program) as found:
        tree = tree_of(found)
        names = named(found, tree)
        for node in range(len(tree)):
            if names[node] == "numbers":
                assert [names[child] for child in tree.children(node)] == ["helper"] * 3
            for child in tree.children(node):
                assert int(tree.parent[child]) == node
        assert names.count("numbers") == 2
        assert len(chains_of(found, tree)) == len(tree)


GROWING = """
    import pathlib, sys, time

    def work(n):
        return n

    def main(folder):
        work(1)
        (folder / "begun").touch()
        while not (folder / "go").exists():
            time.sleep(0.01)
        work(2)

    main(pathlib.Path(sys.argv[1]))
"""


def test_a_trace_that_is_still_being_written(tmp_path: Path) -> None:
    script, made = tmp_path / "program.py", tmp_path / "made.wrongcall"
    script.write_text(textwrap.dedent(GROWING))
    command = [sys.executable, "-m", "wrongcall", "record", "-o", str(made), str(script)]
    with subprocess.Popen([*command, str(tmp_path)], stderr=subprocess.DEVNULL) as running:
        wait_for((tmp_path / "begun").exists)
        # What was handed over is in the file within a tenth of a second.
        wait_for(lambda: completed(made) == ["work"])
        with recording.open(made) as found:
            tree = tree_of(found)
            session = Session(tree, strategy="top-down", growing=True)
            question = advanced(session)
            assert isinstance(question, Question)
            session.answer("right")
            assert isinstance(advanced(session), NeedsMoreTree)
            (tmp_path / "go").touch()
            assert running.wait(60) == 0
            found.refresh()
            tree = tree_of(found)
            session.grow(tree, chains=chains_of(found, tree))
            assert [named(found, tree)[tree.node(call)] for call in asked_first(session)] == [
                "<module>"
            ]


def completed(path: Path) -> list[str]:
    if not path.exists():
        return []
    with recording.open(path) as found:
        tree = tree_of(found)
        names = named(found, tree)
        return [names[node] for node in range(len(tree)) if tree.completed[node]]


def asked_first(session: Session) -> tuple[int, ...]:
    step = advanced(session)
    assert isinstance(step, Question)
    return step.calls


def wait_for(condition: Callable[[], bool]) -> None:
    last = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < last
        time.sleep(0.02)
